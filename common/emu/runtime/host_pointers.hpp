// The bit that marks pointers of the host in what kernels get (watch/services.hpp).
#pragma once

#include <cstdint>

namespace cuemu {

/// Linux maps programs, heaps and stacks at the top of 47 or 48 bits; so is device memory.
inline constexpr std::uintptr_t host_bit = std::uintptr_t{1} << 45;

/// Turns the bit; turned_back() knows the address from then on.
std::uintptr_t turn_host_bit(std::uintptr_t address);

}  // namespace cuemu
