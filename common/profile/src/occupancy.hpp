/// @file
/// The number of a kernel's blocks that a multiprocessor can hold at a time, and the resource that limits this number.
/// The emulation's runtime and the profiles use it.
#pragma once
#include <algorithm>
#include <cstdint>

namespace cuda_lab_profile {

/// The resources of a multiprocessor that blocks share.
struct Multiprocessor {
  int threads = 0;
  int blocks = 0;
  int registers = 0;
  std::uint64_t shared = 0;           ///< bytes
  std::uint64_t shared_reserved = 0;  ///< bytes of each block that the system reserves
};

struct Occupancy {
  int blocks = 0;          ///< blocks per multiprocessor
  double share = 0;        ///< resident warps divided by the maximum number of warps
  const char* limit = "";  ///< "threads", "blocks", "registers" or "shared memory"
};

/// @param threads threads of a block, > 0
/// @param registers registers of a thread
/// @param shared bytes of a block's shared memory, static and dynamic
inline Occupancy occupancy(const Multiprocessor& sm, int threads, int registers, std::uint64_t shared) {
  constexpr int warp = 32;
  constexpr int register_unit = 256;          // registers are allocated to warps in units of 256
  constexpr std::uint64_t shared_unit = 128;  // shared memory is allocated to blocks in units of 128 bytes
  const int warps = (threads + warp - 1) / warp;
  Occupancy most{sm.threads / (warps * warp), 0, "threads"};
  const auto limit = [&most](int blocks, const char* what) {
    if (blocks < most.blocks) most = {blocks, 0, what};
  };
  limit(sm.blocks, "blocks");
  const int per_warp = (registers * warp + register_unit - 1) / register_unit * register_unit;
  if (per_warp > 0) limit(sm.registers / per_warp / warps, "registers");
  const std::uint64_t taken = (shared + sm.shared_reserved + shared_unit - 1) / shared_unit * shared_unit;
  if (taken > 0) limit(static_cast<int>(sm.shared / taken), "shared memory");
  if (sm.threads > 0) most.share = static_cast<double>(most.blocks * warps * warp) / sm.threads;
  return most;
}

}  // namespace cuda_lab_profile
