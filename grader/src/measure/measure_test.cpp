// Tests the rows of a table, and its ratios. Other tests cover builds and runs with the real program.
#include <gtest/gtest.h>

#include "measure/measure.hpp"

namespace grader {
namespace {

using Kind = Measure::Kind;

TableSpec two_axes() {
  TableSpec spec;
  spec.axes = {{"Matrix size", Axis::Kind::argument, {"8", "128"}, {"4", "8"}, {"8×8", "128×128"}},
               {"TILE", Axis::Kind::macro, {"1", "2"}, {}, {}}};
  spec.columns = {{"t", "Time", {Kind::kernel}, "s"}, {"ratio", "Ratio", {Kind::ratio, "t"}, "1"}};
  spec.baseline = "8";
  return spec;
}

TEST(TableRows, AreTheProductOfTheAxes) {
  const auto rows = table_rows(two_axes(), Backend::gpu);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].key, (std::vector<std::string>{"8", "1"}));
  EXPECT_EQ(rows[1].key, (std::vector<std::string>{"8", "2"}));
  EXPECT_EQ(rows[3].key, (std::vector<std::string>{"128", "2"}));
  EXPECT_EQ(rows[3].label, "128×128");
  EXPECT_EQ(rows[0].cells.size(), 2u);
}

TEST(TableRows, TheEmulationHasItsOwnValuesAndTheirLabels) {
  const auto rows = table_rows(two_axes(), Backend::emu);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].label, "4") << "a value that only the emulation has";
  EXPECT_EQ(rows[2].label, "8×8") << "the label of that value, not the second label";
}

TEST(Ratios, AreTakenAgainstTheBaselineOfTheSameFurtherValues) {
  const TableSpec spec = two_axes();
  auto rows = table_rows(spec, Backend::gpu);
  rows[0].cells[0].samples = {2, 2, 4};
  rows[1].cells[0].samples = {10};
  rows[2].cells[0].samples = {6, 8};
  rows[3].cells[0].samples = {5};
  fill_derived(spec, rows);
  EXPECT_EQ(rows[0].cells[1].samples, (std::vector<double>{1, 1, 2}));
  EXPECT_EQ(rows[2].cells[1].samples, (std::vector<double>{3, 4}));
  EXPECT_EQ(rows[3].cells[1].samples, (std::vector<double>{0.5}));
}

TEST(Ratios, WithoutABaselineThereAreNone) {
  const TableSpec spec = two_axes();
  auto rows = table_rows(spec, Backend::gpu);
  rows[2].cells[0].samples = {6};
  fill_derived(spec, rows);
  EXPECT_TRUE(rows[2].cells[1].samples.empty());
  rows[0].cells[0].samples = {0};
  fill_derived(spec, rows);
  EXPECT_TRUE(rows[2].cells[1].samples.empty()) << "nothing is divided by zero";
}

TEST(Gains, AreTakenAgainstTheRowBeforeAlongTheirAxis) {
  TableSpec spec = two_axes();
  spec.columns[1] = {"gain", "Gain", {Kind::gain, "t"}, "%", "TILE"};
  auto rows = table_rows(spec, Backend::gpu);
  rows[0].cells[0].samples = {8};
  rows[1].cells[0].samples = {6, 10};
  rows[3].cells[0].samples = {5};
  fill_derived(spec, rows);
  EXPECT_TRUE(rows[0].cells[1].samples.empty()) << "the first of its axis";
  EXPECT_EQ(rows[1].cells[1].samples, (std::vector<double>{0.25, -0.25}));
  EXPECT_TRUE(rows[3].cells[1].samples.empty()) << "the row before was not measured";
}

TEST(DevicesOfRow, AreThoseOfItsArgument) {
  TableSpec spec;
  spec.devices = 8;
  spec.axes = {{"Devices", Axis::Kind::argument, {"--devices=2", "--devices=8"}, {}, {}}};
  const auto rows = table_rows(spec, Backend::gpu);
  EXPECT_EQ(case_of_row(Lab(), spec, rows[0]).devices, 2);
  EXPECT_EQ(missing_devices(spec, rows[0], Backend::gpu, 4), "");
  EXPECT_EQ(missing_devices(spec, rows[1], Backend::gpu, 4), "needs 8 GPUs; this machine has 4");
  EXPECT_EQ(missing_devices(spec, rows[1], Backend::emu, 0), "")
      << "the emulation has as many as are required";
}

TEST(Search, SortsTheFastestFirstAndWhatFailedLast) {
  TableSpec spec = two_axes();
  auto rows = table_rows(spec, Backend::gpu);
  rows[1].cells[0].samples = {3, 1, 2};
  rows[2].cells[0].samples = {1};
  rows[3].cells[0].samples = {5};
  const auto failed = rows[0].key, fastest = rows[2].key, second = rows[1].key;
  sort_fastest_first(spec, rows);
  EXPECT_EQ(rows[0].key, fastest);
  EXPECT_EQ(rows[1].key, second);
  EXPECT_EQ(rows[3].key, failed);
}

TEST(MainColumn, IsTheLastOfKernelTimes) {
  TableSpec spec;
  EXPECT_FALSE(main_column(spec));
  spec.columns = {{"in", "", {Kind::h2d}, "s"},
                  {"k", "", {Kind::kernel}, "s"},
                  {"n", "", {Kind::kernel, "mul"}, "s"},
                  {"r", "", {Kind::ratio, "k"}, "1"}};
  EXPECT_EQ(main_column(spec), 2u);
}

Lab lab_with_cases() {
  Lab lab;
  Case stored;
  stored.id = "stored";
  stored.args = {"8"};
  stored.verify = Verify::gold;
  stored.seed = 3;
  stored.timeout_gpu = 90;
  Case large;
  large.id = "large";
  large.args = {"512"};
  large.verify = Verify::freivalds;
  large.tolerance = {0, 1e-3, "for the largest alone"};
  large.requirements = {Requirement::freed};
  Case timers;
  timers.id = "timers";
  timers.args = {"128"};
  timers.verify = Verify::none;
  lab.cases = {stored, large, timers};
  return lab;
}

TEST(CaseOfRow, IsTheOneWithItsArguments) {
  const TableSpec spec = two_axes();
  const Case c = case_of_row(lab_with_cases(), spec, table_rows(spec, Backend::gpu)[0]);
  EXPECT_EQ(c.args, std::vector<std::string>{"8"}) << "macros are no arguments";
  EXPECT_EQ(c.verify, Verify::oracle) << "gold belongs to its own seed";
  EXPECT_FALSE(c.seed);
  EXPECT_EQ(c.tolerance.rel, 0) << "what another case allows is no matter of this row";
}

TEST(CaseOfRow, ElseTheOneThatSuitsAnySize) {
  TableSpec spec = two_axes();
  const Case c = case_of_row(lab_with_cases(), spec, table_rows(spec, Backend::gpu)[2]);
  EXPECT_EQ(c.args, std::vector<std::string>{"128"});
  EXPECT_EQ(c.verify, Verify::freivalds) << "and never one whose result nobody looks at";
  EXPECT_TRUE(c.requirements.empty());
  EXPECT_EQ(c.timeout_gpu, 90) << "the longest of all";
  spec.tolerance = Tolerance{0, 1e-6, "of the table"};
  EXPECT_EQ(case_of_row(lab_with_cases(), spec, table_rows(spec, Backend::gpu)[2]).tolerance.rel, 1e-6);
}

}  // namespace
}  // namespace grader
