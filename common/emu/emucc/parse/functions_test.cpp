// Tests the table of the user's functions by name, and whether calls may mean these functions.
#include "parse/functions.hpp"

#include <gtest/gtest.h>

#include "parse/syntax_tree.hpp"

namespace emucc {
namespace functions_test {

/// Returns a letter for each call of `f` in `kernel`, the body of a kernel after the declarations: `y` if the
/// call may mean the user's function.
std::string own(const std::string& declarations, const std::string& kernel,
                bool (*is_own)(const Syntax&, std::size_t) = may_be_own) {
  const std::string text = declarations + " __global__ void k() { " + kernel + " }";
  const TokenStream stream = lex(text);
  const Syntax syntax(stream);
  std::string found;
  bool in_kernel = false;
  for (std::size_t i = 0; i < syntax.size(); ++i) {
    in_kernel = in_kernel || syntax.is(i, "__global__");
    if (in_kernel && syntax.is(i, "f") && syntax.call_open(i) != npos) found += is_own(syntax, i) ? 'y' : 'n';
  }
  return found;
}

TEST(Functions, ThatTheTextDeclares) {
  EXPECT_EQ(own("", "f(1);"), "n");
  EXPECT_EQ(own("__device__ int f(int);", "f(1);"), "y");
  EXPECT_EQ(own("namespace a { __device__ int f(int x) { return x; } }", "a::f(1); f(1);"), "yy");
  EXPECT_EQ(own("namespace a { template <class T> __device__ void f(T&); }", "a::f(x); a::f<int>(x);"), "yy");
  EXPECT_EQ(own("constexpr int f(int x) { return x; }", "f(1);"), "y");
  EXPECT_EQ(own("consteval int f(int x) { return x; }", "f(1);"), "y");
  EXPECT_EQ(own("int f(int x) { return x; } __device__ int g(int);", "f(1);"), "n");  // a host function
}

TEST(Functions, ByQualifiers) {
  const std::string of_namespace = "namespace a { __device__ int f(int); }";
  EXPECT_EQ(own(of_namespace, "::f(1); std::f(1); ::std::f(1); cuda::std::f(1); ::cuda::std::f(1);"),
            "nnnnn");
  EXPECT_EQ(own(of_namespace, "::a::f(1); b::a::f(1); b::std::f(1);"), "yyy");
  EXPECT_EQ(own("__device__ int f(int);", "::f(1); x = y > ::f(1);"), "yy");
  EXPECT_EQ(own("extern \"C\" { __device__ int f(int); }", "::f(1);"), "y");
}

TEST(Functions, WithoutAQualifierOnlyWhatIsInReach) {
  const auto means = [](const std::string& declarations, const std::string& kernel) {
    return own(declarations, kernel, means_own);
  };
  const std::string of_namespace = "namespace a { __device__ int f(int); }";
  EXPECT_EQ(means(of_namespace, "f(1); a::f(1);"), "ny");
  EXPECT_EQ(means(of_namespace + " using a::f;", "f(1);"), "y");
  EXPECT_EQ(means(of_namespace + " using namespace a;", "f(1);"), "y");
  EXPECT_EQ(means("namespace { __device__ int f(int); }", "f(1);"), "y");
  EXPECT_EQ(means("__device__ int f(int);", "f(1);"), "y");
  EXPECT_EQ(means("struct A { static __device__ int f(int); };", "f(1); A::f(1);"), "ny");
}

TEST(Functions, OfClasses) {
  const std::string of_class = "struct A { static __device__ int f(int); };";
  EXPECT_EQ(own(of_class, "A::f(1); f(1); ::f(1);"), "ynn");
  EXPECT_EQ(own("template <class T> " + of_class, "A<int>::f(1);"), "y");
  EXPECT_EQ(own("", "struct A { static __device__ int f(int x) { return x; } }; A::f(1);"), "yy");
  const std::string text =
      "struct A { __device__ int f(int); __device__ int g() { return f(1); } __device__ int h(); }; "
      "__device__ int A::h() { return f(1); }";
  const TokenStream stream = lex(text);
  const Syntax syntax(stream);
  for (std::size_t i = 0; i < syntax.size(); ++i) {
    if (syntax.is(i, "f")) {
      EXPECT_TRUE(may_be_own(syntax, i)) << i;
    }
  }
}

TEST(Functions, OrWhatIsCalledLikeOne) {
  EXPECT_EQ(own("", "auto f = [](int& x) { x = 1; }; f(x); ::f(x);"), "yn");
  EXPECT_EQ(own("", "{ auto f = [](int& x) { x = 1; }; } f(x);"), "n");
}

}  // namespace functions_test
}  // namespace emucc
