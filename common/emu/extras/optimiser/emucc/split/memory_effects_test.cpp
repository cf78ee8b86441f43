// Tests which memory parts of a kernel are assumed to read and to write.
#include "facts/memory_effects.hpp"

#include <gtest/gtest.h>

#include "split/fission.hpp"

namespace emucc {
namespace memory_effects_test {

const std::unordered_set<std::string> plain{"square", "fill"}, nonblocking{"say"}, device{"counter"},
    warp_functions{"warp_sum"}, confined{"square"};
const std::unordered_map<std::string, long long> constants;
const std::unordered_map<std::string, std::uint64_t> references{{"square", 0}};

/// Returns the effects of a kernel's last statement: the places that it reads, then the places that it
/// writes. `*` is memory without a name, `?` is any memory.
std::string effects(const std::string& last) {
  const std::string text =
      "__global__ void k(const float* __restrict__ in, float* out, float* p, int n, View view) { __shared__ "
      "float "
      "s[64], t[8][8]; __shared__ int count; extern __shared__ float raw[]; float* q = raw; float* row = "
      "t[n]; "
      "float a[4]; int i = threadIdx.x; float v = 0; float& r = a[0]; " +
      last + "}";
  const TokenStream stream = lex(text);
  const Syntax syntax(stream);
  const Declaration found = syntax.declaration(0, syntax.size());
  const KnownNames names{plain, nonblocking, device, warp_functions, constants, confined, references};
  const Fission plan = plan_fission(syntax, found.parameters, found.body + 1, found.end - 1, names);
  if (plan.steps.empty()) return "refused: " + plan.refusal;
  const FissionStep& step = plan.steps.back();
  if (step.leaves.empty()) return "no phase";
  Uniformity facts(syntax, found.body + 1, found.end - 1, names);
  facts.variables() = plan.variables;
  for (KernelVariable& variable : facts.variables()) variable.writes.clear();
  if (!facts.solve()) return "not solved";
  const MemoryEffects memory(syntax, facts, names, found.body + 1, found.end - 1);
  const Effects all = memory.of(*step.leaves.back());
  if (all.anything) return "?";
  std::string described;
  const auto describe = [&](const std::set<std::size_t>& places) {
    std::set<std::string> sorted;
    for (const std::size_t place : places)
      sorted.insert(place == Effects::elsewhere ? "*" : facts.variables()[place].name);
    for (const std::string& name : sorted) described += name + " ";
  };
  describe(all.reads);
  described += "| ";
  describe(all.writes);
  return described;
}

TEST(MemoryEffects, NamesArePlaces) {
  EXPECT_EQ(effects("v += s[i];"), "s | ");
  EXPECT_EQ(effects("s[i] = v;"), "s | s ");
  EXPECT_EQ(effects("count++;"), "count | count ");
  EXPECT_EQ(effects("v = in[i] + s[i];"), "in s | ");
  EXPECT_EQ(effects("out[i] = in[i];"), "* in | * ");
  EXPECT_EQ(effects("if (s[i] > 0) { (s[i]) = 1; }"), "s | s ");
  EXPECT_EQ(effects("++s[i];"), "s | s ");
  EXPECT_EQ(effects("s[i] <<= 2;"), "s | s ");
}

TEST(MemoryEffects, LoadsStoresAndCopies) {
  EXPECT_EQ(effects("v = __ldcs(&s[i]);"), "s | ");
  EXPECT_EQ(effects("v = __ldcs(out + i);"), "* | ");
  EXPECT_EQ(effects("v = __ldg(out + i);"), "| ") << "nobody writes it";
  EXPECT_EQ(effects("v = __ldcg(&out[i]);"), "* | ");
  EXPECT_EQ(effects("__stcs(&s[i], v);"), "s | s ");
  EXPECT_EQ(effects("__stwt(out + i, s[i]);"), "* s | * ");
  EXPECT_EQ(effects("memcpy(s, &v, 4);"), "* | * ") << "s is known by a pointer, too";
}

TEST(MemoryEffects, ArraysOfDynamicSharedMemoryAreOnePlace) {
  EXPECT_EQ(effects("extern __shared__ int more[]; more[i] = 1;"), "* | * ");
  EXPECT_EQ(effects("__shared__ int more[64]; more[i] = 1;"), "more | more ");
}

TEST(MemoryEffects, AThreadsOwnVariablesHaveNone) {
  EXPECT_EQ(effects("v = i * n;"), "| ");
  EXPECT_EQ(effects("a[i] = v;"), "| ");
  EXPECT_EQ(effects("v = square(v) * sqrtf(v);"), "| ");
}

TEST(MemoryEffects, ObjectsOfPointersAreElsewhere) {
  EXPECT_EQ(effects("raw[i] = 1;"), "* | * ");  // q may point there, too
  EXPECT_EQ(effects("t[i][0] = 1;"), "* | * ");
  EXPECT_EQ(effects("q[i] = 1;"), "* | * ");
  EXPECT_EQ(effects("v += view.data[i];"), "* | ");
  EXPECT_EQ(effects("view.data[i] = v;"), "* | * ");
  EXPECT_EQ(effects("float* w = &s[3]; w[0] = s[1];"), "* | * ");
  EXPECT_EQ(effects("v = lookup[i];"), "* | ");  // a namespace's variable
  EXPECT_EQ(effects("*p = v;"), "* | * ");
  EXPECT_EQ(effects("*s = v;"), "* | * ");
  EXPECT_EQ(effects("v = *(float*)p;"), "* | ");
  EXPECT_EQ(effects("*reinterpret_cast<float4*>(p) = x;"), "* | * ");
}

TEST(MemoryEffects, AtomicsReadAndWrite) {
  EXPECT_EQ(effects("atomicAdd(&s[i], v);"), "s | s ");
  EXPECT_EQ(effects("atomicAdd(&count, 1);"), "count | count ");
  EXPECT_EQ(effects("atomicAdd(s + i, v);"), "* | * ");
  EXPECT_EQ(effects("v = __ldg(&in[i]);"), "in | ");
  EXPECT_EQ(effects("v = square(s[i]);"), "s | s ");  // it may take a reference
}

TEST(MemoryEffects, InDoubtAnything) {
  EXPECT_EQ(effects("*view = v;"), "?");
  EXPECT_EQ(effects("v = **strange;"), "?");
  EXPECT_EQ(effects("view->x = 1;"), "?");
  EXPECT_EQ(effects("{ float& z = s[i]; z = 3; }"), "?");
  EXPECT_EQ(effects("r = 3;"), "?");
  EXPECT_EQ(effects("fill(p);"), "?");
  EXPECT_EQ(effects("say(i);"), "?");
  EXPECT_EQ(effects("printf(\"%d\", i);"), "?");
  EXPECT_EQ(effects("reinterpret_cast<float4*>(p)[i] = x;"), "* | * ");
  EXPECT_EQ(effects("counter += 1;"), "* | * ");
}

TEST(MemoryEffects, ConflictWhereOneWrites) {
  Effects reads, writes, other, any;
  reads.reads = {1};
  writes.writes = {1};
  other.writes = {2};
  any.anything = true;
  EXPECT_FALSE(conflict(reads, reads));
  EXPECT_TRUE(conflict(reads, writes));
  EXPECT_TRUE(conflict(writes, writes));
  EXPECT_FALSE(conflict(writes, other));
  EXPECT_TRUE(conflict(any, reads));
  EXPECT_FALSE(conflict(any, Effects{}));
}

}  // namespace memory_effects_test
}  // namespace emucc
