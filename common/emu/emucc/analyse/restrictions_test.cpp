#include "analyse/restrictions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace restrictions_test {

/// Returns the errors and warnings in the form "line message".
std::vector<std::string> said(const std::string& source, const LanguageOptions& options = {}) {
  const std::string text = "# 1 \"a.cu\"\n" + source;
  const TokenStream stream = lex(text);
  std::vector<std::string> all;
  const Findings findings = check_restrictions(Syntax(stream), options);
  for (const auto* list : {&findings.errors, &findings.warnings})
    for (const auto& one : *list) all.push_back(std::to_string(one.line) + " " + one.message);
  return all;
}
auto one(const std::string& text) {
  return testing::ElementsAre(testing::HasSubstr(text));
}

// tests/refused/ contains code that nvcc refuses. The code here is similar, but valid.
TEST(Restrictions, KernelsThatAreNone) {
  EXPECT_THAT(said("template <class... T> __global__ void k(int* x, T... rest) {}\n"), testing::IsEmpty());
  EXPECT_THAT(said("__global__ auto k(int* x) -> void { auto y = *x; }\n"), testing::IsEmpty());
  EXPECT_THAT(said("struct S { friend __global__ void k(S s); };\n"), testing::IsEmpty());
  EXPECT_THAT(said("__global__ auto k(int* x) { }\n"), one("1 a __global__ function must say"));
}

TEST(Restrictions, SizesOfArrays) {
  const std::string begin = "__global__ void k(int* x, int n) {\n";
  EXPECT_THAT(said(begin + "int a[n]; }\n"), one("2 the size of the array 'a'"));
  EXPECT_THAT(said(begin + "const int m = 2 * n; int a[m]; }\n"), one("2 the size of the array 'a'"));
  EXPECT_THAT(said(begin + "int a[2][blockDim.x]; }\n"), one("2 the size of the array 'a'"));
  for (const char* const right : {"const int m = 4; int a[m];", "constexpr int m = f(); int a[m + 1];",
                                  "int a[sizeof(n)];", "enum { m = 4 }; int a[m];", "int* a = x; a[n] = 1;"})
    EXPECT_THAT(said(begin + right + " }\n"), testing::IsEmpty()) << right;
  EXPECT_THAT(said("template <int n> __global__ void k() { int a[n]; }\n"), testing::IsEmpty());
  EXPECT_THAT(said("void f(int n) { int a[n]; }\n"), testing::IsEmpty());
}

TEST(Restrictions, TypesAtRunTime) {
  const std::string cast = "void f(B* b) { dynamic_cast<D*>(b); }\n";
  EXPECT_THAT(said("__device__ " + cast), one("1 device code can't use dynamic_cast"));
  EXPECT_THAT(said(cast), testing::IsEmpty());
  EXPECT_THAT(said("__host__ __device__ " + cast), testing::IsEmpty());
  EXPECT_THAT(said("template <class D> __device__ " + cast), testing::IsEmpty()) << "it may have no instance";
  const std::string kernel = "template <class D> __global__ " + cast;
  EXPECT_THAT(said(kernel), testing::IsEmpty());
  EXPECT_THAT(said(kernel + "void g() { f<int><<<1, 1>>>(nullptr); }\n"), one("1 device code can't use"));
}

TEST(Restrictions, LambdasForTheDevice) {
  const std::string lambda = "void f() { run([=] __device__(int i) { return i; }); }\n";
  LanguageOptions extended;
  extended.extended_lambda = true;
  EXPECT_THAT(said(lambda), one("1 a lambda that is marked"));
  EXPECT_THAT(said(lambda, extended), testing::IsEmpty());
  EXPECT_THAT(said("__global__ void k(int* x) { auto f = [&](int i) { *x = i; }; f(1); }\n"),
              testing::IsEmpty());
}

TEST(Restrictions, Launches) {
  EXPECT_THAT(said("void f();\nvoid g() { f<<<1, 1>>>(); }\n"), one("2 'f' is no kernel"));
  EXPECT_THAT(said("void f();\nvoid g(void (*f)()) { f<<<1, 1>>>(); }\n"), testing::IsEmpty());
  const std::string nested = "__global__ void a();\n__global__ void b() { a<<<1, 1>>>(); }\n";
  LanguageOptions relocatable;
  relocatable.relocatable = true;
  EXPECT_THAT(said(nested), one("2 a kernel can launch kernels only"));
  EXPECT_THAT(said(nested, relocatable), testing::IsEmpty());
}

TEST(Restrictions, ArgumentsOfLaunches) {
  const std::string kernel = "template <class T> __global__ void k(T t, int (*f)(int));\n";
  EXPECT_THAT(said(kernel + "void g() { auto f = [](int i) { return i; };\n k<<<1, 1>>>(f, nullptr); }\n"),
              one("3 a lambda of host code"));
  EXPECT_THAT(said(kernel + "void g() {\n k<<<1, 1>>>([](int i) { return i; }, nullptr); }\n"),
              one("3 a lambda of host code"));
  EXPECT_THAT(said(kernel + "void g() { struct L {}; L* l = nullptr;\n k<<<1, 1>>>(l, nullptr); }\n"),
              one("3 the type 'L' is defined in a function"));
  for (const char* const right : {
           "void g() { k<<<1, 1>>>(1, [](int i) { return i; }); }",
           "void g(int f) { k<<<1, 1>>>(f, nullptr); { auto f = [](int i) { return i; }; } }",
           "struct P { struct Q {}; void g() { k<<<1, 1>>>(Q{}, nullptr); } };",
           "class P { class Q {}; public: class R {}; void g() { k<<<1, 1>>>(R{}, nullptr); } };",
       })
    EXPECT_THAT(said(kernel + right), testing::IsEmpty()) << right;
}

TEST(Restrictions, Redeclarations) {
  EXPECT_THAT(said("int f(int x);\n__device__ int f(int x) { return x; }\n"),
              one("2 'f' was declared for the host"));
  EXPECT_THAT(said("namespace a { int f(int x); }\nnamespace b { __device__ int f(int x) { return x; } }\n"),
              testing::IsEmpty());
  EXPECT_THAT(said("int f(int x);\n__device__ int f(float x) { return x; }\n"), testing::IsEmpty());
}

}  // namespace restrictions_test
}  // namespace emucc
