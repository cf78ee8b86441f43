// list and hint: the commands that read a student's work and change nothing.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "cli/cli_session.hpp"
#include "model/json.hpp"
#include "report/report.hpp"
#include "report/report_parts.hpp"
#include "report/workbench_json.hpp"
#include "workspace/hints.hpp"

namespace grader {
namespace {

/// The student's best grading of each level, if any.
std::vector<std::optional<RecordSummary>> best_of(Session& session, const Lab& lab) {
  std::vector<std::optional<RecordSummary>> out(static_cast<std::size_t>(lab.levels));
  const Records* records = session.records_if_any();
  for (int level = 1; records != nullptr && level <= lab.levels; ++level) {
    out[static_cast<std::size_t>(level - 1)] = records->best(lab.id, level);
  }
  return out;
}

bool all_points(const std::optional<RecordSummary>& best) {
  return best && best->verdict == to_string(Verdict::passed);
}

std::string list_text(Session& session) {
  const Style& style = session.style;
  const auto& labs = session.catalog().labs();
  int most_levels = 0;
  for (const Lab& lab : labs) most_levels = std::max(most_levels, lab.levels);
  std::vector<Align> alignment = {Align::left, Align::left};
  alignment.resize(2 + static_cast<std::size_t>(most_levels), Align::right);
  Columns columns(alignment);
  std::vector<std::string> head = {style.strong("Lab"), style.strong("Title")};
  for (int level = 1; level <= most_levels; ++level)
    head.push_back(style.strong(fmt::format("Level {}", level)));
  columns.add(head);
  std::string next;
  for (const Lab& lab : labs) {
    std::vector<std::string> line = {lab.id, lab.title};
    const auto best = best_of(session, lab);
    for (const auto& level : best) {
      const std::string points =
          level ? points_text(level->points) + " of " + points_text(level->max_points) : "–";
      line.push_back(all_points(level) ? style.good(points) : points);
    }
    if (next.empty() && std::none_of(best.begin(), best.end(), all_points)) next = lab.id;
    columns.add(std::move(line));
  }
  std::string out = columns.text(0, std::max(40, style.width), 1);
  out += "\nPoints are the best that were recorded; – is not graded yet.\n";
  for (const BrokenLab& lab : session.catalog().broken())
    out += fmt::format("\n{} can't be used: {}\n", lab.id(), lab.error.what());
  if (labs.empty() && session.catalog().broken().empty())
    return "This kit has no labs yet. Next: grader new-lab --help\n";
  return out + (next.empty() ? "Everything is passed.\n" : fmt::format("Next: grader {}\n", next));
}

struct ListOptions {
  bool names = false;
};

int run_list(Session& session, const ListOptions& o) {
  if (o.names) {
    for (const Lab& lab : session.catalog().labs()) session.print(lab.id + "\n");
  } else if (session.json) {
    session.answer(labs_json(session.catalog(), session.records_if_any()));
  } else {
    session.print(list_text(session));
  }
  return 0;
}

Command list_command() {
  const auto o = std::make_shared<ListOptions>();
  return {.name = "list",
          .summary = "Show the labs, their levels and what is done",
          .group = Group::student,
          .options =
              concat({{{.names = "--names", .help = "only the names, one on each line", .value = &o->names}},
                      report_options()}),
          .run = [o](Session& session) { return run_list(session, *o); }};
}

struct HintOptions {
  LabChoice lab;
  int part = 0;
};

/// The part that failed in the last grading. 0 if none failed, or if the last grading ended at a blank: then
/// the current files show which part to help with.
int failing_part(Session& session, const Lab& lab, int level) {
  const Records* records = session.records_if_any();
  const std::optional<Grading> grading =
      records == nullptr ? std::nullopt : records->last_of_student(lab.id, level);
  if (!grading) return 0;
  const int part = part_to_help_with(lab, *grading);
  for (const PartReport& report : part_reports(lab, *grading))
    if (report.result.id == part && report.state == PartState::to_do) return 0;
  return part;
}

int run_hint(Session& session, HintOptions& o) {
  const Lab& lab = o.lab.find(session);
  std::string note;
  const int level = o.lab.level_or_first();
  const int part = o.part > 0 ? o.part : failing_part(session, lab, level);
  const std::vector<HintGiven> hints = next_hint(session.kit(), lab, level, part, &note);
  if (!note.empty()) session.say("note: " + note);
  if (session.json) {
    session.answer(hints_json(lab, hints));
    return 0;
  }
  if (hints.empty()) {
    session.print(
        fmt::format("There is no hint for this part. The handout is {}.\n", shown(lab.folder / "README.md")));
    return 0;
  }
  const Style& style = session.style;
  const HintGiven& newest = hints.back();
  std::string out = wrap(style.strong(fmt::format("{}, part {}: {}", lab.id, newest.part, newest.part_title)),
                         style.width, 2) +
                    "\n";
  for (const HintGiven& hint : hints) {
    const std::string text =
        hanging(fmt::format("  {}/{}  ", hint.number, hint.of), hint.text, style.width) + "\n";
    out += &hint == &newest ? text : style.faint(text);
  }
  out += newest.number < newest.of ? "The same command gives the next one.\n"
                                   : "This was the last hint for this part.\n";
  session.print(out);
  return 0;
}

Command hint_command() {
  const auto o = std::make_shared<HintOptions>();
  return {.name = "hint",
          .summary = "Give a hint, one more each time",
          .group = Group::student,
          .options = concat({o->lab.options(),
                             {{.names = "-p,--part",
                               .type = "N",
                               .help = "number of the part; default: the one that fails, or is to do",
                               .value = &o->part,
                               .positive = true}},
                             report_options()}),
          .run = [o](Session& session) { return run_hint(session, *o); }};
}

}  // namespace

std::vector<Command> student_commands() {
  return {list_command(), hint_command()};
}

}  // namespace grader
