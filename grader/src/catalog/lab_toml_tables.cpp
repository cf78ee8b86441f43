// Reads the [[table]]s of lab.toml, and their [[peer]]s.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/lab_toml.hpp"
#include "model/table.hpp"

namespace grader {
namespace {

Axis read_axis(TomlTable& table) {
  Axis axis;
  const bool macro = table.has("macro");
  if (macro == table.has("argument"))
    table.fail("macro", "expected either argument = \"heading\" or macro = \"NAME\"");
  axis.kind = macro ? Axis::Kind::macro : Axis::Kind::argument;
  axis.name = table.text(macro ? "macro" : "argument");
  if (macro && !is_word(axis.name)) table.fail("macro", fmt::format("\"{}\" can't name a macro", axis.name));
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

std::vector<std::string> axis_names(const TableSpec& spec) {
  std::vector<std::string> names;
  for (const Axis& axis : spec.axes) names.push_back(axis.name);
  return names;
}

/// Refuses a value of a key that is not one of the known words.
void expect_one_of(const TomlTable& table, const std::string& key, const std::string& word,
                   const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return;
  const std::string near = did_you_mean(word, known);
  table.fail(key, fmt::format("\"{}\" is not one of the table's: {}{}", word, quoted_list(known),
                              near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
}

/// Reads ratio:COLUMN and gain:COLUMN, where COLUMN is a column above that has samples.
void read_derived(TomlTable& table, Column& column, const TableSpec& spec) {
  const std::string& of = column.measure.name;
  const char* const word = column.measure.kind == Measure::Kind::ratio ? "ratio" : "gain";
  std::vector<std::string> measured;
  for (const Column& other : spec.columns) {
    if (!is_derived(other.measure)) measured.push_back(other.id);
  }
  if (std::find(measured.begin(), measured.end(), of) == measured.end()) {
    const std::string near = did_you_mean(of, measured);
    table.fail("measure",
               fmt::format("{} of the unknown column \"{}\"; expected a measured column above it{}", word, of,
                           near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  }
  if (column.measure.kind == Measure::Kind::gain) {
    column.along = table.text("along");
    expect_one_of(table, "along", column.along, axis_names(spec));
    if (column.unit != "%")
      table.fail("unit", fmt::format("a gain has the unit \"%\", not \"{}\"", column.unit));
    return;
  }
  if (spec.baseline.empty())
    table.fail("measure", "a ratio needs a row to compare with; expected \"baseline\" in the [[table]]");
  if (column.unit != "1")
    table.fail("unit", fmt::format("a ratio has the unit \"1\", not \"{}\"", column.unit));
}

PlotSpec read_plot(TomlTable& table, const TableSpec& spec) {
  PlotSpec plot;
  std::vector<std::string> known = axis_names(spec);
  plot.panels = table.text_or("panels", "");
  if (!plot.panels.empty()) expect_one_of(table, "panels", plot.panels, known);
  known.push_back(PlotSpec::by_columns);
  plot.x = table.text_or("x", "");
  if (!plot.x.empty()) expect_one_of(table, "x", plot.x, known);
  plot.columns = table.texts("columns");
  std::vector<std::string> ids;
  for (const Column& column : spec.columns) ids.push_back(column.id);
  for (const std::string& id : plot.columns) expect_one_of(table, "columns", id, ids);
  table.finish();
  return plot;
}

void read_columns(TomlTable& of_table, TableSpec& spec) {
  for (TomlTable& table : of_table.tables("columns")) {
    Column column;
    column.id = table.text("id");
    for (const Column& other : spec.columns) {
      if (other.id == column.id) table.fail("id", fmt::format("column \"{}\" is declared twice", column.id));
    }
    column.title = table.text("title");
    column.measure = read_measure(table, "measure", table.text("measure"), Measure::Scope::column);
    column.unit = table.choice("unit", {"s", "B/s", "B", "1", "%"});
    if (is_derived(column.measure)) read_derived(table, column, spec);
    table.finish();
    spec.columns.push_back(std::move(column));
  }
  if (spec.columns.empty())
    of_table.fail("columns", "expected at least one column: columns = [{ id, title, measure, unit }]");
}

/// Checks that a table's tolerance is possible with the verification of each row.
void expect_tolerance_fits(const TomlTable& table, const TableSpec& spec, const Lab& lab) {
  for (const Backend backend : {Backend::emu, Backend::gpu}) {
    for (const TableRow& row : table_rows(spec, backend)) {
      const Case* const c = case_for(lab, arguments_of(spec, row));
      if (c == nullptr) return;
      const std::string problem = tolerance_problem(c->verify, *spec.tolerance);
      if (!problem.empty())
        table.fail("tolerance", fmt::format("the row {} is verified as case \"{}\", and \"{}\" {}",
                                            fmt::join(row.key, ", "), c->id, to_string(c->verify), problem));
    }
  }
}

TableSpec read_table(TomlTable& table, const Lab& lab) {
  TableSpec spec;
  spec.id = table.text("id");
  for (const TableSpec& other : lab.tables) {
    if (other.id == spec.id) table.fail("id", fmt::format("table \"{}\" is declared twice", spec.id));
  }
  spec.title = table.text("title");
  spec.search = table.choice("kind", {"sweep", "search"}) == "search";
  if (table.has("tolerance")) spec.tolerance = read_tolerance(table);
  spec.samples = static_cast<int>(table.integer_or("samples", spec.samples, 1, 1000));
  spec.devices = read_devices(table);
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
  if (spec.tolerance) expect_tolerance_fits(table, spec, lab);
  read_columns(table, spec);
  if (auto plot = table.table("plot")) spec.plot = read_plot(*plot, spec);
  table.finish();
  return spec;
}

const char* const peer_characters = "abcdefghijklmnopqrstuvwxyz0123456789_-";
const char* const library_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-.";

/// Reads the source of a peer: a file or a lab.
void read_peer_source(TomlTable& table, Peer& peer) {
  if (table.has("source") == table.has("lab"))
    table.fail("source", "expected either source = \"FILE\", a file in the folder peer, or lab = \"LAB\"");
  if (table.has("lab")) {
    peer.lab = table.text("lab");
    if (!is_lab_id(peer.lab)) table.fail("lab", fmt::format("\"{}\" is not a lab id", peer.lab));
    return;
  }
  peer.source = table.text("source");
  const fs::path file = peer.source;
  if (file != file.filename() || (file.extension() != ".cu" && file.extension() != ".cpp"))
    table.fail("source",
               fmt::format("\"{}\" is not a .cu or .cpp file directly in the folder peer", peer.source));
}

/// Checks that the lab has all names in a list.
void expect_known(const TomlTable& table, const std::string& key, const std::vector<std::string>& names,
                  const std::vector<std::string>& known) {
  forbid_repeats(table, key, names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::find(known.begin(), known.end(), names[i]) != known.end()) continue;
    table.fail(key,
               fmt::format("\"{}\" is not one of the lab's: {}", names[i],
                           known.empty() ? "it has none" : quoted_list(known)),
               i);
  }
}

Peer read_peer(TomlTable& table, const Lab& lab) {
  Peer peer;
  peer.name = table.text("name");
  if (!all_of(peer.name, peer_characters))
    table.fail("name",
               fmt::format("\"{}\" is not a peer name; expected small letters, digits, _ and -", peer.name));
  for (const Peer& other : lab.peers) {
    if (other.name == peer.name) table.fail("name", fmt::format("peer \"{}\" is declared twice", peer.name));
  }
  peer.title = table.text("title");
  read_peer_source(table, peer);
  peer.with = table.texts("with");
  forbid_repeats(table, "with", peer.with);
  if (!peer.with.empty() && peer.source.empty())
    table.fail("with", "files of the submission are compiled with a source; expected source = \"FILE\"");
  if (auto macros = table.table("macros")) peer.macros = read_macros(*macros);
  peer.link = table.texts("link");
  for (std::size_t i = 0; i < peer.link.size(); ++i) {
    if (!all_of(peer.link[i], library_characters))
      table.fail("link",
                 fmt::format("\"{}\" is not a library name; expected one like \"cublas\"", peer.link[i]), i);
  }
  std::vector<std::string> ids, arguments;
  for (const TableSpec& spec : lab.tables) {
    ids.push_back(spec.id);
    for (const Axis& axis : spec.axes) {
      const bool known = std::find(arguments.begin(), arguments.end(), axis.name) != arguments.end();
      if (axis.kind == Axis::Kind::argument && !known) arguments.push_back(axis.name);
    }
  }
  if (table.has("takes")) {
    peer.takes = table.texts("takes");
    expect_known(table, "takes", *peer.takes, arguments);
  }
  peer.args = table.texts("args");
  peer.tables = table.texts("tables");
  expect_known(table, "tables", peer.tables, ids);
  peer.backends = read_backends(table);
  table.finish();
  return peer;
}

}  // namespace

void read_peers(TomlTable& root, Lab& lab) {
  for (TomlTable& table : root.tables("peer")) lab.peers.push_back(read_peer(table, lab));
}

void read_tables(TomlTable& root, Lab& lab) {
  for (TomlTable& table : root.tables("table")) lab.tables.push_back(read_table(table, lab));
}

}  // namespace grader
