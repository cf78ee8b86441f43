// Pointers among a kernel's arguments to memory that the kernel can't reach on a GPU.
//
// Host and device share one process here: a kernel could read the host's memory, or its parent's local variables. A
// launch therefore flips one bit of such a pointer, so that it points to unmapped memory. Two flipped pointers keep
// their order and distance. A kernel that uses one stops, and the report flips the bit back.
#pragma once

#include <cstdint>

namespace cuemu {

/// Memory that a launch made unreachable, and its address.
struct Unreachable {
  enum class Kind { nothing, host_memory, parents_memory };
  Kind kind = Kind::nothing;
  std::uintptr_t address = 0;
};

/// The target of an address after the launch's bit is flipped back. Safe in signal handlers.
Unreachable behind_turned_bit(std::uintptr_t address);

}  // namespace cuemu
