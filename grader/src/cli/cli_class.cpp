// class: grades the hand-ins of a whole class.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "cli/class_choice.hpp"
#include "course/compare.hpp"
#include "course/course.hpp"
#include "course/leaderboard.hpp"
#include "course/local_executor.hpp"
#include "course/secret.hpp"
#include "course/slurm_executor.hpp"
#include "course/slurm_task.hpp"
#include "model/drawn.hpp"
#include "model/json.hpp"
#include "process/machine.hpp"
#include "report/class_json.hpp"
#include "report/class_marks.hpp"
#include "report/class_page.hpp"
#include "report/feedback.hpp"
#include "report/leaderboard_page.hpp"

namespace grader {
namespace {

struct ClassOptions : ClassChoice, LocalChoice {
  std::string only, csv, feedback, page, board, report, executor = "local";
  bool regrade = false;
};

void write_feedback(const fs::path& folder, const Lab& lab, const ClassFile& course,
                    const std::vector<GradedAttempt>& attempts, const std::vector<Mark>& all) {
  const std::string now = this_machine().clocks.utc();
  for (const Mark& mark : all) {
    const GradedAttempt* const counted = counted_attempt(attempts, mark);
    if (counted == nullptr) continue;
    const Feedback feedback = feedback_on(lab, course, *counted, mark, now);
    write_file(folder / (mark.student + ".txt"), feedback_text(feedback));
    write_file(folder / (mark.student + ".html"), feedback_page(feedback));
  }
}

/// Writes the reports on a class that were requested.
void write_reports(Session& session, const ClassOptions& o, const Lab& lab, const CourseOptions& run,
                   ClassReport report) {
  report.made_at = this_machine().clocks.utc();
  std::optional<Grading>
      reference;  // times from a cluster's nodes can't be compared with times measured here
  std::vector<Reference> references;
  if (o.executor == "local") {
    const Lab drawn = with_drawn_sizes(lab, class_secret(session.kit(), lab, run));
    reference = reference_grading(session.kit(), session.toolchain(), drawn, run.course.level, run.backend);
    references = graded_references(session.kit(), session.toolchain(), drawn, run, reference, report.remarks);
  }
  if (reference) report.reference = &*reference;
  const Leaderboard board =
      class_board(session.kit(), lab, run.course, report.attempts, report.reference, references);
  report.board = &board;
  if (!o.board.empty()) write_file(o.board, leaderboard_page(lab, board, report.made_at));
  if (o.page.empty() && o.report.empty()) return;
  const ClassSimilarity similarity =
      compare_class(session.kit(), lab, run.course.level, run.course, hand_ins_of(report.attempts));
  report.similarity = &similarity;
  if (!o.page.empty()) write_file(o.page, class_page(report));
  if (!o.report.empty())
    write_file(fs::path(o.report) / "class.json", json_text(class_json(report, run.course.level)) + "\n");
}

/// With --report, sets the options for all other reports.
void fill_in_report(ClassOptions& o) {
  if (o.report.empty()) return;
  const fs::path folder = o.report;
  const auto usual = [&](std::string& option, const char* name) {
    if (option.empty()) option = (folder / name).string();
  };
  usual(o.csv, "marks.csv");
  usual(o.page, "class.html");
  usual(o.board, "leaderboard.html");
  usual(o.feedback, "feedback");
}

/// Why no hand-in could be graded: the message of the first case with a fault of the kit, or the last note.
std::string fault_of(const Grading& grading) {
  for (const CaseResult& c : grading.cases)
    if (c.verdict == Verdict::grader_fault) return fmt::format("case {}: {}", c.id, c.message);
  return grading.notes.empty() ? std::string() : grading.notes.back();
}

/// The marks, followed by the points that need a person's attention.
std::string class_text(const GradedClass& graded, const std::vector<Mark>& all, const Style& style) {
  std::string text = marks_text(all, style) + "\n";
  for (const std::string& remark : graded.remarks) text += hanging("", printable(remark), style.width) + "\n";
  const std::vector<GradedAttempt>& attempts = graded.attempts;
  std::size_t before = 0, faults = 0;
  for (const GradedAttempt& attempt : attempts) {
    before += attempt.was_recorded;
    faults += !is_graded(attempt.grading);
    std::vector<std::string> notes = attempt.notes;
    if (!is_graded(attempt.grading)) notes.push_back(fault_of(attempt.grading));
    for (const std::string& note : notes)
      text += hanging(fmt::format("{}, attempt {}: ", printable(attempt.hand_in.student),
                                  attempt.hand_in.attempt),
                      printable(note), style.width) +
              "\n";
  }
  text += fmt::format("{}, {}: {} graded now, {} before.\n", how_many(all.size(), "student"),
                      how_many(attempts.size(), "attempt"), attempts.size() - before - faults, before);
  if (faults != 0)
    text += hanging("",
                    fmt::format("{} could not be graded, which gives no mark; the same command tries "
                                "them again.",
                                faults),
                    style.width) +
            "\n";
  return text;
}

/// The backend of a cluster's nodes. It is not looked up here, since this machine may lack their GPUs or
/// compilers.
Backend backend_of_nodes(const ClassOptions& o, const SlurmSettings& settings) {
  const bool gpu = o.backend.empty() ? settings.gres.rfind("gpu", 0) == 0 : o.backend == "gpu";
  return gpu ? Backend::gpu : Backend::emu;
}

std::unique_ptr<Executor> make_executor(Session& session, const ClassOptions& o, const Lab& lab,
                                        CourseOptions& run, std::string& note) {
  if (o.executor == "slurm") {
    if (o.workers > 0)
      throw Error(ErrorKind::usage, "--workers needs --executor local; on a cluster the class file sets it.",
                  "cpus = N below [slurm]: how many attempts a task grades at once");
    run.backend = backend_of_nodes(o, run.course.slurm);
    return std::make_unique<SlurmExecutor>(
        session.kit(), lab, session.toolchain().emucc,
        SlurmWork{run.backend, o.unsafe, fs::absolute(o.folder).lexically_normal().string(), run.course.level,
                  class_secret(session.kit(), lab, run)},
        run.course.slurm, [&session](const std::string& sentence) { session.say(sentence); });
  }
  const int workers = o.choose_workers(session, run.backend, note);
  return std::make_unique<LocalExecutor>(
      session.kit(), session.toolchain(),
      LocalWork{run.backend, workers, class_secret(session.kit(), lab, run)});
}

/// Reports that the secret was lost. With the new secret, later gradings have other sizes and inputs.
void report_lost_secret(Session& session, const Lab& lab) {
  std::error_code ignored;
  if (fs::exists(session.kit().state() / class_secret_file, ignored)) return;
  const std::vector<RecordSummary> before = session.records().list({.lab = lab.id});
  if (std::none_of(before.begin(), before.end(),
                   [](const RecordSummary& one) { return !one.course.empty(); }))
    return;
  session.say(
      fmt::format("{} is lost, from which the sizes and inputs of classes were drawn: they are drawn anew, "
                  "and differ from those "
                  "of the attempts that were graded before. Put it back from a backup (FILE.{} beside the "
                  "records' backup) and "
                  "give the command again; or grade all with the new ones: --regrade.",
                  class_secret_file, class_secret_file));
}

Which which_of(const std::string& only) {
  static const std::map<std::string, Which> all = {{"latest", Which::latest},
                                                   {"best", Which::best},
                                                   {"changed", Which::changed},
                                                   {"failed", Which::failed}};
  const auto known = all.find(only);
  return known == all.end() ? Which::all : known->second;
}

int run_class(Session& session, ClassOptions& o) {
  fill_in_report(o);
  CourseOptions run;
  fs::path class_file;
  run.course = o.read_course(class_file);
  const Lab& lab = o.find_lab(session, run.course);
  run.folder = o.folder;
  std::string note;
  report_lost_secret(session, lab);
  const std::unique_ptr<Executor> executor = make_executor(session, o, lab, run, note);
  run.others = {class_file, o.csv, o.feedback, o.page, o.board, o.report};
  run.which = which_of(o.only);
  run.regrade = o.regrade;

  ProgressLine line(!session.json);
  const Progress progress = progress_on(line);
  const FileLock only_one(session.kit().state() / "class.lock");
  const GradedClass graded =
      grade_course(session.kit(), lab, session.records(), run, *executor,
                   [&](int done, int of) { progress("attempts are graded", done, of); });
  line.clear();
  if (graded.regrade_resumed)
    session.say(
        "note: --regrade went on where it was interrupted: what it had graded anew counts as graded before.");
  const std::vector<GradedAttempt>& attempts = graded.attempts;
  std::vector<Mark> all = marks(run.course, attempts);
  add_answers(all, attempts, session.records(), lab, run.course.level, run.course.answer_points);
  if (!o.csv.empty()) write_file(o.csv, marks_csv(all));
  ClassReport report{.lab = lab, .attempts = attempts, .marks = all, .made_at = "", .backend = run.backend};
  report.remarks = graded.remarks;
  if (!o.page.empty() || !o.board.empty()) write_reports(session, o, lab, run, report);
  if (!o.feedback.empty()) write_feedback(o.feedback, lab, run.course, attempts, all);
  if (session.json)
    session.answer(class_json(report, run.course.level));
  else
    session.print(class_text(graded, all, session.style));
  if (!note.empty()) session.say("note: " + note);
  const bool whole = std::all_of(attempts.begin(), attempts.end(),
                                 [](const GradedAttempt& attempt) { return is_graded(attempt.grading); });
  return whole ? 0 : static_cast<int>(ErrorKind::fault);
}

Command class_command() {
  const auto o = std::make_shared<ClassOptions>();
  return {
      .name = "class",
      .summary = "Grade what a whole class has handed in",
      .group = Group::instructor,
      .options = concat(
          {o->options(),
           {{.names = "--only",
             .type = "WHICH",
             .help =
                 "latest: each student's last attempt; best: each student's best so far; changed: attempts "
                 "whose files have changed; failed: attempts that lost points",
             .value = &o->only,
             .choices = {"latest", "best", "changed", "failed"}},
            {.names = "--regrade", .help = "grade again what was graded before", .value = &o->regrade},
            {.names = "--executor",
             .type = "NAME",
             .help = "local: here; slurm: the cluster of [slurm] in the class file",
             .value = &o->executor,
             .choices = {"local", "slurm"}},
            {.names = "--report",
             .type = "DIR",
             .help = "write all files below there, and class.json",
             .value = &o->report},
            {.names = "--csv", .type = "FILE", .help = "write the marks there as well", .value = &o->csv},
            {.names = "--html",
             .type = "FILE",
             .help = "write a page for you there: all results, times, similar pairs",
             .value = &o->page},
            {.names = "--leaderboard",
             .type = "FILE",
             .help = "write a page for students there: nicknames and times",
             .value = &o->board},
            {.names = "--feedback",
             .type = "DIR",
             .help = "write each student's report there",
             .value = &o->feedback}},
           o->local_options(),
           report_options()}),
      .run = [o](Session& session) { return run_class(session, *o); }};
}

// class-task: runs a task that `class` submitted, on a node of the cluster.

struct ClassTaskOptions {
  std::string round;
  int task = 0;
};

int run_class_task(Session& session, const ClassTaskOptions& o) {
  Share share = read_share(o.round, o.task);
  if (share.items.empty()) return 0;
  // Must come before any use of the kit's state, since a node builds on its own disk.
  setenv("GRADER_HOME", node_folder(share.scratch).c_str(), 1);
  need_sandbox(share.unsafe);
  std::string note;
  session.toolchain().choose(share.backend, note);
  std::optional<int> level;
  const Lab& lab = session.catalog().find(share.lab, level);
  grade_share(session.kit(), session.toolchain(), lab, o.round, o.task, std::move(share));
  return 0;
}

Command class_task_command() {
  const auto o = std::make_shared<ClassTaskOptions>();
  return {.name = "class-task",
          .summary = "Grade a share of a class, in a job of Slurm",
          .group = Group::tools,
          .options = {{.names = "DIR",
                       .type = "DIR",
                       .help = "what the job was submitted with",
                       .value = &o->round,
                       .required = true},
                      {.names = "--task", .type = "N", .help = "number of the task", .value = &o->task}},
          .run = [o](Session& session) { return run_class_task(session, *o); }};
}

}  // namespace

std::vector<Command> class_commands() {
  return {class_command(), class_task_command()};
}

}  // namespace grader
