// Finds the expression of an access in its source line. Debug information gives a column; its meaning depends on the
// compiler and the kind of access.
#pragma once

#include <string>

namespace cuemu {

/// A letter, a digit or `_`: a character of names and numbers.
bool is_word(char c);

/// Columns [begin, end) of a line, from 1; both 0 if unknown.
struct Span {
  int begin = 0;
  int end = 0;
  bool known() const { return begin > 0 && end > begin; }
};

/// The accessed expression.
/// @param text the line, with its leading blanks
/// @param column the compiler's column, from 1: of an index's `]`, the `=` after the written part, a member's name or
/// the expression's beginning; 0: unknown; after the line's end: a macro made the access, and only an unambiguous part
/// is returned
/// @param array its name, if known; used if the column does not identify the expression
/// @param function beginning of a function's name, "atomic" or "cuda", if the access is made by a call of that function
/// in the line; empty: no such call
/// @param reads true for a read: then the right side of `x = a[i]` is returned, although the column may be that of x
Span accessed_part(const std::string& text, int column, const std::string& array,
                   const std::string& function = "", bool reads = false);

/// The call in a line to which a column belongs. g++ gives the column of the opening parenthesis, clang++ the column of
/// the name. Both give a column after the line's end if a macro made the call; the call is then found only if it is the
/// line's only such call.
/// @param function beginning of the function's name
Span call_at(const std::string& text, int column, const std::string& function);

}  // namespace cuemu
