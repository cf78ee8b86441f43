#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "verify/requirements.hpp"

namespace grader {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Activity activity(Activity::Kind kind, double duration_s, std::uint64_t bytes = 0,
                  std::uint64_t address = 0) {
  Activity a;
  a.kind = kind;
  a.duration_s = duration_s;
  a.bytes = bytes;
  a.address = address;
  a.name = kind == Activity::Kind::kernel ? "matrixMul" : "";
  return a;
}

Activity alloc(std::uint64_t address, std::uint64_t bytes) {
  return activity(Activity::Kind::alloc, 0, bytes, address);
}
Activity free_of(std::uint64_t address) {
  return activity(Activity::Kind::free, 0, 0, address);
}

Profile profile(std::vector<Activity> activities) {
  Profile p;
  p.source = "emulation";
  p.activities = std::move(activities);
  return p;
}

TEST(Freed, EveryAllocationMustBeFreed) {
  EXPECT_EQ(freed_problem(profile({})), "");
  EXPECT_EQ(freed_problem(profile({alloc(1, 64), alloc(2, 64), free_of(2), free_of(1)})), "");
  EXPECT_THAT(freed_problem(profile({alloc(1, 64)})),
              HasSubstr("1 of 1 device allocation was never freed (64 bytes)"));
  EXPECT_THAT(freed_problem(profile({alloc(1, 64), alloc(2, 256), alloc(3, 128), free_of(1)})),
              HasSubstr("2 of 3 device allocations were never freed (256 + 128 bytes)"));
}

TEST(TookPlace, AMissingActivityIsNoProof) {
  const std::vector<PrintedTimer> timers = {{"copies", {{Measure::Kind::h2d}}},
                                            {"computation", {{Measure::Kind::kernel}}}};
  const Profile freed = profile({alloc(1, 64), free_of(1)});
  EXPECT_EQ(took_place_problem({Requirement::freed}, timers, freed), "");
  EXPECT_THAT(took_place_problem({Requirement::freed}, timers, profile({})),
              HasSubstr("No device memory was allocated"));
  EXPECT_THAT(took_place_problem({Requirement::timers}, timers, freed),
              HasSubstr("\"copies\" covers no copies to the device"));
  EXPECT_EQ(took_place_problem({Requirement::shared}, timers, profile({})), "") << "it asks for neither";
}

TEST(Freed, AnAddressMayBeUsedAgain) {
  EXPECT_EQ(freed_problem(profile({alloc(1, 64), free_of(1), alloc(1, 32), free_of(1)})), "");
  EXPECT_THAT(freed_problem(profile({alloc(1, 64), free_of(1), alloc(1, 32)})), HasSubstr("1 of 2"));
}

TEST(Freed, ManyAllocationsStayOneSentence) {
  std::vector<Activity> many;
  for (std::uint64_t i = 1; i <= 1000; ++i) many.push_back(alloc(i, i));
  EXPECT_THAT(freed_problem(profile(many)),
              HasSubstr("1000 of 1000 device allocations were never freed (1000 + 999 + 998 + 997 + …"));
}

TEST(Shared, TheLongestKernelMustHaveSharedMemory) {
  const Activity without = activity(Activity::Kind::kernel, 2e-3);
  const Activity with = activity(Activity::Kind::kernel, 1e-3, 2048);
  EXPECT_EQ(shared_problem(profile({with})), "");
  EXPECT_THAT(shared_problem(profile({with, without})), HasSubstr("matrixMul has no shared memory"));
  EXPECT_THAT(shared_problem(profile({alloc(1, 64)})), HasSubstr("No kernel ran"));
  EXPECT_THAT(shared_problem({}), HasSubstr("left no profile"));
}

TEST(KernelRan, AResultWithoutAKernelIsNamed) {
  EXPECT_THAT(kernel_problem(profile({activity(Activity::Kind::h2d, 1e-3)})), HasSubstr("No kernel ran"));
  EXPECT_EQ(kernel_problem(profile({activity(Activity::Kind::kernel, 0)})), "");
  EXPECT_THAT(kernel_problem(Profile{}), HasSubstr("no profile"));
}

/// The run has a kernel of 2 ms, and copies of 1 ms each.
const Profile run = profile({activity(Activity::Kind::h2d, 1e-3, 64), activity(Activity::Kind::kernel, 2e-3),
                             activity(Activity::Kind::d2h, 1e-3, 64)});
const std::vector<PrintedTimer> kernel_timer = {{"GPU computation time", {{Measure::Kind::kernel}}}};
const std::vector<PrintedTimer> copy_timer = {
    {"GPU memory access time", {{Measure::Kind::h2d}, {Measure::Kind::d2h}}}};

TEST(Timers, ATimerThatCoversTheWorkPasses) {
  EXPECT_EQ(timers_problem(kernel_timer, "GPU computation time : 2.1 (ms)\n", run), "");
  EXPECT_EQ(timers_problem(kernel_timer, "noise\n  GPU computation time: 1.7 ms", run), "");
  EXPECT_EQ(timers_problem(kernel_timer, "GPU computation time : 2\r\n", run), "");
  EXPECT_EQ(timers_problem(kernel_timer, "GPU computation time : 2000 us\n", run), "");
  EXPECT_EQ(timers_problem(kernel_timer, "GPU computation time : 2.5e-3 (s)\n", run), "");
  EXPECT_EQ(timers_problem(copy_timer, "GPU memory access time : 2 (ms)\n", run), "");
  EXPECT_EQ(timers_problem({}, "", run), "");
}

TEST(Timers, ATimerThatStoppedEarlyNamesTheCause) {
  EXPECT_THAT(timers_problem(kernel_timer, "GPU computation time : 0.012 (ms)\n", run),
              AllOf(HasSubstr("\"GPU computation time\" shows 0.012 ms, but the kernels took 2 ms"),
                    HasSubstr("A launch returns at once: synchronise before you stop the timer")));
  EXPECT_THAT(timers_problem(copy_timer, "GPU memory access time : 1.0 (ms)\n", run),
              HasSubstr("copies to the device and copies from the device took 2 ms"));
}

Activity launch(std::uint32_t blocks, double duration_s) {
  Activity a = activity(Activity::Kind::kernel, duration_s);
  std::fill(a.grid, a.grid + 3, 1);
  std::fill(a.block, a.block + 3, 1);
  a.grid[0] = blocks;
  return a;
}

/// This holds however long the warm-up took: the first launch includes CUDA's start-up, or the delays of a busy
/// machine.
TEST(Timers, AWarmUpNeedNotBeCovered) {
  const Profile warmed =
      profile({launch(2, 5e-3), launch(1, 5e-3), launch(100, 2e-3), launch(8, 1e-3), launch(1, 1e-3)});
  EXPECT_EQ(timers_problem(kernel_timer, "GPU computation time : 4 (ms)\n", warmed), "");
  EXPECT_THAT(timers_problem(kernel_timer, "GPU computation time : 0.02 (ms)\n", warmed),
              HasSubstr("the kernels took 4 ms"));
  EXPECT_THAT(timers_problem(kernel_timer, "GPU computation time : 2.1 (ms)\n", warmed),
              HasSubstr("the kernels took 4 ms"))
      << "smaller launches behind the largest one are work";
  const Profile equal = profile({launch(4, 2e-3), activity(Activity::Kind::d2h, 1e-3), launch(4, 2e-3)});
  EXPECT_THAT(timers_problem(kernel_timer, "GPU computation time : 2 (ms)\n", equal),
              HasSubstr("the kernels took 4 ms"));
  EXPECT_THAT(timers_problem(copy_timer, "GPU memory access time : 0.1 (ms)\n", equal),
              HasSubstr("took 1 ms"));
}

/// A large launch of another kernel does not make earlier work a warm-up.
TEST(Timers, OnlyTheSameKernelIsWarmedUp) {
  Activity other = launch(1000, 1e-6);
  other.name = "empty";
  EXPECT_THAT(
      timers_problem(kernel_timer, "GPU computation time : 0.02 (ms)\n", profile({launch(100, 2e-3), other})),
      HasSubstr("the kernels took 2 ms"));
}

TEST(Timers, SeveralLinesOfAnyOneTimerAddUp) {
  EXPECT_EQ(timers_problem(copy_timer,
                           "GPU memory access time : 1.0 (ms)\nGPU memory access time : 1.0 (ms)\n", run),
            "");
}

TEST(Timers, OneKernelByName) {
  EXPECT_EQ(timers_problem({{"T", {{Measure::Kind::kernel, "other"}}}}, "T : 0.001\n", run), "");
  EXPECT_THAT(timers_problem({{"T", {{Measure::Kind::kernel, "matrixMul"}}}}, "T : 0.001\n", run),
              HasSubstr("the kernel matrixMul took 2 ms"));
}

// A time of 0.4 µs prints as 0.000 ms: rounding of the last digit is allowed.
TEST(Timers, RoundingOfThePrintedTimeIsNoError) {
  const Profile quick = profile({activity(Activity::Kind::kernel, 1.2e-6)});
  EXPECT_EQ(timers_problem(kernel_timer, "GPU computation time : 0.000 (ms)\n", quick), "");
  EXPECT_NE(timers_problem(kernel_timer, "GPU computation time : 0.000000 (ms)\n", quick), "");
}

TEST(Timers, MissingAndUnreadableLinesAreNamed) {
  EXPECT_THAT(timers_problem(kernel_timer, "", run),
              HasSubstr("\"GPU computation time : … (ms)\" was not printed"));
  EXPECT_THAT(timers_problem(kernel_timer, "GPU computation times : 3 (ms)\n", run),
              HasSubstr("was not printed"));
  for (const char* text : {"nan (ms)", "inf", "-3 (ms)", "fast", "", "3 parsecs", "1e999"})
    EXPECT_THAT(timers_problem(kernel_timer, std::string("GPU computation time : ") + text + "\n", run),
                HasSubstr("without a time that can be read"))
        << text;
}

TEST(Counts, AreComparedWithTheCasesLimits) {
  const std::vector<Count> asked = {{"global_loads", {}, {}, 4096, "No tiles."},
                                    {"shared_loads", {}, 1024, {}, "Not from shared memory."}};
  EXPECT_EQ(counts_problem(asked, {{"global_loads", 4096}, {"shared_loads", 1024}}), "");
  EXPECT_EQ(counts_problem(asked, {{"global_loads", 16384}, {"shared_loads", 0}}),
            "No tiles. (global loads: 16384; at most 4096 are expected.)");
  EXPECT_EQ(counts_problem(asked, {{"global_loads", 1}, {"shared_loads", 0}}),
            "Not from shared memory. (shared loads: 0; at least 1024 are expected.)");
  EXPECT_EQ(counts_problem(asked, {}), "") << "what was not counted is not judged";

  const std::vector<Count> shares = {{"global_stores", "warps", {}, 4, "One thread does all."}};
  EXPECT_EQ(counts_problem(shares, {{"global_stores", 2048}, {"warps", 512}}), "");
  EXPECT_EQ(counts_problem(shares, {{"global_stores", 16384}, {"warps", 512}}),
            "One thread does all. (global stores: 32 for each warp; at most 4 are expected.)");
  EXPECT_EQ(counts_problem(shares, {{"global_stores", 16384}}), "")
      << "nobody knows how many warps there were";
}

TEST(Counts, OfCopiedBytesComeFromTheProfile) {
  Activity in = activity(Activity::Kind::h2d, 1), out = activity(Activity::Kind::d2h, 1);
  in.bytes = 100, out.bytes = 8;
  const auto counted = counted_in(profile({in, out, out}));
  EXPECT_EQ(counted.at("bytes_to_device"), 100);
  EXPECT_EQ(counted.at("bytes_from_device"), 16);
  for (const char* const of : {"launches", "threads", "bytes_to_device", "bytes_from_device"})
    EXPECT_TRUE((Count{of, {}, {}, 1, "Too many."}).in_profile()) << of;
  EXPECT_FALSE((Count{"launches", "threads", {}, 1, "Too many."}).in_profile());
  EXPECT_FALSE((Count{"occupancy", {}, {}, 1, "Too many."}).in_profile());
}

TEST(Counts, OfLaunchesAndThreadsComeFromTheProfile) {
  Activity kernel = activity(Activity::Kind::kernel, 1e-3);
  for (int i = 0; i < 3; ++i) kernel.grid[i] = kernel.block[i] = i == 0 ? 4 : 1;
  const auto counted = counted_in(profile({kernel, kernel, activity(Activity::Kind::h2d, 1)}));
  EXPECT_EQ(counted.at("launches"), 2);
  EXPECT_EQ(counted.at("threads"), 32);
  EXPECT_TRUE(counted_in(Profile{}).empty()) << "nobody watched";
}

}  // namespace
}  // namespace grader
