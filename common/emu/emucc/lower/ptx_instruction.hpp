/// @file
/// One PTX instruction, read (ptx.cpp), and the call that it becomes (ptx_table.cpp).
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace emucc::detail {

/// Where the functions for PTX live.
inline const std::string ptx_space = "::cuemu::ptx::";

/// An operand as C++.
struct PtxArgument {
  std::string code;                ///< an expression; of an address: its base
  bool is_address = false;         ///< it stood in [ ]
  std::string offset;              ///< of an address
  std::vector<PtxArgument> parts;  ///< of a list in { }
  std::string second;              ///< of `d|p`: the predicate
  std::string selector;            ///< of `a.h1`: the part of the register
  bool negated = false;            ///< it stood behind a `-`

  bool is_list() const { return !parts.empty(); }
};

struct PtxInstruction {
  std::string name;                    ///< "mad"
  std::vector<std::string> modifiers;  ///< "lo", "u32"
  std::vector<PtxArgument> arguments;
  std::string full;  ///< "mad.lo.u32", for messages

  /// Takes the modifier away if it is there. What is left at the end is unknown.
  bool take(const std::string& modifier) {
    const auto found = std::find(modifiers.begin(), modifiers.end(), modifier);
    if (found == modifiers.end()) return false;
    modifiers.erase(found);
    return true;
  }
  /// Takes the selector of an operand away: the part of its register in C++.
  std::string take_part(std::size_t argument);
  /// Takes the sign of an operand away: was there one?
  bool take_sign(std::size_t argument) { return std::exchange(arguments[argument].negated, false); }
  /// Takes the first type away: its name in C++, or nothing.
  std::string take_type();
  /// Takes a rounding away: C++'s name for it; rn where there is none.
  std::string take_rounding();
};

/// The statement that `instruction` becomes; empty where it is unknown.
std::string ptx_call(PtxInstruction instruction);

}  // namespace emucc::detail
