/// @file
/// A change of a text that a TOML file declares: `find` occurs exactly once, and `replace` replaces it.
#pragma once
#include <string>

#include "base/error.hpp"
#include "catalog/toml_reader.hpp"

namespace grader {

struct TextChange {
  std::string find;
  std::string replace;
  SourcePos at;  ///< place of `find` in the TOML file, for errors
};

/// Reads the keys `find` and `replace`. @throws Error (usage) at the key
void read_change(TomlTable& table, TextChange& change);

/// @param file the name of the text's file, for errors
/// @param of for errors, the entry that declares the change, such as `wrong solution "transposed"`
/// @throws Error (usage) at `find` when it does not occur exactly once
void apply_change(std::string& text, const TextChange& change, const std::string& file,
                  const std::string& of);

}  // namespace grader
