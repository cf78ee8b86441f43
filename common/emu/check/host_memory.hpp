// The host's memory that copies must stay within: blocks of the heap, the program's variables, and the local variables of
// a function that has not returned.
#pragma once

#include <string>

#include "host_heap.hpp"

namespace cuemu::check {

/// The block of the heap, the variable, or the rest of the function's local variables that an address is in; none if
/// unknown. Local variables only of the calling thread, or where that
/// thread has asked before.
HostBlock host_memory_at(const void* address);

/// "a block of 400 bytes in the host's heap", "a variable of 400 bytes"
std::string host_memory_text(const HostBlock& block);

}  // namespace cuemu::check
