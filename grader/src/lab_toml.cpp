// One lab.toml → Lab. docs/ARCHITECTURE.md has the format; each table of it has a function here, and each
// rule that joins two tables (a case names its parts, a ratio its column) is checked where the second one is
// read.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "catalog.hpp"
#include "toml_reader.hpp"

namespace grader {
namespace {

constexpr int newest_format = 1;
constexpr int most_levels = 9;
constexpr int most_parts = 99;
constexpr double longest_timeout_s = 3600;

bool all_of(const std::string& text, const char* allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string::npos;
}

const char* const digits = "0123456789";
const char* const name_characters = "abcdefghijklmnopqrstuvwxyz0123456789_-";
const char* const case_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
const char* const word_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

bool is_word(const std::string& text) {
  return all_of(text, word_characters) && std::string(digits).find(text[0]) == std::string::npos;
}

/// Index of the first value that occurs before, if any.
template <typename T>
std::optional<std::size_t> first_repeated(const std::vector<T>& values) {
  std::set<T> seen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!seen.insert(values[i]).second) return i;
  }
  return {};
}

void forbid_repeats(const TomlTable& table, const std::string& key, const std::vector<std::string>& values) {
  if (const auto i = first_repeated(values))
    table.fail(key, fmt::format("\"{}\" stands twice in \"{}\"", values[*i], key), i);
}

bool is_simple_measure(const std::string& measure) {
  return measure == "h2d" || measure == "d2h" || measure == "kernel" ||
         (measure.starts_with("kernel:") && measure.size() > std::string("kernel:").size());
}

bool is_printed_measure(const std::string& measure) {
  return measure.starts_with("printed:") && measure.size() > std::string("printed:").size();
}

void read_head(TomlTable& root, Lab& lab) {
  lab.id = root.text("id");
  if (!is_lab_id(lab.id))
    root.fail("id",
              fmt::format("\"{}\" is no id of a lab; expected one like \"lab2\" or \"lab2.1\"", lab.id));
  lab.name = root.text("name");
  if (!is_lab_name(lab.name)) {
    root.fail(
        "name",
        fmt::format("\"{}\" is no name of a lab; expected small letters, digits, _ and -, the first a letter",
                    lab.name));
  }
  if (const std::string folder = lab.folder.filename().string(); folder != lab.folder_name()) {
    root.fail("id", fmt::format("id and name make \"{}\", but the folder is called \"{}\"; expected the same",
                                lab.folder_name(), folder));
  }
  lab.title = root.text("title");
  lab.objectives = root.texts("objectives");
  lab.prerequisites = root.texts("prerequisites");
  forbid_repeats(root, "prerequisites", lab.prerequisites);
  lab.levels = static_cast<int>(root.integer_or("levels", 1, 1, most_levels));
}

void read_data(TomlTable& root, Lab& lab) {
  auto data = root.table("data");
  if (!data) return;
  lab.inputs = data->texts("inputs");
  forbid_repeats(*data, "inputs", lab.inputs);
  for (std::size_t i = 0; i < lab.inputs.size(); ++i) {
    if (!is_word(lab.inputs[i]))
      data->fail(
          "inputs",
          fmt::format("\"{}\" can't name an array's file; expected letters, digits and _", lab.inputs[i]), i);
  }
  lab.output = data->text("output");
  if (lab.output == "stdout") {
    lab.output.clear();
  } else if (!is_word(lab.output)) {
    data->fail("output",
               fmt::format("\"{}\" can't name an array's file; expected letters, digits and _, or \"stdout\"",
                           lab.output));
  }
  if (std::find(lab.inputs.begin(), lab.inputs.end(), lab.output) != lab.inputs.end())
    data->fail("output", fmt::format("\"{}\" is an input too; expected a name of its own", lab.output));
  data->finish();
}

void read_parts(TomlTable& root, Lab& lab) {
  for (TomlTable& table : root.tables("part")) {
    Part part;
    part.id = static_cast<int>(table.integer("id", 1, most_parts));
    const int expected = static_cast<int>(lab.parts.size()) + 1;
    if (part.id < expected)
      table.fail("id", fmt::format("part {} is declared twice; expected {}", part.id, expected));
    if (part.id > expected)
      table.fail("id",
                 fmt::format("part {} comes where part {} is expected: parts are numbered 1, 2, 3 … in order",
                             part.id, expected));
    part.title = table.text("title");
    part.points = table.number("points", 0);
    part.hints = table.texts("hints");
    const std::vector<std::int64_t> levels = table.integers("levels", 1, lab.levels);
    if (const auto i = first_repeated(levels))
      table.fail("levels", fmt::format("level {} stands twice", levels[*i]), i);
    part.levels.assign(levels.begin(), levels.end());
    table.finish();
    lab.parts.push_back(std::move(part));
  }
  if (lab.parts.empty()) root.fail("part", "expected at least one [[part]]");
}

Tolerance read_tolerance(TomlTable& of_case) {
  Tolerance tolerance;
  auto table = of_case.table("tolerance");
  if (!table) return tolerance;
  tolerance.abs = table->number_or("abs", 0, 0);
  tolerance.rel = table->number_or("rel", 0, 0);
  tolerance.why = table->text_or("why", "");
  if ((tolerance.abs > 0 || tolerance.rel > 0) && tolerance.why.find_first_not_of(" \t") == std::string::npos)
    table->fail("why", "a tolerance needs its reason; expected why = \"…\" beside abs and rel");
  table->finish();
  return tolerance;
}

void read_timeouts(TomlTable& of_case, Case& c) {
  auto table = of_case.table("timeout_s");
  if (!table) return;
  c.timeout_gpu = table->number_or("gpu", c.timeout_gpu, 0);
  c.timeout_emu = table->number_or("emu", c.timeout_emu, 0);
  for (const auto& [key, seconds] : {std::pair{"gpu", c.timeout_gpu}, std::pair{"emu", c.timeout_emu}}) {
    if (seconds <= 0 || seconds > longest_timeout_s)
      table->fail(key, fmt::format("\"{}\" is {} s; expected more than 0 and at most {} s", key, seconds,
                                   longest_timeout_s));
  }
  table->finish();
}

std::vector<Backend> read_backends(TomlTable& of_case) {
  if (!of_case.has("backends")) return {Backend::emu, Backend::gpu};
  const std::vector<std::string> names = of_case.texts("backends");
  forbid_repeats(of_case, "backends", names);
  std::vector<Backend> backends;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != "emu" && names[i] != "gpu")
      of_case.fail("backends", fmt::format("unknown backend \"{}\"; expected \"emu\" or \"gpu\"", names[i]),
                   i);
    backends.push_back(names[i] == "gpu" ? Backend::gpu : Backend::emu);
  }
  if (backends.empty()) of_case.fail("backends", "no backend; expected \"emu\", \"gpu\" or both");
  return backends;
}

std::vector<int> read_proved_parts(TomlTable& of_case, const Lab& lab) {
  std::vector<int> parts;
  if (!of_case.has("parts")) {
    for (const Part& part : lab.parts) parts.push_back(part.id);
    return parts;
  }
  const std::vector<std::int64_t> ids = of_case.integers("parts", 1, most_parts);
  if (ids.empty())
    of_case.fail("parts", "proves no part; expected numbers of parts, or no \"parts\" for all of them");
  if (const auto i = first_repeated(ids))
    of_case.fail("parts", fmt::format("part {} stands twice", ids[*i]), i);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] > static_cast<std::int64_t>(lab.parts.size()))
      of_case.fail("parts",
                   fmt::format("there is no part {}; the lab has parts 1 to {}", ids[i], lab.parts.size()),
                   i);
    parts.push_back(static_cast<int>(ids[i]));
  }
  return parts;
}

const std::map<std::string, Requirement> requirement_names = {
    {"freed", Requirement::freed}, {"timers", Requirement::timers}, {"shared", Requirement::shared}};

std::vector<Requirement> read_requirements(TomlTable& of_case, const Lab& lab) {
  const std::vector<std::string> names = of_case.texts("requires");
  forbid_repeats(of_case, "requires", names);
  std::vector<Requirement> requirements;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto known = requirement_names.find(names[i]);
    if (known == requirement_names.end()) {
      const std::string near = did_you_mean(names[i], {"freed", "timers", "shared"});
      of_case.fail("requires",
                   fmt::format("unknown requirement \"{}\"; expected \"freed\", \"timers\" or \"shared\"{}",
                               names[i], near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)),
                   i);
    }
    if (names[i] == "timers" && lab.printed_timers.empty())
      of_case.fail("requires", "\"timers\" needs a [[timer]] that says what is printed", i);
    requirements.push_back(known->second);
  }
  return requirements;
}

/// { NAME = "value", … }
std::map<std::string, std::string> read_macros(TomlTable table) {
  std::map<std::string, std::string> macros;
  for (const std::string& name : table.keys()) {
    if (!is_word(name)) table.fail(name, fmt::format("\"{}\" can't name a macro", name));
    macros[name] = table.text(name);
  }
  table.finish();
  return macros;
}

/// near_best = { within = 1.2, of = [{ NAME = "value", … }, …] }
NearBest read_near_best(TomlTable& of_case) {
  NearBest near_best;
  auto table = of_case.table("near_best");
  if (!table) return near_best;
  near_best.within = table->number("within", 1);
  for (TomlTable& macros : table->tables("of")) near_best.of.push_back(read_macros(macros));
  if (near_best.of.empty())
    table->fail("of", "nothing to compare with; expected of = [{ NAME = \"value\" }]");
  table->finish();
  return near_best;
}

/// How a case is checked must fit what the program gives: lines on standard output, or an array.
Check read_check(TomlTable& of_case, const Lab& lab) {
  const bool prints = lab.output.empty();
  const std::string name = of_case.has("check")
                               ? of_case.choice("check", {"oracle", "gold", "freivalds", "lines"})
                           : prints ? "lines"
                                    : "oracle";
  if (prints && name != "lines")
    of_case.fail(
        "check",
        fmt::format("\"{}\" compares arrays, but the lab's output is \"stdout\"; expected \"lines\"", name));
  if (!prints && name == "lines")
    of_case.fail("check", fmt::format("\"lines\" compares what is printed, but the lab's output is \"{}\"; "
                                      "expected output = \"stdout\"",
                                      lab.output));
  if (name == "freivalds" && lab.inputs.size() != 2)
    of_case.fail("check", fmt::format("\"freivalds\" verifies the product of two inputs, but the lab has {}",
                                      lab.inputs.size()));
  return name == "gold"        ? Check::gold
         : name == "freivalds" ? Check::freivalds
         : name == "lines"     ? Check::lines
                               : Check::oracle;
}

Case read_case(TomlTable& table, const Lab& lab) {
  Case c;
  c.id = table.text("id");
  if (!all_of(c.id, case_characters) || c.id[0] == '.')
    table.fail(
        "id", fmt::format("\"{}\" can't name a folder in gold/; expected letters, digits, _, - and .", c.id));
  for (const Case& other : lab.cases) {
    if (other.id == c.id)
      table.fail("id", fmt::format("case \"{}\" is declared twice; expected an id of its own", c.id));
  }
  c.args = table.texts("args");
  if (auto macros = table.table("macros")) c.macros = read_macros(*macros);
  c.near_best = read_near_best(table);
  c.check = read_check(table, lab);
  if (table.has("seed"))
    c.seed = static_cast<std::uint64_t>(table.integer("seed", 0, std::numeric_limits<std::int64_t>::max()));
  if (c.check == Check::gold && !c.seed)
    table.fail("seed", "gold is made with a fixed seed; expected seed = …");
  c.points = table.number_or("points", 1, 0);
  if (c.points == 0) table.fail("points", "a case of weight 0 proves nothing; expected more than 0");
  const std::string visibility = table.choice("visibility", {"visible", "after_due_date", "hidden"});
  c.visibility = visibility == "hidden"    ? Visibility::hidden
                 : visibility == "visible" ? Visibility::visible
                                           : Visibility::after_due_date;
  c.tolerance = read_tolerance(table);
  read_timeouts(table, c);
  c.backends = read_backends(table);
  c.parts = read_proved_parts(table, lab);
  c.requirements = read_requirements(table, lab);
  table.finish();
  return c;
}

void read_cases(TomlTable& root, Lab& lab) {
  for (TomlTable& table : root.tables("case")) lab.cases.push_back(read_case(table, lab));
  if (lab.cases.empty()) root.fail("case", "expected at least one [[case]]");
  for (const Part& part : lab.parts) {
    const bool proved = std::any_of(lab.cases.begin(), lab.cases.end(), [&](const Case& c) {
      return std::find(c.parts.begin(), c.parts.end(), part.id) != c.parts.end();
    });
    if (!proved)
      root.fail("case", fmt::format("no case proves part {}; expected it in the \"parts\" of some [[case]]",
                                    part.id));
  }
}

void read_timers(TomlTable& root, Lab& lab) {
  for (TomlTable& table : root.tables("timer")) {
    PrintedTimer timer;
    timer.line = table.text("line");
    for (const PrintedTimer& other : lab.printed_timers) {
      if (other.line == timer.line)
        table.fail("line", fmt::format("timer \"{}\" is declared twice", timer.line));
    }
    timer.covers = table.texts("covers");
    if (timer.covers.empty())
      table.fail("covers", "covers nothing; expected measures such as \"kernel\" or \"h2d\"");
    for (std::size_t i = 0; i < timer.covers.size(); ++i) {
      if (!is_simple_measure(timer.covers[i]))
        table.fail(
            "covers",
            fmt::format("unknown measure \"{}\"; expected \"h2d\", \"d2h\", \"kernel\" or \"kernel:NAME\"",
                        timer.covers[i]),
            i);
    }
    table.finish();
    lab.printed_timers.push_back(std::move(timer));
  }
}

Axis read_axis(TomlTable& table) {
  Axis axis;
  axis.is_macro = table.has("macro");
  if (axis.is_macro == table.has("argument"))
    table.fail("macro", "expected either argument = \"heading\" or macro = \"NAME\"");
  axis.name = table.text(axis.is_macro ? "macro" : "argument");
  if (axis.is_macro && !is_word(axis.name))
    table.fail("macro", fmt::format("\"{}\" can't name a macro", axis.name));
  axis.values = table.texts("values");
  axis.emu_values = table.texts("emu_values");
  axis.labels = table.texts("labels");
  if (axis.values.empty()) table.fail("values", "an axis has values; expected values = [\"…\"]");
  forbid_repeats(table, "values", axis.values);
  forbid_repeats(table, "emu_values", axis.emu_values);
  if (!axis.labels.empty() && axis.labels.size() != axis.values.size())
    table.fail("labels", fmt::format("{} labels for {} values; expected one for each", axis.labels.size(),
                                     axis.values.size()));
  table.finish();
  return axis;
}

void check_measure(const TomlTable& table, const Column& column, const TableSpec& spec) {
  if (is_simple_measure(column.measure) || is_printed_measure(column.measure)) return;
  if (!column.measure.starts_with("ratio:")) {
    table.fail("measure", fmt::format("unknown measure \"{}\"; expected \"h2d\", \"d2h\", \"kernel\", "
                                      "\"kernel:NAME\", \"printed:LINE\" or \"ratio:COLUMN\"",
                                      column.measure));
  }
  const std::string of = column.measure.substr(std::string("ratio:").size());
  std::vector<std::string> measured;
  for (const Column& other : spec.columns) {
    if (is_simple_measure(other.measure)) measured.push_back(other.id);
  }
  if (std::find(measured.begin(), measured.end(), of) == measured.end()) {
    const std::string near = did_you_mean(of, measured);
    table.fail("measure",
               fmt::format("ratio of the unknown column \"{}\"; expected a measured column above it{}", of,
                           near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  }
  if (spec.baseline.empty())
    table.fail("measure", "a ratio needs a row to compare with; expected \"baseline\" in the [[table]]");
  if (column.unit != "1")
    table.fail("unit", fmt::format("a ratio has the unit \"1\", not \"{}\"", column.unit));
}

void read_columns(TomlTable& of_table, TableSpec& spec) {
  for (TomlTable& table : of_table.tables("columns")) {
    Column column;
    column.id = table.text("id");
    for (const Column& other : spec.columns) {
      if (other.id == column.id) table.fail("id", fmt::format("column \"{}\" is declared twice", column.id));
    }
    column.title = table.text("title");
    column.measure = table.text("measure");
    column.unit = table.choice("unit", {"s", "B/s", "B", "1"});
    check_measure(table, column, spec);
    table.finish();
    spec.columns.push_back(std::move(column));
  }
  if (spec.columns.empty())
    of_table.fail("columns", "expected at least one column: columns = [{ id, title, measure, unit }]");
}

TableSpec read_table(TomlTable& table, const Lab& lab) {
  TableSpec spec;
  spec.id = table.text("id");
  for (const TableSpec& other : lab.tables) {
    if (other.id == spec.id) table.fail("id", fmt::format("table \"{}\" is declared twice", spec.id));
  }
  spec.title = table.text("title");
  spec.search = table.choice("kind", {"sweep", "search"}) == "search";
  spec.samples = static_cast<int>(table.integer_or("samples", spec.samples, 1, 1000));
  for (TomlTable& axis : table.tables("axes")) spec.axes.push_back(read_axis(axis));
  if (spec.axes.empty())
    table.fail("axes", "expected at least one axis: axes = [{ argument = \"…\", values = [\"…\"] }]");
  spec.baseline = table.text_or("baseline", "");
  if (!spec.baseline.empty()) {
    for (const auto* values : {&spec.axes[0].values, &spec.axes[0].emu_values}) {
      if (!values->empty() && std::find(values->begin(), values->end(), spec.baseline) == values->end())
        table.fail(
            "baseline",
            fmt::format("baseline \"{}\" is not among the first axis's {}: {}", spec.baseline,
                        values == &spec.axes[0].values ? "values" : "emu_values", quoted_list(*values)));
    }
  }
  read_columns(table, spec);
  table.finish();
  return spec;
}

void read_variants(TomlTable& root, Lab& lab) {
  for (TomlTable& table : root.tables("variant")) {
    Variant variant{table.text("name"), table.text("title")};
    for (const Variant& other : lab.variants) {
      if (other.name == variant.name)
        table.fail("name", fmt::format("variant \"{}\" is declared twice", variant.name));
    }
    table.finish();
    lab.variants.push_back(std::move(variant));
  }
}

}  // namespace

bool is_lab_id(const std::string& text) {
  if (!text.starts_with("lab")) return false;
  const std::string number = text.substr(3);
  const std::size_t dot = number.find('.');
  if (dot == std::string::npos) return all_of(number, digits);
  return all_of(number.substr(0, dot), digits) && all_of(number.substr(dot + 1), digits);
}

bool is_lab_name(const std::string& text) {
  return all_of(text, name_characters) && text[0] >= 'a' && text[0] <= 'z';
}

Lab parse_lab(const fs::path& lab_toml) {
  const TomlFile file = TomlFile::read(lab_toml, newest_format);
  TomlTable root = file.root();
  root.has("format");  // read and checked with the file
  Lab lab;
  lab.folder = fs::absolute(lab_toml).lexically_normal().parent_path();
  read_head(root, lab);
  read_data(root, lab);
  read_parts(root, lab);
  read_timers(root, lab);
  read_cases(root, lab);
  for (TomlTable& table : root.tables("table")) lab.tables.push_back(read_table(table, lab));
  read_variants(root, lab);
  root.finish();
  return lab;
}

}  // namespace grader
