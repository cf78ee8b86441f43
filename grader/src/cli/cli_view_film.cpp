#include "cli/cli_view_film.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace grader {
namespace {

constexpr double film_patience = 15;  // a film runs longer than a case
constexpr std::uintmax_t largest_dump = std::uintmax_t{1} << 30;

}  // namespace

Case film_case(const Lab& lab, Backend backend) {
  const FilmSpec& film = *lab.film;
  Case c;
  c.args = backend == Backend::emu && !film.emu_args.empty() ? film.emu_args : film.args;
  c.verify = Verify::none;
  c.from_device = false;
  return c;
}

fs::path film_dump(Session& session, const Submission& submission, Case c, Backend backend,
                   const CaseData& data, const fs::path& folder) {
  const Lab& lab = *submission.lab;
  const std::string arguments = fmt::format("{}", fmt::join(c.args, " "));
  const fs::path program = built_program(session, submission, backend, c.macros);
  c.args.push_back("--dump=film.frames");
  RunTool long_run;
  long_run.patience = film_patience;
  const RunResult run =
      run_case(session.toolchain(), lab, c, backend, program, data, folder / "run", long_run);
  std::string so = "there is nothing to show";
  if (const auto& todo = submission.todo; !todo.empty())  // how an unfinished program ends means little
    so += fmt::format(" yet (still to do: {} of its blanks, the first in {}:{})", todo.size(),
                      todo.front().file.string(), todo.front().line);
  need_good_end(lab, run, so);
  fs::create_directory(folder / "taken");
  const ResultFolder::Taken dump = run.left->take("film.frames", folder / "taken", largest_dump);
  if (dump.file.empty())
    throw Error(ErrorKind::usage,
                fmt::format("The program {} left no dump{}.", arguments,
                            dump.problem.empty() ? "" : ": " + dump.problem),
                fmt::format("grader view {}, without --case and --args", lab.id));
  return dump.file;
}

}  // namespace grader
