// Tests three parts of the checker: the part of a line that an access refers to, the loops of a text, and the
// merging of a warp's lanes.
#include <gtest/gtest.h>

#include "expression.hpp"
#include "lockstep.hpp"
#include "loops.hpp"

namespace {

using namespace cuemu;
using namespace cuemu::check;

/// Returns the part of `text` that an access refers to, for the column of `^` in `marks`.
std::string part(const std::string& text, const std::string& marks, const std::string& array = "",
                 const std::string& function = "") {
  const std::size_t at = marks.find('^');
  const Span found = accessed_part(text, at != marks.npos ? static_cast<int>(at) + 1 : 0, array, function);
  return found.known() ? text.substr(static_cast<std::size_t>(found.begin) - 1,
                                     static_cast<std::size_t>(found.end - found.begin))
                       : "";
}

// g++ gives the position of an access as the end of an index, or as the `=` after the written part.
TEST(Expression, AtTheEndOfAnIndex) {
  EXPECT_EQ(part("  t[y][x] = in[y * n + x];", "                        ^"), "in[y * n + x]");
  EXPECT_EQ(part("  t[y][x] = in[y * n + x];", "          ^"), "t[y][x]");
  EXPECT_EQ(part("  s += t[a[x]][k] * u;", "                ^"), "t[a[x]][k]");
  EXPECT_EQ(part("v += in[(int)out[v]];", "                  ^"), "out[v]");
  EXPECT_EQ(part("v += in[(int)out[v]];", "                   ^"), "in[(int)out[v]]");
  EXPECT_EQ(part("for (int i = t; i < n; i += b) ++bins[in[i]];", "                               ^"),
            "bins[in[i]]")
      << "not the loop";
  EXPECT_EQ(part("if (t < n) ++a[t][0];", "           ^"), "a[t][0]") << "nor the condition";
  EXPECT_EQ(part("  ++*p;", "  ^"), "*p");
  EXPECT_EQ(part("  ++(*p);", "  ^"), "(*p)");
  EXPECT_EQ(part("  out[i]++;", "        ^"), "out[i]");
}
// clang++ gives the position of an access as the beginning of the expression.
TEST(Expression, AtItsBeginning) {
  EXPECT_EQ(part("  t[y][x] = in[y * n + x];", "            ^"), "in[y * n + x]");
  EXPECT_EQ(part("s += sums[k].total(3) + 1;", "     ^"), "sums[k].total(3)");
  EXPECT_EQ(part("p[i].y = p[i + 1].x + *out;", "                      ^"), "*out");
}
TEST(Expression, MembersAndPointers) {
  EXPECT_EQ(part("p[i].y = p[i + 1].x + *out;", "                  ^"), "p[i + 1].x");
  EXPECT_EQ(part("p[i].y = p[i + 1].x;", "       ^"), "p[i].y");
  EXPECT_EQ(part("a = q->next->value + 1;", "             ^"), "q->next->value");
  EXPECT_EQ(part("*(out + i) = 3;", "           ^"), "*(out + i)");
  EXPECT_EQ(part("*count += 1;", "       ^"), "*count");
  EXPECT_EQ(part("a *b = 2;", "     ^"), "b") << "a product, as far as anyone can tell";
}
TEST(Expression, WithoutAColumn) {
  EXPECT_EQ(part("  x = f(tile[i] + u[j]);", "", "u"), "u[j]");
  EXPECT_EQ(part("  x = f(tile[i] + u[j]);", "", "v"), "");
  EXPECT_EQ(part("  const int old = atomicAdd(&out[i], 3);", "^", "out", "atomic"), "atomicAdd(&out[i], 3)");
  EXPECT_EQ(part("  CHECK(cudaMalloc(&out, n * sizeof(int)));", "                                  ^", "out",
                 "cuda"),
            "cudaMalloc(&out, n * sizeof(int))");
}
TEST(Expression, BehindTheLinesEndAMacroMadeIt) {
  const auto made = [](const std::string& text, const std::string& array, const std::string& function = "") {
    return part(text, std::string(text.size() + 1, ' ') + "^", array, function);
  };
  EXPECT_EQ(made("  x = SUM(tile[i], u[j]);", "u"), "u[j]");
  EXPECT_EQ(made("  x = SUM(u[i], u[j]);", "u"), "") << "which of the two, nobody knows";
  EXPECT_EQ(made("  x = SUM(u[i], u[i]);", "u"), "u[i]");
  EXPECT_EQ(made("  PUT(u, i, u[3]);", "u"), "") << "the macro makes elements of its own";
  EXPECT_EQ(made("  PUT(u, i, 3);", "u"), "");
  EXPECT_EQ(made("  CHECK(cudaFree(a)); CHECK(cudaFree(b));", "", "cuda"), "");
  EXPECT_EQ(made("  CHECK(cudaFree(b));", "", "cuda"), "cudaFree(b)");
}
TEST(Expression, ReadToBeAssigned) {
  const auto read = [](const std::string& text, int column, const std::string& array = "") {
    const Span found = accessed_part(text, column, array, "", true);
    return found.known() ? text.substr(static_cast<std::size_t>(found.begin) - 1,
                                       static_cast<std::size_t>(found.end - found.begin))
                         : "";
  };
  EXPECT_EQ(read("float t = a[y * n + x];", 7), "a[y * n + x]") << "g++ names what is initialised";
  EXPECT_EQ(read("out[t] = b[63 - t] + c[t];", 8, "c"), "c[t]");
  EXPECT_EQ(read("out[t] = b[63 - t] + c[t];", 8), "") << "which of the two, nobody knows";
  EXPECT_EQ(read("out[t] += b[t];", 8), "out[t]");
}
TEST(Expression, NotAKeyword) {
  EXPECT_EQ(part("if (a[t] > 5) stop = 0;", "^", "stop"), "stop");
  EXPECT_EQ(part("if (n > *best) *best = n;", "                     ^"), "*best");
}
TEST(Expression, OneCallOfSeveral) {
  const std::string text = "cudaMalloc(&a, 4); CHECK(cudaFree(b)); cudaMalloc(&c, 8);";
  EXPECT_EQ(part(text, "          ^", "", "cuda"), "cudaMalloc(&a, 4)");
  EXPECT_EQ(part(text, "                   ^", "", "cuda"), "cudaFree(b)") << "the macro's column";
  EXPECT_EQ(part(text, "                                       ^", "", "cuda"), "cudaMalloc(&c, 8)");
  EXPECT_EQ(part(text, "", "", "cudaHost"), "");
}
TEST(Expression, NothingOutsideOfTheLine) {
  EXPECT_EQ(part("x;", "                     ^"), "");
  EXPECT_EQ(part("", "^"), "");
  EXPECT_EQ(part("a[(b = 3;", "     ^"), "b");
  EXPECT_EQ(part("]] = 3;", "   ^"), "");
}

std::string described(const std::vector<std::string>& lines) {
  std::string text;
  for (const Loop& loop : loops_in(lines))
    text +=
        std::to_string(loop.line) + ":" + std::to_string(loop.first) + "-" + std::to_string(loop.last) + " ";
  return text;
}

std::string guard(const std::vector<std::string>& lines, int line, int column = 0) {
  const Guard found = guard_of(lines, line, column);
  return found.known() ? found.condition + " " + std::to_string(found.comparisons) : "";
}
TEST(Guards, AroundTheLineOrReturningBeforeIt) {
  EXPECT_EQ(guard({"if (x < w && y < h)", "  a[x] = 1;"}, 2), "x < w && y < h 2");
  EXPECT_EQ(guard({"if (x < w && y < h) a[x] = 1;"}, 1, 24), "x < w && y < h 2");
  EXPECT_EQ(guard({"if (x >= w ||", "    y >= h) return;", "a[x] = 1;"}, 3), "x >= w || y >= h 2");
  EXPECT_EQ(guard({"if (i < n) {", "  if (first)", "    a[i] = 1;", "}"}, 3), "i < n 1")
      << "first compares nothing";
  EXPECT_EQ(guard({"if (i >= n) return;", "if (t < 8) {", "  a[i] = 1;", "}"}, 3), "t < 8 1")
      << "the inner one";
  EXPECT_EQ(guard({"if (i >= n) { return; }", "a[i] = 1;"}, 2), "i >= n 1");
  EXPECT_EQ(guard({"if (p->n > i) a[i] = 1;"}, 1, 18), "p->n > i 1");
}
TEST(Guards, NotOfOtherCode) {
  EXPECT_EQ(guard({"if (i < n) f();", "a[i] = 1;"}, 2), "") << "it ends before the access";
  EXPECT_EQ(guard({"if (i < n) f(); a[i] = 1;"}, 1), "");
  EXPECT_EQ(guard({"a[i] = 1; if (i < n) f();"}, 1, 5), "") << "it follows the access";
  EXPECT_EQ(guard({"if (i << 2) a[i] = 1;"}, 1), "");
  EXPECT_EQ(guard({"if (i < n) f();", "else", "  a[i] = 1;"}, 3), "");
  EXPECT_EQ(
      guard({"__global__ void f() {", "  if (i < n) return;", "}", "__global__ void g() {", "  a[i] = 1;"},
            5),
      "");
  EXPECT_EQ(guard({"a[i] = 1;"}, 7), "");
}

TEST(Loops, WithAndWithoutBraces) {
  EXPECT_EQ(described({"for (int i = 0; i < n; ++i) {", "  f();", "}"}), "1:1-3 ");
  EXPECT_EQ(described({"for (;;)", "  f();", "g();"}), "1:2-2 ");
  EXPECT_EQ(described({"for (;;)", "  while (a)", "    b();", "c();"}), "1:2-3 2:3-3 ");
  EXPECT_EQ(described({"for (;;)", "  if (a) {", "    b();", "  }", "c();"}), "1:2-4 ");
}
TEST(Loops, NotInCommentsAndStrings) {
  EXPECT_EQ(described({"// for (;;) x;", "/* while (a)", "b; */ puts(\"for (;;) {\");", "int x = 1'000;"}),
            "");
}
TEST(Loops, NotInDirectives) {
  EXPECT_EQ(described({"#define EACH(i, n) for (int i = 0; i < n; ++i)", "x = 1;"}), "");
  EXPECT_EQ(
      described({"  # define TWICE(f) \\", "  while (again) { \\", "    f; /* of", "#if a */", "y = 2;"}),
      "");
  EXPECT_EQ(described({"for (;;) {", "#if DEEP", "  f();", "#endif", "}"}), "1:1-5 ");
}

TEST(Loops, TurnsFollowFromBarriers) {
  const char* const file = "x.cu";
  const std::vector<Loop> loops =
      loops_in({"for (int t = 0; t < n; ++t) {", "  a[x] = 1;", "  __syncthreads();",
                "  for (int k = 0; k < 8; ++k)", "    s += a[k];", "}", "b = s;"});
  BarrierCounts counts;
  EXPECT_EQ(counts.turn_at(loops, file, 2), "") << "no barrier yet: the first turn";
  counts.passed(file, 3);
  EXPECT_EQ(counts.turn_at(loops, file, 5), "") << "still in it";
  EXPECT_EQ(counts.turn_at(loops, file, 2), "in the 2nd iteration of the loop at line 1");
  counts.passed(file, 3);
  EXPECT_EQ(counts.turn_at(loops, file, 5), "in the 2nd iteration of the loop at line 1");
  EXPECT_EQ(counts.turn_at(loops, file, 7), "") << "behind the loop";
}
TEST(Loops, BarriersBetweenLines) {
  BarrierCounts counts;
  counts.passed("x.cu", 3);
  EXPECT_TRUE(counts.passed_between("/home/me/x.cu", 2, 4));
  EXPECT_FALSE(counts.passed_between("/home/me/x.cu", 3, 4));
  EXPECT_FALSE(counts.passed_between("/home/me/ax.cu", 2, 4));
  const std::vector<std::string> lines = {"__device__ int f() {", "}", "__global__ void k() {", "  f();",
                                          "}"};
  EXPECT_TRUE(begins_function_in(lines, 2, 4));
  EXPECT_FALSE(begins_function_in(lines, 4, 99));
  const std::vector<Loop> loops = loops_in({"for (;;) {", "a;", "b;", "}", "c;"});
  EXPECT_NE(innermost(loops, 2, 3), nullptr);
  EXPECT_EQ(innermost(loops, 2, 5), nullptr);
}
std::string branches(const std::vector<std::string>& lines) {
  std::string text;
  for (const Loop& branch : branches_in(lines))
    text += std::to_string(branch.line) + ":" + std::to_string(branch.first) + "-" +
            std::to_string(branch.last) + " ";
  return text;
}
TEST(Branches, WithAndWithoutBraces) {
  EXPECT_EQ(branches({"if (a) {", "  b;", "}", "c;"}), "1:1-3 ");
  EXPECT_EQ(branches({"if (a)", "  b;", "c;"}), "1:2-2 ");
  EXPECT_EQ(branches({"if (a) b = f(c);", "d;"}), "1:1-1 ");
  EXPECT_EQ(branches({"for (;;)", "  if (a) {", "    b;", "  }", "c;"}), "2:2-4 ");
  EXPECT_EQ(branches({"if (a) {", "  b;", "} else {", "  c;", "}", "d;"}), "1:1-3 3:3-5 ");
  EXPECT_EQ(branches({"if constexpr (a) {", "  b;", "}"}), "") << "which all threads take";
}
TEST(Branches, TheInnermostOne) {
  const std::vector<Loop> all = branches_in({"if (a) {", "  if (b)", "    c;", "  d;", "}"});
  EXPECT_EQ(innermost(all, 3, 3)->line, 2);
  EXPECT_EQ(innermost(all, 3, 4)->line, 1);
  EXPECT_EQ(innermost(all, 3, 9), nullptr);
}
TEST(Functions, OfTheDeviceAreNoKernels) {
  const std::vector<std::string> lines = {"__global__ void k() {", "  a;", "}", "__device__ void f() {",
                                          "  b;"};
  EXPECT_EQ(head_of_device_function(lines, 2), 0);
  EXPECT_EQ(head_of_device_function(lines, 5), 4) << "who knows where it is called";
  EXPECT_EQ(declared_name(lines[3]), "f");
}
TEST(Conditions, OfLoopsAndIfsDecide) {
  EXPECT_TRUE(decides_about({"while (a) {", "  b;", "}"}, 1, 2));
  EXPECT_FALSE(decides_about({"while (a) {", "  b;", "}", "c;"}, 1, 4));
  EXPECT_FALSE(decides_about({"while (a) {", "  b;", "  c;", "}"}, 2, 3));
  EXPECT_TRUE(decides_about({"do {", "  b;", "} while (a);"}, 3, 2));
  EXPECT_FALSE(decides_about({"do {", "  b;", "} while (a);"}, 1, 2));
  EXPECT_TRUE(decides_about({"if (a)", "  b;"}, 1, 2));
  EXPECT_TRUE(decides_about({"for (;;) {", "  b;", "  if (a) break;", "}"}, 3, 2));
  EXPECT_FALSE(decides_about({"for (;;) {", "  b;", "  if (a) c;", "}"}, 3, 2));
}
TEST(Loops, ALineBehindABranchIsOnTheWayOfThoseInIt) {
  EXPECT_TRUE(is_on_the_way({"if (a) {", "  b;", "}", "c;"}, 2, 4));
  EXPECT_TRUE(is_on_the_way({"while (a) {", "  b;", "}", "c;"}, 2, 4));
  EXPECT_TRUE(is_on_the_way({"for (;;) {", "  if (a)", "    b;", "  c;", "}"}, 3, 4));
  EXPECT_FALSE(is_on_the_way({"if (a) {", "  b;", "  c;", "}"}, 2, 3)) << "the same branch";
  EXPECT_FALSE(is_on_the_way({"if (a)", "  b;", "else", "  c;"}, 2, 4));
  EXPECT_FALSE(is_on_the_way({"if (a)", "  b;", "if (!a)", "  c;"}, 2, 4));
  EXPECT_FALSE(is_on_the_way({"if (a)", "  b;", "for (x : y)", "  c;"}, 2, 4)) << "of no turns";
  EXPECT_FALSE(is_on_the_way({"if (a) {", "  b;", "  return;", "}", "c;"}, 2, 5));
  EXPECT_FALSE(is_on_the_way({"if (a) {", "  b;", "}", "__device__ void f() {", "  c;"}, 2, 5));
}
TEST(Loops, NoIterationIfBarriersDoNotShowIt) {
  const char* const file = "x.cu";
  BarrierCounts counts;
  counts.passed(file, 3);
  counts.passed(file, 3);
  const std::vector<Loop> nested =
      loops_in({"for (;;) {", "  for (;;) {", "    __syncthreads(); a[x] = 1;", "  }", "}"});
  EXPECT_EQ(counts.turn_at(nested, file, 3), "") << "its turns are those of both loops";
}

/// The steps in the form "lanes:place", with the lanes as a mask.
std::string steps_of(const std::vector<std::vector<std::uint32_t>>& lanes) {
  std::string text;
  for (const LockStep& step : in_lockstep(lanes)) {
    std::uint32_t lane = 0;
    while ((step.lanes >> lane & 1u) == 0) ++lane;
    text += (text.empty() ? "" : " ") + std::to_string(step.lanes) + ":" +
            std::to_string(lanes[lane][step.positions.front()]);
  }
  return text;
}

TEST(Lockstep, LanesThatDoTheSameDoItAtOnce) {
  EXPECT_EQ(steps_of({}), "");
  EXPECT_EQ(steps_of({{1, 2}, {1, 2}}), "3:1 3:2");
  EXPECT_EQ(steps_of({{1, 2, 1, 2}, {1, 2, 1, 2}, {}}), "3:1 3:2 3:1 3:2");
}
TEST(Lockstep, LanesMeetAgainBehindABranch) {
  EXPECT_EQ(steps_of({{1, 5}, {5}}), "1:1 3:5") << "an if";
  EXPECT_EQ(steps_of({{5}, {7, 5}}), "2:7 3:5") << "whatever the order of places";
  EXPECT_EQ(steps_of({{1, 5}, {2, 5}}), "1:1 2:2 3:5") << "if and else";
}
TEST(Lockstep, ALaneThatIsDoneWithALoopWaits) {
  EXPECT_EQ(steps_of({{1, 1, 1, 9}, {1, 9}}), "3:1 1:1 1:1 3:9");
  EXPECT_EQ(steps_of({{1, 1}, {1}}), "3:1 1:1") << "or has returned";
}

}  // namespace
