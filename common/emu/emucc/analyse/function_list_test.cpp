#include "analyse/function_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace function_list_test {

using testing::UnorderedElementsAre;

/// The names of which all functions are known and have no `w` in their bodies.
std::unordered_set<std::string> names_in(const std::string& text) {
  const TokenStream stream = lex(text);
  const Syntax syntax(stream);
  return FunctionList(syntax).names_that([&](const DefinedFunction& each) {
    return each.known && !syntax.mentions(each.declaration.body, each.declaration.end, "w");
  });
}

bool has_prototypes(const std::string& text) {
  const TokenStream stream = lex(text);
  const Syntax syntax(stream);
  return FunctionList(syntax).has_prototypes();
}

TEST(FunctionList, ANameHoldsForAllFunctionsOfIt) {
  EXPECT_THAT(names_in("__device__ void f() {} __device__ void g() {} __device__ void g(int) { w(); }"),
              UnorderedElementsAre("f"));
  EXPECT_THAT(names_in("__device__ void f() {} namespace a { __device__ void f(int) { w(); } }"),
              UnorderedElementsAre());
  EXPECT_THAT(names_in("__device__ void f() {} struct S { __device__ void f(int) {} };"),
              UnorderedElementsAre())
      << "a member is not known";
  EXPECT_THAT(names_in("__device__ void f() {} __shared__ int n; __device__ void g() {}"),
              UnorderedElementsAre("f"));
}

TEST(FunctionList, AFunctionThatIsOnlyDeclaredHasNoProperty) {
  EXPECT_THAT(names_in("__device__ void f(int); __device__ void f(int n) {}"), UnorderedElementsAre("f"));
  EXPECT_THAT(names_in("__device__ void f(int); __device__ void f() {}"), UnorderedElementsAre());
  EXPECT_THAT(names_in("struct S { __device__ void f(int); }; __device__ void f() {}"),
              UnorderedElementsAre());
  EXPECT_THAT(names_in("void f(int); __device__ void f() {}"), UnorderedElementsAre("f")) << "the host's";
}

TEST(FunctionList, PrototypesOfTheDeviceCount) {
  EXPECT_TRUE(has_prototypes("__device__ void f() {} __device__ void f();"));
  EXPECT_TRUE(has_prototypes("struct S { __device__ void f(); };"));
  EXPECT_FALSE(has_prototypes("void f(); __global__ void k(); __device__ void g() {}"));
}

}  // namespace function_list_test
}  // namespace emucc
