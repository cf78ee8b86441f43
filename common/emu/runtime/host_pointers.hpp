// The bit that a launch inverts in pointers to the host's memory (watch/services.hpp).
#pragma once

#include <cstdint>

namespace cuemu {

/// Linux maps programs, heaps and stacks at the top of an address space of 47 or 48 bits; device memory is there, too.
inline constexpr std::uintptr_t host_bit = std::uintptr_t{1} << 45;

/// Returns the address with the bit inverted; turned_back() restores the address.
std::uintptr_t turn_host_bit(std::uintptr_t address);

}  // namespace cuemu
