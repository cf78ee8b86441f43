// The profile of a run: JSON Lines in the file that LAB_PROFILE names, with one line for each kernel, copy, fill and
// allocation. Each line is written immediately, so a program that ends early loses no lines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver_types.h"
#include "launch_state.hpp"

namespace cuemu {

void begin_profile();
void profile_kernel(const Launch& launch, std::int64_t start_ns, std::int64_t end_ns);
/// @param waits_since_ns start of the host call that waits for the copy; -1: no call waits
void profile_copy(cudaMemcpyKind direction, std::size_t bytes, std::int64_t start_ns, std::int64_t end_ns,
                  std::int64_t waits_since_ns = -1);
void profile_fill(std::size_t bytes, std::int64_t start_ns, std::int64_t end_ns);
void profile_allocation(const void* address, std::size_t bytes);
void profile_free(const void* address);

/// Returns whether the profile also contains hashes of the copied bytes ($LAB_PROFILE_CONTENT, contents.hpp).
bool profiles_content();
struct ContentLine {
  cudaMemcpyKind direction;
  std::size_t bytes;
  std::uint64_t hash;
  std::uint64_t head;  ///< the first 8 bytes
  bool shared;         ///< it came from memory that the host may write as well
};
void profile_content(const ContentLine& content);
/// Records that a kernel wrote to memory that the host reads without a copy.
void profile_host_visible();
void end_profile();

}  // namespace cuemu
