// Tests the plan of a table's plot: panels, order, lines, units, and words.
#include "report/plot.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> names(const PlotPanel& panel) {
  std::vector<std::string> out;
  for (const PlotLine& line : panel.lines) out.push_back(line.title);
  return out;
}

std::vector<std::string> labels(const Plot& plot) {
  std::vector<std::string> out;
  for (const auto& [at, label] : plot.x.tics) out.push_back(label);
  return out;
}

/// A table of block sizes in the order of a handout, with a value of every kind.
Table blocks() {
  Table t;
  t.lab = "lab3.1";
  t.spec.id = "blocks";
  t.spec.title = "Size of a tile";
  t.spec.axes = {{"BLOCK_SIZE", Axis::Kind::macro, {"16", "4", "8"}, {}, {"16×16", "4×4", "8×8"}},
                 {"Matrix size", Axis::Kind::argument, {"4096"}, {}, {}}};
  t.spec.columns = {{"time", "GPU time", {Measure::Kind::kernel}, "s"},
                    {"registers", "Registers", {Measure::Kind::printed, "Registers per thread"}, "1"},
                    {"shared", "Shared memory", {Measure::Kind::printed, "Shared memory per block"}, "B"},
                    {"ratio", "Ratio to 4×4", {Measure::Kind::ratio, "time"}, "1"}};
  t.backend = Backend::gpu;
  t.device = "NVIDIA H200";
  t.rows = {{{"16", "4096"}, "16×16", {{{0.012, 0.0125, 0.0121}}, {{32}}, {{5120}}, {{0.22}}}, ""},
            {{"4", "4096"}, "4×4", {{{0.055, 0.055, 0.055}}, {{44}}, {{320}}, {{1}}}, ""},
            {{"8", "4096"}, "8×8", {{{0.02, 0.02, 0.02}}, {{32}}, {{1280}}, {{0.37}}}, ""}};
  return t;
}

TEST(Plot, EachKindOfValueHasAnAxis) {
  const Plot plot = plot_of(blocks());
  ASSERT_EQ(plot.panels.size(), 4u) << "registers are no ratio";
  EXPECT_EQ(plot.panels[0].quantity, "GPU time");
  EXPECT_EQ(plot.panels[0].scaled_unit, "ms");
  EXPECT_EQ(plot.panels[1].quantity, "Registers");
  EXPECT_EQ(plot.panels[1].scaled_unit, "");
  EXPECT_EQ(plot.panels[2].quantity, "Shared memory");
  EXPECT_EQ(plot.panels[3].quantity, "Ratio to 4×4");
}

TEST(Plot, ColumnsOfAKindShareAnAxis) {
  Table t = blocks();
  t.spec.columns[1] = {"in", "Transfer in", {Measure::Kind::h2d}, "s"};
  const Plot plot = plot_of(t);
  EXPECT_EQ(plot.panels[0].quantity, "Time");
  EXPECT_THAT(names(plot.panels[0]), ElementsAre("GPU time", "Transfer in"));
}

TEST(Plot, APanelTooFullToBeReadKeepsTheFirstColumns) {
  Table t = blocks();
  t.spec.columns.clear();
  for (TableRow& row : t.rows) row.cells.clear();
  for (int i = 0; i < 15; ++i) {
    const std::string name = "t" + std::to_string(i);
    t.spec.columns.push_back({name, name, {Measure::Kind::kernel}, "s"});
    for (TableRow& row : t.rows) row.cells.push_back({{0.01 * (i + 1)}});
  }
  const Plot plot = plot_of(t);
  ASSERT_EQ(plot.panels.size(), 1u);
  EXPECT_EQ(plot.panels[0].lines.size(), 8u);
  EXPECT_THAT(plot_description(plot), HasSubstr(" In the table alone: t8, t9, t10, t11, t12, t13 and t14."));
  EXPECT_THAT(plot_description(plot_of(blocks())), Not(HasSubstr("In the table alone")));
}

TEST(Plot, BlockSizesComeInTheirOrder) {
  const Plot plot = plot_of(blocks());
  EXPECT_TRUE(plot.x.numeric);
  EXPECT_THAT(labels(plot), ElementsAre("4×4", "8×8", "16×16"));
  EXPECT_EQ(plot.panels[0].lines[0].points.front().median, 0.055);
  EXPECT_EQ(plot.panels[0].lines[0].points.back().least, 0.012);
}

/// A table of five maps with blocks of three sizes, by N.
Table maps() {
  Table t;
  t.lab = "lab4.2";
  t.spec.title = "Time by map, block and N";
  t.spec.axes = {
      {"Map", Axis::Kind::argument, {"--map=a", "--map=b", "--map=c", "--map=d", "--map=e"}, {}, {}},
      {"BLOCK_SIZE", Axis::Kind::macro, {"8", "16", "32"}, {}, {}},
      {"N", Axis::Kind::argument, {"128", "256", "512", "1024"}, {}, {}}};
  t.spec.columns = {{"mean", "Mean", {Measure::Kind::printed, "Mean"}, "s"}};
  for (const std::string& map : t.spec.axes[0].values)
    for (const std::string& block : t.spec.axes[1].values)
      for (const std::string& n : t.spec.axes[2].values)
        t.rows.push_back({{map, block, n}, map, {{{1e-6 * std::stod(n)}}}, ""});
  return t;
}

/// A table of two versions and a peer.
Table versions(double peer_beside_b) {
  Table t = blocks();
  t.spec.axes[1] = {"Version", Axis::Kind::argument, {"--version=a", "--version=b"}, {}, {"plain", "tuned"}};
  t.spec.columns = {{"time", "GPU time", {Measure::Kind::own, "cub"}, "s"},
                    {"peer", "CUB", {Measure::Kind::peer, "cub"}, "s"},
                    {"speed", "× CUB", {Measure::Kind::speed, "cub"}, "1"}};
  t.rows = {{{"4", "--version=a"}, "4", {{{2e-3}}, {{1e-3}}, {{0.5}}}, ""},
            {{"8", "--version=a"}, "8", {{{4e-3}}, {{2e-3}}, {{0.5}}}, ""},
            {{"4", "--version=b"}, "4", {{{1e-3}}, {{peer_beside_b}}, {{1}}}, ""},
            {{"8", "--version=b"}, "8", {{{2e-3}}, {{2e-3}}, {{1}}}, ""}};
  return t;
}

TEST(Plot, NumbersRunAlongItRatherThanNames) {
  const Plot plot = plot_of(maps());
  EXPECT_EQ(plot.x.name, "N");
  EXPECT_THAT(labels(plot), ElementsAre("128", "256", "512", "1024"));
}

TEST(Plot, TooManyLinesAreSplitByAnAxis) {
  const Plot plot = plot_of(maps());
  ASSERT_EQ(plot.panels.size(), 3u);
  EXPECT_EQ(plot.panels[0].quantity, "Mean, BLOCK_SIZE 8");
  EXPECT_THAT(names(plot.panels[0]), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_EQ(plot.panels[0].lines[0].points.size(), 4u);
}

TEST(Plot, TakesTheChosenAxesAndColumns) {
  Table t = maps();
  t.spec.columns.push_back({"launches", "Launches", {Measure::Kind::printed, "Launches"}, "1"});
  for (TableRow& row : t.rows) row.cells.push_back({{1}});
  t.spec.plot = {"BLOCK_SIZE", "N", {"mean"}};
  const Plot plot = plot_of(t);
  EXPECT_EQ(plot.x.name, "BLOCK_SIZE");
  ASSERT_EQ(plot.panels.size(), 4u);
  EXPECT_EQ(plot.panels[0].quantity, "Mean, N 128");
  EXPECT_THAT(names(plot.panels[0]), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(plot_description(plot), HasSubstr("In the table alone: Launches."));
}

TEST(Plot, ColumnsMayRunAlongIt) {
  Table t = versions(1e-3);
  t.rows.resize(3);
  t.rows.erase(t.rows.begin() + 1);
  t.spec.columns = {{"a", "Mutation", {Measure::Kind::printed, "a"}, "s"},
                    {"as", "Mutation, sequential", {Measure::Kind::printed, "as"}, "s"},
                    {"b", "Selection", {Measure::Kind::printed, "b"}, "s"}};
  t.spec.plot.x = PlotSpec::by_columns;
  const Plot plot = plot_of(t);
  EXPECT_THAT(labels(plot), ElementsAre("Mutation", "Selection"));
  ASSERT_EQ(plot.panels.size(), 1u);
  EXPECT_EQ(plot.panels[0].quantity, "Time");
  EXPECT_THAT(names(plot.panels[0]), ElementsAre("plain", "sequential", "tuned"));
  EXPECT_EQ(plot.panels[0].lines[1].points.size(), 1u) << "of all rows";
  EXPECT_THAT(plot.subtitle, HasSubstr("BLOCK_SIZE 4"));
}

TEST(Plot, AnAxisOfOneValueIsNotPlottedOver) {
  Table t = blocks();
  t.rows.resize(2);
  for (TableRow& row : t.rows) row.key = {"16", row.key[0] == "4" ? "--version=fast" : "--version=plain"};
  EXPECT_THAT(labels(plot_of(t)), ElementsAre("plain", "fast"));
}

TEST(Plot, OnAndOffAreNoNumbers) {
  Table t = blocks();
  t.spec.axes[0].labels = {"on", "off", "automatic"};
  for (std::size_t i = 0; i < 3; ++i) t.rows[i].label = t.spec.axes[0].labels[i];
  const Plot plot = plot_of(t);
  EXPECT_FALSE(plot.x.numeric);
  EXPECT_THAT(labels(plot), ElementsAre("on", "off", "automatic")) << "in the table's order";
}

TEST(Plot, ArgumentsWithANumberAreNumbers) {
  Table t = blocks();
  for (TableRow& row : t.rows) row.label = row.key[0] = "--length=" + row.key[0] + "000";
  for (TableRow& row : t.rows) row.label = row.key[0].substr(9);
  EXPECT_THAT(labels(plot_of(t)), ElementsAre("4000", "8000", "16000"));
}

TEST(Plot, MarksOfALogarithmicAxisHaveUnits) {
  Table t = blocks();
  t.rows[1].cells[0].samples = {55e-6};
  const PlotPanel panel = plot_of(t).panels[0];
  EXPECT_TRUE(panel.logarithmic);
  std::vector<std::string> marks;
  for (const auto& [at, label] : panel.tics) marks.push_back(label);
  EXPECT_THAT(marks,
              ElementsAre("50 µs", "100 µs", "200 µs", "500 µs", "1 ms", "2 ms", "5 ms", "10 ms", "20 ms"));
}

TEST(Plot, BytesHaveBinaryPrefixes) {
  Table t = blocks();
  t.rows[1].cells[2].samples = {2048};
  const PlotPanel panel = plot_of(t).panels[2];
  EXPECT_EQ(panel.scaled_unit, "KiB");
  EXPECT_EQ(panel.scale, 1024);
}

TEST(Plot, TheTitleSaysWhatAndTheSubtitleWhere) {
  const Plot plot = plot_of(blocks());
  EXPECT_EQ(plot.title, "lab3.1: Size of a tile");
  EXPECT_EQ(
      plot.subtitle,
      "GPU time, registers, shared memory and ratio to 4×4 by BLOCK_SIZE; Matrix size 4096; NVIDIA H200; "
      "medians, bars from smallest to largest");
  Table t = blocks();
  t.backend = Backend::emu;
  t.spec.title = "Time by block size";
  EXPECT_THAT(plot_of(t).subtitle, testing::StartsWith("Matrix size 4096; EMULATION: not times of a GPU"));
}

TEST(Plot, LinesAreNamedByTheirDifferences) {
  const Plot plot = plot_of(versions(1.5e-3));
  EXPECT_THAT(names(plot.panels[0]),
              ElementsAre("GPU time, plain", "GPU time, tuned", "CUB, plain", "CUB, tuned"));
  EXPECT_THAT(names(plot.panels[1]), ElementsAre("plain", "tuned"));
  EXPECT_EQ(plot.panels[1].quantity, "Speed relative to CUB");
}

TEST(Plot, APeerThatTakesTheSameTimeBesideAllIsOneLine) {
  const PlotPanel panel = plot_of(versions(1.02e-3)).panels[0];
  EXPECT_THAT(names(panel), ElementsAre("GPU time, plain", "GPU time, tuned", "CUB"));
  EXPECT_EQ(panel.lines[2].points.size(), 2u);
  EXPECT_DOUBLE_EQ(panel.lines[2].points[0].median, 1.01e-3) << "of all samples";
}

TEST(Plot, ALineThatAnotherCoversIsMarked) {
  const PlotPanel panel = plot_of(versions(1.02e-3)).panels[0];
  EXPECT_FALSE(panel.lines[0].covered);
  EXPECT_TRUE(panel.lines[1].covered) << "CUB's line runs over it";
  EXPECT_FALSE(panel.lines[2].covered) << "the upper one is drawn as usual";
}

TEST(PlotDescription, SaysHowEachLineRuns) {
  const std::string words = plot_description(plot_of(blocks()));
  EXPECT_THAT(words, HasSubstr("by BLOCK_SIZE (4×4, 8×8, 16×16)."));
  EXPECT_THAT(words, HasSubstr("GPU time: 55 ms at 4×4, falling to 12.1 ms at 16×16."));
  EXPECT_THAT(words, HasSubstr("Registers: 44 at 4×4, falling to 32 at 16×16."));
  EXPECT_THAT(words, HasSubstr("Shared memory: 320 B at 4×4, rising to 5 KiB at 16×16."));
}

TEST(PlotDescription, SaysTurningPointsAndWhatStays) {
  Table t = blocks();
  t.rows[2].cells[0].samples = {0.07};
  for (TableRow& row : t.rows) row.cells[1].samples = {32};
  const std::string words = plot_description(plot_of(t));
  EXPECT_THAT(words,
              HasSubstr("GPU time: 55 ms at 4×4, then 12.1 ms at 16×16; the largest is 70 ms at 8×8."));
  EXPECT_THAT(words, HasSubstr("Registers: 32 everywhere."));
}

TEST(PlotDescription, CategoriesAreListed) {
  Table t = blocks();
  t.spec.axes[0].labels = {"on", "off", "automatic"};
  for (std::size_t i = 0; i < 3; ++i) t.rows[i].label = t.spec.axes[0].labels[i];
  const std::string words = plot_description(plot_of(t));
  EXPECT_THAT(words, HasSubstr("Registers: 32 with \"on\", 44 with \"off\" and 32 with \"automatic\"."));
  EXPECT_THAT(words, Not(HasSubstr("rising")));
}

}  // namespace
}  // namespace grader
