#include "hunt/hunts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "catalog/catalog.hpp"

namespace grader {
namespace {

constexpr int newest_format = 1;
constexpr std::uintmax_t largest_text = 64 << 10;

template <class T>
const T& named(const std::vector<T>& list, const std::string& name, const char* what) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const T& one) { return one.name == name; });
  if (found != list.end()) return *found;
  std::vector<std::string> names;
  for (const T& one : list) names.push_back(one.name);
  const std::string near = did_you_mean(name, names);
  throw Error(
      ErrorKind::usage,
      fmt::format("There is no {} \"{}\"; {}.", what, name,
                  near.empty() ? "there are " + quoted_list(names) : "did you mean \"" + near + "\"?"),
      "grader hunt");
}

std::vector<HuntKind> read_kinds(const fs::path& file) {
  const TomlFile toml = TomlFile::read(file, newest_format);
  TomlTable root = toml.root();
  root.has("format");
  std::vector<HuntKind> kinds;
  for (TomlTable& table : root.tables("kind")) {
    kinds.push_back({table.text("name"), table.text("title"), table.text("hint"), table.text("lab"),
                     static_cast<int>(table.integer("part", 1, 99))});
    table.finish();
  }
  root.finish();
  return kinds;
}

HuntMistake read_mistake(TomlTable& table, const Hunts& hunts, const HuntProgram& program) {
  HuntMistake mistake;
  mistake.name = table.text("name");
  for (const HuntMistake& other : program.mistakes)
    if (other.name == mistake.name) table.fail("name", fmt::format("\"{}\" is declared twice", mistake.name));
  mistake.kind = table.text("kind");
  if (std::none_of(hunts.kinds.begin(), hunts.kinds.end(),
                   [&](const HuntKind& kind) { return kind.name == mistake.kind; }))
    table.fail("kind", fmt::format("kinds.toml has no kind \"{}\"", mistake.kind));
  mistake.why = table.text("why");
  mistake.rule = table.text_or("rule", "");
  read_change(table, mistake.changes.emplace_back());
  for (TomlTable& also : table.tables("also")) {
    read_change(also, mistake.changes.emplace_back());
    also.finish();
  }
  table.finish();
  return mistake;
}

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + ",") {
    if (c != ',') {
      if (c != ' ') word += c;
      continue;
    }
    words.push_back(word);
    word.clear();
  }
  return words;
}

HuntProgram read_program(const fs::path& file, const Hunts& hunts) {
  const TomlFile toml = TomlFile::read(file, newest_format);
  TomlTable root = toml.root();
  root.has("format");
  HuntProgram program;
  program.name = file.stem();
  program.title = root.text("title");
  program.idea = root.text("idea");
  program.text = read_file(fs::path(file).replace_extension(".cu"), largest_text);
  if (auto sizes = root.table("sizes"))
    for (const std::string& name : sizes->keys()) {
      program.sizes[name] = sizes->integers(name, 1, 1 << 20);
      const std::string declared = fmt::format("constexpr int {} = ", name);
      if (program.text.find(declared) == std::string::npos)
        sizes->fail(name, fmt::format("{} has no \"{}\"", program.file(), declared));
      if (program.sizes[name].empty()) sizes->fail(name, "expected at least one size");
    }
  for (const std::string& names : root.texts("names")) program.names.push_back(words_in(names));
  for (TomlTable& table : root.tables("wrong"))
    program.mistakes.push_back(read_mistake(table, hunts, program));
  root.finish();
  return program;
}

}  // namespace

const HuntKind& Hunts::kind(const std::string& name) const {
  return named(kinds, name, "kind");
}

const HuntProgram& Hunts::program(const std::string& name) const {
  return named(programs, name, "program");
}

const HuntMistake& Hunts::mistake(const HuntProgram& program, const std::string& name) const {
  return named(program.mistakes, name, "mistake");
}

Hunts read_hunts(const fs::path& folder) {
  Hunts hunts;
  hunts.header = read_file(folder / "hunt.cuh", largest_text);
  hunts.kinds = read_kinds(folder / "kinds.toml");
  for (const fs::path& file : list_files(folder))
    if (file.extension() == ".toml" && file.filename() != "kinds.toml")
      hunts.programs.push_back(read_program(file, hunts));
  return hunts;
}

}  // namespace grader
