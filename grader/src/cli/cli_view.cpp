// view: writes a page that steps through the kernels of a lab or of a recorded program, or plays a dump of moving
// points from a file or from a lab's program. It also explains why an element has its value.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/scratch.hpp"
#include "check/program_record.hpp"
#include "cli/cli_session.hpp"
#include "cli/cli_view_beside.hpp"
#include "cli/cli_view_element.hpp"
#include "cli/cli_view_film.hpp"
#include "cli/cli_view_kernel.hpp"
#include "cli/cli_view_program.hpp"
#include "cli/cli_view_still.hpp"
#include "cli/commands.hpp"
#include "view/film_page.hpp"

namespace grader {
namespace {

struct ViewOptions {
  LabChoice lab;  ///< or a dump
  SourceChoice source;
  CaseChoice which;
  std::string to;
  int every = 1;
  bool replace = false;
  bool open = false;
  bool kernel = false;
  std::string element, format;
  std::vector<std::string> shapes;
  std::string beside, beside_case;
  std::string still;
};

/// A film, and the texts on its page.
struct Shown {
  Film film;
  std::string title, about;
  fs::path page;  ///< where the page is written by default
};

/// Whether the word names a lab. A folder may be a lab's. A name that is not a file is a lab's if it has such
/// a form.
bool names_lab(const std::string& what) {
  std::error_code ignored;
  const fs::file_status there = fs::status(what, ignored);
  return fs::is_directory(there) ||
         (!fs::exists(there) && what.starts_with("lab") && what.find('/') == std::string::npos);
}

Shown show_dump(const ViewOptions& o) {
  const fs::path dump = o.lab.ref;
  return {.film = read_film(dump, o.every),
          .title = dump.filename().string(),
          .about = "",
          .page = fs::path(dump).replace_extension(".html")};
}

/// The run to show: the requested one, or else the one in lab.toml. Its result is not verified.
Case choose_run(const Lab& lab, const ViewOptions& o, Backend backend) {
  if (!o.which.made()) return film_case(lab, backend);
  Case c = o.which.choose(lab, backend, "view");
  c.verify = Verify::none;
  c.from_device = false;
  return c;
}

/// Whether the lab has a film, and nothing else was requested.
bool wants_film(Session& session, ViewOptions& o) {
  return !o.kernel && o.format.empty() && o.lab.find(session).film.has_value();
}

Shown show_lab(Session& session, ViewOptions& o) {
  const Lab& lab = o.lab.find(session);
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  std::string note;
  const Backend backend = o.source.choose_backend(session, note);
  const Case c = choose_run(lab, o, backend);
  const std::string arguments = fmt::format("{}", fmt::join(c.args, " "));
  ProgressLine line(!session.json);
  const ScratchFolder scratch(session.kit().state() / "work", "view");
  line.update("running", 0, 2);
  CaseData data;  // without a case, the program runs as if it were started by hand
  if (!o.which.id.empty() && !o.which.arguments)
    data = prepare_case(session.kit(), lab, c, build_oracle(session.kit(), session.toolchain(), lab),
                        scratch.path() / "data");
  const fs::path dump = film_dump(session, submission, c, backend, data, scratch.path());
  line.update("packing", 1, 2);
  return {.film = read_film(dump, o.every),
          .title = fmt::format("{}: {}", lab.id, lab.title),
          .about = fmt::format("{}{} ({})", o.source.solution ? "the solution, " : "", arguments,
                               backend == Backend::emu ? "emulation" : "GPU"),
          .page = lab.id + ".html"};
}

/// Replaces this process by the browser of the desktop.
[[noreturn]] void open_page(const fs::path& page) {
  const std::string path = fs::absolute(page).string();
  ::execlp("xdg-open", "xdg-open", path.c_str(), nullptr);
  throw Error(ErrorKind::environment, "No browser can be opened from here: xdg-open is not installed.",
              "Open it by hand: " + path);
}

/// Shows the page about the kernels, or prints its text.
int show_kernel(Session& session, const ViewOptions& o, const KernelView& it) {
  if (it.page.empty()) return 0;
  if (o.open) open_page(it.page);
  if (!session.json)
    session.print("Next: open it in a browser, here or, once copied, on any other machine.\n");
  return 0;
}

/// Shows the page about two runs, or prints its text.
int show_beside(Session& session, ViewOptions& o) {
  if (o.kernel || o.every != 1 || !names_lab(o.lab.ref))
    throw Error(ErrorKind::usage, "Only runs of labs can be compared side by side.",
                "grader view lab1.1 --beside lab2.1");
  const fs::path page =
      view_beside(session, {o.lab, o.source, o.which, o.beside, o.beside_case, o.format, o.to, o.replace});
  if (!page.empty() && o.open) open_page(page);
  return 0;
}

int run_view(Session& session, ViewOptions& o) {
  if (!o.still.empty()) return run_view_still(session, {o.lab, o.source, o.still, o.replace});
  if (!o.beside.empty() || !o.beside_case.empty()) return show_beside(session, o);
  if (!o.element.empty()) return run_view_element(session, {o.lab, o.source, o.which, o.element, o.format});
  if (o.lab.ref == "-" || is_program_record(o.lab.ref)) {
    const KernelView it = view_program(session, {o.lab.ref, o.shapes, o.format, o.to, o.replace});
    return o.lab.ref == "-" ? 0 : show_kernel(session, o, it);
  }
  if (!o.shapes.empty())
    throw Error(ErrorKind::usage, "--shape works only for the arrays of a recorded program.",
                "CUEMU_RECORD=A=64x64 ./a.out");
  if (names_lab(o.lab.ref) && !wants_film(session, o))
    return show_kernel(session, o,
                       view_kernel(session, {o.lab, o.source, o.which, o.format, o.to, o.replace}));
  if (o.kernel || !o.format.empty())
    throw Error(ErrorKind::usage, "Only a lab has kernels to step through, and a dump has none.",
                "grader view lab2.1");
  if (!o.to.empty()) need_page_place(o.to, o.replace);
  const Shown it = names_lab(o.lab.ref) ? show_lab(session, o) : show_dump(o);
  const fs::path to = o.to.empty() ? it.page : fs::path(o.to);
  const std::string page = film_page(it.film, it.title, it.about);
  write_page(to, page, o.replace);
  const lab::FramesHead& head = it.film.head;
  if (session.json)
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "view"},
                                  {"page", fs::absolute(to).string()},
                                  {"bytes", page.size()},
                                  {"points", head.points},
                                  {"frames", head.frames}});
  else
    session.print(fmt::format("{} points, {} frames: {} ({})\n", head.points, head.frames, shown(to),
                              human_bytes(static_cast<double>(page.size()))));
  if (o.open) open_page(to);
  if (!session.json)
    session.print("Next: open it in a browser, here or, once copied, on any other machine.\n");
  return 0;
}

Command view_command() {
  const auto o = std::make_shared<ViewOptions>();
  return {.name = "view",
          .summary = "See your kernel run, step by step, as a page",
          .group = Group::student,
          .options = concat(
              {{{.names = "WHAT",
                 .type = "WHAT",
                 .help = "a lab, a program's record, or a dump that a lab's program made",
                 .value = &o->lab.ref,
                 .required = true},
                {.names = "-o,--output",
                 .type = "FILE",
                 .help = "the page; default: the name of the dump, lab or program, with .html",
                 .value = &o->to},
                {.names = "--kernel",
                 .help = "for a lab with a film: step through its kernels instead",
                 .value = &o->kernel,
                 .excludes = {"--every"}},
                {.names = "--every",
                 .type = "K",
                 .help = "only each K-th frame",
                 .value = &o->every,
                 .positive = true},
                {.names = "--replace",
                 .help = "replace any file, not only a page of this command",
                 .value = &o->replace},
                {.names = "--open", .help = "open it in a browser", .value = &o->open},
                {.names = "--element",
                 .type = "'P[2][3]'",
                 .help = "for a lab: which thread wrote this array element, and from what",
                 .value = &o->element,
                 .excludes = {"--output", "--every", "--replace", "--open", "--kernel"}},
                {.names = "--beside",
                 .type = "WHAT",
                 .help = "of a lab: count two runs on the same inputs side by side, with a folder of other "
                         "sources, another lab, or solution",
                 .value = &o->beside,
                 .excludes = {"--element", "--kernel", "--every"}},
                {.names = "--beside-case",
                 .type = "ID",
                 .help = "the case of the other run; default: the same",
                 .value = &o->beside_case,
                 .excludes = {"--element", "--kernel", "--every"}},
                {.names = "--still",
                 .type = "FILE.svg",
                 .help = "for a lab: its handout's picture, drawn from these files",
                 .value = &o->still,
                 .excludes = {"--beside", "--beside-case", "--element", "--kernel", "--every", "--output",
                              "--open", "--format", "--case", "--args"}},
                {.names = "--format",
                 .type = "FORM",
                 .help = "text or json, in place of a page; of --element text is the default",
                 .value = &o->format,
                 .choices = {"text", "json"}},
                {.names = "--shape",
                 .type = "A=64x64",
                 .help = "for a record: the shape of a device array",
                 .value = &o->shapes},
                {.names = "-l,--level",
                 .type = "N",
                 .help = "of a lab: level, 1 is the most guided",
                 .value = &o->lab.level}},
               o->source.options(),
               o->which.options("the first small one that goes wrong, else the first; of a film its own"),
               long_report_options()}),
          .run = [o](Session& session) { return run_view(session, *o); }};
}

}  // namespace

std::vector<Command> view_commands() {
  return {view_command()};
}

}  // namespace grader
