// doctor, results and completion: the commands about the kit itself.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "cli/cli_session.hpp"
#include "cli/completion.hpp"
#include "cli/doctor.hpp"
#include "model/json.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

const char* state_word(DoctorItem::State state) {
  switch (state) {
    case DoctorItem::State::good:
      return "good";
    case DoctorItem::State::missing:
      return "missing";
    case DoctorItem::State::warning:
      return "warning";
  }
  return "warning";
}

std::string doctor_text(const std::vector<DoctorItem>& items, const Style& style) {
  std::size_t name_width = 0;
  for (const DoctorItem& item : items) {
    name_width = std::max(name_width, static_cast<std::size_t>(display_width(item.name)));
  }
  const std::string blanks(name_width + 6, ' ');
  std::string out;
  for (const DoctorItem& item : items) {
    const bool good = item.state == DoctorItem::State::good;
    const std::string mark = good                                       ? style.good("ok")
                             : item.state == DoctorItem::State::missing ? style.bad("no")
                                                                        : style.warn("--");
    const std::string pad(name_width - static_cast<std::size_t>(display_width(item.name)), ' ');
    out += hanging(fmt::format("{}  {}{}  ", mark, item.name, pad),
                   item.found.empty() ? "not found" : item.found, style.width) +
           "\n";
    if (good) continue;
    if (!item.meaning.empty()) out += hanging(blanks, item.meaning, style.width) + "\n";
    if (!item.mend.empty()) {
      out += hanging(blanks + style.strong("Next:") + " ", item.mend, style.width) + "\n";
    }
  }
  return out;
}

int run_doctor(Session& session) {
  const std::vector<DoctorItem> items = doctor(session.kit(), session.toolchain());
  const bool well = std::none_of(items.begin(), items.end(),
                                 [](const DoctorItem& i) { return i.state == DoctorItem::State::missing; });
  if (session.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const DoctorItem& item : items) {
      list.push_back({{"name", item.name},
                      {"state", state_word(item.state)},
                      {"found", item.found},
                      {"meaning", item.meaning},
                      {"mend", item.mend}});
    }
    session.answer(nlohmann::json{{"format", 1}, {"kind", "doctor"}, {"well", well}, {"items", list}});
  } else {
    session.print(doctor_text(items, session.style));
    session.print(well ? "Everything that grading needs is here.\n"
                       : "Something that grading needs is missing.\n");
  }
  return well ? 0 : static_cast<int>(ErrorKind::environment);
}

Command doctor_command() {
  return {.name = "doctor",
          .summary = "Say what this machine has and what it lacks",
          .group = Group::tools,
          .options = report_options(),
          .run = run_doctor};
}

// ---------------------------------------------------------------------------------------------------------------------

struct ResultsOptions {
  std::string lab;
  int limit = 20;
  std::int64_t id = 0;
};

nlohmann::json summary_json(const RecordSummary& r) {
  return {
      {"id", r.id},         {"started_at", r.started_at}, {"lab", r.lab},       {"level", r.level},
      {"origin", r.origin}, {"backend", r.backend},       {"device", r.device}, {"verdict", r.verdict},
      {"points", r.points}, {"max_points", r.max_points}, {"check", r.check},   {"submission", r.submission}};
}

std::string results_text(const std::vector<RecordSummary>& records, const Style& style) {
  Columns columns(
      {Align::right, Align::left, Align::left, Align::left, Align::left, Align::left, Align::right});
  std::vector<std::string> head = {"No.", "When (UTC)", "Lab", "Of", "Backend", "Verdict", "Points"};
  for (std::string& title : head) title = style.strong(title);
  columns.add(head);
  for (const RecordSummary& r : records) {
    std::string when = r.started_at.substr(0, 16);
    std::replace(when.begin(), when.end(), 'T', ' ');
    std::string verdict = r.verdict;
    std::replace(verdict.begin(), verdict.end(), '_', ' ');
    columns.add({std::to_string(r.id), when, fmt::format("{}.{}", r.lab, r.level), r.origin, r.backend,
                 r.verdict == to_string(Verdict::passed) ? style.good(verdict) : verdict,
                 r.check            ? "check"
                 : r.max_points > 0 ? points_text(r.points) + " of " + points_text(r.max_points)
                                    : "not graded"});
  }
  return columns.text(0, style.width);
}

/// The whole report of one recorded grading.
int show_record(Session& session, std::int64_t id) {
  Records* records = session.records_if_any();
  const std::optional<Grading> grading = records != nullptr ? records->get(id) : std::nullopt;
  if (!grading) throw Error(ErrorKind::usage, fmt::format("There is no record {}.", id), "grader results");
  if (session.json) {
    session.answer(to_json(*grading));
    return 0;
  }
  std::optional<int> level;
  session.print(fmt::format("Record {} of {}\n", id, grading->started_at));
  session.print(report_text(session.catalog().find(grading->lab, level), *grading, session.style,
                            {session.verbose, ""}));
  return 0;
}

int run_results(Session& session, const ResultsOptions& o) {
  if (o.id > 0) return show_record(session, o.id);
  std::string lab;
  std::optional<int> level;
  if (!o.lab.empty()) lab = session.catalog().find(o.lab, level).id;
  const Records* records = session.records_if_any();
  std::vector<RecordSummary> list;
  if (records != nullptr) list = records->list(lab, o.limit);
  if (session.json) {
    nlohmann::json results = nlohmann::json::array();
    for (const RecordSummary& record : list) results.push_back(summary_json(record));
    session.answer(nlohmann::json{{"format", 1}, {"kind", "results"}, {"results", results}});
  } else if (list.empty()) {
    session.print(fmt::format("Nothing is recorded yet{}. Next: grader {}\n", lab.empty() ? "" : " of " + lab,
                              lab.empty() ? "list" : lab));
  } else {
    session.print(results_text(list, session.style));
  }
  return 0;
}

Command results_command() {
  const auto o = std::make_shared<ResultsOptions>();
  return {
      .name = "results",
      .summary = "Show the recorded gradings, the newest first",
      .group = Group::tools,
      .options = concat({{{.names = "--lab", .type = "LAB", .help = "of this lab alone", .value = &o->lab},
                          {.names = "-n,--limit",
                           .type = "N",
                           .help = "how many; default: 20",
                           .value = &o->limit,
                           .positive = true,
                           .most = 1000000},
                          {.names = "--id",
                           .type = "NUMBER",
                           .help = "one grading, as it was reported",
                           .value = &o->id,
                           .positive = true}},
                         long_report_options()}),
      .run = [o](Session& session) { return run_results(session, *o); }};
}

struct CompletionOptions {
  std::string shell;
};

int run_completion(Session& session, const CompletionOptions& o) {
  const std::vector<Command> commands = all_commands();
  session.print(o.shell == "bash" ? bash_completion(commands) : zsh_completion(commands));
  return 0;
}

Command completion_command() {
  const auto o = std::make_shared<CompletionOptions>();
  return {.name = "completion",
          .summary = "Print the completion script of a shell",
          .group = Group::tools,
          .options = {{.names = "SHELL",
                       .type = "SHELL",
                       .help = "bash or zsh",
                       .value = &o->shell,
                       .required = true,
                       .choices = {"bash", "zsh"}}},
          .run = [o](Session& session) { return run_completion(session, *o); }};
}

}  // namespace

std::vector<Command> tool_commands() {
  return {doctor_command(), results_command(), completion_command()};
}

}  // namespace grader
