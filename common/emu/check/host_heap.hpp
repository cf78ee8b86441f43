// The blocks of the host's heap: what malloc(), new and their like gave, and how long each is. Copies have to stay within them.
//
// The checker takes the place of the C library's malloc() and of what belongs to it, hands each call on to the library, and notes
// the length beside the block's address. That works before main(), in any thread and in a forked child, since it takes no lock and
// allocates nothing by itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuemu::check {

/// As long as the program asked for.
struct HostBlock {
  std::uintptr_t begin = 0;  ///< 0: there is none
  std::size_t bytes = 0;
  bool known() const { return begin != 0; }
  std::uintptr_t end() const { return begin + bytes; }
};

/// The block in which an address lies. Of one that has no byte its own address counts as inside. None where the program has a
/// malloc() of its own, or the block is 4 GiB long or longer.
HostBlock host_block_at(const void* address);

}  // namespace cuemu::check
