/// @file
/// Finds directives that set another source for the lines after them: `#line 1 "/etc/passwd"`, `# 1
/// "/usr/include/math.h" 1 3`, `#pragma GCC system_header`. Code that looks like a system header isn't checked, and a
/// message shows the line of the named file. With `--no-hidden-code`, as hidden_code.hpp.
#pragma once
#include <vector>

#include "lex/align.hpp"
#include "lex/diagnostic.hpp"
#include "lex/lexer.hpp"

namespace emucc {

/// Returns an error for each. `#line 7`, also with the file's own name, stays allowed.
std::vector<Diagnostic> check_line_markers(const TokenStream& stream, const FileLoader& load);

}  // namespace emucc
