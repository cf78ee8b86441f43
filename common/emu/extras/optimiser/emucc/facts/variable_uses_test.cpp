// Tests the effects of expressions on the variables that they name, and which values are uniform.
#include "facts/variable_uses.hpp"

#include <gtest/gtest.h>

#include "parse/syntax_tree.hpp"

namespace emucc {
namespace variable_uses_test {

const std::unordered_set<std::string> plain{"square"}, nonblocking, device{"counter"}, warp_functions,
    confined;
const std::unordered_map<std::string, long long> constants;
const std::unordered_map<std::string, std::uint64_t> references{{"by_value", 0}, {"second", 2}};

/// The uses in a body after the declarations of `x` and `y`, numbers; `p`, a pointer; `a`, an array; `f`, a
/// structure.
struct Uses {
  explicit Uses(const std::string& statements, const std::string& declarations = "")
      : text(declarations + "__global__ void k() { int x = 1, y = 2; float* p = 0; float a[4]; Pair f; " +
             statements + "}"),
        stream(lex(text)),
        syntax(stream),
        names{plain, nonblocking, device, warp_functions, constants, confined, references},
        begin(syntax.partner(syntax.size() - 1) + 1),
        facts(syntax, begin, syntax.size() - 1, names) {
    for (const Statement& statement : syntax.tree().body(begin, syntax.size() - 1).statements)
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

  /// Returns the variables that are written (`w`), and those whose address is taken (`&`) or kept (`!`).
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
  std::size_t begin;
  Uniformity facts;
};

/// @param declarations text before the kernel
std::string found(const std::string& statements, const std::string& declarations = "") {
  return Uses(statements, declarations).found();
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
  // A write through a pointer does not change the pointer.
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
  const std::string known = "__device__ void by_value(int, int); __device__ void second(int, int&);";
  EXPECT_EQ(found("by_value(x, y); sqrt(x); by_value(float(y));", known), "");
  EXPECT_EQ(found("second(x, y);", known), "y&");
  EXPECT_EQ(found("second<int, 3>(x, y);", "template <class, int> __device__ void second(int, int&);"), "y&")
      << "template arguments are none of the call's";
  EXPECT_EQ(found("unknown(x, f.part);"), "x&! f&!");
  EXPECT_EQ(found("unknown(x < 1 ? x : y);"), "x&! y&!");
  EXPECT_EQ(found("(*p)(x);"), "x&!");
  EXPECT_EQ(found("Pair pair(x);"), "x&!");
  EXPECT_EQ(found("float number(x);"), "");
}

TEST(VariableUses, ReferencesThatAreKept) {
  const auto called = [](const std::string& function) { return found("g(x);", "__device__ " + function); };
  for (const char* not_kept :
       {"void g(int& a) { a = 1; }", "int g(int& a);", "float4 g(int& a);",
        "static inline unsigned g(int& a, float& b, float* c, const int (&d)[4]);",
        "inline unsigned long long g(int& a);", "const float g(int& a);",
        "int i; template <class T> __device__ void g(T& a, T& b) { if (a > b) { T c = a; a = b; b = c; } }",
        "int i; template <class T> __device__ T g(T& a, const T b) { return max(a, b); }",
        "A g(int& a); struct A { float x; int y[4]; float4 z; };"})
    EXPECT_EQ(called(not_kept), "x&") << not_kept;
  for (const char* kept :
       {"int* g(int& a) { return &a; }", "const int* g(const int& a) { return &a; }",
        "auto g(int& a) { return &a; }", "A g(int& a) { return {&a}; } struct A { int* p; };",
        "A g(int& a); struct A { B b; }; struct B { int& r; };", "A g(int& a);", "void g(int& a, int** p);",
        "void g(int& a, int*& p);", "void g(int& a, A& b);", "void g(int& a, void* b);",
        "void g(int& a, void (*f)(int&));", "int i; template <class T> __device__ void g(int& a, T& b);",
        "int i; template <class T> __device__ void g(int& a, T& b) { b = &a; }",
        "int i; template <class T> __device__ void g(int& a, T& b) { b.hold(a); }",
        "int i; template <class T> __device__ T g(int& a) { return T{a}; }"})
    EXPECT_EQ(called(kept), "x&!") << kept;
  EXPECT_EQ(called("int* g(int a);"), "x&");  // no address of x
  EXPECT_EQ(found("auto h = [](int& v) { v = 1; }; h(x);"), "x&");
  EXPECT_EQ(found("auto h = [&](int& v) { p = &v; }; h(x);"), "x&! pw");
  EXPECT_EQ(found("auto sqrt = [](int& v) { v = 1; }; sqrt(x);"), "x&");  // not CUDA's
}

TEST(VariableUses, ReferencesThatObjectsKeep) {
  const std::string number =
      "struct A { float v; __device__ A(const int& x) : v(x) {} __device__ void set(int& x); };";
  EXPECT_EQ(found("A o(x); o.set(y);", number), "x& y& o&");
  const std::string reference = "struct A { int& r; __device__ A(int& x, int k) : r(x) {} };";
  for (const char* made : {"A o(x, 1);", "A o{x, 1};", "A o = {x, 1};", "A o = A(x, 1);", "A o = A{x, 1};"})
    EXPECT_EQ(found(made, reference), "x&!") << made;
  const std::string filled = "struct A { int& r; };";
  for (const char* made : {"A o{x};", "A o = {x};", "A o[2] = {{x}, {y}};", "unknown({x});"})
    EXPECT_EQ(found(made, filled).substr(0, 3), "x&!") << made;
  const std::string holder =
      "struct A { int* p; int a[2]; __device__ void hold(int& x); __device__ void begin() { p = a; } "
      "__device__ int at(int& x) const; };";
  EXPECT_EQ(found("A o; o.hold(x);", holder), "x&! o&!");
  EXPECT_EQ(found("A o; o.begin();", holder), "o&!");
  EXPECT_EQ(found("A o; o.at(x);", holder), "x&");
  // Numbers in a list are values.
  for (const char* numbers : {"int o{x};", "int o = {x};", "int o[2] = {x, y};", "float4 o = {x, y};",
                              "dim3 o{x, y};", "B o{x, 1}; struct B { float v; int k; };"})
    EXPECT_EQ(found(numbers), "") << numbers;
}

TEST(VariableUses, UnknownCodeMayDoAnything) {
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

}  // namespace variable_uses_test
}  // namespace emucc
