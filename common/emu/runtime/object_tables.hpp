// Detects calls of virtual functions through an object that the other side, host or device, constructed.
//
// An object with virtual functions contains a pointer to its class's table of functions. On a GPU, host and device have
// separate tables, and a copied object still points to the table of the side that constructed it. In the emulation both
// sides share the tables. So a copy between host and device inverts a bit of such pointers, as a launch does with
// pointers to the host's memory (watch/services.hpp). A copy back restores the bit. A launch also inverts the bit in
// its arguments. Only programs with virtual functions are searched. Objects in managed memory remain unchanged, because
// the host may use them while a kernel runs; the checker knows which side constructed them.
#pragma once

#include <cstdint>

#include "views.hpp"

namespace cuemu {

/// Inverts the bit in pointers to tables among the bytes that a copy between host and device has moved.
void turn_object_tables(const CopyView& copied);
/// Inverts the bit in pointers to tables in a kernel's arguments, where objects are passed by value.
void turn_object_tables(unsigned char* arguments, std::size_t bytes);
/// Returns whether an address, after its bit is restored, lies in a table to which a copied object points. Reports call
/// this function; it returns false if a copy holds the lock.
bool in_turned_table(std::uintptr_t address);

}  // namespace cuemu
