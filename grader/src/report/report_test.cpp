// Tests the top of the report for every kind of verdict, and widths, hidden cases and hostile text.
#include "report/report.hpp"

#include <gmock/gmock.h>

#include <regex>

#include "base/columns.hpp"
#include "report/places.hpp"
#include "workspace/editor_files.hpp"

namespace grader {
namespace report_test {

using testing::HasSubstr;
using testing::Not;
using Kind = Measure::Kind;

Lab a_lab() {
  Lab lab;
  lab.id = "lab1.1";
  lab.name = "matrixmul";
  lab.title = "Matrix product, one thread per element";
  lab.levels = 2;
  lab.output = Output::array("P");
  lab.parts = {{1, "Allocate device memory and copy the inputs to it", 2, {}}, {5, "The kernel", 4, {}}};
  lab.tables = {{"sizes", "Time by matrix size", {}, {}, "", 5}};
  return lab;
}

CaseResult a_case(const std::string& id, Verdict verdict) {
  CaseResult c;
  c.id = id;
  c.verdict = verdict;
  c.max_points = 1;
  c.points = verdict == Verdict::passed ? 1 : 0;
  c.wall_s = 0.12;
  return c;
}

Grading graded(Verdict verdict, std::vector<CaseResult> cases) {
  Grading g;
  g.lab = "lab1.1";
  g.verdict = verdict;
  g.points = verdict == Verdict::passed ? 6 : 2;
  g.max_points = 6;
  g.parts = {{1, "Allocate device memory and copy the inputs to it", 2, 2, false},
             {5, "The kernel", g.points - 2, 4, verdict == Verdict::todo}};
  g.cases = std::move(cases);
  return g;
}

Grading wrong_answer() {
  CaseResult c = a_case("n8", Verdict::wrong_answer);
  c.message = "56 of 64 elements are wrong: the result is transposed.";
  c.next_step = "look at which of row and column comes from x";
  c.mismatch = Mismatch{
      56, 64, {{{0, 1}, "17", "23"}, {{0, 2}, "9", "104"}}, "transposed", "The result is transposed."};
  return graded(Verdict::wrong_answer, {a_case("n4", Verdict::passed), c});
}

/// The first lines of a report.
std::string head(const std::string& report, std::size_t count = 5) {
  std::string out;
  const auto lines = split_lines(report);
  for (std::size_t i = 0; i < std::min(count, lines.size()); ++i) out += lines[i] + "\n";
  return out;
}

TEST(Report, FiveLinesSayWhatIsWrongAndWhatToDo) {
  const std::string text = head(report_text(a_lab(), wrong_answer(), {}));
  EXPECT_THAT(text, HasSubstr("WRONG ANSWER"));
  EXPECT_THAT(text, HasSubstr("2 of 6 points"));
  EXPECT_THAT(text, HasSubstr("Case n8: 56 of 64 elements are wrong: the result is transposed."));
  EXPECT_THAT(text, HasSubstr("Next: look at which of row"));
}

TEST(Report, AFaultOfTheKitIsNoGrade) {
  CaseResult fault = a_case("n8", Verdict::grader_fault);
  fault.message = "The oracle of lab1.1 exited with code 2 at case n8.";
  fault.next_step = "tell whoever maintains the kit; it costs you nothing";
  Grading g = graded(Verdict::grader_fault, {a_case("n4", Verdict::passed), fault});
  g.points = g.max_points = 0;
  const std::string text = head(report_text(a_lab(), g, {}));
  EXPECT_THAT(text, HasSubstr("FAULT OF THE KIT  not graded\n"));
  EXPECT_THAT(text, HasSubstr("Case n8: The oracle of lab1.1"));
  EXPECT_THAT(text, HasSubstr("Next: tell whoever maintains the kit"));
  EXPECT_THAT(report_text(a_lab(), g, {}), Not(HasSubstr("points")));
}

TEST(Report, AFaultOfTheKitLeavesTheMistakesOfOtherCasesInFront) {
  Grading g = wrong_answer();
  g.cases.push_back(a_case("n16", Verdict::grader_fault));
  g.points = g.max_points = 0;
  const std::string text = report_text(a_lab(), g, {});
  EXPECT_THAT(text, HasSubstr("WRONG ANSWER  not graded\nCase n8: 56 of 64 elements"));
  EXPECT_THAT(text, HasSubstr("--  n16  fault of the kit"));
}

TEST(Report, WrongElementsAreInATableWithCoordinates) {
  const std::string text = report_text(a_lab(), wrong_answer(), {});
  EXPECT_THAT(text, HasSubstr("First wrong elements of P in case n8  (56 of 64)\n"
                              "  row  column  expected  got\n"
                              "    0       1        17   23\n"
                              "    0       2         9  104\n"));
}

/// A check with one finding, from two cases.
Grading checked() {
  Finding race;
  race.rule = "race";
  race.headline =
      "two threads of block (0,0,0) touch tile_M[0][0] (shared float[16][16]) with no barrier between them";
  race.kernel = "matrixMul";
  race.parties = {{"write by thread (0,0,0)", "k.cu", 97, 5, 19, "tile_M[ty][tx] = 1;", 4},
                  {"read by thread (0,2,0)", "k.cu", 109, 0, 0, "sum += tile_M[ty][k];", 6}};
  race.hint = "a __syncthreads() belongs between lines 97 and 109";
  race.count = 30720;
  race.blocks = 9;
  Grading g = graded(Verdict::finding, {a_case("n37", Verdict::finding), a_case("n8", Verdict::finding)});
  g.check = true;
  g.parts.clear();
  for (CaseResult& c : g.cases) c.findings = {race};
  return g;
}

TEST(Report, AFindingHasItsLinesAndCarets) {
  const std::string text = report_text(a_lab(), checked(), {});
  EXPECT_THAT(text, HasSubstr("(the checker in"));
  EXPECT_THAT(text, HasSubstr("1 MISTAKE FOUND\nNext: fix the first one, then: grader check lab1.1\n"));
  EXPECT_THAT(text, HasSubstr("\nrace: two threads of block (0,0,0) touch tile_M[0][0]"));
  EXPECT_THAT(text, HasSubstr("  write by thread (0,0,0)   k.cu:97\n"
                              "      tile_M[ty][tx] = 1;\n"
                              "      ^~~~~~~~~~~~~~\n"
                              "  read by thread (0,2,0)    k.cu:109\n"
                              "      sum += tile_M[ty][k];\n"));
  EXPECT_THAT(text, HasSubstr("  seen 61,440 times in 18 blocks in kernel matrixMul, cases n37, n8\n"));
  EXPECT_THAT(text, HasSubstr("  hint: a __syncthreads() belongs between lines 97 and 109\n"));
  EXPECT_THAT(text, Not(HasSubstr("points")));
  for (const std::string& line : split_lines(text)) EXPECT_LE(display_width(line), 80) << line;
}

TEST(Report, PlacesFitTheProblemMatchersOfEditors) {
  Grading g = checked();
  g.todo = {{2, "k.cu", 12}};
  const std::regex pattern(problem_patterns().front().regexp);
  std::vector<std::string> found;
  for (const std::string& line : split_lines(places_text(g))) {
    std::smatch match;
    ASSERT_TRUE(std::regex_match(line, match, pattern)) << line;
    found.push_back(match[1].str() + " " + match[2].str() + " " + match[3].str() + " " + match[4].str());
  }
  EXPECT_EQ(found, (std::vector<std::string>{"k.cu 12  warning", "k.cu 97 5 error", "k.cu 109  note"}));
  EXPECT_THAT(places_text(g),
              HasSubstr("k.cu:109: note: race: two threads of block (0,0,0) touch tile_M[0][0] (shared "
                        "float[16][16]) with no barrier between them (read by thread (0,2,0))\n"));
}

TEST(Report, ACheckWithoutFindingsSaysSo) {
  Grading g = checked();
  g.verdict = Verdict::passed;
  for (CaseResult& c : g.cases) {
    c.findings.clear();
    c.verdict = Verdict::passed;
  }
  EXPECT_THAT(report_text(a_lab(), g, {}), HasSubstr("NO MISTAKE FOUND\n"));
}

TEST(Report, TheCheckerIsTheNextStepWhereItMayHelp) {
  Grading g = graded(Verdict::crash, {a_case("n8", Verdict::crash)});
  g.level = 2;
  EXPECT_THAT(report_text(a_lab(), g, {}), HasSubstr("To see why: grader check lab1.1 --level 2\n"));
  EXPECT_THAT(report_text(a_lab(), wrong_answer(), {}), Not(HasSubstr("To see why")))
      << "the pattern explains it";
  g.cases[0].checker_silent = true;
  EXPECT_THAT(report_text(a_lab(), g, {}), Not(HasSubstr("To see why"))) << "it was asked, and found nothing";
}

TEST(Report, CommandsGoToTheSourcesThatWereGraded) {
  Grading g = graded(Verdict::crash, {a_case("n8", Verdict::crash)});
  g.origin = Origin::folder;
  g.submission = "my answers";
  EXPECT_THAT(report_text(a_lab(), g, {}),
              HasSubstr("To see why: grader check lab1.1 --from 'my answers'\n"));
}

TEST(Report, OffersNoTableOfWhatTheLevelLeavesBlank) {
  Lab lab = a_lab();
  Case plain, expert, wide;
  plain.args = {"8", "--version=v1"};
  plain.parts = {1};
  expert.args = {"4096", "--version=expert"};
  expert.parts = {1, 7};
  wide.macros = {{"WIDE", "1"}};
  wide.parts = {7};
  lab.cases = {plain, expert, wide};
  const auto table = [](const std::string& id, const Axis& axis) {
    TableSpec spec;
    spec.id = id;
    spec.title = id;
    spec.axes = {{"Size", Axis::Kind::argument, {"4096"}, {}, {}}, axis};
    return spec;
  };
  lab.tables = {table("all", {"Version", Axis::Kind::argument, {"--version=v1", "--version=expert"}, {}, {}}),
                table("beyond", {"Version", Axis::Kind::argument, {"--version=expert"}, {}, {}}),
                table("wide", {"WIDE", Axis::Kind::macro, {"1"}, {}, {}}),
                table("unknown", {"Rules", Axis::Kind::argument, {"--rules=strict"}, {}, {}})};
  const Grading g = graded(Verdict::passed, {a_case("n8", Verdict::passed)});
  const auto offered = [&](const std::set<int>& blank) {
    ReportOptions options;
    options.blank_parts = blank;
    const std::string text = report_text(lab, g, {}, options);
    std::vector<std::string> ids;
    for (const TableSpec& spec : lab.tables)
      if (text.find("grader table lab1.1 --id " + spec.id) != std::string::npos) ids.push_back(spec.id);
    return ids;
  };
  EXPECT_EQ(offered({7}), (std::vector<std::string>{"all", "unknown"}));
  EXPECT_EQ(offered({}), (std::vector<std::string>{"all", "beyond", "wide", "unknown"}));
}

TEST(Report, OffersToSeeItRun) {
  Lab lab = a_lab();
  EXPECT_THAT(report_text(lab, wrong_answer(), {}), Not(HasSubstr("To see it run")))
      << "a case without a checking size can't be seen";
  Case n8;
  n8.id = "n8";
  n8.args = {"8"};
  n8.checked = n8.args;
  lab.cases = {n8};
  EXPECT_THAT(report_text(lab, wrong_answer(), {}),
              HasSubstr("To see it run: grader view lab1.1 --case n8\n"));
  Grading named = wrong_answer();
  named.cases[1].element = "P[0][1]";
  EXPECT_THAT(report_text(lab, named, {}),
              HasSubstr("To see it run: grader view lab1.1 --element 'P[0][1]' --case n8\n"));
  Grading other = wrong_answer();
  other.backend = Backend::gpu;
  EXPECT_THAT(report_text(lab, other, {}), Not(HasSubstr("To see it run")));
  other = wrong_answer();
  other.cases[1].visibility = Visibility::hidden;
  EXPECT_THAT(report_text(lab, other, {}), Not(HasSubstr("To see it run")));
}

TEST(Report, PartsAndCasesAreAligned) {
  const std::string text = report_text(a_lab(), wrong_answer(), {});
  EXPECT_THAT(text,
              HasSubstr("  1  Allocate device memory and copy the inputs to it  2 of 2  done\n"
                        "  5  The kernel                                        0 of 4  wrong: case n8\n"));
  EXPECT_THAT(text, HasSubstr("  ok  n4  passed\n"
                              "  no  n8  wrong answer  transposed\n"));
}

TEST(Report, TimesOnlyWhenAllIsRightOrOnRequest) {
  ReportOptions options;
  EXPECT_THAT(report_text(a_lab(), wrong_answer(), {}, options), Not(HasSubstr("120 ms")));
  options.times = true;
  EXPECT_THAT(report_text(a_lab(), wrong_answer(), {}, options),
              HasSubstr("  ok  n4  passed        120 ms\n"));
  EXPECT_THAT(report_text(a_lab(), graded(Verdict::passed, {a_case("n8", Verdict::passed)}), {}),
              HasSubstr("120 ms"));
}

TEST(Report, TheFirstLineNamesTheLevel) {
  Lab lab = a_lab();
  EXPECT_THAT(report_text(lab, wrong_answer(), {}),
              testing::StartsWith("lab1.1 level 1: Matrix product, one thread per element (emulation)\n"));
  lab.level_notes = {{2, "each blank names its result", {}}};
  Grading g = wrong_answer();
  g.level = 2;
  EXPECT_THAT(report_text(lab, g, {}),
              testing::StartsWith("lab1.1 level 2: each blank names its result\n"
                                  "Matrix product, one thread per element (emulation)\n"));
}

TEST(Report, ALongOneRepeatsItsVerdictAtTheEnd) {
  EXPECT_THAT(report_text(a_lab(), wrong_answer(), {}), Not(testing::EndsWith("comes from x\n")));
  Grading g = wrong_answer();
  for (int i = 0; i < 20; ++i) g.cases.push_back(a_case("m" + std::to_string(i), Verdict::passed));
  EXPECT_THAT(report_text(a_lab(), g, {}),
              testing::EndsWith(
                  "\nWRONG ANSWER  2 of 6 points\nNext: look at which of row and column comes from x\n"));
}

TEST(Report, AllPassedSaysWhereToGo) {
  Grading g = graded(Verdict::passed, {a_case("n8", Verdict::passed), a_case("n37", Verdict::passed)});
  g.cases[0].times = {{{Kind::h2d}, 1e-6}, {{Kind::kernel}, 2e-3}, {{Kind::d2h}, 5e-7}};
  g.cases[1].times = {{{Kind::h2d}, 1.5e-6}, {{Kind::d2h}, 5e-7}};
  g.time_source = "emulation";
  const std::string text = report_text(a_lab(), g, {}, {false, "lab1.2"});
  EXPECT_THAT(text, HasSubstr("PASSED  6 of 6 points"));
  EXPECT_THAT(text, HasSubstr("grader lab1.1 --level 2"));
  EXPECT_THAT(text, HasSubstr("grader table lab1.1"));
  EXPECT_THAT(text, HasSubstr("grader lab1.2"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "Times  (emulation: they say nothing about a GPU)\n  case  transfer in  kernels  transfer out\n  "
          "n8           1 µs     2 ms        500 ns\n  n37        1.5 µs        –        500 ns\n"));
  g.level = 2;
  EXPECT_THAT(report_text(a_lab(), g, {}), Not(HasSubstr("--level 3"))) << "there is no such level";
}

TEST(Report, TodoNamesPartPlaceAndHint) {
  Grading g = graded(Verdict::todo, {a_case("n8", Verdict::todo)});
  g.level = 2;
  g.todo = {{5, "matrixmul_kernel.cu", 12}, {6, "matrixmul.cu", 70}};
  const std::string text = report_text(a_lab(), g, {});
  EXPECT_THAT(head(text),
              HasSubstr("Part 5 is still to do: The kernel (matrixmul_kernel.cu:12); then part 6."));
  EXPECT_THAT(head(text), HasSubstr("grader hint lab1.1 --level 2 --part 5"));
  EXPECT_THAT(text, HasSubstr("to do matrixmul_kernel.cu:12"));
}

TEST(Report, CompileErrorShowsTheStudentsLine) {
  Grading g = graded(Verdict::compile_error, {a_case("n8", Verdict::compile_error)});
  g.points = 0;
  g.diagnostics =
      "matrixmul.cu: In function 'void k()':\n"
      "matrixmul.cu:7:3: warning: unused variable 'a'\n"
      "    7 |   int a;\n"
      "matrixmul.cu:41:13: error: 'blockdim' was not declared in this scope\n"
      "   41 |   int row = blockdim.y;\n"
      "      |             ^~~~~~~~\n";
  const std::string text = report_text(a_lab(), g, {});
  EXPECT_THAT(head(text), HasSubstr("DOES NOT COMPILE"));
  EXPECT_THAT(text, HasSubstr("matrixmul.cu:41:13: error"));
  EXPECT_THAT(text, HasSubstr("   41 |   int row = blockdim.y;\n      |             ^~~~~~~~\n"));
  EXPECT_THAT(text, Not(HasSubstr("unused variable")));
  EXPECT_THAT(report_text(a_lab(), g, {}, {true, ""}), HasSubstr("unused variable"));
}

TEST(Report, WarningsThatMayExplainAFailureAreShown) {
  Grading g = wrong_answer();
  g.diagnostics =
      "sum.cu:16:40: warning: a __device__ variable \"total\" cannot be directly read in a host function "
      "#20091-D\n"
      "   16 |   return total;\n"
      "sum.cu:9:7: warning: unused variable 'a' [-Wunused-variable]\n"
      "/kit/lab/lab.hpp:3:1: warning: of a header\n";
  const std::string text = report_text(a_lab(), g, {});
  EXPECT_THAT(text, HasSubstr("The compiler warns\n  sum.cu:16:40: warning: a __device__ variable"));
  EXPECT_THAT(text, Not(HasSubstr("unused")));
  EXPECT_THAT(text, Not(HasSubstr("of a header")));
  g.verdict = Verdict::passed;
  EXPECT_THAT(report_text(a_lab(), g, {}), Not(HasSubstr("warning"))) << "nothing has to be explained";
}

TEST(Report, HiddenCasesSayOnlyTheirVerdict) {
  Grading g = wrong_answer();
  g.cases[1].visibility = Visibility::hidden;
  g.cases[1].output_excerpt = "secret words";
  const std::string text = report_text(a_lab(), g, {}, {true, ""});
  EXPECT_THAT(text, HasSubstr("Hidden case n8: wrong answer."));
  EXPECT_THAT(text, Not(HasSubstr("transposed")));
  EXPECT_THAT(text, Not(HasSubstr("104")));
  EXPECT_THAT(text, Not(HasSubstr("secret words")));
  g.origin = Origin::solution;
  EXPECT_THAT(report_text(a_lab(), g, {}), HasSubstr("104")) << "whoever has the solution sees all";
}

TEST(Report, NoLineIsWiderThanTheTerminal) {
  Grading g = wrong_answer();
  g.parts[0].title = std::string("An exceedingly long title of a part, as an author might write it, ") +
                     "with × and µ, and more";
  g.cases[1].output_excerpt = std::string(500, 'x') + "\nlast";
  g.notes = {
      "bubblewrap is not installed: the program ran without protection, and could read and write every file "
      "of yours"};
  g.todo = {{1, "a_file_with_a_long_name_too.cu", 123}};
  g.parts[0].todo = true;
  for (const std::string& line : split_lines(report_text(a_lab(), g, {}, {true, ""}))) {
    EXPECT_LE(display_width(line), 80) << line;
  }
}

TEST(Report, EmptyLinesOfAProgramAreLinesToo) {
  Grading g = graded(Verdict::crash, {a_case("n8", Verdict::crash)});
  g.cases[0].message = "CUDA reported an error: CUDA error at a.cu:3.";
  for (const char* const printed : {"\n\nCUDA error at a.cu:3\n\n  more\n\n", "\n", "  \n", "one\n\n\ntwo"}) {
    g.cases[0].output_excerpt = printed;
    const std::string text = report_text(a_lab(), g, {});
    EXPECT_THAT(text, HasSubstr("Case n8: CUDA reported an error")) << printed;
  }
  g.cases[0].output_excerpt = "\nfirst\n\nlast";
  EXPECT_THAT(report_text(a_lab(), g, {}),
              testing::ContainsRegex("\n  \\| ?\n  \\| first\n  \\| ?\n  \\| last\n"));
}

/// A launch that never ran has no access that could be shown.
TEST(Report, AFindingWithoutLinesIsShown) {
  Grading g = checked();
  Finding launch;
  launch.rule = "launch";
  launch.headline = "kernel product never ran (cudaErrorInvalidValue), and the program did not check";
  launch.parties = {{"launch", "", 0, 0, 0, "", 0}};
  for (CaseResult& c : g.cases) c.findings = {launch};
  EXPECT_THAT(report_text(a_lab(), g, {}), HasSubstr("launch: kernel product never ran"));
  for (CaseResult& c : g.cases) c.findings[0].parties.clear();
  EXPECT_THAT(report_text(a_lab(), g, {}), HasSubstr("launch: kernel product never ran"));
}

TEST(Report, TerminalSequencesOfAProgramAreNotPassedOn) {
  Grading g = wrong_answer();
  g.cases[1].output_excerpt = "\x1b[2Jgone\rPASSED\a";
  g.cases[1].mismatch->first[0].got = "\x1b]0;title\a";
  EXPECT_THAT(report_text(a_lab(), g, {}, {true, ""}), Not(HasSubstr("\x1b")));
}

TEST(Report, NoNameOfAFileOrArrayReachesTheTerminalAsItIs) {
  const std::string hostile = "a\u202E\u009b2J\x1b[2J.cu";
  Grading g = checked();
  for (CaseResult& c : g.cases) {
    Finding& finding = c.findings.front();
    finding.kernel = finding.rule = finding.headline = finding.hint = finding.first = hostile;
    for (FindingParty& party : finding.parties) party.file = party.what = party.text = hostile;
    finding.notes = {hostile};
  }
  Grading todo = graded(Verdict::todo, {a_case("n8", Verdict::todo)});
  todo.todo = {{5, hostile, 12}};
  Grading broken = graded(Verdict::compile_error, {a_case("n8", Verdict::compile_error)});
  broken.diagnostics = hostile + ":1:1: error: " + hostile + std::string(10000, 'x') + "\n";
  broken.origin = Origin::folder;
  broken.submission = hostile;
  for (const Grading& grading : {g, todo, broken}) {
    const std::string text = report_text(a_lab(), grading, {});
    EXPECT_THAT(text, Not(HasSubstr("\u202E")));
    EXPECT_THAT(text, Not(HasSubstr("\u009b")));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_LT(text.size(), 4000u);
  }
}

TEST(Report, ColourOnlyOnRequest) {
  Style colour;
  colour.colour = true;
  EXPECT_THAT(report_text(a_lab(), wrong_answer(), colour), HasSubstr("\x1b["));
  EXPECT_THAT(report_text(a_lab(), wrong_answer(), {}), Not(HasSubstr("\x1b[")));
}

TEST(Report, PointsHaveNoNeedlessDigits) {
  EXPECT_EQ(points_text(6), "6");
  EXPECT_EQ(points_text(6.5), "6.5");
  EXPECT_EQ(points_text(10.0 / 3), "3.33");
  EXPECT_EQ(points_text(0), "0");
  EXPECT_EQ(points_text(100), "100");
}

TEST(PrintableTest, NothingSteersTheTerminalOrMisleadsTheReader) {
  EXPECT_EQ(printable("a\tb\nc"), "a  b c");
  EXPECT_EQ(printable("a\nb", true), "a\nb");
  EXPECT_EQ(printable("\x1b[2J\r\x7f"), "?[2J??");
  EXPECT_EQ(printable("\u0085\u009b31m"), "??31m") << "C1 as UTF-8";
  EXPECT_EQ(printable("\x9b"
                      "31m\xff"),
            "?31m?")
      << "C1 as a byte of its own";
  EXPECT_EQ(printable("\u202Eabc\u202C \u2066x\u2069\u200F\u061C"), "?abc? ?x???") << "direction";
  EXPECT_EQ(printable("\u200B\u2060\uFEFF\u2028\U000E0041"), "?????") << "of no width, line end, tag";
  EXPECT_EQ(printable("\xC0\x9B|\xE2\x80"), "?|??") << "overlong, and cut off";
  EXPECT_EQ(printable("8×8 µs – π 数 😀"), "8×8 µs – π 数 😀");
}

TEST(ColumnsTest, CountWhatATerminalShows) {
  Columns columns({Align::left, Align::right});
  columns.add({"8×8", "1"});
  columns.add({"\x1b[31mab\x1b[0m", "22"});
  EXPECT_EQ(columns.text(0, 80), "8×8   1\n\x1b[31mab\x1b[0m   22\n");
}

TEST(ColumnsTest, TheElasticColumnIsWrappedAndNothingIsCut) {
  Columns columns({Align::left, Align::left});
  columns.add({"a long cell indeed", "end"});
  columns.add({"short", "1"});
  EXPECT_EQ(columns.text(0, 15, 0), "a long      end\ncell\nindeed\nshort       1\n");
}

}  // namespace report_test
}  // namespace grader
