/// @file
/// Restores the columns that preprocessed tokens have in the user's files.
///
/// `-E` drops comments, squeezes blanks and expands macros, so a compiler that reads its output reports wrong
/// columns. Here each line is compared with its source line. A source name that isn't in the output is a macro. Text
/// before, between and after macros gets its columns, and so does a macro argument with only one possible origin.
///
/// All other tokens, above all a macro's own text, are placed after the line's end: no column is better than another
/// expression's column, and readers of debug information can recognise it (watch/expression.hpp).
#pragma once
#include <functional>
#include <optional>

#include "lex/lexer.hpp"

namespace emucc {

/// The text of a file, or nothing if it can't be read: then its columns stay unknown.
using FileLoader = std::function<std::optional<std::string>(const std::string& path)>;

void align_columns(TokenStream& stream, const FileLoader& load);

/// Reads from the disk.
std::optional<std::string> load_file(const std::string& path);

}  // namespace emucc
