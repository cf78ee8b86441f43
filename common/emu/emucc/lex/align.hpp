/// @file
/// Restores the columns that preprocessed tokens have in the user's files.
///
/// `-E` drops comments, squeezes blanks and expands macros, so a compiler that reads the preprocessed text reports
/// wrong columns. Here each preprocessed line is compared with its source line. A name in the source that isn't in
/// the output is a macro. Text before, between and after macros gets its original columns, and so does a macro
/// argument with only one possible origin.
///
/// All other tokens, above all a macro's own text, are placed after the line's end. There they can't get the column
/// of another expression, and readers of debug information can recognise them (watch/expression.hpp).
#pragma once
#include <functional>
#include <optional>

#include "lex/lexer.hpp"

namespace emucc {

/// Returns the text of a file, or nothing if the file can't be read. Columns in an unreadable file stay unknown.
using FileLoader = std::function<std::optional<std::string>(const std::string& path)>;

void align_columns(TokenStream& stream, const FileLoader& load);

/// A FileLoader that reads files from the disk.
std::optional<std::string> load_file(const std::string& path);

}  // namespace emucc
