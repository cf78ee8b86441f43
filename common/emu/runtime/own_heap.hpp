// A separate heap for the runtime's state of streams, launches and memory. A program that writes past the end of a heap
// block, itself or by a copy, corrupts the C library's heap. The library then ends the program at a later free, as it
// does beside a GPU. With the runtime's locks and queues in that heap, the program would hang instead.
#pragma once

namespace cuemu {

/// Frees memory of the runtime's `new`; false: the memory is not of this heap. From any thread.
bool give_back_own(void* memory);
/// Whether memory may be of the runtime's `new`: in this heap, or anywhere if the runtime shares the C library's.
bool may_be_own(const void* memory);

}  // namespace cuemu
