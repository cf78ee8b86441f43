// Names of threads, blocks, arrays, elements and allocations in findings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker.hpp"
#include "cuemu/thread.hpp"

namespace cuemu::check {

/// A point "(x,y,z)" from its linear index.
std::string point(const dim3& dims, std::uint64_t linear);
/// The number of blocks or threads of this size.
inline std::uint64_t volume(const dim3& size) {
  return std::uint64_t{size.x} * size.y * size.z;
}
std::string point(const uint3& at);
/// A size such as "1 byte", "4,096 bytes".
std::string bytes_text(std::uint64_t bytes);
/// The user's line of a call, as in " at x.cu:12"; empty if it is unknown.
std::string at_line_of(const std::vector<void*>& stack);
/// Returns the point (x, y, z) of a linear index.
kit_wire::Index index_of(const dim3& dims, std::uint64_t linear);
kit_wire::Index index_of(const uint3& at);
/// Returns the wire format's name for an AccessKind.
kit_wire::Access access_of(unsigned kind);
/// The name of the memory that a region is in.
const char* space_of(const Region& region);
/// Returns the words for an AccessKind: "read", "write", "atomic update", "read (volatile)" …
std::string verb_of(unsigned kind);

/// Makes a party such as "write by thread (1,0,0)", with its line.
Party party(const BlockState& state, unsigned kind, Site site, std::uint32_t thread, std::uint32_t block,
            bool with_block);
/// Makes a party for the current access of a kernel's thread, with its block.
Party party_now(const BlockState& state, unsigned kind, Site site);

/// Makes a party for an event of the running thread: a verb such as "free() by ", then the thread's name.
Party party_here(const std::string& verb, const Line& line, kit_wire::Access access = kit_wire::Access::none);

/// Returns the name of the variable, or of the pointer that the allocating call set; empty if it is unknown.
std::string name_of_region(const Region& region);
/// Describes a region whose pointer has no name: "an allocation of 4,096 bytes (line 12)".
std::string described(const Region& region);
/// Returns a note such as "d_a has 4,096 bytes, allocated at x.cu:12".
std::string allocated_note(const Region& region);
/// Returns a special hint if a cudaDeviceReset() freed the memory, or the destructor of a class of which a
/// kernel may receive a copy. Otherwise returns the given hint.
std::string hint_of_free(const Region& region, const std::string& otherwise);
/// An element of an array.
struct ElementPlace {
  std::string array;  ///< empty if unknown
  std::vector<std::size_t>
      indices;           ///< as a shared array is declared; for other memory one, in units of the access size
  std::size_t position;  ///< the position of the element, row by row
  std::string type;      ///< the type of a shared array: "float[32][33]"
  bool dynamic = false;  ///< the array is in dynamic shared memory
};
ElementPlace place_of(const BlockState& state, const Region& region, std::uintptr_t address,
                      std::size_t size);
/// Returns an element's name such as "tile[17][4]". Stores the array and the element in the finding.
std::string element_name(const BlockState& state, const Region& region, std::uintptr_t address,
                         std::size_t size, Finding& finding);
/// Returns the name of the element that is `at` bytes after the beginning of a block's shared memory.
std::string shared_element(const BlockState& state, std::size_t at, std::size_t size, Finding& finding);
/// Returns " of block (1,0,0)" for another block's shared memory; otherwise an empty text.
std::string whose(const BlockState& state, std::uint32_t home);
/// Returns the kernel's array in dynamic shared memory; empty if it is unknown.
DynamicArray dynamic_array(const BlockState& state);
/// Returns the names of all `extern __shared__` arrays in the kernel's file.
const std::vector<std::string>& dynamic_arrays(const BlockState& state);
/// Returns the index of the element that is `bytes` after the array's beginning. If the size of the array's
/// elements is unknown, it is assumed to be that of the access.
std::size_t index_in(const DynamicArray& array, std::size_t bytes, std::size_t size);
/// Returns the part of a finding's key that identifies the array of an access.
std::uint64_t array_key(const BlockState& state, const Region& region, std::uintptr_t address);

/// Removes blanks that compilers insert into a type: "unsigned int[32][33]".
std::string tidy_type(const std::string& type);

/// Parses emucc's description of a shared variable: "… [with T = float [32][33]; Tag =
/// kernel()::cuemu_shared_tile_3]".
SharedArray describe_shared(const char* description);

}  // namespace cuemu::check
