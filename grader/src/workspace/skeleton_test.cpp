#include "workspace/skeleton.hpp"

#include <gtest/gtest.h>

#include "base/test_folder.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const solution = R"(// Doubles.
#include "scale.h"
void scale(float* v, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    v[i] = 2 * v[i];
  }
}
// Launches.
void launch(float* v, int n) {
  scale<<<1, n>>>(v, n);
}
)";

const char* const level = R"(// Doubles.
#include "scale.h"
void scale(float* v, int n) {
  const int i = threadIdx.x;
  // ---- part 1: the guard and the store (three lines) ----
  // Each thread doubles its own element.
  LAB_TODO(1);
  // ---- end of part 1 ----
}
// Launches.
void launch(float* v, int n) {
  // ---- parts 2 and 3: the launch ----
  LAB_TODO(2);
  LAB_TODO(3);
  // ---- end of parts 2 and 3 ----
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(ParseSkeletonTest, CutsAtTheMarks) {
  const Skeleton skeleton = parse_skeleton("x.cu", level);
  ASSERT_EQ(skeleton.blanks.size(), 2u);
  ASSERT_EQ(skeleton.given.size(), 3u);
  EXPECT_EQ(skeleton.given[0].lines.size(), 4u);
  EXPECT_EQ(skeleton.given[1].begin, 9u);
  EXPECT_THAT(skeleton.given[2].lines, ElementsAre("}"));
  EXPECT_THAT(skeleton.blanks[0].parts, ElementsAre(1));
  EXPECT_EQ(skeleton.blanks[0].title, "the guard and the store (three lines)");
  EXPECT_EQ(skeleton.blanks[0].begin, 5u);
  EXPECT_EQ(skeleton.blanks[0].end, 8u);
  EXPECT_EQ(skeleton.blanks[0].lines.size(), 2u);
  EXPECT_THAT(skeleton.blanks[1].parts, ElementsAre(2, 3));
}

TEST(ParseSkeletonTest, ListsOfParts) {
  const auto parts = [](const std::string& name) {
    return parse_skeleton("x.cu", "// ---- " + name + ": t ----\n// ---- end of " + name + " ----\n")
        .blanks.at(0)
        .parts;
  };
  EXPECT_THAT(parts("parts 1 to 3"), ElementsAre(1, 2, 3));
  EXPECT_THAT(parts("parts 1, 2 and 4"), ElementsAre(1, 2, 4));
  EXPECT_THAT(parts("part 12"), ElementsAre(12));
}

TEST(ParseSkeletonTest, SaysWhatIsWrongWithAMark) {
  const auto error = [](const std::string& text, const std::string& words) {
    EXPECT_THAT([&] { parse_skeleton("x.cu", text); }, throws_error(ErrorKind::usage, words)) << text;
  };
  error("// ---- part 1: a ----\n", "x.cu:1: the blank of part 1 never ends.");
  error("a\n// ---- end of part 1 ----\n", "x.cu:2: this ends part 1, which did not begin.");
  error("// ---- part 1: a ----\n// ---- part 2: b ----\n",
        "x.cu:2: part 2 begins inside the blank of part 1");
  error("// ---- part 1: a ----\n// ---- end of part 2 ----\n",
        "x.cu:2: this ends part 2, but part 1 began in line 1.");
  error("// ---- part 1 ----\n", "x.cu:1: the blank of part 1 has no title");
  error("// ---- parts 2 and 1: a ----\n", "names no parts");
  error("// -- part 1: a\n", "looks like the mark of a blank, but is not one");
  error(
      "// ---- part 1: a ----\n// ---- end of part 1 ----\n// ---- part 2: b ----\n// ---- end of part 2 "
      "----\n",
      "x.cu:3: nothing is between the blanks of part 1 and part 2");
}

TEST(ParseSkeletonTest, DashesInCommentsAreNoMarks) {
  EXPECT_THAT(parse_skeleton("x.cu", "// -- hints ----\n// parts of a tile ---- 2\n// ------\n").blanks,
              IsEmpty());
}

TEST(ProveTest, ASkeletonThatIsTheSolutionWithBlanks) {
  EXPECT_THAT(prove("x.cu", level, solution), IsEmpty());
}

struct Fault {
  const char* name;
  std::string skeleton, solution;
  unsigned line;
  std::string what, here, there;
};
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

class ProveFaultTest : public testing::TestWithParam<Fault> {};

TEST_P(ProveFaultTest, IsNamedWithBothTexts) {
  const Fault& fault = GetParam();
  const auto problems = prove("x.cu", fault.skeleton, fault.solution);
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems[0].line, fault.line);
  EXPECT_THAT(problems[0].what, HasSubstr(fault.what));
  EXPECT_EQ(problems[0].here, fault.here);
  EXPECT_EQ(problems[0].solution, fault.there);
}

INSTANTIATE_TEST_SUITE_P(
    All, ProveFaultTest,
    testing::Values(
        Fault{"a given line differs", replaced(level, "threadIdx.x;", "threadIdx.y;"), solution, 4,
              "this line is outside the blanks", "  const int i = threadIdx.y;",
              "  const int i = threadIdx.x;"},
        Fault{"a line too many at the end", std::string(level) + "// more\n", solution, 17,
              "outside the blanks", "// more", ""},
        Fault{"a line is missing", replaced(level, "// Launches.\n", ""), solution, 10, "outside the blanks",
              "void launch(float* v, int n) {", "// Launches."},
        Fault{"no LAB_TODO", replaced(level, "  LAB_TODO(3);\n", ""), solution, 12, "has no LAB_TODO(3)", "",
              ""},
        Fault{"a LAB_TODO of another part", replaced(level, "LAB_TODO(1);", "LAB_TODO(1); LAB_TODO(2);"),
              solution, 7, "LAB_TODO(2) is in the blank of part 1", "", ""},
        Fault{"the answer in the blank", replaced(level, "LAB_TODO(1);", "v[i] = 2*v[i];  LAB_TODO(1);"),
              solution, 7, "gives away", "  v[i] = 2*v[i];  LAB_TODO(1);", "    v[i] = 2 * v[i];"},
        Fault{"the answer in a comment", replaced(level, "its own element.", "its own: v[i] = 2 * v[i];"),
              solution, 6, "gives away", "  // Each thread doubles its own: v[i] = 2 * v[i];",
              "    v[i] = 2 * v[i];"},
        Fault{"nothing is blank", solution, solution, 0, "nothing is blank", "", ""},
        Fault{"only a comment is blank",
              replaced(solution, "// Launches.\n",
                       "// ---- part 1: words ----\nLAB_TODO(1);\n// ---- end of part 1 ----\n"),
              solution, 9, "the solution has no code in its place", "", ""}));

TEST(ProveTest, ABlankThatCutsThroughABlockCanNotCompile) {
  const auto problems = prove("x.cu", with_blank("x.cu", solution, 6, 7, {1}, "the store"), solution);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0].what, HasSubstr("cuts through a block"));
}

TEST(ProveTest, RepeatedLinesAreTakenWhereTheyFit) {
  // The brace between the two blanks occurs in the first answer, too.
  const std::string whole = "a();\nif (x) {\n  b();\n}\nc();\n}\nd();\n";
  const std::string blanks =
      "a();\n// ---- part 1: one ----\nLAB_TODO(1);\n// ---- end of part 1 ----\n}\n"
      "// ---- part 2: two ----\nLAB_TODO(2);\n// ---- end of part 2 ----\n";
  EXPECT_THAT(prove("x.cu", blanks, whole), IsEmpty());
}

TEST(ProveTest, NeighboursOfAnAnswerMayBeSpokenOf) {
  const std::string whole = "a();\n__syncthreads();\nb();\n";
  const std::string blank =
      "a();\n// ---- part 1: wait ----\n// Which call is it: __syncthreads or __syncwarp?\nLAB_TODO(1);\n"
      "// ---- end of part 1 ----\nb();\n";
  EXPECT_THAT(prove("x.cu", blank, whole), IsEmpty());
}

// -- carry ---------------------------------------------------------------------------------------------------------

TEST(CarryTest, AChangeOutsideArrives) {
  const std::string now = replaced(replaced(solution, "// Doubles.\n", "// Doubles each element.\n//\n"),
                                   "// Launches.", "// Launches one block.");
  const auto carried = carry("x.cu", level, solution, now);
  ASSERT_TRUE(carried);
  EXPECT_THAT(carried->conflicts, IsEmpty());
  EXPECT_THAT(carried->notes, IsEmpty());
  EXPECT_THAT(prove("x.cu", carried->text, now), IsEmpty());
  EXPECT_THAT(carried->text, HasSubstr("// Doubles each element.\n//\n#include"));
  EXPECT_THAT(carried->text, HasSubstr("// Each thread doubles its own element.\n  LAB_TODO(1);"));
}

TEST(CarryTest, AChangeInsideAnAnswerLeavesTheBlankAlone) {
  const std::string now =
      replaced(solution, "    v[i] = 2 * v[i];\n", "    const float x = v[i];\n    v[i] = x + x;\n");
  const auto carried = carry("x.cu", level, solution, now);
  ASSERT_TRUE(carried);
  EXPECT_EQ(carried->text, level);
  EXPECT_THAT(prove("x.cu", carried->text, now), IsEmpty());
}

TEST(CarryTest, AChangeOnBothSidesOfAnEdgeIsAConflictWithBothTexts) {
  const std::string now = replaced(solution, "  const int i = threadIdx.x;\n  if (i < n) {\n",
                                   "  const int t = threadIdx.x;\n  if (t < n) {\n");
  const auto carried = carry("x.cu", level, solution, now);
  ASSERT_TRUE(carried);
  ASSERT_EQ(carried->conflicts.size(), 1u);
  EXPECT_EQ(carried->text, level);
  EXPECT_EQ(carried->conflicts[0].line, 5u);
  EXPECT_EQ(carried->conflicts[0].before, "  const int i = threadIdx.x;\n  if (i < n) {");
  EXPECT_EQ(carried->conflicts[0].solution, "  const int t = threadIdx.x;\n  if (t < n) {");
}

TEST(CarryTest, LinesAtABlanksEdgeBelongToItsAnswer) {
  const std::string now = replaced(solution, "  if (i < n) {\n", "  // in bounds?\n  if (i < n) {\n");
  const auto carried = carry("x.cu", level, solution, now);
  ASSERT_TRUE(carried);
  EXPECT_EQ(carried->text, level);
  ASSERT_EQ(carried->notes.size(), 1u);
  EXPECT_EQ(carried->notes[0].solution, "  // in bounds?");
}

TEST(CarryTest, NeedsABaseThatTheSkeletonFits) {
  EXPECT_FALSE(carry("x.cu", level, "another file\n", solution));
}

TEST(CarryTest, BothAtOnce) {
  std::string now = replaced(solution, "v[i] = 2 * v[i];", "v[i] += v[i];");
  now = replaced(now, "void launch(float* v, int n) {\n", "void launch(float* v, int n) {  // host\n");
  now = replaced(now, "<<<1, n>>>", "<<<2, n / 2>>>");
  const auto carried = carry("x.cu", level, solution, now);
  ASSERT_TRUE(carried);
  // The line before the blank and the line in it changed together, so the author must decide.
  EXPECT_EQ(carried->conflicts.size(), 1u);
}

TEST(WithBlankTest, MakesABlankThatIsProved) {
  const std::string made = with_blank("x.cu", solution, 5, 7, {1}, "the store");
  EXPECT_THAT(prove("x.cu", made, solution), IsEmpty());
  EXPECT_THAT(made, HasSubstr("  // ---- part 1: the store (3 lines) ---"));
  EXPECT_THAT([] { with_blank("x.cu", solution, 5, 99, {1}, "t"); },
              throws_error(ErrorKind::usage, "has lines 1 to 12, not 5 to 99"));
}

// -- LAB_TODO --------------------------------------------------------------------------------------------------------

std::vector<std::pair<int, unsigned>> todos_of(const std::string& text) {
  std::vector<std::pair<int, unsigned>> found;
  for (const Todo& todo : find_todos("x.cu", text)) found.emplace_back(todo.part, todo.line);
  return found;
}
using Found = std::vector<std::pair<int, unsigned>>;

TEST(FindTodosTest, FindsCalls) {
  EXPECT_EQ(todos_of("LAB_TODO(2);\n  x; LAB_TODO ( 13 ) ;\nLAB_TODO(\n 3)"),
            (Found{{2, 1}, {13, 2}, {3, 3}}));
  EXPECT_EQ(todos_of("int n = 1'000; LAB_TODO(1); char c = 'a';"), (Found{{1, 1}}));
  EXPECT_EQ(todos_of("char c = '\"'; LAB_TODO(1); // \""), (Found{{1, 1}}));
  EXPECT_EQ(todos_of("/* it's */ LAB_TODO(1);"), (Found{{1, 1}}));
  EXPECT_EQ(todos_of("#define A \\\n  b\nLAB_TODO(1);"), (Found{{1, 3}}));
  EXPECT_EQ(todos_of("#include \"x\"\n#define_not\nLAB_TODO(1);"), (Found{{1, 3}}));
  EXPECT_EQ(todos_of("auto s = R\"x(\" )\" )x\"; LAB_TODO(1);"), (Found{{1, 1}}));
  EXPECT_EQ(todos_of("bad = \"open\nLAB_TODO(1);"), (Found{{1, 2}}));
}

TEST(FindTodosTest, IgnoresWhatIsNoCall) {
  for (const char* text : {"// LAB_TODO(1)", "// a \\\nLAB_TODO(1)", "/* LAB_TODO(1) */", "\"LAB_TODO(1)\"",
                           "\"a\\\"LAB_TODO(1)\"", "R\"(\nLAB_TODO(1))\"", "#define X LAB_TODO(1)",
                           "#  define X \\\n  LAB_TODO(1)", "#define LAB_TODO(1)", "MY_LAB_TODO(1)",
                           "LAB_TODO", "LAB_TODO(n)", "LAB_TODO(1", "LAB_TODO(", "LAB_TODOS(1)",
                           "LAB_TODO(99999999999)", "LAB_TODO(1 + 1)", "/* LAB_TODO(1)", ""}) {
    EXPECT_TRUE(todos_of(text).empty()) << text;
  }
}

TEST(Skeleton, TakesLinesOfAnyLength) {
  const std::string line = "// ---- part 1: " + std::string(4 << 20, '-') + "\n";
  EXPECT_TRUE(parse_skeleton("x.cu", line + "//" + std::string(4 << 20, ' ') + "\n").blanks.empty());
}

}  // namespace
}  // namespace grader
