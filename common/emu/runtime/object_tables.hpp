// An object with virtual functions holds a pointer to its class's table of them. On a GPU each side has tables of its
// own, and a copy of the object still points to the other side's. Here both sides share them. So a copy between the
// sides turns a bit of such pointers, as a launch does of the host's pointers (watch/services.hpp), and a copy back
// turns it again. A launch does the same to its arguments. Only programs with virtual functions pay for the search.
// Managed and pinned memory stays as it is: the host may use an object there while a kernel runs. The checker knows
// which side made such an object.
#pragma once

#include <cstdint>

#include "views.hpp"

namespace cuemu {

/// Inverts the bit in pointers to tables among the bytes that a copy between host and device has moved.
void turn_object_tables(const CopyView& copied);
/// Inverts the bit in pointers to tables in a kernel's arguments, where objects are passed by value.
void turn_object_tables(unsigned char* arguments, std::size_t bytes);

}  // namespace cuemu
