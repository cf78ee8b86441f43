/// @file
/// The arithmetic in the code of an emulated program. The emulation counts how often warps run each stretch of code; the
/// disassembly (objdump) says what is in it, since the compiler has used the types and removed what is not needed.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "explain/work.hpp"

namespace grader {

/// How often warps ran the code from an address to the next branch's target.
struct Stretch {
  std::uint64_t address = 0;
  double warps = 0;
};

/// The command whose output mix_of() reads; it disassembles no more than the code from the first stretch on.
std::vector<std::string> disassembly_command(const std::string& program, const std::vector<Stretch>& code);

/// The instructions that an execution of the stretches issues on a GPU.
/// @param disassembly of x86-64; other code has no arithmetic
Mix mix_of(const std::string& disassembly, const std::vector<Stretch>& code);

}  // namespace grader
