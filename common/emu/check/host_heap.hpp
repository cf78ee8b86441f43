// The blocks of the host's heap: addresses and lengths of memory from malloc(), new and related functions. Copies
// must stay within such a block.
//
// The checker replaces the C library's malloc() and related functions, passes each call on to the library, and
// records the length by the block's address. This takes no lock and allocates nothing, so it works before main(), in
// any thread and in a forked child.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuemu::check {

/// A block, with the length that the program requested.
struct HostBlock {
  std::uintptr_t begin = 0;  ///< 0: none
  std::size_t bytes = 0;
  bool known() const { return begin != 0; }
  std::uintptr_t end() const { return begin + bytes; }
};

/// The block that contains an address. An empty block contains its own address. None if the program defines malloc(),
/// or if the block has 4 GiB or more.
HostBlock host_block_at(const void* address);

/// Makes the function the handler for each address that free(), delete or realloc() gets and that the C library did
/// not give. If the handler returns true, the program ends, as it does with the library alone. Call this only once.
void watch_foreign_frees(bool (*ends_program)(const void* address));

}  // namespace cuemu::check
