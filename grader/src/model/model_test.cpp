#include "model/grading.hpp"
#include "model/lab.hpp"
#include "model/table.hpp"
#include "model/trace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace grader {
namespace {

TEST(MeasurementTest, MedianOfOddEvenAndNoSamples) {
  EXPECT_DOUBLE_EQ((Measurement{{3, 1, 2}}.median()), 2);
  EXPECT_DOUBLE_EQ((Measurement{{4, 1, 2, 3}}.median()), 2.5);
  EXPECT_TRUE(std::isnan(Measurement{}.median()));
}

TEST(MeasurementTest, SpreadIsRelativeToTheMedian) {
  EXPECT_DOUBLE_EQ((Measurement{{1, 2, 4}}.spread()), 1.5);
  EXPECT_DOUBLE_EQ((Measurement{{7}}.spread()), 0);
  EXPECT_DOUBLE_EQ((Measurement{{0, 0}}.spread()), 0);
}

TEST(VerdictTest, EveryVerdictHasANameAndWordsOfItsOwn) {
  std::set<std::string> names, for_people;
  const int last = static_cast<int>(Verdict::grader_fault);
  for (int v = 0; v <= last; ++v) {
    names.insert(to_string(static_cast<Verdict>(v)));
    for_people.insert(words(static_cast<Verdict>(v)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(last + 1));
  EXPECT_EQ(for_people.size(), static_cast<std::size_t>(last + 1));
  EXPECT_STREQ(words(Verdict::wrong_answer), "wrong answer");
  EXPECT_STREQ(to_string(Verdict::wrong_answer), "wrong_answer");
}

TEST(LabTest, FolderNameJoinsIdAndName) {
  Lab lab;
  lab.id = "lab1.1";
  lab.name = "matrixmul";
  EXPECT_EQ(lab.folder_name(), "lab1.1-matrixmul");
}

TEST(MeasureTest, IsReadBackFromItsText) {
  using Kind = Measure::Kind;
  for (const Measure& measure :
       {Measure{Kind::h2d}, Measure{Kind::d2h}, Measure{Kind::kernel}, Measure{Kind::kernel, "ns::mul"},
        Measure{Kind::printed, "Occupancy: theoretical"}, Measure{Kind::counter, "warp_serialize"},
        Measure{Kind::ratio, "kernel"}, Measure{Kind::gain, "kernel"}, Measure{Kind::peer, "cub"},
        Measure{Kind::own, "cub"}, Measure{Kind::speed, "cub"}})
    EXPECT_EQ(measure_from(measure.text()), measure) << measure.text();
  EXPECT_EQ((Measure{Kind::kernel, "mul"}).text(), "kernel:mul");
}

TEST(MeasureTest, OtherWordsAreNoMeasure) {
  for (const char* text : {"", ":", "kernels", "Kernel", "kernel:", "h2d:x", "h2d:", "printed",
                           "ratio:", "peer", " kernel", ":kernel"})
    EXPECT_FALSE(measure_from(text)) << text;
}

TEST(MeasureTest, EachScopeNamesThoseBeforeItToo) {
  using Scope = Measure::Scope;
  const std::vector<std::string> of_timers = {"h2d", "d2h", "kernel", "kernel:NAME"};
  EXPECT_EQ(measure_forms(Scope::timer), of_timers);
  std::vector<std::string> of_columns = of_timers;
  of_columns.insert(of_columns.end(), {"printed:LINE", "counter:NAME", "ratio:COLUMN", "gain:COLUMN"});
  EXPECT_EQ(measure_forms(Scope::column), of_columns);
  EXPECT_EQ(measure_forms(Scope::peers).size(), of_columns.size() + 3);
  EXPECT_TRUE((Measure{Measure::Kind::kernel, "mul"}).in_profile());
  EXPECT_FALSE((Measure{Measure::Kind::printed, "Occupancy"}).in_profile());
}

TEST(OutputTest, NamesThePlaceOfTheResult) {
  EXPECT_TRUE(Output().is_printed());
  EXPECT_EQ(Output().name(), "stdout");
  EXPECT_EQ(Output().file(), "expected.txt");
  EXPECT_FALSE(Output::array("P").is_printed());
  EXPECT_EQ(Output::array("P").file(), "P.npy");
  EXPECT_FALSE(Output::array("P").layout());
  const Output own = Output::own_format("Q.bin", {4, {"Qr", "Qi"}});
  EXPECT_EQ(own.name(), "Q.bin");
  EXPECT_EQ(own.file(), "Q.bin");
  EXPECT_EQ(own.layout()->arrays[1], "Qi");
}

TEST(DataFileTest, IsAnArrayUnlessItSaysOtherwise) {
  EXPECT_EQ(data_file("M"), "M.npy");
  EXPECT_EQ(data_file("scan.bin"), "scan.bin");
  EXPECT_EQ(without_ending("scan.bin"), "scan");
  EXPECT_EQ(data_file("scan.txt"), "scan.txt");
  EXPECT_EQ(without_ending("scan.txt"), "scan");
  EXPECT_EQ(without_ending("bin"), "bin");
  EXPECT_TRUE(is_npy("gold/n8/M.npy"));
  EXPECT_FALSE(is_npy("gold/n8/scan.bin"));
}

TEST(ToleranceTest, MustBeOneThatTheWayOfVerifyingKnows) {
  const Tolerance exact, relative{0, 1e-6, "sums", 0}, of_max{0, 0, "sums", 1e-4};
  for (const Verify verify :
       {Verify::gold, Verify::oracle, Verify::sample, Verify::freivalds, Verify::judge, Verify::none})
    EXPECT_EQ(tolerance_problem(verify, exact), "") << to_string(verify);
  for (const Verify verify : {Verify::gold, Verify::oracle, Verify::sample})
    EXPECT_EQ(tolerance_problem(verify, of_max), "") << to_string(verify);
  EXPECT_EQ(tolerance_problem(Verify::freivalds, relative), "");
  EXPECT_NE(tolerance_problem(Verify::freivalds, of_max), "") << "its largest element is not known";
  EXPECT_NE(tolerance_problem(Verify::judge, relative), "");
  EXPECT_NE(tolerance_problem(Verify::none, relative), "");
}

TEST(CaseTest, WithOtherArgumentsItHasNoGold) {
  Case stored;
  stored.verify = Verify::gold;
  stored.about = "a whole block";
  EXPECT_EQ(with_arguments(stored, {"9"}).about, "") << "that is not true of other arguments";
  EXPECT_EQ(with_arguments(stored, stored.args).about, "a whole block");
  EXPECT_EQ(with_arguments(stored, {"9"}).verify, Verify::oracle);
  EXPECT_EQ(with_arguments(stored, {"9"}).args, std::vector<std::string>{"9"});
  stored.verify = Verify::freivalds;
  EXPECT_EQ(with_arguments(stored, {"9"}).verify, Verify::freivalds);
}

/// A read by a whole warp: lane i reads at byte `first` + i × `way`.
TracedStep a_step(std::int64_t first, std::int64_t way, std::uint32_t bytes = 4, std::uint32_t warp = 0) {
  TracedStep step;
  step.warp = warp;
  step.lanes = 0xffffffff;
  step.bytes = bytes;
  for (std::int64_t lane = 0; lane < 32; ++lane) step.where.push_back(first + lane * way);
  return step;
}

TracedArray an_array(bool shared) {
  TracedArray array;
  array.name = "a";
  array.shared = shared;
  array.bytes = 1 << 20;
  return array;
}

TEST(TraceTest, SectorsAndLinesOfGlobalMemory) {
  const TracedArray array = an_array(false);
  EXPECT_EQ(cost_of(a_step(0, 4), array).sectors, 4u) << "neighbours";
  EXPECT_EQ(cost_of(a_step(0, 4), array).lines, 1u);
  EXPECT_EQ(cost_of(a_step(4, 4), array).sectors, 5u) << "not aligned";
  EXPECT_EQ(cost_of(a_step(4, 4), array).least, 4u);
  EXPECT_EQ(cost_of(a_step(0, 128), array).sectors, 32u) << "a column";
  EXPECT_EQ(cost_of(a_step(0, 0), array).sectors, 1u) << "all the same";
  EXPECT_EQ(cost_of(a_step(0, 16, 16), array).sectors, 16u) << "float4";
  EXPECT_EQ(cost_of(a_step(-4, 4), array).sectors, 5u) << "in front of the array";
}

TEST(TraceTest, TurnsOfTheBanks) {
  const TracedArray array = an_array(true);
  EXPECT_EQ(cost_of(a_step(0, 4), array).wavefronts, 1u);
  EXPECT_EQ(cost_of(a_step(0, 0), array).wavefronts, 1u) << "one word for all";
  EXPECT_EQ(cost_of(a_step(0, 8), array).wavefronts, 2u);
  EXPECT_EQ(cost_of(a_step(0, 128), array).wavefronts, 32u) << "a column of 32 floats";
  EXPECT_EQ(cost_of(a_step(0, 132), array).wavefronts, 1u) << "of 33";
  EXPECT_EQ(cost_of(a_step(0, 8, 8), array).wavefronts, 2u) << "doubles: a turn for each half of the warp";
  EXPECT_EQ(cost_of(a_step(0, 8, 8), array).least, 2u);
}

TEST(TraceTest, ClashesAreWhatTheCheckerCallsARace) {
  Trace trace;
  trace.arrays = {an_array(true)};
  TracedPhase phase;
  phase.steps = {a_step(0, 4), a_step(128, 4, 4, 1), a_step(0, 4, 4, 1)};
  phase.steps[0].does = TracedStep::Does::write;
  EXPECT_TRUE(clashes_in(phase, trace).empty()) << "the checker found nothing";
  Finding race;
  race.rule = "race";
  race.array = "a";
  trace.findings = {race};
  ASSERT_EQ(clashes_in(phase, trace).size(), 32u);
  EXPECT_EQ(clashes_in(phase, trace)[1].element, 1u);
  EXPECT_EQ(clashes_in(phase, trace)[1].writer, 1u);
  EXPECT_EQ(clashes_in(phase, trace)[1].other, 33u);
  phase.steps[2].does = TracedStep::Does::atomic;
  EXPECT_TRUE(clashes_in(phase, trace).empty()) << "atomics may hand something on";
}

/// A small launch is kept completely, a large launch keeps only its beginning, and unused values are dropped.
TEST(TraceTest, ShrinksWhatIsLarge) {
  Trace trace;
  trace.values = {""};
  trace.arrays.resize(1);
  const auto add = [&](std::size_t blocks, std::size_t steps) {
    TracedLaunch& launch = trace.launches.emplace_back();
    launch.grid_dim = {static_cast<unsigned>(blocks), 1, 1};
    launch.block_dim = {32, 1, 1};
    for (std::size_t b = 0; b < blocks; ++b) {
      TracedBlock& block = launch.blocks.emplace_back();
      block.block = {static_cast<unsigned>(b), 0, 0};
      TracedPhase& phase = block.phases.emplace_back();
      phase.end = "end";
      for (std::size_t i = 0; i < steps; ++i) {
        TracedStep& step = phase.steps.emplace_back();
        step.lanes = 3;
        step.bytes = 4;
        step.where = {static_cast<std::int64_t>(8 * i), static_cast<std::int64_t>(8 * i + 4)};
        for (int lane = 0; lane < 2; ++lane) {
          step.values.push_back(static_cast<std::uint32_t>(trace.values.size()));
          trace.values.push_back(std::to_string(trace.values.size()));
        }
      }
    }
  };
  add(4, 400);
  add(1, 10);
  const std::string last = trace.values[trace.launches[1].blocks[0].phases[0].steps.back().values[1]];
  shrink(trace, 30'000);
  const TracedLaunch &large = trace.launches[0], &small = trace.launches[1];
  ASSERT_EQ(small.blocks.size(), 1u);
  EXPECT_EQ(small.blocks[0].phases[0].steps.size(), 10u);
  EXPECT_FALSE(small.blocks[0].cut);
  EXPECT_EQ(trace.values[small.blocks[0].phases[0].steps.back().values[1]], last);
  ASSERT_GE(large.blocks.size(), 1u);
  EXPECT_LT(large.blocks.size(), 4u);
  EXPECT_TRUE(large.blocks.back().cut);
  EXPECT_LT(trace.values.size(), 2000u);
  ASSERT_EQ(left_out_of(trace).size(), 2u);
  const std::size_t before = trace.values.size();
  shrink(trace, 1 << 20);
  EXPECT_EQ(trace.values.size(), before) << "what fits stays as it is";
}

TEST(TraceTest, SaysWhatIsLeftOut) {
  Trace trace;
  trace.launches_in_all = 2;
  trace.launches.resize(1);
  trace.launches[0].kernel = "k";
  trace.launches[0].grid_dim = {3, 1, 1};
  trace.launches[0].block_dim = {32, 1, 1};
  trace.launches[0].blocks.resize(1);
  EXPECT_EQ(left_out_of(trace), (std::vector<std::string>{"Of 2 launches the first is recorded.",
                                                          "Of the 3 blocks of k the first is recorded."}));
}

}  // namespace
}  // namespace grader
