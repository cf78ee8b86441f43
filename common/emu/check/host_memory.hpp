// Finds the host memory that a copy must stay within: a block of the heap, a variable of the program, or the
// local variables of a function that has not returned.
#pragma once

#include <string>

#include "host_heap.hpp"

namespace cuemu::check {

/// Returns the memory that contains an address: a block of the heap, a variable, or the rest of a function's
/// local variables. None if it is unknown. Local variables are known in the calling thread, and in threads
/// that have called this function before.
HostBlock host_memory_at(const void* address);

/// A text such as "a block of 400 bytes in the host's heap", "a variable of 400 bytes".
std::string host_memory_text(const HostBlock& block);

}  // namespace cuemu::check
