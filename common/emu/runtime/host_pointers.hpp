// The bit that is inverted in pointers to the host's memory that kernels receive (watch/services.hpp).
#pragma once

#include <cstdint>

namespace cuemu {

/// Linux maps programs, heaps and stacks at the top of an address space of 47 or 48 bits; device memory is there, too.
inline constexpr std::uintptr_t host_bit = std::uintptr_t{1} << 45;

/// Inverts the bit. Afterwards, turned_back() can restore the address.
std::uintptr_t turn_host_bit(std::uintptr_t address);

}  // namespace cuemu
