/// @file
/// The GPUs for which times are predicted: their datasheets (common/profile/src/devices.hpp), and what a
/// multiprocessor of each architecture does per cycle.
#pragma once
#include <string>
#include <vector>

#include "devices.hpp"

namespace grader {

/// What one multiprocessor does, per cycle unless a comment names another unit.
struct Architecture {
  int major, minor;
  const char* name;
  double issue;         ///< warps' instructions
  double fp32, fp64;    ///< lanes
  double integer;       ///< lanes
  double special;       ///< lanes of the special function unit
  double load_turns;    ///< turns of the L1 cache and of shared memory, of 128 bytes
  double l2_bytes;      ///< bytes that the L2 cache delivers to a multiprocessor
  double l2_total;      ///< bytes that the L2 cache delivers to all multiprocessors
  double l1_latency;    ///< cycles, also for shared memory
  double l2_latency;    ///< cycles
  double dram_latency;  ///< cycles
  double link;          ///< bytes per second between host and device, from pinned memory
};

struct KnownGpu {
  const cuda_lab_profile::Device* device;
  const Architecture* architecture;

  double clock() const { return device->clock_khz * 1e3; }
  double multiprocessors() const { return device->multiprocessors; }
  /// The bandwidth of device memory in bytes per second. The memory makes two transfers in each cycle of its
  /// clock.
  double dram() const { return 2e3 * device->memory_clock_khz * device->memory_bus_bits / 8; }
};

/// The GPUs with a known architecture, the newest first.
const std::vector<KnownGpu>& gpus();
/// @return null for an unknown name
const KnownGpu* find_gpu(const std::string& key);

}  // namespace grader
