// Tests loops around barriers whose threads may run equally many iterations: the loops found, the question, and the
// copy.
#include "split/same_turns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inline/inline_calls.hpp"

namespace emucc {
namespace same_turns_test {

using testing::HasSubstr;
using testing::Not;

const std::unordered_set<std::string> none;
const std::unordered_map<std::string, long long> constants{{"size", 64}};
const std::unordered_map<std::string, std::uint64_t> references;

#define SYNC " __syncthreads(); "

struct Found {
  explicit Found(const std::string& body)
      : text(
            "__global__ void k(int* in, int* out, int n, unsigned m, float f) { const unsigned t = "
            "threadIdx.x; " +
            body + "}"),
        stream(lex(text)),
        syntax(stream) {
    const Declaration kernel = syntax.declaration(0, syntax.size());
    const KnownNames names{none, none, none, none, constants, none, references};
    const Fission resumed =
        plan_resumption(syntax, kernel.parameters, kernel.body + 1, kernel.end - 1, names);
    EXPECT_EQ(resumed.refusal, "") << body;
    turns = find_same_turns(stream, syntax, kernel, resumed, names);
    if (!turns.refusal.empty()) return;
    copy = inlined_text(stream, turns.found);
    split = plan_fission(syntax, turns.found.parameters, turns.found.body + 1, turns.found.end - 1, names);
  }
  std::string text;
  TokenStream stream;
  Syntax syntax;
  SameTurns turns;
  std::string copy;
  Fission split;
};

TEST(SameTurns, ACounterThatBeginsWithTheThreadsIndexCountsForTheFirst) {
  const Found found("for (int i = threadIdx.x; i < n; i += blockDim.x) { out[i] = in[i];" SYNC "}");
  EXPECT_EQ(found.split.refusal, "");
  EXPECT_THAT(found.copy, HasSubstr("int cuemu_first_1 = static_cast < int > ( 0u )"));
  EXPECT_THAT(found.copy, HasSubstr("cuemu_first_1 < n"));
  EXPECT_THAT(found.copy, HasSubstr("const int i = static_cast < int > ( cuemu_first_1 + ("));
  EXPECT_THAT(found.turns.question, HasSubstr("( blockDim . x - 1u )"));
}

TEST(SameTurns, ADistanceFromWhereItBeganMayBeReplaced) {
  const Found found(
      "for (unsigned o = t + size / 2; o > t; o = t + (o - t) / 2) { if (o < 2 * (o - t)) out[t] += "
      "out[o];" SYNC "}");
  EXPECT_EQ(found.split.refusal, "");
  EXPECT_THAT(found.copy, HasSubstr("( t < cuemu_limit_1 )"));
  EXPECT_THAT(found.turns.question, HasSubstr("in_order"));
  EXPECT_EQ(found.turns.question.find(" t "), std::string::npos) << "where it is asked, t is not declared";
}

TEST(SameTurns, GuardsBecomeLimitsOfThreads) {
  const Found found(
      "for (int i = t; i < n; i += size) { if (i >= n - 3) out[t] = 1; if (7 > i) out[t] = 2; if (in[i] < i) "
      "out[t] = 3;" SYNC "}");
  EXPECT_THAT(found.copy, HasSubstr("! ( t < cuemu_limit_1 )"));
  EXPECT_THAT(found.copy, HasSubstr("( t < cuemu_limit_2 )"));
  EXPECT_THAT(found.copy, HasSubstr("in[i] < i"));
  EXPECT_THAT(Found("for (int i = t; i < n; ++i) { if (i < 9) { int t = 3; out[t] = 1; }" SYNC "}").copy,
              Not(HasSubstr("cuemu_limit")))
      << "the name is hidden there";
}

TEST(SameTurns, WhereACounterMayBegin) {
  for (const char* const begin :
       {"t", "threadIdx.x + threadIdx.y * blockDim.x", "2 * t + n", "blockIdx.x * blockDim.x + threadIdx.x",
        "(int)threadIdx.x", "static_cast<int>(t) + size"})
    EXPECT_EQ(Found(std::string("for (int i = ") + begin + "; i < n; ++i) {" SYNC "}").turns.refusal, "")
        << begin;
  for (const char* const begin :
       {"n", "n - t", "-t", "t * t", "t * n", "in[t]", "t / 2", "t % 8", "t + f", "t ^ 1"})
    EXPECT_NE(Found(std::string("for (int i = ") + begin + "; i < n + in[0]; ++i) {" SYNC "}").turns.refusal,
              "")
        << begin;
}

TEST(SameTurns, LoopsThatMayFollow) {
  for (const char* const rest :
       {"i < n; ++i", "n >= i; i++", "i > t; i -= m", "i <= size; i = t + (i - t) * 2",
        "i < n * 3 - 1; i += gridDim.x * blockDim.x", "i > 0; --i"})
    EXPECT_EQ(Found(std::string("for (int i = t; ") + rest + ") {" SYNC "}").turns.refusal, "") << rest;
  for (const char* const rest : {"i != n; ++i", "i < in[0]; ++i", "i < n; i += t", "i < n; i *= 2",
                                 "i < n; i = t + i / 2", "i < f; ++i", "i < n / m; ++i", "i < n / 0; ++i",
                                 "i < n && i < 9; ++i", "i < n; ++i, ++n", "i < n; "})
    EXPECT_NE(Found(std::string("for (int i = t; ") + rest + ") {" SYNC "}").turns.refusal, "") << rest;
}

TEST(SameTurns, NothingElseMayChangeACounterOrEndTheLoop) {
  for (const char* const body :
       {"i += 1;", "int* p = &i; *p = 3;", "if (in[0]) break;", "if (in[0]) return;"})
    EXPECT_NE(Found(std::string("for (int i = t; i < n; ++i) {") + body + SYNC "}").turns.refusal, "")
        << body;
  EXPECT_NE(Found("for (int i = t; i < n; ++i) {" SYNC "--n; }").turns.refusal, "");
  EXPECT_NE(Found("for (char i = t; i < n; ++i) {" SYNC "}").turns.refusal, "");
}

TEST(SameTurns, LoopsInLoops) {
  const Found found("for (int i = t; i < n; ++i) for (int j = t + 1; j < n; j += 2) {" SYNC "out[i] += j; }");
  EXPECT_EQ(found.split.refusal, "");
  EXPECT_THAT(found.copy, HasSubstr("cuemu_first_2"));
  EXPECT_THAT(found.turns.question, HasSubstr(" && "));
}

}  // namespace same_turns_test
}  // namespace emucc
