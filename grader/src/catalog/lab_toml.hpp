/// @file
/// Turns one lab.toml into a Lab. lab_toml.cpp reads the head, the parts and the timers, lab_toml_cases.cpp
/// the cases, and lab_toml_tables.cpp the tables with their peers. This header is private to these files and
/// their tests. catalog.hpp declares parse_lab().
///
/// If a rule concerns two tables (a case names its parts, a ratio names its column), it is checked when the
/// second table is read. A violation is an Error (usage) at its line.
#pragma once
#include <set>

#include "catalog/catalog.hpp"
#include "catalog/toml_reader.hpp"

namespace grader {

constexpr int most_parts = 99;

/// Reads the [[case]]s into `lab`, whose data, parts and timers must already be read.
void read_cases(TomlTable& root, Lab& lab);
/// Reads the [[table]]s.
void read_tables(TomlTable& root, Lab& lab);
/// Reads the [[peer]]s, which name tables.
void read_peers(TomlTable& root, Lab& lab);

/// Whether a text is not empty and contains only these characters.
bool all_of(const std::string& text, const char* allowed);
/// Whether a text is a C++ identifier: it consists of letters, digits and _, and does not begin with a digit.
bool is_word(const std::string& text);
/// @param text the value of the key, or the element of its list
/// @param scope the scope of the measures that are allowed there
Measure read_measure(const TomlTable& table, const std::string& key, const std::string& text,
                     Measure::Scope scope, std::optional<std::size_t> element = {});

/// The index of the first value that also occurs before. No value if all differ.
template <typename T>
std::optional<std::size_t> first_repeated(const std::vector<T>& values) {
  std::set<T> seen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!seen.insert(values[i]).second) return i;
  }
  return {};
}
void forbid_repeats(const TomlTable& table, const std::string& key, const std::vector<std::string>& values);

/// Reads tolerance = { abs = 0, rel = 1e-5, why = "…" }. Without the key, the comparison is exact.
Tolerance read_tolerance(TomlTable& of);
/// Reads devices = 2. The default is 1.
int read_devices(TomlTable& of);
/// Reads backends = ["emu", "gpu"]. The default is both.
std::vector<Backend> read_backends(TomlTable& of);
/// Reads origin = "device" or "anywhere": whether the output must have come back from the device.
bool read_origin(TomlTable& of, const Lab& lab, bool otherwise);
/// Reads { NAME = "value", … }.
std::map<std::string, std::string> read_macros(TomlTable table);

}  // namespace grader
