// Finds the blocks of the host's heap, with the addresses and lengths that malloc(), new and similar
// functions have given. A copy must stay within such a block.
//
// The checker replaces malloc() and the related functions of the C library. Each replacement calls the
// library's function and records the length by the block's address. It takes no lock and allocates nothing,
// so it works before main(), in any thread and in a forked child.
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

/// Returns the block that contains an address. An empty block contains its own address. None if the program
/// defines malloc() itself, or if the block has 4 GiB or more.
HostBlock host_block_at(const void* address);

/// Sets the handler for addresses that free(), delete or realloc() receives although the C library did not
/// allocate them. If the handler returns true, the program ends, as it does with the library alone. Call this
/// only once.
void watch_foreign_frees(bool (*ends_program)(const void* address));

}  // namespace cuemu::check
