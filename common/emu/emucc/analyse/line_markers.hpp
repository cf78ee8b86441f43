/// @file
/// Finds where a source says that its lines come from elsewhere: `#line 1 "/etc/passwd"`, `# 1 "/usr/include/math.h" 1 3`,
/// `#pragma GCC system_header`. What passes for a header of the system's is looked at by nobody, and a message shows the line of the
/// file that was named. With `--no-hidden-code`, as hidden_code.hpp.
#pragma once
#include <vector>

#include "lex/align.hpp"
#include "lex/diagnostic.hpp"
#include "lex/lexer.hpp"

namespace emucc {

/// An error for each. `#line 7`, and with the file's own name, stays allowed.
std::vector<Diagnostic> check_line_markers(const TokenStream& stream, const FileLoader& load);

}  // namespace emucc
