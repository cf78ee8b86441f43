#include "analyse/execution_space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace execution_space_test {

/// Errors and warnings as "line message".
std::vector<std::string> said(const std::string& source, const LanguageOptions& options = {}) {
  const std::string text = "# 1 \"a.cu\"\n" + source;
  const TokenStream stream = lex(text);
  std::vector<std::string> all;
  const Findings findings = check_spaces(Syntax(stream), options);
  for (const auto* list : {&findings.errors, &findings.warnings})
    for (const auto& one : *list) all.push_back(std::to_string(one.line) + " " + one.message);
  return all;
}
auto one(const std::string& text) {
  return testing::ElementsAre(testing::HasSubstr(text));
}

TEST(ExecutionSpace, AHostFunctionInDeviceCode) {
  const std::string host = "float f(float x) { return x; }\n";
  EXPECT_THAT(said(host + "__global__ void k(float* a) { a[0] = f(1); }\n"), one("2 the host function 'f'"));
  EXPECT_THAT(said("float f(float);\nnamespace { __device__ void g() { f(1); } }\n"),
              one("2 the host function"));
  EXPECT_THAT(said("template <class T> T f(T x) { return x; }\n__device__ void g() { f<int>(1); }\n"),
              one("the host function 'f'"));
  EXPECT_THAT(said("struct S { __device__ void g() { f(1); } };\n" + host), one("1 the host function 'f'"));
  EXPECT_THAT(said("__global__ void k() { int x = rand(); }\n"), one("'rand' is a function of the host's"));
  EXPECT_THAT(said("__global__ void k() { std::cout << 1; }\n"), one("printf works there"));
}

TEST(ExecutionSpace, ADeviceFunctionInHostCode) {
  EXPECT_THAT(said("__device__ int f();\nint main() {\n return f(); }\n"),
              one("3 the __device__ function 'f'"));
  EXPECT_THAT(said("void f() { __syncthreads(); }\n"), one("'__syncthreads' works in device code only"));
}

TEST(ExecutionSpace, AHostVariableInDeviceCode) {
  EXPECT_THAT(said("int table[4];\n__global__ void k(int* a) { a[0] = table[1]; }\n"),
              one("2 the host variable 'table'"));
  EXPECT_THAT(said("const int n = 4; __device__ int d; __constant__ int c[2]; static __managed__ int m;\n"
                   "constexpr float e = 1; __global__ void k(int* a) { a[0] = n + d + c[1] + m + e; }\n"),
              testing::IsEmpty());
}

TEST(ExecutionSpace, AConstantOfTheHost) {
  EXPECT_THAT(said("const float w[2] = {1, 2};\n__global__ void k(float* a) { a[0] = w[1]; }\n"),
              one("2 the array 'w' of the host"));
  const std::string table = "constexpr float w[2] = {1, 2};\n";
  EXPECT_THAT(said(table + "__global__ void k(float* a, int i) { a[0] = w[i]; }\n"), one("2 the array 'w'"));
  EXPECT_THAT(said(table + "__global__ void k(float* a, int i) { a[0] = w[1] + sizeof(w); }\n"),
              testing::IsEmpty());
  EXPECT_THAT(said("const int n = rand();\n__global__ void k(int* a) { a[0] = n; }\n"), one("2 'n' is used"));
  EXPECT_THAT(said("const int n = 4;\n__global__ void k(int* a) { f(&n); a[0] = a[1] & n; }\n"),
              one("2 the address of 'n'"));
}

TEST(ExecutionSpace, WhatMayMeanSomethingElseIsLeftAlone) {
  const std::string host = "float f(float x) { return x; } int v;\n";
  for (const char* const source : {
           "__device__ float f(int x) { return 1; } __global__ void k() { f(1); }",  // an overload
           "__global__ void k(float (*f)(float)) { f(1); }",                         // a parameter
           "__global__ void k() { auto f = [](float x) { return x; }; f(1); }",      // a variable
           "struct S { __device__ float f(float); }; __device__ void g(S s) { s.f(1); }",
           "namespace a { __device__ void g() { b::f(1); } }",
           "__host__ __device__ void g() { f(1); }",  // nvcc only warns
           "void g() { f(v); }",
           "__global__ void k(int v) { v = 1; }",
           "__global__ void k() { float* v = nullptr; v[0] = 1; }",
           "__global__ void k() { for (int v = 0; v < 4; ++v) use(v); }",
           "struct S { int v; }; __global__ void k(S s) { s.v = 1; }",
       })
    EXPECT_THAT(said(host + source), testing::IsEmpty()) << source;
  EXPECT_THAT(said("namespace a { int f(int); }\n__global__ void k() { f(1); }\n"), testing::IsEmpty());
  EXPECT_THAT(said("int max(int a, int b, int c);\n__global__ void k() { max(1, 2); }\n"),
              testing::IsEmpty());
  LanguageOptions relaxed;
  relaxed.relaxed_constexpr = true;
  const std::string computed =
      "constexpr int f(int x) { return x; }\n__global__ void k() { f(1); std::max(1, 2); }\n";
  EXPECT_THAT(said(computed, relaxed), testing::IsEmpty());
  EXPECT_THAT(said(computed),
              testing::ElementsAre(testing::HasSubstr("2 the constexpr function 'f'"),
                                   testing::HasSubstr("2 'std::max' is a constexpr function")));
  EXPECT_THAT(
      said("consteval int f(int x) { return x; }\n__global__ void k() { f(1); }\nint g() { return f(2); }\n"),
      testing::IsEmpty());
  EXPECT_THAT(said("__device__ int f();\nvoid g() { run([=] __device__(int) { f(); __syncthreads(); }); }\n"),
              testing::IsEmpty());
  EXPECT_THAT(said("__device__ float (*f(int i))(float) { return 0; }\nfloat g() { return 0; }\n"),
              testing::IsEmpty());
}

}  // namespace execution_space_test
}  // namespace emucc
