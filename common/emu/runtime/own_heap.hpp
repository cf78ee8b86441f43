// A separate heap for the runtime's state of streams, launches and memory. A program that writes past the end of a heap
// block, or has a copy do so, corrupts the C library's heap, and the library ends the program at a later free, as on a
// GPU machine. With the runtime's locks and queues in that heap, the program would hang instead.
#pragma once

namespace cuemu {

/// Frees memory of the runtime's `new`; false: the memory is not of this heap. From any thread.
bool give_back_own(void* memory);

}  // namespace cuemu
