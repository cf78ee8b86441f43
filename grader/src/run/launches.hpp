/// @file
/// Finds the sizes of kernels' launches. Only a run shows them: the compiler knows the threads of a block
/// only if the source declares them with __launch_bounds__.
#pragma once
#include <map>

#include "build/resources.hpp"
#include "model/profile.hpp"

namespace grader {

/// The largest block of a kernel's launches.
struct LaunchShape {
  int threads = 0;
  std::uint64_t shared = 0;  ///< shared memory of a block, static and dynamic, bytes
};

/// Shapes by the kernel's name, without parameters and template arguments.
using LaunchShapes = std::map<std::string, LaunchShape>;

/// Adds the launches of a run.
void add_launches(LaunchShapes& shapes, const Profile& profile);

/// Gives kernels without a declared block size the block size and the shared memory of their largest launch.
void fill_launches(std::vector<KernelResources>& kernels, const LaunchShapes& shapes);

/// Whether the size of every kernel's block is known.
bool all_launches_known(const std::vector<KernelResources>& kernels);

}  // namespace grader
