/// @file
/// Gives preprocessed tokens back the columns that they have in the user's own files.
///
/// `-E` drops comments, squeezes blanks and expands macros, so a compiler that reads its output points at
/// wrong columns. Here each line is compared with the line of the file that it came from. A name that the compiler has
/// left nothing of is a macro's: what stands before, between and behind macros gets its columns, and so does what a macro
/// was given, where there is one place only that it can come from. All else, a macro's own text above all, is put
/// behind the line's end: no column is better than that of another expression, and who reads debug information can
/// tell (watch/expression.hpp).
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
