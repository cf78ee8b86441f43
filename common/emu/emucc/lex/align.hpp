/// @file
/// Gives preprocessed tokens back the columns that they have in the user's own files.
///
/// `-E` drops comments, squeezes blanks and expands macros, so a compiler that reads its output points at
/// wrong columns. Here each line is compared with the line of the file that it came from: tokens equal from
/// the left, and from the right, get their columns; those between, which a macro made, keep column 0.
#pragma once
#include <functional>
#include <optional>

#include "lex/lexer.hpp"

namespace emucc {

/// Text of a file, or nothing where it can't be read: then its columns stay unknown.
using FileLoader = std::function<std::optional<std::string>(const std::string& path)>;

void align_columns(TokenStream& stream, const FileLoader& load);

/// Reads from the disk.
std::optional<std::string> load_file(const std::string& path);

}  // namespace emucc
