/// @file
/// One PTX instruction as ptx.cpp reads it. ptx_table.cpp returns the call that it becomes.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace emucc::detail {

/// The namespace of the functions for PTX.
inline const std::string ptx_space = "::cuemu::ptx::";

/// An operand as C++ code.
struct PtxArgument {
  std::string code;                ///< an expression; for an address: its base
  bool is_address = false;         ///< the operand was in [ ]
  std::string offset;              ///< for an address: its offset
  std::vector<PtxArgument> parts;  ///< the parts of a list in { }
  std::string second;              ///< the predicate in `d|p`
  std::string selector;            ///< the part of the register in `a.h1`
  bool negated = false;            ///< the operand followed a `-`

  bool is_list() const { return !parts.empty(); }
};

struct PtxInstruction {
  std::string name;                    ///< "mad"
  std::vector<std::string> modifiers;  ///< "lo", "u32"
  std::vector<PtxArgument> arguments;
  std::string full;  ///< "mad.lo.u32", for messages

  /// Removes the modifier if it is present. If any modifier remains at the end, the instruction is unknown.
  bool take(const std::string& modifier) {
    const auto found = std::find(modifiers.begin(), modifiers.end(), modifier);
    if (found == modifiers.end()) return false;
    modifiers.erase(found);
    return true;
  }
  /// Removes the selector of an operand. @return the part of the register, in C++
  std::string take_part(std::size_t argument);
  /// Removes the sign of an operand. @return true if it had one
  bool take_sign(std::size_t argument) { return std::exchange(arguments[argument].negated, false); }
  /// Removes the first type. @return the type's name in C++, or an empty string
  std::string take_type();
  /// Removes a rounding mode. @return C++'s name for it; rn if there is none
  std::string take_rounding();
};

/// Returns the statement that `instruction` becomes; empty if the instruction is unknown.
std::string ptx_call(PtxInstruction instruction);

}  // namespace emucc::detail
