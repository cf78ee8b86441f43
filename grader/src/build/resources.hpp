/// @file
/// The resources that a kernel takes on a multiprocessor: the registers and memory that the compiler reports,
/// and the occupancy that follows. This needs nvcc, but no GPU.
#pragma once
#include <optional>

#include "build/build.hpp"

namespace grader {

/// One kernel in the compiler's report.
struct KernelResources {
  std::string kernel;              ///< demangled, without parameters
  int registers = 0;               ///< registers of a thread
  std::uint64_t shared = 0;        ///< static shared memory of a block, bytes
  std::uint64_t local = 0;         ///< stack frame of a thread, bytes
  std::uint64_t spill_stores = 0;  ///< bytes that a thread spills for lack of registers
  std::uint64_t spill_loads = 0;
  std::optional<std::uint64_t>
      constant;     ///< bytes of the arguments; no value: the compiler of CUDA 13 does not report it
  int threads = 0;  ///< threads of a block, from __launch_bounds__ or a launch; 0: unknown
  std::uint64_t launched_shared =
      0;  ///< shared memory of a launched block, static and dynamic, bytes; 0: no launch was recorded
};

/// Parses the output of `nvcc -Xptxas -v`. @param ptx the PTX of the same source, which has the launch bounds
std::vector<KernelResources> parse_resources(const std::string& words, const std::string& ptx);

/// The resources of a multiprocessor that blocks share, by compute capability (CUDA C++ Programming Guide, "Compute
/// Capabilities").
struct Multiprocessor {
  int capability;  ///< 90 for 9.0
  int warps;
  int blocks;
  int registers;
  std::uint64_t shared;
  std::uint64_t shared_reserved;  ///< shared memory of each block that the system takes
};

/// @throws Error (usage) for an unknown compute capability
const Multiprocessor& multiprocessor(int capability);

/// The number of blocks that a multiprocessor runs at the same time, and the resource that limits it.
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
