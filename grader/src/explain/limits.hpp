/// @file
/// A model of limits: the least time that each resource of a GPU needs for a launch. The resource with the largest
/// time is the binding limit.
///
/// It extends the roofline model (Williams, Waterman and Patterson, 2009) by three kinds of limits: the turns
/// of the L1 cache and of shared memory; instructions (Ding and Williams, "An Instruction Roofline Model for
/// GPUs", 2019); and the latency that remains with the resident warps of a multiprocessor (Volkov,
/// "Understanding Latency Hiding on GPUs", 2016; Hong and Kim, 2009).
///
/// The functions have no side effects. They take counts and a GPU, and return seconds.
#pragma once
#include <string>
#include <vector>

#include "explain/gpus.hpp"
#include "explain/work.hpp"
#include "occupancy.hpp"

namespace grader {

enum class Limit {
  issue,  ///< warps' instructions
  fp32,   ///< arithmetic pipes
  fp64,
  integer,
  special,  ///< special functions
  turns,    ///< turns of the L1 cache and of shared memory
  l2,       ///< bytes between multiprocessors and the L2 cache
  dram,     ///< bytes of device memory
  atomics,  ///< atomics on the same address
  begin,    ///< starts of blocks
  latency,  ///< latency of a warp's own instructions
  launch,   ///< start and end of the kernel
};
inline constexpr int limit_count = 12;
/// The limit in words: "turns of L1 cache and shared memory".
const char* name_of(Limit limit);

struct Prediction {
  double seconds = 0;              ///< time of one launch
  double lowest = 0, highest = 0;  ///< four of five measured times are between these
  std::vector<double> by_limit = std::vector<double>(limit_count);  ///< seconds of each limit alone
  Limit binds = Limit::launch;
  cuda_lab_profile::Occupancy occupancy;
  double dram_bytes = 0, l2_bytes = 0;  ///< bytes that a launch moves
  double instructions = 0;              ///< warps' instructions
  bool in_l2 = false;                   ///< whether its data fit into the L2 cache, and are assumed to be
                                        ///< there
  double operator[](Limit limit) const { return by_limit[static_cast<unsigned>(limit)]; }
};

Prediction predict(const KernelWork& work, const KnownGpu& gpu);

/// Constants of all kernels and GPUs.
namespace model {
inline constexpr double dram_efficiency =
    0.92;  ///< fraction of the datasheet's rate: kernels like STREAM reach 0.9 to 0.94
inline constexpr double l2_efficiency = 0.8;
inline constexpr double l2_usable = 0.8;     ///< fraction of the L2 cache in which data stay
inline constexpr double launch_s = 1.0e-6;   ///< an empty kernel's time from begin to end
inline constexpr double between_s = 2.5e-6;  ///< from one launch to the next, as the host makes them
/// The fraction of the emulation's integer instructions and branches that nvcc keeps when it unrolls loops and folds
/// offsets into instructions.
inline constexpr double unrolled = 0.5;
inline constexpr double barrier_cycles = 30;
inline constexpr double instruction_cycles = 4;  ///< cycles until a dependent instruction may follow
inline constexpr double parallelism = 4;     ///< iterations that nvcc unrolls, so that their loads overlap
inline constexpr double atomic_cycles = 2;   ///< cycles of the L2 cache, for each more lane at an address
inline constexpr double block_cycles = 1.2;  ///< cycles between the starts of two blocks on the GPU
inline constexpr double smoothness =
    4;  ///< exponent for adding limits: 1 means no overlap, infinity full overlap
inline constexpr double spread = 1.5;  ///< factor for the ends of the interval
/// Bytes per second of a copy from or to pageable memory, of which the host makes a second copy.
inline constexpr double pageable = 10e9;
inline constexpr double copy_s = 1.5e-6;
}  // namespace model

}  // namespace grader
