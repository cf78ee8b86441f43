#include "analyse/object_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace object_calls_test {

/// Returns the errors and warnings in the form "line message".
std::vector<std::string> said(const std::string& source, const LanguageOptions& options = {}) {
  const std::string text = "# 1 \"a.cu\"\n" + source;
  const TokenStream stream = lex(text);
  std::vector<std::string> all;
  const Findings findings = check_object_calls(Syntax(stream), options);
  for (const auto* list : {&findings.errors, &findings.warnings})
    for (const auto& one : *list) all.push_back(std::to_string(one.line) + " " + one.message);
  return all;
}
auto one(const std::string& text) {
  return testing::ElementsAre(testing::HasSubstr(text));
}

// tests/refused/ contains code that nvcc refuses. The code here is similar, but valid.
TEST(ObjectCalls, MemberFunctions) {
  const std::string type =
      "struct S { int h() const; static int s(); __device__ int d(); __host__ __device__ int b();\n"
      "int o(int); __device__ int o(float); constexpr int c(); consteval int e(); };\n";
  EXPECT_THAT(said(type + "__device__ void f(S x) { x.h(); }\n"),
              one("3 the host function 'S::h' is called"));
  EXPECT_THAT(said(type + "__device__ void f(S* x) { x->h(); }\n"), one("3 the host function 'S::h'"));
  EXPECT_THAT(said(type + "__device__ void f() { S::s(); }\n"), one("3 the host function 'S::s'"));
  EXPECT_THAT(said(type + "__device__ void f(S x) { x.c(); }\n"), one("3 the constexpr function 'S::c'"));
  EXPECT_THAT(said(type + "void f(S x) { x.d(); }\n"), one("3 the __device__ function 'S::d'"));
  LanguageOptions relaxed;
  relaxed.relaxed_constexpr = true;
  EXPECT_THAT(said(type + "__device__ void f(S x) { x.c(); }\n", relaxed), testing::IsEmpty());
  for (const char* const right : {
           "__device__ void f(S x) { x.d(); x.b(); x.o(1); x.e(); f(sizeof(x.h())); }",
           "void f(S x) { x.h(); x.b(); x.o(1); x.c(); S::s(); }",
           "__host__ __device__ void f(S x) { x.h(); }",
           "__device__ void f(T x) { x.h(); T::s(); h(); }",
           "template <class S> __global__ void f(S x) { x.h(); } void g() { f<<<1, 1>>>(1); }",
           "template <class T> __device__ void f(S x) { x.h(); }",  // the template may have no instance
           "void f(S x) { run([=] __device__() { x.d(); }); }",
       })
    EXPECT_THAT(said(type + right), testing::IsEmpty()) << right;
  EXPECT_THAT(said("struct S { int h(); };\n__device__ int S::h() { return 1; }\n"
                   "__device__ void f(S x) { x.h(); }\n"),
              testing::IsEmpty());
  EXPECT_THAT(said("struct S { int h(); __device__ int d() { return h(); } int x = d(); };\n"),
              one("1 the host function 'S::h'"));
  EXPECT_THAT(said("struct S { int h(); __device__ int d(int h()) { return h(); } };\n"), testing::IsEmpty());
}

TEST(ObjectCalls, Objects) {
  const std::string type =
      "struct S { int v; S() {} S(int) {} __device__ S(int, int) {} S(const S&) = default; ~S() {} };\n"
      "struct D { D() = default; D(int) {} __device__ D(int, int) {} ~D() = default; }; struct P { int v; "
      "};\n"
      "struct M { __device__ M() { x = 1; } int x; }; struct E { __device__ E() {} int x; };\n";
  EXPECT_THAT(said(type + "__device__ void f() { D d(1); }\n"), one("4 the host function 'D::D'"));
  EXPECT_THAT(said(type + "__device__ void f() { g(D{1}); }\n"), one("4 the host function 'D::D'"));
  EXPECT_THAT(said(type + "__device__ void f() { S s(1, 2); }\n"), one("4 the host function 'S::~S'"));
  EXPECT_THAT(said(type + "void f() { M m; }\n"), one("4 the __device__ function 'M::M'"));
  EXPECT_THAT(said(type + "__global__ void f() { __shared__ M m; }\n"),
              one("4 the constructor of the __shared__"));
  for (const char* const right : {
           "__device__ void f(S& r, D e) { D d; D c(1, 2); D b(e); D* p; S& s = r; P q{1}; P o; M m; }",
           "void f() { S s(1); D d(1); P p; }",
           "__global__ void f() { __shared__ E e; __shared__ P p; __shared__ D d; }",
       })
    EXPECT_THAT(said(type + right), testing::IsEmpty()) << right;
}

TEST(ObjectCalls, Operators) {
  const std::string type =
      "struct S { S operator+(S) const; __device__ S operator-(S) const; S operator&(S) const; int "
      "operator[](int); };\n"
      "S operator*(S, float); __device__ S operator/(S, S); S operator/(S, float);\n"
      "struct C { C operator+(C) const; __device__ operator float() const; };\n";
  EXPECT_THAT(said(type + "__device__ void f(S a, S b) { a + b; }\n"),
              one("4 the host function 'S::operator+'"));
  EXPECT_THAT(said(type + "__device__ void f(S a) { a * 2.0f; }\n"), one("4 the host function 'operator*'"));
  EXPECT_THAT(said(type + "__device__ void f(S a) { a[1]; }\n"), one("4 the host function 'S::operator[]'"));
  EXPECT_THAT(said(type + "void f(S a, S b) { a - b; }\n"), one("4 the __device__ function 'S::operator-'"));
  for (const char* const right : {
           "__device__ void f(S a, S b, S* p) { a - b; a / b; a = b; g(&a, *p, p + 1, p[1]); }",
           "__device__ void f(C a, C b) { a + b; }",  // the operands may become numbers
           "void f(S a, S b) { a + b; a / b; a * 2; }",
           "__device__ void f(T a, int b) { a + b; a * 2; }",
       })
    EXPECT_THAT(said(type + right), testing::IsEmpty()) << right;
}

TEST(ObjectCalls, StaticMembers) {
  const std::string type =
      "struct S { static int v; static const int c = 1; static constexpr int d = 2; int m; };\n";
  EXPECT_THAT(said(type + "__device__ int f() { return S::v; }\n"), one("2 the host's member 'S::v'"));
  EXPECT_THAT(
      said(type + "__device__ int f() { return S::c + S::d + sizeof(S::v); }\nint g() { return S::v; }\n"),
      testing::IsEmpty());
}

TEST(ObjectCalls, Overriding) {
  const std::string base = "struct B { __device__ virtual int f(int x); int g(); };\n";
  EXPECT_THAT(said(base + "struct D : public B { int f(int y); };\n"),
              one("2 'D::f' is a __host__ function, but overrides 'B::f', which is a __device__ function"));
  for (const char* const right : {
           "struct D : B { __device__ int f(int x) override; __device__ int g(); };",
           "struct D : B { int f(float x); int f(int x) const; };",
           "struct D : C { int f(int x); };",
           "struct D { int f(int x); };",
       })
    EXPECT_THAT(said(base + right), testing::IsEmpty()) << right;
}

}  // namespace object_calls_test
}  // namespace emucc
