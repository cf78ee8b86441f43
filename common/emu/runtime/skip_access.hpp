// Suppresses invalid accesses. A checked program continues after an invalid access, so that the checker can
// check the rest of the run. A suppressed read returns 0, or the contents that the tool provides. A
// suppressed write is dropped.
//
// The tool announces the calling thread's next access with skip_access(). If the address is unmapped, the
// access faults and the handler acts. If the address is mapped, the thread is single-stepped to the
// instruction. In both cases the thread then runs a copy of the instruction that accesses a scratch area.
// Only the memory operand differs in the copy, so registers and flags change as in the original. The handler
// itself carries out repeated instructions (rep movs, rep stos).
//
// This is implemented for x86-64. On other processors, and for unknown instructions, an invalid access stops the
// kernel.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "services.hpp"

namespace cuemu {

/// Maximum number of suppressed accesses per launch; each takes a few microseconds.
inline constexpr std::uint32_t most_skipped = 100'000;
/// Maximum number of single-stepped accesses per launch; each takes a hundred microseconds.
inline constexpr std::uint32_t most_stepped = 5'000;

/// Called in a handler of SIGSEGV and SIGBUS. Returns true for an announced access; when the handler returns,
/// the thread continues after the access.
/// @param address the faulting address; 0: unknown, since the processor does not report all addresses
bool skip_faulting_access(ucontext_t& context, std::uintptr_t address);
/// Returns the address of the interrupted instruction's memory operand; 0: unknown.
std::uintptr_t accessed_address(const ucontext_t& context);
/// Called in a handler of SIGTRAP. Returns true for a step towards an announced access.
bool step_to_access(ucontext_t& context);

/// A decoded instruction.
struct Instruction {
  const std::uint8_t* code = nullptr;
  unsigned bytes = 0;       ///< the instruction's length; 0: it is unknown, or has no memory operand
  unsigned modrm = 0;       ///< offset of its ModRM byte
  unsigned rex = 0;         ///< 1 + offset of its REX prefix; 0: none
  unsigned extension = 0;   ///< 1 + offset of the VEX or EVEX byte that extends registers; 0: none
  bool is_string = false;   ///< movs or stos, whose operands are rsi and rdi
  std::uint8_t opcode = 0;  ///< the opcode of a string instruction
};
Instruction decode(const std::uint8_t* code);

}  // namespace cuemu
