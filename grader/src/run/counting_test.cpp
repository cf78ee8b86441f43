// Tests the reader of the report of the emulation's counters, and sums over launches.
#include "run/counting.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

const char* const report = R"({"format":1,"kind":"counters","kernels":[
{"name":"tree","launches":[
  {"counters":{"shared_load_conflicts":150,"shared_store_conflicts":75,"constant_turns":2,"divergent_branches":6}},
  {"counters":{"shared_load_conflicts":1,"shared_store_conflicts":0,"constant_turns":0,"divergent_branches":0}}]},
{"name":"copy","launches":[
  {"occupancy":0.5,"counters":{"shared_load_conflicts":0,"shared_store_conflicts":0,"constant_turns":0,"divergent_branches":0}}]}
]})";

TEST(Counts, AreSummedOverLaunches) {
  const std::vector<LaunchCounts> launches = read_counts(report);
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[2].kernel, "copy");
  EXPECT_EQ(launches[0].values.at("warp_serialize"), 227);
  EXPECT_EQ(counted(launches, "warp_serialize"), 228);
  EXPECT_EQ(counted(launches, "divergent_branch"), 6);
  EXPECT_EQ(counted(launches, "occupancy"), 0.5) << "the lowest";
  EXPECT_EQ(counted(launches, "no_such_counter"), std::nullopt);
  EXPECT_EQ(counted({}, "warp_serialize"), std::nullopt) << "nothing was launched";
}

TEST(Counts, DamagedReportsHaveNone) {
  EXPECT_TRUE(read_counts("").empty());
  EXPECT_TRUE(read_counts("{\"kernels\":[{\"name\":7,\"launches\":[{}]}]}").empty());
  EXPECT_TRUE(
      read_counts("{\"kernels\":[{\"name\":\"k\",\"launches\":[{\"counters\":{\"a\":\"b\"}}]}]}").empty());
}

}  // namespace
}  // namespace grader
