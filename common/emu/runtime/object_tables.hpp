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

/// Turns the pointers to tables in the bytes that a copy has moved from one side to the other.
void turn_object_tables(const CopyView& copied);
/// The same in the arguments of a kernel that the host launches: objects that it passes by value.
void turn_object_tables(unsigned char* arguments, std::size_t bytes);

}  // namespace cuemu
