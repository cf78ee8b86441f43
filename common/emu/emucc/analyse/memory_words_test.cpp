#include "analyse/memory_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace memory_words_test {

/// Returns the errors and warnings in the form "line message".
std::vector<std::string> said(const std::string& source, const LanguageOptions& options = {}) {
  const std::string text = "# 1 \"a.cu\"\n" + source;
  const TokenStream stream = lex(text);
  std::vector<std::string> all;
  const Findings findings = check_memory_words(Syntax(stream), options);
  for (const auto* list : {&findings.errors, &findings.warnings})
    for (const auto& one : *list) all.push_back(std::to_string(one.line) + " " + one.message);
  return all;
}
auto one(const std::string& text) {
  return testing::ElementsAre(testing::HasSubstr(text));
}

// tests/refused/ contains code that nvcc refuses. The code here is similar, but valid.
TEST(MemoryWords, Members) {
  EXPECT_THAT(said("struct S { int a;\n __device__ int b; };\n"), one("2 __device__ does not apply to 'b'"));
  EXPECT_THAT(said("struct S { int a;\n static __constant__ int b[2]; };\n"), one("2 a static member"));
  EXPECT_THAT(said("struct S { static __device__ int f(); __device__ int g() { return 1; } };\n"),
              testing::IsEmpty());
}

TEST(MemoryWords, LocalVariables) {
  EXPECT_THAT(said("__device__ void f() {\n __device__ int n; }\n"), one("2 the __device__ variable 'n'"));
  EXPECT_THAT(said("void f() {\n static __device__ int n; }\n"), one("2 the __device__ variable 'n'"));
  EXPECT_THAT(said("void f() {\n __shared__ int n; }\n"), one("2 the __shared__ variable 'n'"));
  for (
      const char* const right : {
          "__device__ void f() { static __device__ int n; static __constant__ int m = 1; __shared__ int s; }",
          "void f() { g([] __device__(int i) { __shared__ int s; s = i; }); }",
          "void f() { struct L { __device__ int g() { return 1; } }; auto h = [=] __device__() {}; }",
          "__host__ __device__ void f() { __shared__ int s; s = 1; }",  // perhaps where only device code runs
      })
    EXPECT_THAT(said(right), testing::IsEmpty()) << right;
}

TEST(MemoryWords, VariablesOfOtherFiles) {
  const std::string elsewhere = "extern __device__ int n;\n";
  LanguageOptions relocatable;
  relocatable.relocatable = true;
  EXPECT_THAT(said(elsewhere), one("1 the extern declaration of 'n' is treated as a definition"));
  EXPECT_THAT(said(elsewhere, relocatable), testing::IsEmpty());
  EXPECT_THAT(said(elsewhere + "__device__ int n = 1;\n"), testing::IsEmpty());
  EXPECT_THAT(said("extern __shared__ int n[];\nextern __device__ int f();\nextern int m;\n"),
              testing::IsEmpty());
}

TEST(MemoryWords, TypesOfDynamicSharedMemory) {
  const std::string first = "__global__ void a() { extern __shared__ float s[]; }\n";
  EXPECT_THAT(said(first + "__global__ void b() { extern __shared__ int s[]; }\n"),
              one("2 the dynamic shared memory 's' has the type 'float' above, and 'int' here"));
  for (
      const char* const right : {
          "__global__ void b() { extern __shared__ float s[]; }",
          "__global__ void b() { extern __shared__ real s[]; }",
          "__global__ void b() { extern __shared__ int t[]; }",
          "namespace n { __global__ void b() { extern __shared__ int s[]; } }",
          "template <class T> __global__ void b() { extern __shared__ int s[]; }",  // perhaps without an instance
          "__global__ void b() { __shared__ int s[4]; }",
      })
    EXPECT_THAT(said(first + right), testing::IsEmpty()) << right;
}

TEST(MemoryWords, TwoDynamicArraysAreOne) {
  const std::string arrays = "extern __shared__ float x[];\nextern __shared__ int y[];\n";
  EXPECT_THAT(said(arrays + "__global__ void a() {\n x[0] = 1;\n y[0] = 1; }\n"),
              one("5 the extern __shared__ arrays 'x' and 'y' are the same memory"));
  EXPECT_THAT(said("__global__ void a() {\n extern __shared__ float x[];\n extern __shared__ float y[];\n"
                   " x[0] = y[0]; }\n"),
              one("4 the extern __shared__ arrays 'x' and 'y' are the same memory"));
  EXPECT_THAT(said(arrays + "__global__ void a() { x[0] = 1; }\n__global__ void b() { y[0] = 1; }\n"),
              testing::IsEmpty());
}

}  // namespace memory_words_test
}  // namespace emucc
