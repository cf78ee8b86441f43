// Tests block sizes from launches: the largest counts, and a declared size is kept.
#include "run/launches.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace launches_test {

Activity launch(const std::string& kernel, std::uint32_t x, std::uint32_t y, std::uint64_t shared) {
  Activity activity;
  activity.name = kernel;
  activity.bytes = shared;
  activity.block[0] = x;
  activity.block[1] = y;
  activity.block[2] = 1;
  return activity;
}

KernelResources kernel(const std::string& name, int threads = 0) {
  KernelResources k;
  k.kernel = name;
  k.threads = threads;
  k.shared = 64;
  return k;
}

TEST(Launches, TheLargestBlockCounts) {
  Profile profile;
  profile.activities = {launch("sum", 32, 1, 128), launch("sum", 16, 16, 1024), launch("sum", 16, 16, 2048)};
  LaunchShapes shapes;
  add_launches(shapes, profile);
  EXPECT_EQ(shapes["sum"].threads, 256);
  EXPECT_EQ(shapes["sum"].shared, 2048u);
}

TEST(Launches, OnlyKernelsThatRanCount) {
  Profile profile;
  profile.activities = {launch("refused", 0, 1, 0), launch("damaged", 1u << 31, 1u << 31, 0)};
  profile.activities.push_back(launch("copy", 32, 1, 0));
  profile.activities.back().kind = Activity::Kind::h2d;
  LaunchShapes shapes;
  add_launches(shapes, profile);
  EXPECT_TRUE(shapes.empty());
}

TEST(Launches, FillWhatIsNotDeclared) {
  const LaunchShapes shapes = {{"sum", {256, 2048}}, {"bounded", {32, 0}}};
  std::vector<KernelResources> kernels = {kernel("void sum<float>"), kernel("bounded", 128), kernel("other")};
  EXPECT_FALSE(all_launches_known(kernels));
  fill_launches(kernels, shapes);
  EXPECT_EQ(kernels[0].threads, 256);
  EXPECT_EQ(kernels[0].launched_shared, 2048u);
  EXPECT_EQ(kernels[1].threads, 128) << "__launch_bounds__ is the most that may be launched";
  EXPECT_EQ(kernels[2].threads, 0);
  kernels.pop_back();
  EXPECT_TRUE(all_launches_known(kernels));
}

}  // namespace launches_test
}  // namespace grader
