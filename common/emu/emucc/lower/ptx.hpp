/// @file
/// Translates inline PTX to C++: the text of an asm statement becomes calls of the functions in
/// cuemu/ptx.hpp.
///
/// Registers become variables whose names begin with `cuemu_`. Labels and branches become those of C++. An
/// unknown instruction, modifier or register causes an error that names it. So nothing is ignored.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace emucc {

/// One operand of the asm statement: `%0`, `%1` … in the text.
struct PtxOperand {
  std::string constraint;  ///< "=r", "+l", "f", "n" …
  std::string name;        ///< the name in `[name] "=r"(x)`; else empty
  bool is_output() const { return constraint.find_first_of("=+") != constraint.npos; }
  bool is_input() const { return constraint.find('=') == constraint.npos; }
  /// Returns the register's type in C++; empty if the constraint is unknown. "Integer" for the constraint
  /// `n`.
  std::string type() const;
};

/// The translation of an asm statement.
struct PtxTranslation {
  std::string declarations;  ///< the declarations of the registers that the text declares
  std::string code;
  std::string error;  ///< the reason for a failure; then the other members are meaningless
};

/// Returns the name of the variable for operand `index`.
std::string ptx_register(std::size_t index);

/// @param text the string of the asm statement, after its escapes were resolved
/// @param unique a number that distinguishes the labels of different statements
PtxTranslation translate_ptx(std::string_view text, const std::vector<PtxOperand>& operands, int unique);

}  // namespace emucc
