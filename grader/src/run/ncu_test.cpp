// Tests the reader with ncu's CSV between ncu's own messages and the program's output.
#include "run/ncu.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"

namespace grader {
namespace {

using testing::HasSubstr;

const char* const head =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
    "Size\",\"Grid "
    "Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

std::string row(int id, const std::string& kernel, const std::string& metric, const std::string& value) {
  return "\"" + std::to_string(id) + "\",\"4711\",\"vr\",\"127.0.0.1\",\"" + kernel +
         "\",\"1\",\"7\",\"(512, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\",\"Command line profiler metrics\",\"" +
         metric + "\",\"\",\"" + value + "\"\n";
}

TEST(Ncu, GivesCountsOfEachLaunch) {
  const std::string printed =
      "==PROF== Connected to process 4711 (/tmp/vr)\n"
      "==PROF== Profiling \"reduction1b\" - 0: 0%....50%....100% - 8 passes\n"
      "Test PASSED\n"
      "==PROF== Disconnected from process 4711\n" +
      std::string(head) +
      row(0, "reduction1b(float *, int)", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "150") +
      row(0, "reduction1b(float *, int)", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "75") +
      row(0, "reduction1b(float *, int)", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "1,064") +
      row(0, "reduction1b(float *, int)", "smsp__sass_branch_targets_threads_divergent.sum", "n/a") +
      row(1, "void lab::scan<256, \"\"x\"\">(const float *)",
          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "0");
  const std::vector<LaunchCounts> launches = parse_ncu(printed);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].kernel, "reduction1b");
  EXPECT_EQ(launches[0].values.at("shared_load_conflicts"), 150);
  EXPECT_EQ(launches[0].values.at("warp_serialize"), 225);
  EXPECT_EQ(launches[0].values.at("global_load_sectors"), 1064);
  EXPECT_EQ(launches[0].values.count("divergent_branches"), 0u) << "not available is not zero";
  EXPECT_EQ(launches[0].values.count("divergent_branch"), 0u);
  EXPECT_EQ(launches[1].kernel, "lab::scan");
  EXPECT_EQ(launches[1].values.count("warp_serialize"), 0u) << "one of its parts is missing";
  EXPECT_THAT(profile_counters(launches), HasSubstr("0 warp_serialize 225\n"));
  EXPECT_THAT(profile_counters(launches), HasSubstr("1 shared_load_conflicts 0\n"));
}

TEST(Ncu, ColumnsMayComeInAnyOrder) {
  const std::vector<LaunchCounts> launches = parse_ncu(
      "\"ID\",\"Metric Value\",\"Kernel Name\",\"Metric Name\"\r\n"
      "\"3\",\"31\",\"k\",\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum\"\r\n");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].values.at("shared_store_conflicts"), 31);
}

std::string refusal(const std::string& printed) {
  try {
    parse_ncu(printed);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::environment);
    EXPECT_FALSE(e.next_step().empty());
    return e.what();
  }
  return "";
}

TEST(Ncu, RefusesInOneSentence) {
  EXPECT_THAT(refusal("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
                      "Performance Counters on the target device 0.\n"),
              HasSubstr("for administrators on this machine (ERR_NVGPUCTRPERM)"));
  EXPECT_THAT(refusal("==PROF== Connected\n==ERROR== Profiling is not supported on device 0.\n"),
              HasSubstr("ncu counts nothing: Profiling is not supported on device 0."));
  EXPECT_THAT(refusal("Test PASSED\n==WARNING== No kernels were profiled.\n"),
              HasSubstr("launched no kernel"));
  EXPECT_THAT(refusal(""), HasSubstr("printed no counts"));
  EXPECT_THAT(refusal("\n/usr/local/cuda/bin/ncu: not found\n\n"),
              HasSubstr("The last line printed was: /usr/local/cuda/bin/ncu: not found"));
  EXPECT_THAT(refusal(head), HasSubstr("printed no counts"));
}

TEST(Ncu, CommandRequestsEveryMetricOnce) {
  const std::vector<std::string> command = ncu_command("/opt/ncu");
  EXPECT_EQ(command.front(), "/opt/ncu");
  EXPECT_THAT(command.back(), HasSubstr("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum,l1tex__"));
}

}  // namespace
}  // namespace grader
