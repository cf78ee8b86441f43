// Finds the expression of an access in its source line. Debug information gives a column; its meaning depends on the
// compiler and the kind of access.
#pragma once

#include <string>

namespace cuemu {

/// Returns whether the character may be part of a name or a number: a letter, a digit or `_`.
bool is_word(char c);

/// Columns [begin, end) of a line, counted from 1; both are 0 if unknown.
struct Span {
  int begin = 0;
  int end = 0;
  bool known() const { return begin > 0 && end > begin; }
};

/// Finds the accessed expression in a line.
/// @param text the line, with its leading blanks
/// @param column the compiler's column, from 1: of an index's `]`, of the `=` after the written part, of a member's
/// name or of the expression's beginning; 0: unknown. If it is after the line's end, a macro made the access, and only
/// an unambiguous part is returned
/// @param array the array's name, if known; used if the column does not identify the expression
/// @param function the beginning of a function's name, "atomic" or "cuda", if a call of that function in the line makes
/// the access; empty: no such call
/// @param reads true for a read: then the right side of `x = a[i]` is returned, although the column may be that of x
Span accessed_part(const std::string& text, int column, const std::string& array,
                   const std::string& function = "", bool reads = false);

/// Finds the call to which a column of a line belongs. g++ gives the column of the opening parenthesis, clang++ the
/// column of the name. If a macro made the call, both give a column after the line's end; the call is then found only
/// if the line has no other such call.
/// @param function beginning of the function's name
Span call_at(const std::string& text, int column, const std::string& function);

}  // namespace cuemu
