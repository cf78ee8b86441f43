// view: a page that plays a dump of moving points, of a file or of a lab's program.
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/scratch.hpp"
#include "cli/cli_session.hpp"
#include "cli/commands.hpp"
#include "view/film_page.hpp"

namespace grader {
namespace {

struct ViewOptions {
  LabChoice lab;
  std::string to;
  int every = 1;
  bool replace = false;
};

struct Shown {
  Film film;
  std::string title, about;
  fs::path page;  ///< where it goes when nothing else is said
};

Shown show_file(const ViewOptions& o) {
  const fs::path dump = o.lab.ref;
  return {.film = read_film(dump, o.every),
          .title = dump.filename().string(),
          .about = "",
          .page = fs::path(dump).replace_extension(".html")};
}

int run_view(Session& session, ViewOptions& o) {
  const Shown shown_film = show_file(o);
  const fs::path to = o.to.empty() ? shown_film.page : fs::path(o.to);
  const std::string page = film_page(shown_film.film, shown_film.title, shown_film.about);
  write_page(to, page, o.replace);
  const lab::FramesHead& head = shown_film.film.head;
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "view"},
                                  {"page", fs::absolute(to).string()},
                                  {"bytes", page.size()},
                                  {"points", head.points},
                                  {"frames", head.frames}});
    return 0;
  }
  session.print(
      fmt::format("{} points, {} frames: {} ({})\nNext: open it in a browser, on this machine or, once "
                  "copied, on any other.\n",
                  head.points, head.frames, shown(to), human_bytes(static_cast<double>(page.size()))));
  return 0;
}

Command view_command() {
  const auto o = std::make_shared<ViewOptions>();
  return {.name = "view",
          .summary = "Make a page that plays a dump of moving points",
          .group = Group::student,
          .options = concat(
              {{{.names = "WHAT", .type = "WHAT", .help = "a dump", .value = &o->lab.ref, .required = true},
                {.names = "-o,--output",
                 .type = "FILE",
                 .help = "the page; default: named as the dump, .html",
                 .value = &o->to},
                {.names = "--every",
                 .type = "K",
                 .help = "only each K-th frame",
                 .value = &o->every,
                 .positive = true},
                {.names = "--replace",
                 .help = "also a file that is no page of this command",
                 .value = &o->replace}},
               report_options()}),
          .run = [o](Session& session) { return run_view(session, *o); }};
}

}  // namespace

std::vector<Command> view_commands() {
  return {view_command()};
}

}  // namespace grader
