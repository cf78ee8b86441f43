// The runtime's own heap: what it keeps of streams, launches and memory. A program that writes past the end of a block of its own,
// or has a copy do so, destroys blocks of the C library's heap, and the library ends the program when it frees one, as it does
// beside a GPU. If locks and queues of the runtime lay among these blocks, the program would hang instead.
#pragma once

namespace cuemu {

/// Takes back what the runtime's `new` gave; false: it is none of this heap's. From any thread.
bool give_back_own(void* memory);

}  // namespace cuemu
