// The host's memory that copies must stay within: blocks of the heap, the program's variables, and the local
// variables of a function that has not returned.
#pragma once

#include <string>

#include "host_heap.hpp"

namespace cuemu::check {

/// The block of the heap, the variable, or the rest of the function's local variables that contains an address; none
/// if it is unknown. Local variables are known only in the calling thread, or if their own thread has called this
/// function before.
HostBlock host_memory_at(const void* address);

/// A text such as "a block of 400 bytes in the host's heap", "a variable of 400 bytes".
std::string host_memory_text(const HostBlock& block);

}  // namespace cuemu::check
