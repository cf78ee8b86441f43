// Objects with virtual functions hold a pointer to their class's table of functions. On a GPU, each side has
// separate tables, and a copied object still points to the other side's table. In the emulation, both sides
// share the tables. So a copy between the sides inverts a bit of these pointers ("turns" them), and a copy
// back inverts the bit again. A launch turns the pointers in its arguments, as it does with pointers to host
// memory (watch/services.hpp). Only programs with virtual functions pay for the search.
// Pointers in managed and pinned memory remain unchanged, since the host may use an object there while a
// kernel runs. The checker records which side constructed such an object.

#include <cstdint>

#include "views.hpp"

namespace cuemu {

/// Inverts the bit in pointers to tables among the bytes that a copy between host and device has moved.
void turn_object_tables(const CopyView& copied);
/// Inverts the bit in pointers to tables in a kernel's arguments, where objects are passed by value.
void turn_object_tables(unsigned char* arguments, std::size_t bytes);

}  // namespace cuemu
