// grade and watch: the commands that grade a submission.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "build/compiler.hpp"
#include "check/checking.hpp"
#include "cli/cli_session.hpp"
#include "cli/cli_view_kernel.hpp"
#include "course/assemble.hpp"
#include "model/json.hpp"
#include "process/machine.hpp"
#include "process/watch_files.hpp"
#include "report/exports.hpp"
#include "report/places.hpp"
#include "report/report.hpp"
#include "workspace/editor_files.hpp"
#include "workspace/workspace.hpp"

namespace grader {
namespace {

struct GradeOptions {
  LabChoice lab;
  SourceChoice source;
  std::string only_case;
  std::string format;        ///< --format: the other system whose format the answer has; empty: text, or JSON
  bool check = false;        ///< grader check
  bool places = false;       ///< --places
  bool times = false;        ///< --times
  bool only_blanks = false;  ///< --only-blanks
  bool view = false;         ///< --view
  bool strict = false;       ///< --strict
  bool steps = false;        ///< --steps

  const char* command() const { return check ? "check " : ""; }
};

/// The lab with only one case, and with the parts that this case proves. @throws Error (usage) for an unknown case
Lab with_one_case(const Lab& lab, const GradeOptions& o) {
  const std::string& id = o.only_case;
  Lab out = lab;
  out.cases.clear();
  std::vector<std::string> ids;
  for (const Case& c : lab.cases) {
    if (c.id == id) out.cases.push_back(c);
    if (c.visibility == Visibility::visible) ids.push_back(c.id);
  }
  if (!out.cases.empty()) {
    const std::vector<int>& proven = out.cases.front().parts;
    const auto unproven = [&](const Part& part) {
      return !proven.empty() && std::find(proven.begin(), proven.end(), part.id) == proven.end();
    };
    out.parts.erase(std::remove_if(out.parts.begin(), out.parts.end(), unproven), out.parts.end());
    return out;
  }
  const std::string near = did_you_mean(id, ids);
  throw Error(ErrorKind::usage,
              fmt::format("{} has no case \"{}\"; it has {}.{}", lab.id, id, fmt::join(ids, ", "),
                          near.empty() ? "" : fmt::format(" Did you mean {}?", near)),
              fmt::format("grader {}{} --case {}", o.command(), lab.id,
                          near.empty() ? (ids.empty() ? "ID" : ids.front()) : near));
}

std::string lab_after(Session& session, const Lab& lab) {
  const std::vector<Lab>& labs = session.catalog().labs();
  const auto here = std::find_if(labs.begin(), labs.end(), [&](const Lab& l) { return l.id == lab.id; });
  return here == labs.end() || here + 1 == labs.end() ? "" : (here + 1)->id;
}

/// A grading, and the reason if it could not be recorded.
struct Graded {
  Grading grading;
  std::optional<Error> not_recorded;
};

/// Whether a note was not printed yet today. The last note is kept in the state folder. If this file is
/// missing or can't be written, the note is printed again.
bool first_today(const Kit& kit, const std::string& note) {
  const fs::path file = kit.state() / "noted.txt";
  const std::string line = this_machine().clocks.utc().substr(0, 10) + " " + note + "\n";
  std::error_code failed;
  try {
    if (fs::exists(file, failed) && read_file(file, 4096) == line) return false;
    write_file(file, line);
  } catch (const Error&) {
    return true;
  }
  return true;
}

/// Creates the student's folder at the first grading of a level.
void prepare_workspace(Session& session, const Lab& lab, int level) {
  const Workspace workspace = open_workspace(session.kit(), lab, level);
  if (workspace.made)
    session.say(fmt::format("Made {} with the skeleton of {} level {}: your files are there.",
                            shown(workspace.folder), lab.id, level));
  if (!workspace.note.empty()) session.say("note: " + workspace.note);
}

/// The files to grade. For a folder with --only-blanks, they are the lab's own files with the texts of the folder's
/// blanks.
Submission read_files_of(Session& session, const Lab& lab, const GradeOptions& o,
                         std::vector<std::string>& notes) {
  const int level = o.lab.level_or_first();
  if (!o.only_blanks) return o.source.read(session, lab, level);
  if (o.source.folder.empty())
    throw Error(ErrorKind::usage, "--only-blanks needs a folder that was handed in.",
                fmt::format("grader grade {} --from FOLDER --only-blanks", lab.id));
  Assembled assembled =
      assemble(read_form(session.kit(), lab, level), read_files(o.source.folder), o.source.folder);
  notes = std::move(assembled.notes);
  return std::move(assembled.submission);
}

/// Prints a line of JSON for each step, and one for each case when its state changes. The answer is the last
/// line.
void print_steps(const Session& session, GradeContext& context) {
  context.progress = [&session](const std::string& what, int done, int of) {
    session.print(
        json_text({{"format", 1}, {"kind", "step"}, {"what", what}, {"done", done}, {"of", of}}, -1) + "\n");
  };
  context.settled = [&session](const CaseResult& result) {
    session.print(json_text({{"format", 1}, {"kind", "case"}, {"case", to_json(result)}}, -1) + "\n");
  };
}

/// Grades the current files, with all cases or the named one. A grading that can't be recorded is still shown.
Graded grade_now(Session& session, const Lab& lab, const GradeOptions& o) {
  if (o.source.origin() == Origin::student) prepare_workspace(session, lab, o.lab.level_or_first());
  std::vector<std::string> notes;
  Submission submission = read_files_of(session, lab, o, notes);
  Lab narrowed;
  if (!o.only_case.empty()) {
    narrowed = with_one_case(o.check ? checkable_lab(lab) : lab, o);
    submission.lab = &narrowed;
  }
  std::string note;
  const Backend backend = o.source.choose_backend(session, note);
  ProgressLine line(!session.json);
  GradeContext context{session.kit(), session.toolchain(), submission, backend, progress_on(line)};
  context.strict = o.strict;
  context.looks_at_once = most_compilers();
  if (o.steps) print_steps(session, context);
  Graded out{(o.check ? check : grade)(context), {}};
  out.grading.notes.insert(out.grading.notes.begin(), notes.begin(), notes.end());
  if (!note.empty() && !o.check && (session.json || first_today(session.kit(), note)))
    out.grading.notes.insert(out.grading.notes.begin(), note);
  if (!o.only_case.empty()) {
    out.grading.notes.push_back(fmt::format("Only case {} was run, so this {} is not recorded.", o.only_case,
                                            o.check ? "check" : "grading"));
    return out;
  }
  try {
    session.records().add(out.grading);
  } catch (const Error& e) {
    out.not_recorded =
        Error(e.kind(), fmt::format("The grading was not recorded. {}", e.what()), e.next_step());
  }
  return out;
}

/// The answer in another system's format. @throws Error (fault) when there is no grade, since the other system would
/// take the answer for a grade
std::string exported(const Lab& lab, const Grading& grading, const std::string& format) {
  if (!is_graded(grading))
    throw Error(
        ErrorKind::fault,
        fmt::format("{} could not be graded, since the kit is at fault; nothing was written.", lab.id),
        fmt::format("grader {} --verbose", lab.id));
  if (format == "gradescope") return gradescope_json(lab, grading);
  if (format == "classroom") return classroom_result(grading);
  return format == "junit" ? junit_xml(lab, grading) : autolab_line(grading);
}

void show(Session& session, const Lab& lab, const Grading& grading, const GradeOptions& o) {
  if (!o.format.empty()) {
    session.print(exported(lab, grading, o.format));
  } else if (session.json) {
    session.print(json_text(to_json(grading), o.steps ? -1 : 2) + "\n");
  } else {
    // The places come first, so that the verdict is at the end of the output, where a reader sees it.
    // Besides, an editor that reads the output while it is written may lose lines just before the end.
    const std::string places = o.places ? places_text(grading) : "";
    if (!places.empty()) session.print(places + "\n");
    session.print(report_text(lab, grading, session.style,
                              {session.verbose, lab_after(session, lab), o.times,
                               parts_left_blank(session.kit(), lab, grading.level)}));
  }
}

/// Opens the page of the first case that has a mistake. Students see no hidden cases on the page.
void view_what_is_wrong(Session& session, const Grading& checked, GradeOptions& o) {
  const auto shown = std::find_if(checked.cases.begin(), checked.cases.end(), [](const CaseResult& result) {
    return result.visibility == Visibility::visible && any_error(result.findings);
  });
  if (shown == checked.cases.end()) {
    session.say(
        fmt::format("No page was made, since the checker found nothing in a case that may be shown.\n"
                    "Next: grader view {}, to see it run all the same",
                    checked.lab));
    return;
  }
  CaseChoice which;
  which.id = shown->id;
  view_kernel(session, {o.lab, o.source, which, "", "", false});
}

int run_grade(Session& session, GradeOptions& o) {
  if (o.view && session.json)
    throw Error(ErrorKind::usage, "--view makes a page, and --json asks for an answer in JSON: one of them.",
                fmt::format("grader view {} --format json", o.lab.ref));
  if (o.view && o.source.backend == to_string(Backend::gpu))
    throw Error(ErrorKind::usage, "--view needs emulation: a GPU does not record the steps of a kernel.",
                fmt::format("grader check {} --view", o.lab.ref));
  if (o.steps && !session.json)
    throw Error(ErrorKind::usage, "--steps is of answers in JSON.",
                fmt::format("grader {}{} --json --steps", o.command(), o.lab.ref));
  const Lab& lab = o.lab.find(session);
  const Graded graded = grade_now(session, lab, o);
  show(session, lab, graded.grading, o);
  if (o.view) view_what_is_wrong(session, graded.grading, o);
  if (!graded.not_recorded) return exit_code(graded.grading);
  session.say(
      fmt::format("grader: {}\nNext: {}", graded.not_recorded->what(), graded.not_recorded->next_step()));
  return static_cast<int>(graded.not_recorded->kind());
}

Option case_option(GradeOptions& o) {
  return {
      .names = "--case", .type = "ID", .help = "run this case alone; not recorded", .value = &o.only_case};
}

Option format_option(GradeOptions& o) {
  return {.names = "--format",
          .type = "FORM",
          .help = "answer as gradescope, autolab, classroom (GitHub) or junit reads it",
          .value = &o.format,
          .choices = {"gradescope", "junit", "autolab", "classroom"}};
}

Option places_option(GradeOptions& o) {
  return {.names = "--places", .help = "blanks and findings by line too, for editors", .value = &o.places};
}

Option times_option(GradeOptions& o) {
  return {.names = "--times", .help = "show the times also when not all is right", .value = &o.times};
}

Option view_option(GradeOptions& o) {
  return {.names = "--view",
          .help = "make a page of the first case with a finding, as grader view does",
          .value = &o.view};
}

Option strict_option(GradeOptions& o) {
  return {.names = "--strict",
          .help = "writes of the same value to one place by several threads are races, too",
          .value = &o.strict};
}

Option steps_option(GradeOptions& o) {
  return {
      .names = "--steps", .help = "with --json: a line for each step and case as well", .value = &o.steps};
}

Option only_blanks_option(GradeOptions& o) {
  return {.names = "--only-blanks",
          .help = "for a folder: use only the text in its blanks",
          .value = &o.only_blanks};
}

Command grade_command() {
  const auto o = std::make_shared<GradeOptions>();
  return {.name = "grade",
          .summary = "Grade a lab; \"grader LAB\" is the same",
          .group = Group::student,
          .options = concat({o->lab.options(),
                             o->source.options(),
                             {case_option(*o), places_option(*o), times_option(*o), only_blanks_option(*o),
                              format_option(*o), steps_option(*o)},
                             long_report_options()}),
          .run = [o](Session& session) { return run_grade(session, *o); }};
}

int run_check(Session& session, GradeOptions& o) {
  // Uses emulation even if there is a GPU, because emulation shows more.
  if (o.source.backend.empty()) o.source.backend = to_string(Backend::emu);
  if (o.strict && o.source.backend != to_string(Backend::emu))
    throw Error(ErrorKind::usage,
                "--strict needs the emulation's checker; compute-sanitizer has no such mode.",
                fmt::format("leave out --strict, or --backend {}", o.source.backend));
  return run_grade(session, o);
}

Command check_command() {
  const auto o = std::make_shared<GradeOptions>();
  o->check = true;
  return {.name = "check",
          .summary = "Look for races, bad accesses and barriers in a lab",
          .group = Group::student,
          .options = concat(
              {o->lab.options(),
               o->source.options("emu (emucc --check, the default) or gpu (compute-sanitizer)"),
               {case_option(*o), places_option(*o), view_option(*o), strict_option(*o), steps_option(*o)},
               long_report_options()}),
          .run = [o](Session& session) { return run_check(session, *o); }};
}

// ---------------------------------------------------------------------------------------------------------------------

/// Grades once for `watch`. An error of one grading does not end the watch, for example a file that is
/// missing for a moment, a level without sources, or a damaged kit.
void grade_for_watch(Session& session, const Lab& lab, const GradeOptions& o) {
  if (!session.json) session.print(watch_begins(lab.id) + " …\n");
  try {
    const Graded graded = grade_now(session, lab, o);
    if (session.json) {
      session.print(json_text(to_json(graded.grading), -1) + "\n");
    } else {
      if (session.style.colour) session.print("\x1b[H\x1b[2J\x1b[3J");  // clears the screen
      show(session, lab, graded.grading, o);
    }
    if (graded.not_recorded) session.say(fmt::format("grader: {}", graded.not_recorded->what()));
  } catch (const Error& e) {
    if (interrupted()) throw;
    session.say(
        fmt::format("grader: {}{}", e.what(), e.next_step().empty() ? "" : "\nNext: " + e.next_step()));
  }
}

int run_watch(Session& session, GradeOptions& o) {
  const Lab& lab = o.lab.find(session);
  const int level = o.lab.level_or_first();
  if (o.source.origin() == Origin::student) prepare_workspace(session, lab, level);
  const fs::path folder = o.source.solution         ? solution_folder(session.kit(), lab)
                          : o.source.folder.empty() ? workspace_folder(session.kit(), lab, level)
                                                    : fs::path(o.source.folder);
  FileWatch watch(folder, interrupted, [&] {
    session.say(
        fmt::format("{} is gone: it is watched again as soon as it is back; Ctrl-C ends.", shown(folder)));
  });
  do {
    grade_for_watch(session, lab, o);
    if (!session.json)
      session.print(
          fmt::format("\n{} {}: save a file to grade again, Ctrl-C to end.\n", watch_ends, shown(folder)));
  } while (!interrupted() && watch.wait());
  return 130;
}

Command watch_command() {
  const auto o = std::make_shared<GradeOptions>();
  return {.name = "watch",
          .summary = "Grade a lab again at each save",
          .group = Group::student,
          .options = concat({o->lab.options(),
                             o->source.options(),
                             {places_option(*o), times_option(*o)},
                             long_report_options()}),
          .run = [o](Session& session) { return run_watch(session, *o); }};
}

}  // namespace

std::vector<Command> grade_commands() {
  return {grade_command(), check_command(), watch_command()};
}

}  // namespace grader
