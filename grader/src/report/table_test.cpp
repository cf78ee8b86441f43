// Tests the same small table in every format: alignment, units, escaping, unmeasured cells, and the source of the
// times.
#include "report/table.hpp"

#include <gmock/gmock.h>

#include "base/columns.hpp"
#include "base/test_folder.hpp"
#include "model/table_csv.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

using testing::HasSubstr;
using testing::Not;

Table sizes(Backend backend = Backend::gpu) {
  Table t;
  t.lab = "lab1.1";
  t.spec.id = "sizes";
  t.spec.title = "Time by matrix size";
  t.spec.axes = {{"Matrix size", Axis::Kind::argument, {"8", "128", "4096"}, {}, {}}};
  t.spec.columns = {{"in", "Transfer in", {Measure::Kind::h2d}, "s"},
                    {"rate", "Rate in", {Measure::Kind::h2d}, "B/s"},
                    {"ratio", "Ratio", {Measure::Kind::ratio, "in"}, "1"}};
  t.spec.baseline = "128";
  t.spec.samples = 3;
  t.backend = backend;
  t.device = backend == Backend::gpu ? "NVIDIA H200" : "";
  t.time_source = backend == Backend::gpu ? "cupti" : "emulation";
  t.measured_at = "2030-01-02T03:04:05Z";
  t.rows = {{{"8"}, "8×8", {{{1e-6, 1.1e-6, 1.05e-6}}, {{2.5e9, 2.5e9, 2.5e9}}, {{0.5, 0.5, 0.5}}}, ""},
            {{"128"}, "128×128", {{{2e-6, 2e-6, 2.2e-6}}, {{64e9, 64e9, 64e9}}, {{1, 1, 1.1}}}, ""},
            {{"4096"}, "4096×4096", {{}, {}, {}}, "was stopped after 20 s"}};
  return t;
}

TEST(TableText, ColumnsAlignByWhatATerminalShows) {
  const std::string text = table_text(sizes(), {});
  const auto lines = split_lines(text);
  std::vector<int> ends;
  for (const std::string& line : lines) {
    if (line.find("×") != std::string::npos && line.find("stopped") == std::string::npos)
      ends.push_back(display_width(line));
  }
  ASSERT_EQ(ends.size(), 3u) << text;
  EXPECT_EQ(ends[0], ends[1]) << text;
  EXPECT_EQ(ends[1], ends[2]) << text;
}

TEST(TableText, EveryAxisHasLabels) {
  Table t = sizes();
  t.spec.axes.push_back(
      {"Version", Axis::Kind::argument, {"--version=a", "--version=b"}, {}, {"plain", "fast"}});
  for (TableRow& row : t.rows) row.key.push_back("--version=b");
  t.rows[0].key[1] = "--version=c";  // a value without a label, which only the emulation has
  const std::string text = table_text(t, {});
  EXPECT_THAT(text, HasSubstr("8×8        c"));
  EXPECT_THAT(text, HasSubstr("128×128    fast"));
  EXPECT_THAT(text, HasSubstr("4096×4096, fast: was stopped"));
}

TEST(TableText, ValuesAreMediansWithSpread) {
  const std::string text = table_text(sizes(), {});
  EXPECT_THAT(text, HasSubstr("1.05 µs ±10 %"));
  EXPECT_THAT(text, HasSubstr("64 GB/s ±0 %"));
  EXPECT_THAT(text, HasSubstr("4096×4096: was stopped after 20 s"));
  EXPECT_THAT(text, HasSubstr("NVIDIA H200"));
  EXPECT_THAT(text, HasSubstr("CUPTI"));
  EXPECT_THAT(text, Not(HasSubstr("EMULATION")));
}

TEST(TableText, TimesThatTheProgramPrintsAreNotThoseOfAProfile) {
  Table t = sizes();
  t.spec.columns[0] = {"cpu", "On the CPU", {Measure::Kind::printed, "CPU"}, "s"};
  EXPECT_THAT(
      table_text(t, {}),
      HasSubstr(
          "On the CPU: times as the program prints them, from its own\ntimers; Rate in: times from CUPTI"));
  t.spec.columns[1] = t.spec.columns[0];
  EXPECT_THAT(table_text(t, {}), HasSubstr("; times as the program prints them, from its own timers;\n"));
  t.spec.columns = {{"blocks", "Blocks", {Measure::Kind::printed, "Blocks"}, "1"}};
  EXPECT_THAT(table_text(t, {}), Not(HasSubstr("times"))) << "no column holds any";
}

TEST(TableText, EveryFormOfAnEmulationTableSaysSo) {
  const Table t = sizes(Backend::emu);
  EXPECT_THAT(table_text(t, {}), HasSubstr("EMULATION"));
  EXPECT_THAT(table_markdown(t), HasSubstr("EMULATION"));
  EXPECT_THAT(table_latex(t), HasSubstr("EMULATION"));
  EXPECT_THAT(table_plot_script(t), HasSubstr("EMULATION"));
  EXPECT_THAT(table_csv(t), HasSubstr("# backend: emu"));
}

TEST(TableText, OneSampleHasNoSpread) {
  Table t = sizes();
  t.rows[0].cells[0].samples = {1e-6};
  EXPECT_THAT(table_text(t, {}), HasSubstr("1 µs "));
  EXPECT_THAT(table_text(t, {}), Not(HasSubstr("1 µs ±")));
}

TEST(TableMarkdown, HasAHeadARuleAndARowEach) {
  const auto lines = split_lines(table_markdown(sizes()));
  ASSERT_GE(lines.size(), 6u);
  EXPECT_EQ(lines[2], "| Matrix size | Transfer in | Rate in | Ratio |");
  EXPECT_EQ(lines[3], "|:---|---:|---:|---:|");
  EXPECT_THAT(lines[4], testing::StartsWith("| 8×8 | 1.05 µs"));
}

TEST(TableMarkdown, BarsInTextDoNotMakeCells) {
  Table t = sizes();
  t.spec.columns[0].title = "a|b_c";
  EXPECT_THAT(table_markdown(t), HasSubstr("| a\\|b\\_c |"));
}

TEST(TableMarkdown, APlotIsAlsoSaidInWords) {
  Table t = sizes();
  t.spec.axes[0].name = "MATRIX_SIZE";
  EXPECT_THAT(table_in_words(t),
              testing::StartsWith("*In words:* A plot of transfer in, rate in and ratio by MATRIX\\_SIZE"));
}

TEST(TableCsv, ALineIsARowWithItsSamples) {
  const auto lines = split_lines(table_csv(sizes()));
  ASSERT_EQ(lines.size(), 10u);
  EXPECT_THAT(lines[0], testing::StartsWith("# Samples of table sizes of lab1.1, in s"));
  EXPECT_EQ(lines[2], "# device: NVIDIA H200");
  EXPECT_EQ(lines[5], "# runs: 3");
  EXPECT_EQ(lines[6], "Matrix size,in (s),rate (B/s),note") << "ratios follow from the samples";
  EXPECT_EQ(lines[7], "8,1e-06 1.1e-06 1.05e-06,2500000000 2500000000 2500000000,");
  EXPECT_EQ(lines.back(), "4096,,,was stopped after 20 s");
}

TEST(TableCsv, QuotesFormulasAndOptionsAreData) {
  Table t = sizes();
  t.rows[2].note = "said \"no\", twice";
  t.rows[1].note = "=cmd()";
  t.spec.axes[0].values[0] = "--size=8";
  t.rows[0].key[0] = "--size=8";
  const std::string text = table_csv(t);
  EXPECT_THAT(text, HasSubstr("\"said \"\"no\"\", twice\""));
  EXPECT_THAT(text, HasSubstr(",'=cmd()\n"));
  EXPECT_THAT(text, HasSubstr("\nsize=8,"));
}

TEST(TableCsv, IsReadBackWhole) {
  Table t = sizes();
  t.notes = {"CUB: does not compile"};
  t.fingerprint = "0123";
  Lab lab;
  lab.id = t.lab;
  const auto read = table_from_csv(table_csv(t), lab, t.spec, false);
  ASSERT_TRUE(read);
  EXPECT_EQ(table_csv(*read), table_csv(t));
  EXPECT_EQ(read->rows[0].cells[2].samples.size(), 3u) << "a ratio is computed again";
  EXPECT_EQ(read->backend, Backend::gpu);
}

TEST(ValueText, HasNoMoreDigitsThanTheSpreadAllows) {
  EXPECT_EQ(value_text(617.3, "1"), "617.3");
  EXPECT_EQ(value_text(617.3, "1", 0.8), "600");
  EXPECT_EQ(value_text(617.3, "1", 0.1), "620");
  EXPECT_EQ(value_text(617.3, "1", 0.02), "617");
  EXPECT_EQ(value_text(0.1234, "1", 0.8), "0.1");
  EXPECT_EQ(value_text(-0.1023, "%"), "−10.2 %");
}

TEST(TableLatex, SpecialCharactersAreEscaped) {
  Table t = sizes();
  t.spec.title = "50% of a_b & c\\d {x} $5 #1 ~ ^";
  const std::string text = table_latex(t);
  EXPECT_THAT(
      text,
      HasSubstr(
          "50\\% of a\\_b \\& c\\textbackslash{}d \\{x\\} \\$5 \\#1 \\textasciitilde{} \\textasciicircum{}"));
  EXPECT_THAT(text, HasSubstr("8$\\times$8 & 1.05 $\\mu$s $\\pm$10 \\%"));
  EXPECT_THAT(text, HasSubstr("\\begin{tabular}{lrrr}"));
}

TEST(TablePlot, HasAPanelForEachKindAndAnAxisWithUnits) {
  Table t = sizes();
  t.rows[2].cells[0].samples = {1e-3};
  const std::string script = table_plot_script(t);
  EXPECT_THAT(script, HasSubstr("layout 3,1"));
  EXPECT_THAT(script, HasSubstr("set logscale x"));
  EXPECT_THAT(script, HasSubstr("'128×128' 128"));
  EXPECT_THAT(script, HasSubstr("1.05e-06 1e-06 1.1e-06")) << "median, smallest, largest";
  EXPECT_THAT(script, HasSubstr("'10 µs' 1e-05, '100 µs' 0.0001, '1 ms' 0.001"));
  const std::string scaled = table_plot_script(sizes());
  EXPECT_THAT(scaled, HasSubstr("set ylabel 'Transfer in (µs)'"));
  EXPECT_THAT(scaled, HasSubstr("128 2 2 2.2\n"));
}

TEST(TablePlot, CategoriesAreAtEvenDistancesAndAreNotJoined) {
  Table t = sizes();
  EXPECT_THAT(table_plot_script(t), HasSubstr("with yerrorlines"));
  t.rows[0].key = {"naive"};
  t.rows[0].label = "";
  const std::string script = table_plot_script(t);
  EXPECT_THAT(script, HasSubstr("'naive' 0, '128×128' 1"));
  EXPECT_THAT(script, HasSubstr("with yerrorbars"));
  EXPECT_THAT(script, Not(HasSubstr("yerrorlines")));
}

TEST(TablePlot, LongLabelsAreTurnedSoThatTheyDoNotTouch) {
  Table t = sizes();
  EXPECT_THAT(table_plot_script(t), HasSubstr("set xtics norotate ("));
  t.rows[0].label = "adjacent pairs, each added by the threads that stand beside each other";
  EXPECT_THAT(table_plot_script(t), HasSubstr("set xtics rotate by -15 ("));
}

TEST(TablePlot, ANumberBesideAnotherLeavesItsLabelOut) {
  Table t = sizes();
  t.spec.axes[0].labels.clear();
  const char* values[] = {"1000000", "16000000", "16777216"};
  for (std::size_t i = 0; i < 3; ++i) {
    t.rows[i].key = {values[i]};
    t.rows[i].label = values[i];
  }
  EXPECT_THAT(table_plot_script(t), HasSubstr("'1000000' 1000000, '16000000' 16000000, '' 16777216)"));
}

TEST(TablePlot, LinesDifferInMoreThanColourAndAreNamedBesideTheirEnds) {
  Table t = sizes();
  t.spec.columns[1] = {"out", "Transfer out", {Measure::Kind::d2h}, "s"};
  t.rows[0].cells[1].samples = {4e-6};
  t.rows[1].cells[1].samples = {5e-6};
  const std::string script = table_plot_script(t);
  EXPECT_THAT(script, HasSubstr("linecolor rgb '#0072b2' dashtype solid linewidth 2 pointtype 7"));
  EXPECT_THAT(script, HasSubstr("linecolor rgb '#d55e00' dashtype (12,6) linewidth 2 pointtype 5"));
  EXPECT_THAT(script,
              testing::ContainsRegex("set label 'Transfer out' at graph 1.03, graph 0.90[0-9]* left"));
}

TEST(TablePlot, ALineBelowAnotherIsDrawnBroadAndPale) {
  Table t = sizes();
  t.spec.columns[1] = {"out", "Transfer out", {Measure::Kind::d2h}, "s"};
  t.rows[0].cells[1] = t.rows[0].cells[0];
  t.rows[1].cells[1] = t.rows[1].cells[0];
  const std::string script = table_plot_script(t);
  EXPECT_THAT(script, HasSubstr("linecolor rgb '#700072b2' dashtype solid linewidth 7"));
  EXPECT_THAT(script, HasSubstr("linecolor rgb '#d55e00' dashtype (12,6) linewidth 2"));
}

TEST(TablePlot, TextIsNeverACommand) {
  Table t = sizes();
  t.spec.title = "x'; system(\"touch /tmp/owned\"); '\n`id`\n!id";
  const std::string script = table_plot_script(t);
  EXPECT_THAT(script, HasSubstr("'lab1.1: x''; system("));
  for (const std::string& line : split_lines(script)) {
    EXPECT_THAT(line, Not(testing::StartsWith("`")));
    EXPECT_THAT(line, Not(testing::StartsWith("!")));
  }
}

TEST(TablePlot, ATableWithoutValuesIsNotPlotted) {
  Table t = sizes();
  for (TableRow& row : t.rows) row.cells.assign(3, {});
  EXPECT_THAT([&] { table_plot_script(t); }, throws_error(ErrorKind::usage, "no measured value"));
}

TEST(TableSvg, IsDrawnByGnuplot) {
  if (find_program("gnuplot").empty()) GTEST_SKIP() << "gnuplot is not installed";
  Table t = sizes();
  t.spec.title = "It's `here` <&> \\ {a_b}";
  const std::string svg = table_svg(t);
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  EXPECT_THAT(svg, HasSubstr("<title>lab1.1: It's `here` &lt;&amp;&gt;"));
  EXPECT_THAT(svg, HasSubstr("<desc>A plot of "));
  EXPECT_THAT(svg, HasSubstr("role=\"img\""));
  EXPECT_THAT(svg, Not(HasSubstr("Produced by GNUPLOT")));
  EXPECT_THAT(svg, HasSubstr("Transfer in"));
  EXPECT_THAT(svg, HasSubstr("128×128"));
}

TEST(ValueText, UsesTheUnit) {
  EXPECT_EQ(value_text(0.5, "1"), "0.5");
  EXPECT_EQ(value_text(123456, "1"), "123456");
  EXPECT_EQ(value_text(4294967296, "1"), "4294967296");
  EXPECT_EQ(value_text(43.47e9, "1"), "4.347·10¹⁰");
  EXPECT_EQ(value_text(2.138e12, "1"), "2.138·10¹²");
  EXPECT_EQ(value_text(-2e20, "1"), "-2·10²⁰");
  EXPECT_EQ(value_text(2e9, "B/s"), "2 GB/s");
  EXPECT_EQ(value_text(42, "FLOP"), "42 FLOP");
}

}  // namespace
}  // namespace grader
