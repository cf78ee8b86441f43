// What expressions do to the variables that they name, and which values are the same for all threads.
#include "analyse/variable_uses.hpp"

#include <gtest/gtest.h>

#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

const std::unordered_set<std::string> plain{"square"}, nonblocking, device{"counter"}, warp_functions, silent;
const std::unordered_map<std::string, long long> constants;
const std::unordered_map<std::string, std::uint64_t> references{{"by_value", 0}, {"second", 2}};

/// A body behind the variables `x` and `y`, numbers; `p`, a pointer; `a`, an array; `f`, a structure.
struct Uses {
  explicit Uses(const std::string& statements)
      : text("{ int x = 1, y = 2; float* p = 0; float a[4]; Pair f; " + statements + "}"),
        stream(lex(text)),
        syntax(stream),
        names{plain, nonblocking, device, warp_functions, constants, silent, references},
        facts(syntax, 1, syntax.size() - 1, names) {
    for (const Statement& statement : syntax.tree().body(1, syntax.size() - 1).statements)
      for (const LocalName& local : statement.names) {
        KernelVariable variable;
        variable.name = syntax.at(local.name);
        variable.declared = &statement;
        variable.local = &local;
        variable.pointer = local.pointer;
        variable.array = local.array;
        variable.begin = local.name;
        variable.end = syntax.size() - 1;
        facts.variables().push_back(variable);
      }
    EXPECT_TRUE(facts.solve());
  }

  /// The variables that are written (`w`), whose address is taken (`&`) and may be kept (`!`).
  std::string found() const {
    std::string all;
    for (const KernelVariable& variable : facts.variables()) {
      const std::string what = std::string(variable.writes.empty() ? "" : "w") +
                               (variable.address_taken ? "&" : "") + (variable.escapes ? "!" : "");
      if (!what.empty()) all += (all.empty() ? "" : " ") + variable.name + what;
    }
    return all;
  }

  std::string text;
  TokenStream stream;
  Syntax syntax;
  KnownNames names;
  Uniformity facts;
};

std::string found(const std::string& statements) {
  return Uses(statements).found();
}

TEST(VariableUses, Writes) {
  EXPECT_EQ(found("x = y;"), "xw");
  EXPECT_EQ(found("x += 1; y <<= 2;"), "xw yw");
  EXPECT_EQ(found("x++; --y;"), "xw yw");
  EXPECT_EQ(found("(x) = 1;"), "xw");
  EXPECT_EQ(found("(x, y) = 1;"), "yw");
  EXPECT_EQ(found("(x < 1 ? x : y) = 1;"), "xw yw");
  EXPECT_EQ(found("f.part = 1;"), "fw");
  EXPECT_EQ(found("a[x] = 1; ++a[y];"), "aw");
  EXPECT_EQ(found("for (;;) if (x) while (y) { do x = 1; while (y = 2); }"), "xw yw");
  EXPECT_EQ(found("asm(\"\" : \"=r\"(x) : \"r\"(1));"), "xw&!");
  // What a pointer leads to is another thing than the pointer.
  EXPECT_EQ(found("*p = 1; p[x] = 2; ++p[y]; ++*p; p->part = 3;"), "");
  EXPECT_EQ(found("p = 0; ++p;"), "pw");
}

TEST(VariableUses, Addresses) {
  EXPECT_EQ(found("p = &x;"), "x&! pw");
  EXPECT_EQ(found("g(y & x, y && x);"), "");
  EXPECT_EQ(found("x = y & x;"), "xw");
  EXPECT_EQ(found("x = (int)&y;"), "xw y&!");
  EXPECT_EQ(found("__ldg(&p[x]);"), "");
  EXPECT_EQ(found("atomicAdd(&x, 1);"), "x&");
  EXPECT_EQ(found("keep(&f.part);"), "f&!");
  EXPECT_EQ(found("p = a;"), "pw a&!");
  EXPECT_EQ(found("float& r = f.part;"), "f&");
  EXPECT_EQ(found("(float&)x = 1;"), "xw&!");
  EXPECT_EQ(found("p = sizeof(a) + sizeof x;"), "pw");
}

TEST(VariableUses, Arguments) {
  EXPECT_EQ(found("by_value(x, y); sqrt(x); by_value(float(y));"), "");
  EXPECT_EQ(found("second(x, y);"), "y&");
  EXPECT_EQ(found("second<int, 3>(x, y);"), "y&") << "template arguments are none of the call's";
  EXPECT_EQ(found("unknown(x, f.part);"), "x& f&");
  EXPECT_EQ(found("unknown(x < 1 ? x : y);"), "x& y&");
  EXPECT_EQ(found("(*p)(x);"), "x&");
  EXPECT_EQ(found("Pair pair(x);"), "x&");
  EXPECT_EQ(found("float number(x);"), "");
}

TEST(VariableUses, WhatIsNotUnderstoodDoesAnything) {
  EXPECT_EQ(found("x = (nobody) * p;"), "xw&! pw&!");
  EXPECT_EQ(found("g([&] { x = 1; });"), "xw&!");
  EXPECT_EQ(found("goto x;"), "xw&!");
}

bool is_uniform(const std::string& expression) {
  const Uses uses("y = threadIdx.x; result = " + expression + ";");
  std::size_t begin = uses.syntax.size();
  while (!uses.syntax.is(begin - 2, "result")) --begin;
  return uses.facts.is_uniform(begin, uses.syntax.size() - 2);
}

TEST(Uniformity, Expressions) {
  for (const char* same : {"x", "-x * 2 + 1", "x < 3 ? x : 2", "(float)x", "float(x)", "static_cast<int>(x)",
                           "blockIdx.x * blockDim.x", "max(x, 2)", "max<int>(x, 2)", "&p[x]", "sizeof(y)",
                           "cg::plus<int>()", "int2{x, 2}", "(size_t)(x)"})
    EXPECT_TRUE(is_uniform(same)) << same;
  for (const char* other :
       {"y", "threadIdx.x", "*p", "p[x]", "p->part", "square(x)", "square<2>(x)", "x = 1", "x++", "&p[y]",
        "counter", "Pair(x)", "(*p)(x)", "[] { return 1; }()", "(nobody) * x", "object.value()", "x, y"})
    EXPECT_FALSE(is_uniform(other)) << other;
}

}  // namespace
}  // namespace emucc
