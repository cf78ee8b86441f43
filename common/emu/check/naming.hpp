// How findings name what they are about: threads, blocks, arrays and their elements, allocations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker.hpp"
#include "cuemu/thread.hpp"

namespace cuemu::check {

/// The linear index as "(x,y,z)".
std::string point(const dim3& dims, std::uint64_t linear);
/// How many blocks or threads there are.
inline std::uint64_t volume(const dim3& size) {
  return std::uint64_t{size.x} * size.y * size.z;
}
std::string point(const uint3& at);
/// "1 byte", "4,096 bytes"
std::string bytes_text(std::uint64_t bytes);
/// " at x.cu:12", the user's line of a call; empty: it is not known
std::string at_line_of(const std::vector<void*>& stack);
/// "read", "write", "atomic update", "read (volatile)" … of AccessKind.
std::string verb_of(unsigned kind);

/// "write by thread (1,0,0)" with its line.
Party party(const BlockState& state, unsigned kind, Site site, std::uint32_t thread, std::uint32_t block,
            bool with_block);
/// The same of the access that a thread of a kernel makes now, with its block.
Party party_now(const BlockState& state, unsigned kind, Site site);

/// The name of the variable, or of the pointer that the allocation filled; empty where it can't be told.
std::string name_of_region(const Region& region);
/// "an allocation of 4,096 bytes (line 12)", where its pointer has no name.
std::string described(const Region& region);
/// "d_a has 4,096 bytes, allocated at x.cu:12"
std::string allocated_note(const Region& region);
/// Was it freed by cudaDeviceReset()? And what is to be done then.
bool resets_device(const Region& region);
inline constexpr const char* hint_of_reset =
    "cudaDeviceReset() frees all memory of the device: call it behind the last use of what was allocated, or "
    "leave it out";
/// An element of an array.
struct ElementPlace {
  std::string array;  ///< empty where its name can't be told
  std::vector<std::size_t>
      indices;           ///< as a shared array is declared; elsewhere one, counted in accesses of this size
  std::string type;      ///< of a shared array: "float[32][33]"
  bool dynamic = false;  ///< in dynamic shared memory
};
ElementPlace place_of(const BlockState& state, const Region& region, std::uintptr_t address,
                      std::size_t size);
/// "tile[17][4]"; `array` gets the bare name.
std::string element_name(const BlockState& state, const Region& region, std::uintptr_t address,
                         std::size_t size, std::string& array);
/// The same of what lies `at` bytes behind the beginning of a block's shared memory.
std::string shared_element(const BlockState& state, std::size_t at, std::size_t size, std::string& array);
/// " of block (1,0,0)", of shared memory that is another block's; otherwise nothing.
std::string whose(const BlockState& state, std::uint32_t home);
/// The kernel's array in dynamic shared memory; empty where it can't be told.
DynamicArray dynamic_array(const BlockState& state);
/// Which of its elements is so many bytes behind its beginning. Where their size is not known, they are as large as the
/// access.
std::size_t index_in(const DynamicArray& array, std::size_t bytes, std::size_t size);
/// What two accesses to the same array have in common, as part of a finding's key.
std::uint64_t array_key(const BlockState& state, const Region& region, std::uintptr_t address);

/// A type without the blanks that compilers put into it: "unsigned int[32][33]".
std::string tidy_type(const std::string& type);

/// A shared variable from what emucc tells:
/// "… [with T = float [32][33]; Tag = kernel()::cuemu_shared_tile_3]".
SharedArray describe_shared(const char* description);

}  // namespace cuemu::check
