// table: measures one table of a lab, searches, compares with peers, and measures all tables for docs/results.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "cli/cli_session.hpp"
#include "measure/measure.hpp"
#include "measure/peers.hpp"
#include "model/json.hpp"
#include "model/table_csv.hpp"
#include "report/results.hpp"
#include "report/table.hpp"
#include "run/own_tables.hpp"

namespace grader {
namespace {

struct TableOptions {
  LabChoice lab;
  SourceChoice source;
  std::string id, format, output;
  std::optional<int> samples;
  std::optional<double> budget_s;
  bool last = false;
  bool search = false;
  bool peers = false;
  bool resume = false;
  bool all = false;
  bool plots = false;
};

/// @throws Error (usage) when the lab has no such table
const TableSpec& find_table(const Lab& lab, const TableOptions& o, Backend backend) {
  std::vector<std::string> ids;
  for (const TableSpec& table : lab.tables) {
    const bool first = o.peers ? !peers_of(lab, table, backend).empty() : table.search == o.search;
    if (o.id.empty() ? first : table.id == o.id) return table;
    ids.push_back(table.id);
  }
  const std::string next = fmt::format("grader table {}", lab.id);
  if (o.id.empty() && o.search)
    throw Error(ErrorKind::usage, fmt::format("{} has no parameters to search.", lab.id), next);
  if (o.id.empty() && o.peers)
    throw Error(ErrorKind::usage,
                fmt::format("{} has no peer that runs with the {} backend.", lab.id, to_string(backend)),
                next);
  if (ids.empty())
    throw Error(ErrorKind::usage, fmt::format("{} has no table to measure.", lab.id), "grader list");
  const std::string near = did_you_mean(o.id, ids);
  throw Error(ErrorKind::usage,
              fmt::format("{} has no table \"{}\"; it has {}.{}", lab.id, o.id, fmt::join(ids, ", "),
                          near.empty() ? "" : fmt::format(" Did you mean {}?", near)),
              fmt::format("{} --id {}", next, near.empty() ? ids.front() : near));
}

/// The requested format, or else the format that the output file's extension implies.
std::string format_of(const TableOptions& o, bool json) {
  if (!o.format.empty()) return o.format;
  if (json) return "json";
  static const std::map<std::string, std::string> by_extension = {
      {".md", "md"}, {".csv", "csv"}, {".tex", "latex"}, {".json", "json"}, {".svg", "svg"}};
  const auto found = by_extension.find(fs::path(o.output).extension().string());
  return found == by_extension.end() ? "text" : found->second;
}

std::string in_format(const Table& table, const std::string& format, const Style& style) {
  if (format == "md") return table_markdown(table);
  if (format == "csv") return table_csv(table);
  if (format == "latex") return table_latex(table);
  if (format == "json") return json_text(to_json(table)) + "\n";
  if (format == "svg") return table_svg(table);
  return table_text(table, style);
}

/// Returns whether the time of --budget is used up. Without --budget it never is.
std::function<bool()> budget(const TableOptions& o) {
  if (!o.budget_s) return [] { return false; };
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                             std::chrono::duration<double>(*o.budget_s));
  return [end] { return std::chrono::steady_clock::now() >= end; };
}

Table measure_now(Session& session, const Lab& lab, const TableSpec& spec, Backend backend,
                  const TableOptions& o) {
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  Journal journal(own_tables_folder(session.kit()), lab);
  const std::function<bool()> out_of_time = budget(o);
  ProgressLine line(true);
  Table table = measure({session.kit(), session.catalog(), session.toolchain(), submission, backend}, spec,
                        {o.peers, &journal, o.resume, out_of_time}, progress_on(line));
  line.clear();
  if (!interrupted() && !out_of_time()) session.records().add(table);
  return table;
}

Table table_to_show(Session& session, const Lab& lab, const TableOptions& o) {
  std::string note;
  const Backend backend = o.source.choose_backend(session, note);
  TableSpec spec = find_table(lab, o, backend);
  if (o.samples) spec.samples = *o.samples;
  if (!o.last) {
    session.say(note);
    return measure_now(session, lab, spec, backend, o);
  }
  const std::string id = o.peers ? with_peers(lab, spec, backend).id : spec.id;
  Records* records = session.records_if_any();
  std::optional<Table> table = records != nullptr ? records->last_table(lab.id, id, backend) : std::nullopt;
  if (table) {
    table->spec.search = spec.search;
    table->spec.plot = spec.plot;
    return *table;
  }
  throw Error(
      ErrorKind::usage,
      fmt::format("Table {} of {} was never measured with the {} backend.", id, lab.id, to_string(backend)),
      fmt::format("grader table {} --id {}{}", lab.id, spec.id, o.peers ? " --peer" : ""));
}

fs::path results_folder(Session& session, const TableOptions& o) {
  return o.output.empty() ? session.kit().root / "docs/results" : fs::path(o.output);
}

std::vector<const Lab*> labs_of_all(Session& session, const TableOptions& o) {
  return choose_labs(session,
                     o.lab.ref.empty() ? std::vector<std::string>{} : std::vector<std::string>{o.lab.ref});
}

/// Runs --all --last, which writes the pages again: after a change of their format, or on another machine
/// than that of the samples, if that had no gnuplot.
int run_all_again(Session& session, const TableOptions& o) {
  const fs::path folder = results_folder(session, o);
  const ResultsDone done = rewrite_results(labs_of_all(session, o), folder, o.plots);
  if (done.tables == 0)
    throw Error(ErrorKind::usage, fmt::format("{} holds no samples of these labs.", shown(folder)),
                "grader table --all --solution");
  for (const std::string& problem : done.problems) session.say(problem);
  session.say(fmt::format("The pages of {} tables in {} are rewritten.", done.tables, shown(folder)));
  return done.problems.empty() ? 0 : 1;
}

int run_all(Session& session, TableOptions& o) {
  if (o.last) return run_all_again(session, o);
  std::string note;
  const Backend backend = o.source.choose_backend(session, note);
  if (backend == Backend::emu && o.output.empty())
    throw Error(
        ErrorKind::usage,
        "Results of the emulation are times of a CPU: they would replace those of a GPU in docs/results.",
        "grader table --all --backend emu --output FOLDER");
  session.say(note);
  ResultsRequest request;
  request.folder = results_folder(session, o);
  request.labs = labs_of_all(session, o);
  const bool known =
      o.id.empty() || std::any_of(request.labs.begin(), request.labs.end(), [&](const Lab* lab) {
        return std::any_of(lab->tables.begin(), lab->tables.end(),
                           [&](const TableSpec& spec) { return spec.id == o.id; });
      });
  if (!known)
    throw Error(ErrorKind::usage, fmt::format("None of these labs has a table \"{}\".", o.id),
                fmt::format("grader table{} --all", o.lab.ref.empty() ? "" : " " + o.lab.ref));
  request.read = [&](const Lab& lab) { return o.source.read(session, lab, o.lab.level_or_first()); };
  request.solution = o.source.solution;
  request.backend = backend;
  request.id = o.id;
  request.samples = o.samples;
  request.resume = o.resume;
  request.plots = o.plots;
  request.out_of_time = budget(o);
  ProgressLine line(true);
  const ResultsDone done =
      measure_results(session.kit(), session.catalog(), session.toolchain(), request, progress_on(line));
  line.clear();
  for (const std::string& problem : done.problems) session.say(problem);
  session.say(fmt::format("{} of {} {} measured; see {}.", done.measured, done.tables,
                          done.tables == 1 ? "table is" : "tables are", shown(request.folder)));
  if (done.measured < done.tables)
    session.say(fmt::format("Next: grader table{} --all --resume{}", o.lab.ref.empty() ? "" : " " + o.lab.ref,
                            o.source.solution ? " --solution" : ""));
  return interrupted() ? 130 : done.problems.empty() && done.measured == done.tables ? 0 : 1;
}

int run_table(Session& session, TableOptions& o) {
  if (o.all) return run_all(session, o);
  if (o.plots)
    throw Error(ErrorKind::usage, "--plots draws the plots of --all.", "grader table --all --last --plots");
  if (o.lab.ref.empty())
    throw Error(ErrorKind::usage, "Which lab's table? LAB is missing.",
                "grader table lab1.1, or grader table --all");
  const Lab& lab = o.lab.find(session);
  const std::string format = format_of(o, session.json);
  session.json = session.json || format == "json";
  // Reports problems with the output before the sweep, not after it.
  if (format == "svg" && find_program("gnuplot").empty()) {
    throw Error(ErrorKind::environment, "gnuplot, which draws the plot, is not installed.",
                "sudo apt install gnuplot-nox, or use another --format");
  }
  Table table = table_to_show(session, lab, o);
  const bool whole = format == "csv" || format == "json";
  if (table.spec.search && !whole && table.rows.size() > search_finalists) {
    session.say(fmt::format("{} combinations were tried; these are the {} fastest (--format csv has all).",
                            table.rows.size(), search_finalists));
    table.rows.resize(search_finalists);
  }
  const std::string text = in_format(table, format, o.output.empty() ? session.style : Style{});
  if (o.output.empty() || o.output == "-") {
    session.print(text);
  } else {
    write_file(o.output, text);
    session.say(fmt::format("The table is in {}.", o.output));
  }
  const bool cut = std::any_of(table.rows.begin(), table.rows.end(),
                               [](const TableRow& row) { return row.note.starts_with("not measured: "); });
  if (!cut && !interrupted()) return 0;
  session.say(
      "The table has the rows measured so far, and was not recorded. The same command with --resume "
      "measures the rest.");
  return interrupted() ? 130 : 1;
}

Command table_command() {
  const auto o = std::make_shared<TableOptions>();
  std::vector<Option> lab = o->lab.options();
  lab.front().required = false;  // --all
  return {.name = "table",
          .summary = "Measure a table of a handout",
          .group = Group::student,
          .options =
              concat({lab,
                      o->source.options(),
                      {{.names = "--id",
                        .type = "ID",
                        .help = "which of the lab's tables; default: the first",
                        .value = &o->id},
                       {.names = "-f,--format",
                        .type = "FORM",
                        .help = "text, md, csv, latex, json or svg",
                        .value = &o->format,
                        .choices = {"text", "md", "csv", "latex", "json", "svg"}},
                       {.names = "-o,--output",
                        .type = "FILE",
                        .help = "a file, whose ending picks the form; --all: a folder",
                        .value = &o->output},
                       {.names = "-n,--samples",
                        .type = "N",
                        .help = "runs for each row",
                        .value = &o->samples,
                        .positive = true,
                        .most = 1000},
                       {.names = "--search",
                        .help = "try every combination of parameters; fastest first",
                        .value = &o->search},
                       {.names = "--peer",
                        .help = "beside the lab's peers, a run of each in turn",
                        .value = &o->peers,
                        .excludes = {"--search"}},
                       {.names = "--last", .help = "show the last measured table again", .value = &o->last},
                       {.names = "--resume",
                        .help = "keep what an earlier run measured",
                        .value = &o->resume,
                        .excludes = {"--last"}},
                       {.names = "--budget",
                        .type = "SECONDS",
                        .help = "stop cleanly after this many seconds",
                        .value = &o->budget_s,
                        .positive = true,
                        .excludes = {"--last"}},
                       {.names = "--all",
                        .help = "every table and peer, into docs/results",
                        .value = &o->all,
                        .excludes = {"--search", "--peer"}},
                       {.names = "--plots",
                        .help = "with --all: draw a plot of every table, not only the existing plots",
                        .value = &o->plots}},
                      report_options()}),
          .run = [o](Session& session) { return run_table(session, *o); }};
}

}  // namespace

std::vector<Command> table_commands() {
  return {table_command()};
}

}  // namespace grader
