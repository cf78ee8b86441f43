// Tests the old text profiler's configuration and log.
#include "text_log.hpp"

#include <gmock/gmock.h>

#include "occupancy.hpp"

namespace cuda_profile_log {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Record kernel() {
  Record record;
  record.method = "reduction1b";
  record.start_us = 12;
  record.gpu_us = 5.984;
  record.cpu_us = 17;
  record.is_kernel = true;
  record.occupancy = 0.5;
  record.grid[0] = 4;
  record.grid[1] = record.grid[2] = 1;
  record.block[0] = 512;
  record.block[1] = record.block[2] = 1;
  record.static_shared = 2048;
  record.registers = 9;
  record.counters = {{"warp_serialize", 225}, {"divergent_branch", 6}};
  return record;
}

TEST(Config, HasCommentsBlankLinesOptionsAndCounters) {
  Settings settings;
  read_config(
      "# counters of lab1.2\n\nwarp_serialize  # conflicts\n  divergent_branch\ngridsize\nwarp_serialize\n",
      "profile_config", settings);
  EXPECT_THAT(settings.counters, ElementsAre("warp_serialize", "divergent_branch"));
  EXPECT_THAT(settings.options, ElementsAre("gridsize"));
  EXPECT_THAT(settings.problems, IsEmpty());
}

TEST(Config, SaysWhichLineIsNotUnderstood) {
  Settings settings;
  read_config("warp_serialize\nwarp_serialise\n", "profile_config", settings);
  ASSERT_EQ(settings.problems.size(), 1u);
  EXPECT_THAT(settings.problems[0], HasSubstr("'warp_serialise' (profile_config:2) is no counter or option"));
  EXPECT_THAT(settings.problems[0], HasSubstr("known are warp_serialize, divergent_branch"));
  EXPECT_THAT(settings.counters, ElementsAre("warp_serialize"));
}

TEST(Log, HasTheOldFormat) {
  Settings settings;
  settings.counters = {"warp_serialize", "divergent_branch"};
  EXPECT_EQ(head(settings, 0, "NVIDIA H200"),
            "# CUDA_PROFILE_LOG_VERSION 2.0\n"
            "# CUDA_DEVICE 0 NVIDIA H200\n"
            "# CUDA_CONTEXT 1\n"
            "method,gputime,cputime,occupancy,warp_serialize,divergent_branch\n");
  EXPECT_EQ(line(settings, kernel()),
            "method=[ reduction1b ] gputime=[ 5.984 ] cputime=[ 17.000 ] occupancy=[ 0.500 ] "
            "warp_serialize=[ 225 ] divergent_branch=[ 6 ]\n");
  Record copy;
  copy.method = copy_method("h2d");
  copy.gpu_us = 1.5;
  copy.cpu_us = 20;
  EXPECT_EQ(line(settings, copy), "method=[ memcpyHtoD ] gputime=[ 1.500 ] cputime=[ 20.000 ]\n");
}

TEST(Log, HasCommasOnRequest) {
  Settings settings;
  settings.csv = true;
  settings.options = {"timestamp", "gridsize", "threadblocksize", "stasmemperblock", "regperthread"};
  settings.counters = {"warp_serialize", "gld_coherent"};
  EXPECT_THAT(
      head(settings, 0, "x"),
      HasSubstr("# CUDA_PROFILE_CSV 1\ntimestamp,method,gputime,cputime,occupancy,gridsizeX,gridsizeY,"
                "threadblocksizeX,threadblocksizeY,threadblocksizeZ,stasmemperblock,regperthread,"
                "warp_serialize,gld_coherent\n"));
  EXPECT_EQ(line(settings, kernel()), "12.000,reduction1b,5.984,17.000,0.500,4,1,512,1,1,2048,9,225,\n");
}

TEST(Occupancy, FollowsTheScarcestStock) {
  // An H200's multiprocessor, and a GTX 280's.
  const cuda_lab_profile::Multiprocessor h200{2048, 32, 65536, 228 * 1024, 1024};
  const cuda_lab_profile::Multiprocessor gtx280{1024, 8, 16384, 16 * 1024, 0};
  const auto of = [](const auto& sm, int threads, int registers, std::uint64_t shared) {
    const auto result = cuda_lab_profile::occupancy(sm, threads, registers, shared);
    return std::to_string(result.blocks) + " " + result.limit;
  };
  EXPECT_EQ(of(h200, 512, 32, 2048), "4 threads");
  EXPECT_EQ(of(h200, 32, 32, 0), "32 blocks");
  EXPECT_EQ(of(h200, 256, 64, 0), "4 registers");
  EXPECT_EQ(of(h200, 256, 32, 100 * 1024), "2 shared memory");
  EXPECT_DOUBLE_EQ(cuda_lab_profile::occupancy(h200, 256, 64, 0).share, 0.5);
  // The manual's tiled product: 16×16 threads, 9 registers, 2084 bytes of shared memory.
  EXPECT_EQ(of(gtx280, 256, 9, 2084), "4 threads");
}

}  // namespace
}  // namespace cuda_profile_log
