// A separate heap for the runtime's state of streams, launches and memory. A program that writes past the end of a heap
// block, directly or by a copy, corrupts the C library's heap. The library then ends the program at a later free, as on
// a machine with a GPU. If the runtime's locks and queues were in that heap, the program would hang instead.
#pragma once

namespace cuemu {

/// Frees memory that the runtime's `new` has allocated; false if the memory does not belong to this heap. May be called
/// from any thread.
bool give_back_own(void* memory);
/// Returns whether the runtime's `new` may have allocated this memory: it is in this heap, or the runtime shares the C
/// library's heap.
bool may_be_own(const void* memory);

}  // namespace cuemu
