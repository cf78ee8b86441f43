/// @file
/// Restores the columns of preprocessed tokens in the user's files.
///
/// `-E` drops comments, merges blanks and expands macros, so a compiler that reads preprocessed text reports
/// wrong columns. Here each preprocessed line is compared with its source line. A name in the source that
/// isn't in the output is a macro. Text before, between and after macros gets its original columns. So does a
/// macro's argument that has only one possible origin.
///
/// All other tokens, above all a macro's own text, are placed after the line's end. So they can't get the
/// column of another expression, and readers of debug information can recognise them (watch/expression.hpp).
#pragma once
#include <functional>
#include <optional>

#include "lex/lexer.hpp"

namespace emucc {

/// Returns the text of a file, or nothing if the file can't be read. If so, columns in that file remain
/// unknown.
using FileLoader = std::function<std::optional<std::string>(const std::string& path)>;

void align_columns(TokenStream& stream, const FileLoader& load);

/// A FileLoader that reads files from the disk.
std::optional<std::string> load_file(const std::string& path);

}  // namespace emucc
