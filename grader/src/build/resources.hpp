/// @file
/// What a kernel takes of a multiprocessor: registers and memories in the compiler's words, and the occupancy
/// that follows from them. Needs nvcc, and no GPU.
#pragma once
#include <optional>

#include "build/build.hpp"

namespace grader {

/// One kernel as the compiler saw it.
struct KernelResources {
  std::string kernel;              ///< demangled, without parameters
  int registers = 0;               ///< of a thread
  std::uint64_t shared = 0;        ///< static bytes of a block
  std::uint64_t local = 0;         ///< stack frame of a thread, bytes
  std::uint64_t spill_stores = 0;  ///< bytes that a thread moves because registers ran out
  std::uint64_t spill_loads = 0;
  std::optional<std::uint64_t> constant;  ///< bytes of the arguments; none: CUDA 13's compiler does not say
  int threads = 0;                        ///< of a block, from __launch_bounds__ or a launch; 0: not known
  std::uint64_t launched_shared =
      0;  ///< bytes of a launched block, static and dynamic; 0: no launch was seen
};

/// Reads what `nvcc -Xptxas -v` prints. @param ptx of the same source, for the launch bounds
std::vector<KernelResources> parse_resources(const std::string& words, const std::string& ptx);

/// The stocks of a multiprocessor that blocks share,
/// by compute capability (CUDA C++ Programming Guide, "Compute Capabilities").
struct Multiprocessor {
  int capability;  ///< 90 for 9.0
  int warps;
  int blocks;
  int registers;
  std::uint64_t shared;
  std::uint64_t shared_reserved;  ///< of each block, for the system
};

/// @throws Error (usage) for one that is not known
const Multiprocessor& multiprocessor(int capability);

/// How many blocks a multiprocessor holds at a time, and what sets that limit.
struct Occupancy {
  int blocks = 0;
  double share = 0;   ///< warps held over warps that it could hold
  std::string limit;  ///< "threads", "blocks", "registers" or "shared memory"
};

/// @param threads of a block, 1 to 1024
Occupancy occupancy(const Multiprocessor& sm, int threads, int registers, std::uint64_t shared);

/// The kernels of a submission, compiled with macros for an architecture such as "sm_90".
/// @param diagnostics the compiler's words when it does not compile; then the list is empty
std::vector<KernelResources> kernel_resources(const Kit& kit, const Toolchain& toolchain,
                                              const Submission& submission,
                                              const std::map<std::string, std::string>& macros,
                                              const std::string& architecture, std::string& diagnostics);

}  // namespace grader
