// handout: makes pages to print, and slides, from handouts.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/scratch.hpp"
#include "cli/cli_session.hpp"
#include "handout/print.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_page = 8 << 20;

struct HandoutOptions {
  std::vector<std::string> labs;
  std::string pdf, html;
  bool all = false, answers = false, slides = false;
};

std::vector<Handout> read_handouts(Session& session, const HandoutOptions& o) {
  std::vector<Handout> out;
  for (const Lab* lab : choose_labs(session, o.labs)) {
    Handout one{lab, read_file(lab->folder / "README.md", largest_page), {}};
    if (o.answers) {
      const fs::path file = session.kit().solutions() / lab->folder_name() / answers_file;
      if (!fs::exists(file))
        throw Error(ErrorKind::usage,
                    fmt::format("This kit has no answers for {}: a student's kit never does.", lab->id),
                    fmt::format("grader handout {} without --answers", lab->id));
      one.answers = read_file(file, largest_page);
    }
    out.push_back(std::move(one));
  }
  return out;
}

int run_handout(Session& session, const HandoutOptions& o) {
  if (o.labs.empty() != o.all)
    throw Error(ErrorKind::usage, "A handout is printed of the labs that are named, or of --all.",
                "grader handout lab2.1 --pdf lab2.1.pdf");
  if (o.pdf.empty() && o.html.empty())
    throw Error(ErrorKind::usage, "A file for the handout is missing: --pdf FILE or --html FILE.",
                fmt::format("grader handout {0} --pdf {0}.pdf", o.all ? "--all" : o.labs.front()));
  const std::vector<Handout> handouts = read_handouts(session, o);
  const std::string page = o.slides ? slides_page(handouts) : handouts_page(handouts);
  const fs::path file = o.pdf.empty() ? o.html : o.pdf;
  if (o.pdf.empty()) {
    write_file(file, page);
  } else {
    const ScratchFolder scratch(session.kit().state() / "work", "handout");
    write_pdf(page, file, scratch.path());
  }
  if (session.json)
    session.answer(nlohmann::json{
        {"format", 1}, {"kind", "handout"}, {"file", file.string()}, {"labs", handouts.size()}});
  else
    session.print(fmt::format("Written: {}\n", shown(file)));
  return 0;
}

Command handout_command() {
  const auto o = std::make_shared<HandoutOptions>();
  return {.name = "handout",
          .summary = "Print handouts, or make slides of them",
          .group = Group::student,
          .options = concat(
              {{{.names = "LAB", .type = "LAB", .help = "labs, such as lab2.1", .value = &o->labs},
                {.names = "--all", .help = "all labs, one after the other", .value = &o->all},
                {.names = "--pdf", .type = "FILE", .help = "the file; Chromium makes it", .value = &o->pdf},
                {.names = "--html",
                 .type = "FILE",
                 .help = "the page itself, which any browser prints",
                 .value = &o->html,
                 .excludes = {"--pdf"}},
                {.names = "--slides", .help = "ideas, figures and questions as slides", .value = &o->slides},
                {.names = "--answers",
                 .help = "with open folds and the answers, for instructors",
                 .value = &o->answers,
                 .excludes = {"--slides"}}},
               report_options()}),
          .run = [o](Session& session) { return run_handout(session, *o); }};
}

}  // namespace

std::vector<Command> handout_commands() {
  return {handout_command()};
}

}  // namespace grader
