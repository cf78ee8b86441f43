/// @file
/// A kernel's resources on a multiprocessor: the registers and memory that the compiler reports, and the resulting
/// occupancy. This needs nvcc, but no GPU.
#pragma once
#include <optional>

#include "build/build.hpp"

namespace grader {

/// One kernel in the compiler's report.
struct KernelResources {
  std::string kernel;              ///< demangled, without parameters
  int registers = 0;               ///< of a thread
  std::uint64_t shared = 0;        ///< static bytes of a block
  std::uint64_t local = 0;         ///< stack frame of a thread, bytes
  std::uint64_t spill_stores = 0;  ///< bytes that a thread spills for lack of registers
  std::uint64_t spill_loads = 0;
  std::optional<std::uint64_t>
      constant;     ///< bytes of the arguments; none: CUDA 13's compiler does not report it
  int threads = 0;  ///< of a block, from __launch_bounds__ or a launch; 0: unknown
  std::uint64_t launched_shared =
      0;  ///< bytes of a launched block, static and dynamic; 0: no launch was recorded
};

/// Parses the output of `nvcc -Xptxas -v`. @param ptx of the same source, for the launch bounds
std::vector<KernelResources> parse_resources(const std::string& words, const std::string& ptx);

/// The resources of a multiprocessor that blocks share, by compute capability (CUDA C++ Programming Guide, "Compute
/// Capabilities").
struct Multiprocessor {
  int capability;  ///< 90 for 9.0
  int warps;
  int blocks;
  int registers;
  std::uint64_t shared;
  std::uint64_t shared_reserved;  ///< shared memory of each block that the system reserves
};

/// @throws Error (usage) for an unknown compute capability
const Multiprocessor& multiprocessor(int capability);

/// The resident blocks of a multiprocessor, and the limiting resource.
struct Occupancy {
  int blocks = 0;
  double share = 0;   ///< resident warps / maximum
  std::string limit;  ///< "threads", "blocks", "registers" or "shared memory"
};

/// @param threads the threads of a block, 1 to 1024
Occupancy occupancy(const Multiprocessor& sm, int threads, int registers, std::uint64_t shared);

/// The kernels of a submission, compiled with macros for an architecture such as "sm_90".
/// @param diagnostics receives the compiler's messages if compilation fails; the list is empty then
std::vector<KernelResources> kernel_resources(const Kit& kit, const Toolchain& toolchain,
                                              const Submission& submission,
                                              const std::map<std::string, std::string>& macros,
                                              const std::string& architecture, std::string& diagnostics);

}  // namespace grader
