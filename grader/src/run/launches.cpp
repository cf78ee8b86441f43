#include "run/launches.hpp"

#include <algorithm>

namespace grader {
namespace {

/// The name without the return type and template arguments, since compilers and profilers write "void
/// sum<float>" differently.
std::string plain_name(const std::string& kernel) {
  const std::string name = kernel.substr(0, kernel.find('<'));
  return name.substr(name.rfind(' ') + 1);
}

}  // namespace

void add_launches(LaunchShapes& shapes, const Profile& profile) {
  for (const Activity& activity : profile.activities) {
    if (activity.kind != Activity::Kind::kernel) continue;
    const std::uint64_t threads = std::uint64_t{activity.block[0]} * activity.block[1] * activity.block[2];
    if (threads == 0 || threads > 1024) continue;  // a failed launch, or a damaged line
    LaunchShape& shape = shapes[plain_name(activity.name)];
    const LaunchShape now{static_cast<int>(threads), activity.bytes};
    if (now.threads > shape.threads || (now.threads == shape.threads && now.shared > shape.shared))
      shape = now;
  }
}

void fill_launches(std::vector<KernelResources>& kernels, const LaunchShapes& shapes) {
  for (KernelResources& kernel : kernels) {
    const auto shape = shapes.find(plain_name(kernel.kernel));
    if (kernel.threads > 0 || shape == shapes.end()) continue;
    kernel.threads = shape->second.threads;
    kernel.launched_shared = shape->second.shared;
  }
}

bool all_launches_known(const std::vector<KernelResources>& kernels) {
  return std::all_of(kernels.begin(), kernels.end(), [](const KernelResources& k) { return k.threads > 0; });
}

}  // namespace grader
