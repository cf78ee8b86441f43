// results and records: print the records, and maintain their file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "cli/cli_session.hpp"
#include "course/secret.hpp"
#include "model/json.hpp"
#include "records/upkeep.hpp"
#include "report/record_list.hpp"
#include "report/report.hpp"
#include "report/reworded.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

struct ResultsOptions {
  std::string lab, student, format;
  std::optional<int> limit;
  std::int64_t id = 0, show = 0;
  bool best = false, history = false;
};

/// Prints the whole report on one recorded grading.
/// @param today whether to word it as the current grader does; otherwise as recorded
int show_record(Session& session, std::int64_t id, bool today) {
  Records* records = session.records_if_any();
  std::optional<Grading> grading = records != nullptr ? records->get(id) : std::nullopt;
  if (!grading) throw Error(ErrorKind::usage, fmt::format("There is no record {}.", id), "grader results");
  std::optional<int> level;
  std::vector<std::string> as_recorded;
  if (today) as_recorded = reword(session.catalog().find(grading->lab, level), *grading);
  if (session.json) {
    session.answer(to_json(*grading));
    return 0;
  }
  session.print(fmt::format("Record {} of {}\n", id, grading->started_at));
  if (!as_recorded.empty())
    session.print(
        hanging("",
                fmt::format("The record lacks the facts for new words on {}: these are the words of "
                            "that day.",
                            fmt::join(as_recorded, ", ")),
                session.style.width) +
        "\n");
  const Lab& lab = session.catalog().find(grading->lab, level);
  session.print(
      report_text(lab, *grading, session.style,
                  {session.verbose, "", false, parts_left_blank(session.kit(), lab, grading->level)}));
  return 0;
}

RecordQuery query_of(Session& session, const ResultsOptions& o) {
  RecordQuery query;
  if (!o.lab.empty()) query.lab = session.catalog().find(o.lab, query.level).id;
  query.student = o.student;
  query.best = o.best;
  query.oldest_first = o.history;
  query.limit = o.limit;
  if (!o.limit && !o.best && !o.history) query.limit = 20;
  return query;
}

std::string nothing_recorded(const RecordQuery& query) {
  if (!query.student.empty())
    return fmt::format("Nothing is recorded of {}{}. Next: grader results --best\n", printable(query.student),
                       query.lab.empty() ? "" : " in " + query.lab);
  return fmt::format("Nothing is recorded yet{}. Next: grader {}\n",
                     query.lab.empty() ? "" : " of " + query.lab, query.lab.empty() ? "list" : query.lab);
}

int run_results(Session& session, const ResultsOptions& o) {
  if (o.id > 0 && o.show > 0)
    throw Error(ErrorKind::usage, "--id and --show ask for different words on a grading.",
                fmt::format("grader results --show {}", o.show));
  if (o.id > 0) return show_record(session, o.id, false);
  if (o.show > 0) return show_record(session, o.show, true);
  if (o.best && o.history)
    throw Error(ErrorKind::usage, "--best and --history ask for different lists.", "grader results --best");
  const RecordQuery query = query_of(session, o);
  const Records* records = session.records_if_any();
  std::vector<RecordSummary> list;
  if (records != nullptr) list = records->list(query);
  if (session.json || o.format == "json") {
    nlohmann::json results = nlohmann::json::array();
    for (const RecordSummary& record : list) results.push_back(to_json(record));
    session.answer(nlohmann::json{{"format", 1}, {"kind", "results"}, {"results", results}});
  } else if (o.format == "csv") {
    session.print(records_csv(list));
  } else if (list.empty()) {
    session.print(nothing_recorded(query));
  } else {
    session.print((o.history ? history_text : records_text)(list, session.style));
  }
  return 0;
}

Command results_command() {
  const auto o = std::make_shared<ResultsOptions>();
  return {
      .name = "results",
      .summary = "Show the recorded gradings, the newest first",
      .group = Group::tools,
      .options = concat(
          {{{.names = "--lab", .type = "LAB", .help = "of this lab, or level of it, alone", .value = &o->lab},
            {.names = "--student",
             .type = "ID",
             .help = "of this student of a class alone",
             .value = &o->student},
            {.names = "--best",
             .help = "the best of each student and level, by lab; late or not",
             .value = &o->best},
            {.names = "--history", .help = "the oldest first, with the best so far", .value = &o->history},
            {.names = "-n,--limit",
             .type = "N",
             .help = "how many; default: 20, and all with --best or --history",
             .value = &o->limit,
             .positive = true,
             .most = 1000000},
            {.names = "--format",
             .type = "NAME",
             .help = "text (the default), csv with every column, or json",
             .value = &o->format,
             .choices = {"text", "csv", "json"}},
            {.names = "--id",
             .type = "NUMBER",
             .help = "one grading, as it was reported",
             .value = &o->id,
             .positive = true},
            {.names = "--show",
             .type = "NUMBER",
             .help = "one grading, in today's words for what it found",
             .value = &o->show,
             .positive = true}},
           long_report_options()}),
      .run = [o](Session& session) { return run_results(session, *o); }};
}

// ---------------------------------------------------------------------------------------------------------------------

struct RecordsOptions {
  std::string action;
  std::vector<std::string> files;
};

int check_records(Session& session, const fs::path& file) {
  const RecordsProof proof = prove_records(file);
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "records-check"},
                                  {"file", file.string()},
                                  {"version", proof.version},
                                  {"gradings", proof.gradings},
                                  {"handed_in", proof.handed_in},
                                  {"tables", proof.tables},
                                  {"problems", proof.problems},
                                  {"more", proof.more}});
  } else if (proof.problems.empty()) {
    session.print(
        hanging(
            "",
            fmt::format("{}: {} gradings, {} of them handed in by a class, {} measured tables; all is well.",
                        shown(file), proof.gradings, proof.handed_in, proof.tables),
            session.style.width) +
        "\n");
  } else {
    for (const std::string& problem : proof.problems)
      session.print(hanging("  ", problem, session.style.width) + "\n");
    if (proof.more) session.print("  … and more of them\n");
    session.print(
        hanging(
            "Next: ",
            fmt::format(
                "take a backup that is well (grader records check FILE), or save what can be read: sqlite3 "
                "{} .recover > records.sql",
                shown(file)),
            session.style.width) +
        "\n");
  }
  return proof.problems.empty() ? 0 : 1;
}

/// Copies the secrets, which are not in the records. Without them, a class's next grading would have other
/// sizes and inputs, and its next leaderboard would have other nicknames.
void backup_secrets(Session& session, const fs::path& to) {
  for (const char* const name : {class_secret_file, nickname_secret_file}) {
    const fs::path secret = session.kit().state() / name, copy = to.string() + "." + name;
    std::error_code ignored;
    if (!fs::exists(secret, ignored)) continue;
    write_private_file(copy, read_file(secret, 4096));
    session.say(fmt::format("{} is in {}: no other user may read it.", name, shown(copy)));
  }
}

int backup(Session& session, const fs::path& to) {
  const int gradings = backup_records(session.records_file(), to);
  backup_secrets(session, to);
  if (session.json)
    session.answer(nlohmann::json{
        {"format", 1}, {"kind", "records-backup"}, {"file", to.string()}, {"gradings", gradings}});
  else
    session.print(fmt::format("{} gradings are in {}.\n", gradings, shown(to)));
  return 0;
}

int merge(Session& session, const std::vector<std::string>& files) {
  const std::vector<Merged> all = merge_records(session.records_file(), {files.begin(), files.end()});
  nlohmann::json list = nlohmann::json::array();
  for (const Merged& one : all) {
    list.push_back({{"file", one.file.string()},
                    {"added", one.added},
                    {"known", one.known},
                    {"tables_added", one.tables_added},
                    {"conflicts", one.conflicts}});
    if (session.json) continue;
    session.print(
        hanging("",
                fmt::format("{}: {} gradings are new, {} were here already, {} measured tables are new.",
                            shown(one.file), one.added, one.known, one.tables_added),
                session.style.width) +
        "\n");
    for (const std::string& conflict : one.conflicts)
      session.print(hanging("  ", printable(conflict), session.style.width) + "\n");
  }
  if (session.json)
    session.answer(nlohmann::json{{"format", 1}, {"kind", "records-merge"}, {"merged", list}});
  return 0;
}

int run_records(Session& session, const RecordsOptions& o) {
  const auto need = [&](bool well, const char* what, const char* next) {
    if (!well) throw Error(ErrorKind::usage, what, next);
  };
  if (o.action == "check") {
    need(o.files.size() <= 1, "check takes one file, or none for this grader's own.", "grader records check");
    return check_records(session, o.files.empty() ? session.records_file() : fs::path(o.files.front()));
  }
  if (o.action == "backup") {
    need(o.files.size() == 1, "backup takes the file to write.",
         "grader records backup records-backup.sqlite");
    return backup(session, o.files.front());
  }
  need(!o.files.empty(), "merge takes the records files of other graders.", "grader records merge FILE");
  return merge(session, o.files);
}

Command records_command() {
  const auto o = std::make_shared<RecordsOptions>();
  return {.name = "records",
          .summary = "Prove the records, back them up, merge others",
          .group = Group::instructor,
          .options = concat({{{.names = "ACTION",
                               .type = "ACTION",
                               .help = "check, backup or merge",
                               .value = &o->action,
                               .required = true,
                               .choices = {"check", "backup", "merge"}},
                              {.names = "FILES",
                               .type = "FILE",
                               .help = "backup: the file to write; merge: the files to read; check: a file "
                                       "instead of the grader's own",
                               .value = &o->files}},
                             report_options()}),
          .run = [o](Session& session) { return run_records(session, *o); }};
}

}  // namespace

std::vector<Command> records_commands() {
  return {results_command(), records_command()};
}

}  // namespace grader
