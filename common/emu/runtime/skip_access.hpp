// Accesses that are left out: a checked program goes on after a bad one, so that what lies behind it is seen.
// What is read is 0, and what is written is dropped.
//
// Who watches the program says beforehand which access the calling thread is about to make (skip_access). Where
// nothing is mapped there, the processor refuses it, and the handler of the fault is asked; where something else lies,
// the thread is stepped through its code up to that instruction. Either way it then runs a copy of the instruction that
// accesses a scratch area instead: only the operand in memory is encoded anew, so registers and flags become what
// they would. Instructions that repeat (rep movs, rep stos) are carried out by the handler.
//
// Known for x86-64; elsewhere, and for instructions that are not known, a bad access stops the kernel.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "services.hpp"

namespace cuemu {

/// How many of one launch are left out; they take a few microseconds each.
inline constexpr std::uint32_t most_skipped = 100'000;
/// The same of those where something else lies, each of which takes a hundred.
inline constexpr std::uint32_t most_stepped = 5'000;

/// In a handler of SIGSEGV and SIGBUS: was it such an access? Then the thread goes on behind it when the handler
/// returns.
/// @param address where the fault was; 0: not known, as the processor does not tell all
bool skip_faulting_access(ucontext_t& context, std::uintptr_t address);
/// In a handler of SIGTRAP: was it a step towards such an access?
bool step_to_access(ucontext_t& context);

/// An instruction in parts.
struct Instruction {
  const std::uint8_t* code = nullptr;
  unsigned bytes = 0;  ///< its length; 0: it is not known, or has no operand in memory
  unsigned modrm = 0;  ///< where its ModRM byte is
  unsigned rex = 0;    ///< where its REX prefix is, if it has one: 1 + the place
  unsigned extension =
      0;  ///< where the byte of a VEX or EVEX prefix is that extends registers: 1 + the place
  bool is_string = false;   ///< movs or stos, whose operands are rsi and rdi
  std::uint8_t opcode = 0;  ///< of a string instruction
};
Instruction decode(const std::uint8_t* code);

}  // namespace cuemu
