// The blocks of the host's heap: addresses and lengths of memory from malloc(), new and related functions. Copies must
// stay within them.
//
// The checker replaces the C library's malloc() and related functions, forwards each call to the library, and records
// the length by the block's address. That works before main(), in any thread and in a forked child, since it takes no
// lock and allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuemu::check {

/// A block with the length that the program requested.
struct HostBlock {
  std::uintptr_t begin = 0;  ///< 0: none
  std::size_t bytes = 0;
  bool known() const { return begin != 0; }
  std::uintptr_t end() const { return begin + bytes; }
};

/// The block that holds an address. An empty block holds its address. None if the program defines malloc(), or the
/// block has 4 GiB or more.
HostBlock host_block_at(const void* address);

/// Has the function called for each address that free(), delete or realloc() gets and that the C library did not give.
/// True from it ends the program, as the library does. Only once.
void watch_foreign_frees(bool (*ends_program)(const void* address));

}  // namespace cuemu::check
