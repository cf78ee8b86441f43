// Reads the head of lab.toml: identity, data, parts, timers and variants. docs/ARCHITECTURE.md defines the
// format. Each table of lab.toml has a function.
#include "catalog/lab_toml.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace grader {
namespace {

constexpr int newest_format = 1;
constexpr int most_levels = 9;
const char* const digits = "0123456789";
const char* const name_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
const char* const word_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

void read_head(TomlTable& root, Lab& lab) {
  lab.id = root.text("id");
  if (!is_lab_id(lab.id))
    root.fail("id", fmt::format("\"{}\" is not a lab id; expected one like \"lab2\" or \"lab2.1\"", lab.id));
  lab.name = root.text("name");
  if (!is_lab_name(lab.name)) {
    root.fail(
        "name",
        fmt::format("\"{}\" is not a lab name; expected letters, digits, _ and -, the first a small letter",
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
  lab.allowed = root.texts("allowed");
  forbid_repeats(root, "allowed", lab.allowed);
  for (std::size_t i = 0; i < lab.allowed.size(); ++i) {
    if (lab.allowed[i].find_first_of("<>\" \t") != std::string::npos)
      root.fail("allowed",
                fmt::format(
                    "\"{}\" is not a header name; expected one without brackets, as \"cooperative_groups.h\"",
                    lab.allowed[i]),
                i);
  }
  lab.relocatable = root.choice("device_code", {"whole", "relocatable"}) == "relocatable";
}

/// Whether a text can name an array, or a file in the lab's own format.
bool is_data_name(const std::string& name) {
  return is_word(without_ending(name));
}

/// Reads output_layout = { header = 4, count_at = 0, arrays = ["real", "imaginary"] }.
FileLayout read_layout(TomlTable& data) {
  constexpr std::int64_t most = 1 << 20;
  auto table = data.table("output_layout");
  FileLayout layout;
  layout.header = static_cast<std::size_t>(table->integer_or("header", 0, 0, most));
  if (table->has("count_at")) {
    const std::int64_t at = table->integer_or("count_at", 0, 0, most);
    if (at + static_cast<std::int64_t>(sizeof(std::uint32_t)) > static_cast<std::int64_t>(layout.header))
      table->fail("count_at",
                  fmt::format("the four bytes of a count from byte {} on don't lie in a header of {} "
                              "bytes",
                              at, layout.header));
    layout.count_at = static_cast<std::size_t>(at);
  }
  layout.arrays = table->texts("arrays");
  table->finish();
  return layout;
}

/// Reads output = "stdout", "NAME", or "NAME.bin" with an output_layout.
Output read_output(TomlTable& data, const std::vector<std::string>& inputs) {
  const std::string name = data.text("output");
  const bool has_layout = data.has("output_layout");
  if (name == Output().name() && !has_layout) return {};
  if (!is_data_name(name))
    data.fail("output",
              fmt::format("\"{}\" can't name an array's file; expected letters, digits and _, or \"stdout\"",
                          name));
  if (std::find(inputs.begin(), inputs.end(), name) != inputs.end())
    data.fail("output", fmt::format("\"{}\" is an input too; expected a name of its own", name));
  if (name.ends_with(".txt"))
    data.fail("output", fmt::format("\"{}\" is text, and a result is compared as an array; expected a name "
                                    "without an ending, or \"stdout\"",
                                    name));
  if (is_own_format(name) && !has_layout)
    data.fail("output", fmt::format("\"{}\" is not a .npy file; expected output_layout = {{ header = bytes "
                                    "before the float32 elements, arrays = […] }}",
                                    name));
  if (!is_own_format(name) && has_layout)
    data.fail(
        "output_layout",
        fmt::format(
            "\"{}\" is not a file with a layout of the lab's own; expected an output whose name ends in .bin",
            name));
  return has_layout ? Output::own_format(name, read_layout(data)) : Output::array(name);
}

void read_data(TomlTable& root, Lab& lab) {
  auto data = root.table("data");
  if (!data) return;
  lab.inputs = data->texts("inputs");
  forbid_repeats(*data, "inputs", lab.inputs);
  for (std::size_t i = 0; i < lab.inputs.size(); ++i) {
    if (!is_data_name(lab.inputs[i]))
      data->fail(
          "inputs",
          fmt::format("\"{}\" can't name an array's file; expected letters, digits and _, or .bin or .txt "
                      "after them for a file that is not .npy",
                      lab.inputs[i]),
          i);
  }
  lab.output = read_output(*data, lab.inputs);
  lab.from_device = read_origin(*data, lab, !lab.output.is_printed());
  data->finish();
}

void read_levels(TomlTable& root, Lab& lab) {
  for (TomlTable& table : root.tables("level")) {
    LevelNote level;
    level.id = static_cast<int>(table.integer("id", 1, lab.levels));
    for (const LevelNote& other : lab.level_notes) {
      if (other.id == level.id) table.fail("id", fmt::format("level {} is declared twice", level.id));
    }
    level.title = table.text_or("title", "");
    level.complete = table.texts("complete");
    forbid_repeats(table, "complete", level.complete);
    table.finish();
    lab.level_notes.push_back(std::move(level));
  }
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
      table.fail("levels", fmt::format("level {} is listed twice", levels[*i]), i);
    part.levels.assign(levels.begin(), levels.end());
    if (auto on_gpu = table.table("on_gpu")) {
      part.on_gpu.points = on_gpu->number("points", 0);
      if (part.on_gpu.points > part.points)
        on_gpu->fail("points", fmt::format("{:g} points on a GPU only, of {:g}; expected at most so many",
                                           part.on_gpu.points, part.points));
      part.on_gpu.why = on_gpu->text("why");
      on_gpu->finish();
    }
    table.finish();
    lab.parts.push_back(std::move(part));
  }
  if (lab.parts.empty()) root.fail("part", "expected at least one [[part]]");
}

void read_timers(TomlTable& root, Lab& lab) {
  for (TomlTable& table : root.tables("timer")) {
    PrintedTimer timer;
    timer.line = table.text("line");
    for (const PrintedTimer& other : lab.printed_timers) {
      if (other.line == timer.line)
        table.fail("line", fmt::format("timer \"{}\" is declared twice", timer.line));
    }
    const std::vector<std::string> covers = table.texts("covers");
    if (covers.empty())
      table.fail("covers", "covers nothing; expected measures such as \"kernel\" or \"h2d\"");
    for (std::size_t i = 0; i < covers.size(); ++i)
      timer.covers.push_back(read_measure(table, "covers", covers[i], Measure::Scope::timer, i));
    table.finish();
    lab.printed_timers.push_back(std::move(timer));
  }
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

void read_film_spec(TomlTable& root, Lab& lab) {
  auto table = root.table("film");
  if (!table) return;
  lab.film = FilmSpec{table->texts("args"), table->texts("emu_args")};
  if (lab.film->args.empty()) table->fail("args", "a film shows a run; expected args = [\"…\"]");
  table->finish();
}

std::size_t index_of(const std::string& word, const std::vector<std::string>& words) {
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

StillPanel read_panel(TomlTable& table, const Lab& lab, const std::string& usual_case) {
  const auto known_case = [&](const std::string& key, const std::string& id) {
    const auto its =
        std::find_if(lab.cases.begin(), lab.cases.end(), [&](const Case& c) { return c.id == id; });
    if (its == lab.cases.end()) table.fail(key, fmt::format("\"{}\" is no case of the lab", id));
    if (its->visibility != Visibility::visible)
      table.fail(key, fmt::format("case \"{}\" is hidden from students", id));
  };
  using Panel = StillPanel;
  Panel panel;
  panel.title = table.text_or("title", "");
  panel.draws =
      static_cast<Panel::Draws>(index_of(table.choice("draws", {"arrays", "rounds", "threads", "film"}),
                                         {"arrays", "rounds", "threads", "film"}));
  panel.case_id = table.text_or("case", usual_case);
  if (panel.draws == Panel::Draws::film) {
    if (!lab.film) table.fail("draws", "the lab has no [film]");
    panel.frame = static_cast<int>(table.integer_or("frame", 0, 0, 1 << 20));
  } else {
    known_case("case", panel.case_id);
  }
  panel.arrays = table.texts("arrays");
  const bool of_arrays = panel.draws == Panel::Draws::arrays || panel.draws == Panel::Draws::rounds;
  if (of_arrays == panel.arrays.empty())
    table.fail("arrays", of_arrays ? "expected the names of what is drawn" : "it draws no arrays");
  const auto range = [&](const std::string& key, int& first, int& last) {
    const std::vector<std::int64_t> ends = table.integers(key, 1, 1 << 20);
    if (ends.empty()) return;
    if (ends.size() != 2 || ends[1] < ends[0]) table.fail(key, "expected [first, last]");
    first = static_cast<int>(ends[0]);
    last = static_cast<int>(ends[1]);
  };
  range("launches", panel.first_launch, panel.last_launch);
  range("stretches", panel.first, panel.last);
  for (const std::int64_t index : table.integers("block", 0, 1 << 20))
    panel.block.push_back(static_cast<unsigned>(index));
  if (!panel.block.empty() && panel.block.size() != 3) table.fail("block", "expected [x, y, z]");
  const std::vector<std::string> colours = {"warp", "block", "thread", "stretch", "launch"},
                                 numbers = {"none", "reads", "thread", "value"};
  panel.colour = static_cast<Panel::Colour>(index_of(table.choice("colour", colours), colours));
  panel.numbers = static_cast<Panel::Numbers>(index_of(table.choice("numbers", numbers), numbers));
  panel.elements = static_cast<std::size_t>(table.integer_or("elements", 0, 1, 4096));
  table.finish();
  return panel;
}

void read_view_spec(TomlTable& root, Lab& lab) {
  auto table = root.table("view");
  if (!table) return;
  ViewSpec view;
  view.story = table->text("story");
  view.case_id = table->text_or("case", "");
  if (!view.case_id.empty() && std::none_of(lab.cases.begin(), lab.cases.end(), [&](const Case& c) {
        return c.id == view.case_id && c.visibility == Visibility::visible;
      }))
    table->fail("case", fmt::format("\"{}\" is no case that students may see", view.case_id));
  if (auto shapes = table->table("shapes")) {
    for (const std::string& name : shapes->keys())
      for (const std::int64_t extent : shapes->integers(name, 1, 1 << 30))
        view.shapes[name].push_back(static_cast<std::size_t>(extent));
    shapes->finish();
  }
  const std::string usual_case = !view.case_id.empty() ? view.case_id
                                 : lab.cases.empty()   ? ""
                                                       : lab.cases.front().id;
  for (TomlTable& panel : table->tables("panel")) view.panels.push_back(read_panel(panel, lab, usual_case));
  table->finish();
  lab.view = std::move(view);
}

}  // namespace

bool all_of(const std::string& text, const char* allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string::npos;
}

bool is_word(const std::string& text) {
  return all_of(text, word_characters) && std::string(digits).find(text[0]) == std::string::npos;
}

Measure read_measure(const TomlTable& table, const std::string& key, const std::string& text,
                     Measure::Scope scope, std::optional<std::size_t> element) {
  const auto measure = measure_from(text);
  if (measure && measure->scope() <= scope) return *measure;
  table.fail(
      key, fmt::format("unknown measure \"{}\"; expected {}", text, quoted_list(measure_forms(scope), "or")),
      element);
}

void forbid_repeats(const TomlTable& table, const std::string& key, const std::vector<std::string>& values) {
  if (const auto i = first_repeated(values))
    table.fail(key, fmt::format("\"{}\" is listed twice in \"{}\"", values[*i], key), i);
}

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
  root.has("format");  // already read and checked with the file
  Lab lab;
  lab.folder = fs::absolute(lab_toml).lexically_normal().parent_path();
  read_head(root, lab);
  read_data(root, lab);
  read_levels(root, lab);
  read_parts(root, lab);
  read_timers(root, lab);
  read_cases(root, lab);
  read_tables(root, lab);
  read_peers(root, lab);
  read_variants(root, lab);
  read_film_spec(root, lab);
  read_view_spec(root, lab);
  root.finish();
  return lab;
}

}  // namespace grader
