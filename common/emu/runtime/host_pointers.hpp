// Pointers among a kernel's arguments that lead where the kernel can't reach.
//
// Host and device are one process here, and a kernel could read the host's memory, or its parent's local variables. A launch
// therefore gives such a pointer another value: one bit of the address is turned over, which leads to where nothing is
// mapped. Two pointers keep their order and their distance. A kernel that uses one stops, and the report turns the bit
// back.
#pragma once

#include <cstdint>

namespace cuemu {

/// What a launch made unreachable, and where that is.
struct Unreachable {
  enum class Kind { nothing, host_memory, parents_memory };
  Kind kind = Kind::nothing;
  std::uintptr_t address = 0;
};

/// To what an address leads when the bit of a launch is turned back. Safe in signal handlers.
Unreachable behind_turned_bit(std::uintptr_t address);

}  // namespace cuemu
