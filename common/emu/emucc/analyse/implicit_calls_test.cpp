#include "analyse/implicit_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace implicit_calls_test {

/// Returns the name that makes the kernel at the end of `source` run thread by thread; empty if there is
/// none.
std::string name_against(const std::string& source) {
  const TokenStream stream = lex(source);
  const Syntax syntax(stream);
  const Unit kernel = units_of(syntax, 0, syntax.size()).back();
  const std::string reason = ImplicitCalls(syntax).reason_against(kernel.declaration);
  const std::size_t begin = reason.find('\'');
  return begin == reason.npos ? reason : reason.substr(begin + 1, reason.find('\'', begin + 1) - begin - 1);
}

TEST(ImplicitCalls, ConstructorsThatAskForTheThread) {
  const std::string place = "struct Place { int at; __device__ Place() : at(threadIdx.x) {} };\n";
  EXPECT_EQ(name_against(place + "__global__ void k() { Place p; }"), "Place");
  EXPECT_EQ(name_against(place + "__global__ void k() { int p; }"), "");
  EXPECT_EQ(name_against("struct Place { int at; __device__ Place(); };\n"
                         "__device__ Place::Place() : at(threadIdx.x) {}\n"
                         "__global__ void k() { Place p; }"),
            "Place");
  EXPECT_EQ(
      name_against("template <class T> struct Place { T at; __device__ Place() { at = threadIdx.x; } };\n"
                   "__global__ void k() { Place<int> p; }"),
      "Place");
  EXPECT_EQ(name_against("__device__ int rank() { return threadIdx.x; }\n"
                         "struct Place { int at; __device__ Place() : at(rank()) {} };\n"
                         "__global__ void k() { Place p; }"),
            "Place");
  EXPECT_EQ(name_against("struct Place { int at; __device__ Place(int n) : at(n) {} };\n"
                         "__global__ void k() { Place p(threadIdx.x); }"),
            "")
      << "what it is given is seen";
}

TEST(ImplicitCalls, ConstructorsThatAreSeenWhereTheyAreCalled) {
  const std::string pair =
      "struct Pair { int a, b; __device__ Pair(int x, int y) : a(x), b(y) { a += threadIdx.x; } };\n";
  EXPECT_EQ(name_against(pair + "__global__ void k() { Pair p(1, 2); }"), "");
  EXPECT_EQ(name_against(pair + "__global__ void k(int* out) { int a[1] = {1}; out[a[0]] = 1; }"), "");
  for (const char* body :
       {"Pair p{1, 2};", "Pair p = {1, 2};", "p[0] = Pair{1, 2}.a;", "const Pair p[1] = {{1, 2}};",
        "Pair p(1, 2); p = {3, 4};", "Pair p(1, 2); if (p.a) f(); else p = {3, 4};",
        "Pair p(1, 2); f().p[0] = {3, 4};", "Pair p(1, 2); (&p)[0] = {3, 4};",
        "Pair p(1, 2); *f(p) = {3, 4};", "Pair p(1, 2); decltype(p) q{3, 4};", "[](Pair p) {}({1, 2});"})
    EXPECT_EQ(name_against(pair + "__global__ void k(int* p) {" + body + "}"), "Pair") << body;
  for (const char* body :
       {"unsigned a[3] = {1, 2, 3}; Pair p(1, 2);", "const float b[2][2] = {{1}, {2}}; Pair p(1, 2);",
        "a::T<int> c = {1}; Pair p(1, 2);"})
    EXPECT_EQ(name_against(pair + "__global__ void k() {" + body + "}"), "") << body;
  EXPECT_EQ(name_against(pair + "__global__ void k(Pair p) { p = {1, 2}; }"), "Pair");
  EXPECT_EQ(
      name_against("template <class T> struct Pair { T a; __device__ Pair(T x, T y) { a = threadIdx.x; } };\n"
                   "__global__ void k() { Pair<int> p(1, 2); }"),
      "");
  EXPECT_EQ(
      name_against("struct Plain { int a, b; };\n__global__ void k(Plain p) { p = {1, 2}; Plain q{1, 2}; }"),
      "");
  EXPECT_EQ(
      name_against(pair +
                   "struct Two { Pair p; __device__ Two() : p(1, 2) {} };\n__global__ void k() { Two t; }"),
      "Two");
  EXPECT_EQ(
      name_against(pair + "__device__ Pair f() { return {1, 2}; }\n__global__ void k() { auto p = f(); }"),
      "f");
  EXPECT_EQ(
      name_against("struct Pair { int a, b; __device__ Pair(int x, int y) : a(x), b(threadIdx.x) {} };\n"
                   "__global__ void k() { Pair p(1, 2); }"),
      "Pair");
}

TEST(ImplicitCalls, GoOnToWhateverMentionsTheClass) {
  const std::string place = "struct Place { int at; __device__ Place() : at(threadIdx.x) {} };\n";
  EXPECT_EQ(name_against(place + "using P = Place; __global__ void k() { P p; }"), "P");
  EXPECT_EQ(name_against(place + "typedef Place P; __global__ void k() { P p; }"), "P");
  EXPECT_EQ(name_against(place + "struct Q { Place p; }; __global__ void k() { Q q; }"), "Q");
  EXPECT_EQ(name_against(place + "struct Q : Place {}; __global__ void k() { Q q; }"), "Q");
  EXPECT_EQ(
      name_against(place + "namespace a { __device__ Place f(); }\n__global__ void k() { auto p = a::f(); }"),
      "f");
  EXPECT_EQ(name_against(place + "template <class T> __global__ void k() { T t; }"), "Place")
      << "for all it knows";
  EXPECT_EQ(name_against(place + "template <int n> __global__ void k() { int t[n]; }"), "");
}

TEST(ImplicitCalls, OperatorsDestructorsDefaultArguments) {
  EXPECT_EQ(name_against("struct T { __device__ operator int() const { return threadIdx.x; } };\n"
                         "__global__ void k(int* p) { T t; *p = t; }"),
            "T");
  EXPECT_EQ(name_against("struct T { int v; };\n__device__ T operator<<(T t, int n) { return "
                         "{__shfl_down_sync(~0u, t.v, n)}; }\n"
                         "__global__ void k() { T t; t = t << 1; }"),
            "T");
  EXPECT_EQ(name_against("struct T { __device__ int operator()() const { return threadIdx.x; } };\n"
                         "__global__ void k(int* p) { T t; *p = t(); }"),
            "")
      << "a call by parentheses is seen";
  EXPECT_EQ(
      name_against(
          "__device__ int f(int t = threadIdx.x) { return t; }\n__global__ void k(int* p) { *p = f(); }"),
      "f");
  EXPECT_EQ(name_against(
                "__device__ int f(int t = threadIdx.x) { return t; }\n__global__ void k(int* f) { *f = 1; }"),
            "");
  EXPECT_EQ(name_against(
                "struct T { int* p; __device__ ~T() { *p = 0; } };\n__global__ void k(int* p) { T t{p}; }"),
            "T");
  EXPECT_EQ(name_against("struct T { __device__ ~T() {} };\n__global__ void k() { T t; }"), "")
      << "it does nothing";
}

TEST(ImplicitCalls, HostCodeIsItsOwnBusiness) {
  EXPECT_EQ(name_against("struct T { T() { printf(\"host\"); } ~T() { free(p); } int* p; };\n"
                         "template <class U> __global__ void k(U* p) { *p = U(); }"),
            "");
}

}  // namespace implicit_calls_test
}  // namespace emucc
