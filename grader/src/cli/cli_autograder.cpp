// autograder: the command that Gradescope and GitHub Classroom run to grade a hand-in.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "author/autograder.hpp"
#include "base/files.hpp"
#include "base/scratch.hpp"
#include "cli/cli_session.hpp"
#include "course/archive.hpp"

namespace grader {
namespace {

struct AutograderOptions : LabChoice {
  std::string gradescope, github;
};

int answer(Session& session, const std::vector<fs::path>& files, const std::string& next) {
  nlohmann::json names = nlohmann::json::array();
  for (const fs::path& file : files) names.push_back(file.string());
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1}, {"kind", "autograder"}, {"files", names}});
    return 0;
  }
  for (const fs::path& file : files) session.print("  " + shown(file) + "\n");
  session.print("Next: " + next + "\n");
  return 0;
}

int run_autograder(Session& session, AutograderOptions& o) {
  if (o.gradescope.empty() == o.github.empty())
    throw Error(ErrorKind::usage, "For which platform? Name one of --gradescope and --github.",
                "grader autograder lab1.1 --gradescope lab1.1.zip");
  if (!o.github.empty())
    return answer(session, write_classroom(o.github),
                  "make the folder a repository on GitHub, and take it as the assignment's template");
  if (o.ref.empty())
    throw Error(ErrorKind::usage, "Gradescope grades one lab: which?",
                fmt::format("grader autograder lab1.1 --gradescope {}", o.gradescope));
  const Lab& lab = o.find(session);
  const fs::path zip = fs::absolute(o.gradescope).lexically_normal();
  const ScratchFolder scratch(fs::temp_directory_path(), "autograder");
  write_gradescope(session.kit(), session.catalog(), lab, o.level_or_first(), scratch.path() / "source");
  write_zip(scratch.path() / "source", zip);
  return answer(session, {zip}, "upload it under Configure Autograder, with Ubuntu 22.04 as the base image");
}

Command autograder_command() {
  const auto o = std::make_shared<AutograderOptions>();
  Option lab = o->lab_option();
  lab.required = false;
  return {.name = "autograder",
          .summary = "Make the grading files of Gradescope or GitHub Classroom",
          .group = Group::instructor,
          .options = concat({{lab,
                              {.names = "-l,--level",
                               .type = "N",
                               .help = "its level; default: 1",
                               .value = &o->level,
                               .positive = true},
                              {.names = "--gradescope",
                               .type = "FILE",
                               .help = "write a zip for Gradescope there",
                               .value = &o->gradescope},
                              {.names = "--github",
                               .type = "DIR",
                               .help = "write a workflow into the class's kit there",
                               .value = &o->github}},
                             report_options()}),
          .run = [o](Session& session) { return run_autograder(session, *o); }};
}

}  // namespace

std::vector<Command> autograder_commands() {
  return {autograder_command()};
}

}  // namespace grader
