/// @file
/// A model of limits: the least time that each resource of a GPU needs for a launch. The resource with the largest
/// time is the binding limit.
///
/// It extends the roofline model (Williams, Waterman and Patterson, 2009) by the turns of L1 cache and shared
/// memory and by instructions (Ding and Williams, "An Instruction Roofline Model for GPUs", 2019), and by the
/// latency at a multiprocessor's number of resident warps (Volkov, "Understanding Latency Hiding on GPUs",
/// 2016; Hong and Kim, 2009).
///
/// The functions have no side effects: they take counts and a GPU, and return seconds.
#pragma once
#include <string>
#include <vector>

#include "explain/gpus.hpp"
#include "explain/work.hpp"
#include "occupancy.hpp"

namespace grader {

enum class Limit {
  issue,  ///< instructions of warps
  fp32,   ///< pipes
  fp64,
  integer,
  special,  ///< special functions
  turns,    ///< of L1 cache and shared memory
  l2,       ///< bytes between multiprocessors and the L2 cache
  dram,     ///< bytes of device memory
  atomics,  ///< on the same address
  begin,    ///< of blocks
  latency,  ///< of a warp's own instructions
  launch,   ///< the kernel's begin and end
};
inline constexpr int limit_count = 12;
/// The limit in words: "turns of L1 cache and shared memory".
const char* name_of(Limit limit);

struct Prediction {
  double seconds = 0;              ///< of one launch
  double lowest = 0, highest = 0;  ///< the interval of four in five measured times
  std::vector<double> by_limit = std::vector<double>(limit_count);  ///< seconds that each would take alone
  Limit binds = Limit::launch;
  cuda_lab_profile::Occupancy occupancy;
  double dram_bytes = 0, l2_bytes = 0;  ///< bytes that a launch moves
  double instructions = 0;              ///< of warps
  bool in_l2 = false;                   ///< whether its data fit into the L2 cache and are assumed to be
                                        ///< there
  double operator[](Limit limit) const { return by_limit[static_cast<unsigned>(limit)]; }
};

Prediction predict(const KernelWork& work, const KnownGpu& gpu);

/// Constants of all kernels and GPUs.
namespace model {
inline constexpr double dram_efficiency =
    0.92;  ///< the fraction of the datasheet's rate: STREAM-like kernels reach 0.9 to 0.94
inline constexpr double l2_efficiency = 0.8;
inline constexpr double l2_usable = 0.8;     ///< the fraction of its size for data that must stay
inline constexpr double launch_s = 1.0e-6;   ///< an empty kernel's time from begin to end
inline constexpr double between_s = 2.5e-6;  ///< from one launch to the next, as the host makes them
/// nvcc removes the other half of the emulation's integer instructions and branches: it unrolls loops, and
/// folds offsets into instructions.
inline constexpr double unrolled = 0.5;
inline constexpr double barrier_cycles = 30;
inline constexpr double instruction_cycles = 4;  ///< until a dependent instruction may follow
inline constexpr double parallelism = 4;  ///< iterations of a loop that nvcc unrolls, and whose loads overlap
inline constexpr double atomic_cycles = 2;   ///< of the L2 cache for another lane at the same address
inline constexpr double block_cycles = 1.2;  ///< of the GPU between the begins of two blocks
inline constexpr double smoothness =
    4;  ///< exponent with which limits add up: 1 no overlap, infinite full overlap
inline constexpr double spread = 1.5;  ///< factor of the interval's ends
/// Bytes per second of a copy from or to pageable memory, which the host copies a second time.
inline constexpr double pageable = 10e9;
inline constexpr double copy_s = 1.5e-6;
}  // namespace model

}  // namespace grader
