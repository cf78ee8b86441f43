// grade, watch and table: the commands that build and run a submission.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli_session.hpp"
#include "files.hpp"
#include "json.hpp"
#include "release.hpp"
#include "report.hpp"
#include "table.hpp"
#include "watch_files.hpp"

namespace grader {
namespace {

struct GradeOptions {
  LabChoice lab;
  SourceChoice source;
  std::string only_case;
};

/// The lab with one case left, and the parts that it proves. @throws Error (usage) for an unknown case
Lab with_one_case(const Lab& lab, const std::string& id) {
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
  throw Error(
      ErrorKind::usage,
      fmt::format("{} has no case \"{}\"; it has {}.{}", lab.id, id, fmt::join(ids, ", "),
                  near.empty() ? "" : fmt::format(" Did you mean {}?", near)),
      fmt::format("grader {} --case {}", lab.id, near.empty() ? (ids.empty() ? "ID" : ids.front()) : near));
}

std::string lab_after(Session& session, const Lab& lab) {
  const std::vector<Lab>& labs = session.catalog().labs();
  const auto here = std::find_if(labs.begin(), labs.end(), [&](const Lab& l) { return l.id == lab.id; });
  return here == labs.end() || here + 1 == labs.end() ? "" : (here + 1)->id;
}

/// What a grading gave, and why it could not be recorded, if so.
struct Graded {
  Grading grading;
  std::optional<Error> not_recorded;
};

/// Grades what is there now, with all cases or the one that was asked for. A grading that can't be recorded
/// is still the student's to see.
Graded grade_now(Session& session, const Lab& lab, const GradeOptions& o) {
  Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  Lab narrowed;
  if (!o.only_case.empty()) {
    narrowed = with_one_case(lab, o.only_case);
    submission.lab = &narrowed;
  }
  std::string note;
  const Backend backend = o.source.choose_backend(session, note);
  ProgressLine line(!session.json);
  Graded out{grade(session.kit(), session.toolchain(), submission, backend, progress_on(line)), {}};
  if (!note.empty()) out.grading.notes.insert(out.grading.notes.begin(), note);
  if (!o.only_case.empty()) {
    out.grading.notes.push_back(
        fmt::format("Only case {} was run, so this grading is not recorded.", o.only_case));
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

void show(Session& session, const Lab& lab, const Grading& grading) {
  if (session.json) {
    session.answer(to_json(grading));
  } else {
    session.print(report_text(lab, grading, session.style, {session.verbose, lab_after(session, lab)}));
  }
}

int run_grade(Session& session, GradeOptions& o) {
  const Lab& lab = o.lab.find(session);
  const Graded graded = grade_now(session, lab, o);
  show(session, lab, graded.grading);
  if (!graded.not_recorded) return exit_code(graded.grading);
  session.say(
      fmt::format("grader: {}\nNext: {}", graded.not_recorded->what(), graded.not_recorded->next_step()));
  return static_cast<int>(graded.not_recorded->kind());
}

void add_grade(CLI::App& app, Session& session) {
  const auto o = std::make_shared<GradeOptions>();
  CLI::App* command =
      app.add_subcommand("grade", "Grade a lab; \"grader LAB\" is the same")->group("As a student");
  o->lab.add_to(*command);
  o->source.add_to(*command);
  command->add_option("--case", o->only_case, "run this case alone; not recorded")->type_name("ID");
  add_report_options(*command, session, true);
  command->callback([&session, o] { session.action = [&session, o] { return run_grade(session, *o); }; });
}

// ---------------------------------------------------------------------------------------------------------------------

/// Grades once for `watch`. What stops a single grading (a file that is gone for a moment, a level without
/// sources) does not stop the watching.
void grade_for_watch(Session& session, const Lab& lab, const GradeOptions& o) {
  try {
    const Graded graded = grade_now(session, lab, o);
    if (session.json) {
      session.print(json_text(to_json(graded.grading), -1) + "\n");
    } else {
      if (session.style.colour) session.print("\x1b[H\x1b[2J\x1b[3J");  // a fresh screen for each verdict
      show(session, lab, graded.grading);
    }
    if (graded.not_recorded) session.say(fmt::format("grader: {}", graded.not_recorded->what()));
  } catch (const Error& e) {
    if (interrupted() || e.kind() == ErrorKind::fault) throw;
    session.say(
        fmt::format("grader: {}{}", e.what(), e.next_step().empty() ? "" : "\nNext: " + e.next_step()));
  }
}

int run_watch(Session& session, GradeOptions& o) {
  const Lab& lab = o.lab.find(session);
  const fs::path folder = o.source.solution         ? session.kit().solutions() / lab.folder_name()
                          : o.source.folder.empty() ? level_folder(session.kit(), lab, o.lab.level_or_first())
                                                    : fs::path(o.source.folder);
  FileWatch watch(folder);
  do {
    grade_for_watch(session, lab, o);
    if (!session.json)
      session.print(
          fmt::format("\nWatching {}: save a file to grade again, Ctrl-C to end.\n", shown(folder)));
  } while (!interrupted() && watch.wait());
  return 130;
}

void add_watch(CLI::App& app, Session& session) {
  const auto o = std::make_shared<GradeOptions>();
  CLI::App* command = app.add_subcommand("watch", "Grade a lab again at each save")->group("As a student");
  o->lab.add_to(*command);
  o->source.add_to(*command);
  add_report_options(*command, session, true);
  command->callback([&session, o] { session.action = [&session, o] { return run_watch(session, *o); }; });
}

// ---------------------------------------------------------------------------------------------------------------------

struct TableOptions {
  LabChoice lab;
  SourceChoice source;
  std::string id, format, output;
  std::optional<int> samples;
  bool last = false;
  bool search = false;
};

/// @throws Error (usage) when the lab has no such table
const TableSpec& find_table(const Lab& lab, const std::string& id, bool search) {
  std::vector<std::string> ids;
  for (const TableSpec& table : lab.tables) {
    if (id.empty() ? table.search == search : table.id == id) return table;
    ids.push_back(table.id);
  }
  if (search && id.empty())
    throw Error(ErrorKind::usage, fmt::format("{} has no parameters to search.", lab.id),
                fmt::format("grader table {}", lab.id));
  if (ids.empty())
    throw Error(ErrorKind::usage, fmt::format("{} has no table to measure.", lab.id), "grader list");
  const std::string near = did_you_mean(id, ids);
  throw Error(ErrorKind::usage,
              fmt::format("{} has no table \"{}\"; it has {}.{}", lab.id, id, fmt::join(ids, ", "),
                          near.empty() ? "" : fmt::format(" Did you mean {}?", near)),
              fmt::format("grader table {} --id {}", lab.id, near.empty() ? ids.front() : near));
}

/// The form that was asked for, or that the output file's name asks for.
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

Table measure_now(Session& session, const Lab& lab, const TableSpec& spec, Backend backend,
                  const TableOptions& o) {
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  ProgressLine line(true);
  Table table = measure(session.kit(), session.toolchain(), submission, backend, spec, progress_on(line));
  line.clear();
  if (!interrupted()) session.records().add(table);
  return table;
}

Table table_to_show(Session& session, const Lab& lab, const TableOptions& o) {
  TableSpec spec = find_table(lab, o.id, o.search);
  if (o.samples) spec.samples = *o.samples;
  std::string note;
  const Backend backend = o.source.choose_backend(session, note);
  if (!o.last) {
    session.say(note);
    return measure_now(session, lab, spec, backend, o);
  }
  Records* records = session.records_if_any();
  std::optional<Table> table =
      records != nullptr ? records->last_table(lab.id, spec.id, backend) : std::nullopt;
  if (table) {
    table->spec.search = spec.search;
    return *table;
  }
  throw Error(ErrorKind::usage,
              fmt::format("Table {} of {} was never measured with the {} backend.", spec.id, lab.id,
                          to_string(backend)),
              fmt::format("grader table {} --id {}", lab.id, spec.id));
}

int run_table(Session& session, TableOptions& o) {
  const Lab& lab = o.lab.find(session);
  const std::string format = format_of(o, session.json);
  session.json = session.json || format == "json";
  // What can't be written is better known before a sweep than after it.
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
  if (!interrupted()) return 0;
  session.say("Interrupted: the table holds what was measured so far, and was not recorded.");
  return 130;
}

void add_table(CLI::App& app, Session& session) {
  const auto o = std::make_shared<TableOptions>();
  CLI::App* command = app.add_subcommand("table", "Measure a table of a handout")->group("As a student");
  o->lab.add_to(*command);
  o->source.add_to(*command);
  command->add_option("--id", o->id, "which of the lab's tables; default: the first")->type_name("ID");
  command->add_option("--format,-f", o->format, "text, md, csv, latex, json or svg")
      ->check(CLI::IsMember({"text", "md", "csv", "latex", "json", "svg"}))
      ->type_name("FORM");
  command->add_option("--output,-o", o->output, "write to this file; its ending picks the form")
      ->type_name("FILE");
  command->add_option("--samples,-n", o->samples, "runs for each row")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  command->add_flag("--search", o->search, "try every combination of parameters; fastest first");
  command->add_flag("--last", o->last, "show the last measured table again");
  add_report_options(*command, session);
  command->callback([&session, o] { session.action = [&session, o] { return run_table(session, *o); }; });
}

}  // namespace

void add_grade_commands(CLI::App& app, Session& session) {
  add_grade(app, session);
  add_watch(app, session);
  add_table(app, session);
}

}  // namespace grader
