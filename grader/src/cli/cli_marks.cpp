// marks: shows the marks of several labs side by side.
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "cli/cli_session.hpp"
#include "report/course_marks.hpp"

namespace grader {
namespace {

struct MarksOptions {
  std::vector<std::string> files;
  std::string csv, latex;
};

int run_marks(Session& session, const MarksOptions& o) {
  const CourseMarks marks = read_course_marks({o.files.begin(), o.files.end()});
  if (!o.csv.empty()) write_file(o.csv, course_marks_csv(marks));
  if (!o.latex.empty()) write_file(o.latex, course_marks_latex(marks));
  if (session.json)
    session.answer(course_marks_json(marks));
  else
    session.print(course_marks_text(marks, session.style));
  return 0;
}

Command marks_command() {
  const auto o = std::make_shared<MarksOptions>();
  return {.name = "marks",
          .summary = "Show the marks of several labs side by side",
          .group = Group::instructor,
          .options = concat(
              {{{.names = "FILES",
                 .type = "FILE",
                 .help = "class.json of each lab, as class --report writes it",
                 .value = &o->files,
                 .required = true},
                {.names = "--csv", .type = "FILE", .help = "write them there as well", .value = &o->csv},
                {.names = "--latex",
                 .type = "FILE",
                 .help = "write a table for LaTeX there",
                 .value = &o->latex}},
               report_options()}),
          .run = [o](Session& session) { return run_marks(session, *o); }};
}

}  // namespace

std::vector<Command> marks_commands() {
  return {marks_command()};
}

}  // namespace grader
