// Tests kernels whose threads are resumed: kept and shared variables, and refusals with their reasons.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "split/fission.hpp"

namespace emucc {
namespace fission_resume_test {

using testing::HasSubstr;

const std::unordered_set<std::string> none;
const std::unordered_map<std::string, long long> constants;
const std::unordered_map<std::string, std::uint64_t> references;

struct Resumed {
  explicit Resumed(const std::string& body, const std::string& before = "")
      : text(before + "__global__ void k(int* in, int* out, int n) {" + body + "}"),
        stream(lex(text)),
        syntax(stream) {
    Declaration found = syntax.declaration(0, syntax.size());
    while (found.name == Syntax::npos || !syntax.is(found.name, "k"))
      found = syntax.declaration(found.end, syntax.size());
    plan = plan_resumption(syntax, found.parameters, found.body + 1, found.end - 1,
                           KnownNames{none, none, none, none, constants, none, references});
  }

  /// Returns the names of all variables of a kind, in their order.
  std::string all(VariableKind kind) const {
    std::string names = plan.refusal;
    for (const KernelVariable& variable : plan.variables)
      if (variable.kind == kind && variable.local != nullptr)
        names += (names.empty() ? "" : " ") + variable.name;
    return names;
  }
  std::string kept() const { return all(VariableKind::kept); }

  std::string text;
  TokenStream stream;
  Syntax syntax;
  Fission plan;
};

#define SYNC " __syncthreads(); "

TEST(Resumption, KeepsWhatIsInScopeAtABarrier) {
  const Resumed resumed("int sum = 0; for (int i = threadIdx.x; i < n; i += 32) { int x = in[i];" SYNC
                        "{ int y = x; sum += y; }" SYNC
                        "int z = sum; out[i] = z; } int last = sum; out[0] = last;");
  EXPECT_EQ(resumed.kept(), "sum i x");
  EXPECT_EQ(resumed.all(VariableKind::local), "z last");
  EXPECT_EQ(resumed.plan.barriers.size(), 2u);
}

TEST(Resumption, ConstantsAreSharedOrComputedAgain) {
  const Resumed resumed(
      "const int half = n / 2, t = threadIdx.x; int s = half + t, w = in[0]; if (t < 3) {" SYNC
      "} out[s] = half + w;");
  EXPECT_EQ(resumed.all(VariableKind::uniform), "half");
  EXPECT_EQ(resumed.all(VariableKind::index), "t s");
  EXPECT_EQ(resumed.kept(), "w") << "memory may change";
}

TEST(Resumption, ADivisionIsNotDoneBeforeItsTime) {
  EXPECT_EQ(
      Resumed("if (n == 0) return; const int part = 100 / n; if (in[0]) {" SYNC "} out[0] = part;").kept(),
      "part");
}

TEST(Resumption, ParametersThatChangeAreEachThreadsOwn) {
  const Resumed resumed("while (n-- > in[threadIdx.x]) {" SYNC "}");
  ASSERT_EQ(resumed.plan.refusal, "");
  EXPECT_EQ(resumed.plan.variables[2].name, "n");
  EXPECT_EQ(resumed.plan.variables[2].kind, VariableKind::kept);
  EXPECT_EQ(resumed.plan.variables[0].kind, VariableKind::uniform);
}

TEST(Resumption, VariablesOfOneNameAndTypeHaveOneArray) {
  const std::string loop = " i = threadIdx.x; i < n; ++i) {" SYNC "}";
  const Resumed resumed("for (int" + loop + "for (const int" + loop);
  EXPECT_EQ(resumed.kept(), "i i");
  EXPECT_EQ(resumed.plan.same_array, (std::map<std::size_t, std::size_t>{{4, 3}}));
  EXPECT_THAT(Resumed("for (int" + loop + "for (long" + loop).plan.refusal, HasSubstr("are called 'i'"));
  const std::string walk = " p = in + threadIdx.x; p < in + n; ++p) {" SYNC "}";
  EXPECT_THAT(Resumed("for (int*" + walk + "for (const int*" + walk).plan.refusal,
              HasSubstr("are called 'p'"));
}

TEST(Resumption, ANameMayHideAnotherOneOnlyInItsScope) {
  const std::string loop = "for (int x = threadIdx.x; x < n; ++x) {" SYNC "}";
  EXPECT_THAT(Resumed(loop + " out[0] = x;", "__device__ int x;").plan.refusal,
              HasSubstr("'x' means something else"));
  EXPECT_EQ(Resumed(loop + " for (int x = 0; x < 3; ++x) out[x] = 0;").plan.refusal, "");
  EXPECT_EQ(Resumed(loop + " struct { int y; } *p; ").plan.refusal.empty(), false);
}

TEST(Resumption, AReferenceToWhatMayChangeIsRefused) {
  EXPECT_THAT(Resumed("int& first = in[threadIdx.x]; if (in[0]) {" SYNC "} first = 1;").plan.refusal,
              HasSubstr("'first'"));
}

TEST(Resumption, BarriersThatCount) {
  const Resumed resumed(
      "int cuemu_1_votes = 0; int left = in[threadIdx.x]; while (left > 0) { cuemu_vote(cuemu_1_votes, "
      "left);" SYNC "const int voted = cuemu_votes(cuemu_1_votes); left -= voted; }");
  EXPECT_EQ(resumed.kept(), "left");
  ASSERT_EQ(resumed.plan.votes.size(), 1u);
  EXPECT_EQ(resumed.plan.variables[*resumed.plan.votes.begin()].name, "cuemu_1_votes");
}

TEST(Resumption, Refusals) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"out[0] = 1;", "no barrier"},
      {"if constexpr (sizeof(int) == 4) {" SYNC "}", "if constexpr"},
      {"if (in[0]) {" SYNC "} out[0] = __shfl_sync(~0u, n, 3);", "warp function"},
      {"if (in[0]) { __shared__ int s[3]; s[0] = 1;" SYNC "}", "declared inside of a branch"},
      {"volatile int* p = in; if (p[0]) {" SYNC "}", "volatile"},
      {"while (atomicAdd(in, 1) < 7) {" SYNC "}", "wait for an atomic"},
      {"auto x = in[0]; if (x) {" SYNC "} out[0] = x;", "not spelled out"},
      {"if (in[0]) {" SYNC "} other(n);", "it calls 'other'"},
      {"switch (in[0]) { case 1:" SYNC "}", "switch"},
      {"for (int x : {1, 2}) {" SYNC "}", "range"},
  };
  for (const auto& [body, reason] : cases) EXPECT_THAT(Resumed(body).plan.refusal, HasSubstr(reason)) << body;
}

}  // namespace fission_resume_test
}  // namespace emucc
