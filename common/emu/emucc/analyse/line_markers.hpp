/// @file
/// Finds directives that give the following lines another source: `#line 1 "/etc/passwd"`, `# 1
/// "/usr/include/math.h" 1 3`, `#pragma GCC system_header`. Code that looks like a system header isn't
/// checked, and a message about it shows a line of the named file. `--no-hidden-code` requests this check
/// together with hidden_code.hpp.
#pragma once
#include <vector>

#include "lex/align.hpp"
#include "lex/diagnostic.hpp"
#include "lex/lexer.hpp"

namespace emucc {

/// Returns an error for each such directive. `#line 7` is allowed, also with the file's own name.
std::vector<Diagnostic> check_line_markers(const TokenStream& stream, const FileLoader& load);

}  // namespace emucc
