// Which part of a source line an access is: from the column that debug information gives for it, whose
// meaning differs by compiler and kind of access, to the whole expression that a reader sees.
#pragma once

#include <string>

namespace cuemu {

/// A letter, a digit or `_`, of which names and numbers are made.
bool is_word(char c);

/// Columns [begin, end) of a line, from 1; both 0 where nothing is known.
struct Span {
  int begin = 0;
  int end = 0;
  bool known() const { return begin > 0 && end > begin; }
};

/// The expression that is accessed.
/// @param text   the line, with the blanks in front of it
/// @param column where the compiler says that the access is, from 1: at an index's `]`, at the `=` behind what
///               is written, at a member's name or at the expression's beginning; 0: it does not say;
///               behind the line's end: a macro made it, and what is shown is what nothing else in the line can be
/// @param array  its name, if known: the expression is looked for where the column leads nowhere
/// @param function the beginning of a function's name, "atomic" or "cuda",
///               whose call is meant if the line has one; empty: none
/// @param reads  it is a read: of `x = a[i]`, where the column may be that of `x`, the right side
Span accessed_part(const std::string& text, int column, const std::string& array,
                   const std::string& function = "", bool reads = false);

/// The call in a line that a column belongs to: of g++ at the opening parenthesis, of clang++ at the name,
/// and of both behind the line's end if a macro made it: then the only such call of the line.
/// @param function the beginning of the function's name
Span call_at(const std::string& text, int column, const std::string& function);

}  // namespace cuemu
