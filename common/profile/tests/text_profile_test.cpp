// Tests the old text profiler's log of a run on a GPU. The records come in any order.
#include "text_profile.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace cuda_lab_profile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

cuda_profile_log::Record kernel(const std::string& name) {
  cuda_profile_log::Record record;
  record.method = name;
  record.is_kernel = true;
  record.registers = 16;
  record.block[0] = 512;
  record.block[1] = record.block[2] = 1;
  return record;
}

TEST(Counters, AreReadByLaunch) {
  const LaunchCounters counters =
      read_counters("0 warp_serialize 225\n2 warp_serialize 0\n\n2 gld_request 16\n");
  ASSERT_EQ(counters.size(), 3u);
  EXPECT_EQ(counters[0].at("warp_serialize"), 225);
  EXPECT_THAT(counters[1], IsEmpty());
  EXPECT_EQ(counters[2].at("gld_request"), 16);
  EXPECT_THROW(read_counters("warp_serialize 225\n"), std::runtime_error);
  EXPECT_THROW(read_counters("99999999999 warp_serialize 225\n"), std::runtime_error);
}

TEST(Log, IsInTheOrderOfTimeWithCallsAndCounters) {
  const std::string file = testing::TempDir() + "counters-" + std::to_string(getpid());
  std::ofstream(file) << "0 warp_serialize 225\n1 warp_serialize 0\n";
  setenv("CUDA_PROFILE_COUNTERS", file.c_str(), 1);
  cuda_profile_log::Settings settings;
  settings.on = true;
  settings.counters = {"warp_serialize", "gld_request"};
  TextProfile profile(settings);
  profile.set_device("NVIDIA H200", {2048, 32, 65536, 228 * 1024, 1024});
  profile.add(kernel("reduction2"), 9'000, 12'000, 7);
  profile.add(kernel("reduction1b"), 5'000, 9'000, 6);
  profile.add_call(1'000, 3'500, 6);
  cuda_profile_log::Record copy;
  copy.method = "memcpyHtoD";
  profile.add(copy, 4'000, 4'250, 5);
  std::vector<std::string> problems;
  EXPECT_EQ(
      profile.text(problems),
      "# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_DEVICE 0 NVIDIA H200\n# CUDA_CONTEXT 1\n"
      "method,gputime,cputime,occupancy,warp_serialize\n"
      "method=[ memcpyHtoD ] gputime=[ 0.250 ]\n"
      "method=[ reduction1b ] gputime=[ 4.000 ] cputime=[ 2.500 ] occupancy=[ 1.000 ] warp_serialize=[ 225 "
      "]\n"
      "method=[ reduction2 ] gputime=[ 3.000 ] occupancy=[ 1.000 ] warp_serialize=[ 0 ]\n");
  EXPECT_THAT(problems, ElementsAre(HasSubstr("no counts of gld_request: hardware counters come from ncu")));
  unsetenv("CUDA_PROFILE_COUNTERS");
  unlink(file.c_str());
}

}  // namespace
}  // namespace cuda_lab_profile
