/// @file
/// The arithmetic in the code of an emulated program. The emulation counts how often warps run each stretch
/// of code. The disassembly (objdump) shows the instructions of each stretch, with the types that the
/// compiler chose and without those that it removed.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "explain/work.hpp"

namespace grader {

/// How often warps ran the code from an address to the next branch target.
struct Stretch {
  std::uint64_t address = 0;
  double warps = 0;
};

/// The command whose output mix_of() parses. It disassembles the code from the first stretch on.
std::vector<std::string> disassembly_command(const std::string& program, const std::vector<Stretch>& code);

/// The instructions that a GPU issues when these stretches run once. @param disassembly x86-64 code; for
/// other processors, the result contains no arithmetic
Mix mix_of(const std::string& disassembly, const std::vector<Stretch>& code);

}  // namespace grader
