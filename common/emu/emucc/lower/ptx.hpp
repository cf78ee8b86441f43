/// @file
/// Inline PTX → C++: the text of an asm statement in, calls of the functions in cuemu/ptx.hpp out.
///
/// Registers become variables, whose names begin with `cuemu_`; labels and branches become C++'s. An
/// instruction, a modifier or a register that is not known is an error that names it: nothing is passed over.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace emucc {

/// One operand of the asm statement: `%0`, `%1` … in the text.
struct PtxOperand {
  std::string constraint;  ///< "=r", "+l", "f", "n" …
  std::string name;        ///< of `[name] "=r"(x)`; else empty
  bool is_output() const { return constraint.find_first_of("=+") != constraint.npos; }
  bool is_input() const { return constraint.find('=') == constraint.npos; }
  /// The register's type in C++; empty where the constraint is unknown. "Integer" for `n`.
  std::string type() const;
};

/// What the statement becomes.
struct PtxTranslation {
  std::string declarations;  ///< of the registers that the text declares
  std::string code;
  std::string error;  ///< why not; the rest is then meaningless
};

/// The variable that stands for operand `index`.
std::string ptx_register(std::size_t index);

/// @param text the asm statement's string, its escapes resolved
/// @param unique makes labels of several statements differ
PtxTranslation translate_ptx(std::string_view text, const std::vector<PtxOperand>& operands, int unique);

}  // namespace emucc
