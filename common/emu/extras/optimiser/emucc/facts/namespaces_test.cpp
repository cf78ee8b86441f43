#include "facts/namespaces.hpp"

#include <gtest/gtest.h>

namespace emucc {
namespace namespaces_test {

struct Read {
  explicit Read(const std::string& text) : source(text), stream(lex(source)), syntax(stream), names(syntax) {}
  std::string meaning(const std::string& scope, const std::string& name) const {
    return names.declaring(scope, name).value_or("nowhere");
  }
  const std::string source;
  const TokenStream stream;
  const Syntax syntax;
  const Namespaces names;
};

TEST(Namespaces, TheInnermostDeclarationCounts) {
  const Read read(
      "int x, *y; namespace a { int x; namespace b { void f(); } } namespace a::c { template <class T> "
      "struct S {"
      "int inside; }; } inline namespace v { int z; } namespace { int w; }");
  EXPECT_EQ(read.meaning("::a::b", "x"), "::a");
  EXPECT_EQ(read.meaning("::a::b", "y"), "");
  EXPECT_EQ(read.meaning("::a::b", "f"), "::a::b");
  EXPECT_EQ(read.meaning("::a::c", "S"), "::a::c");
  EXPECT_EQ(read.meaning("::a", "S"), "nowhere");
  EXPECT_EQ(read.meaning("", "inside"), "nowhere");
  EXPECT_EQ(read.meaning("::a", "z"), "");
  EXPECT_EQ(read.meaning("::a", "w"), "");
  EXPECT_EQ(read.meaning("::a", "b"), "::a");
  EXPECT_EQ(read.names.count("x"), 2U);
}

TEST(Namespaces, AllKindsOfDeclarationsAreSeen) {
  const Read read(
      "namespace a { enum E { one, two = 3 }; enum class F { three }; typedef int T; typedef void (*P)(int);"
      "using U = int; template <int N> using V = int; struct { int i; } object; const float pi = 3, e[2] = "
      "{};"
      "__device__ int counter; namespace other = ::std; }");
  for (const char* const name :
       {"E", "one", "two", "F", "T", "P", "U", "V", "object", "pi", "e", "counter", "other"})
    EXPECT_EQ(read.meaning("::a::b", name), "::a") << name;
  for (const char* const name : {"three", "i", "int"})
    EXPECT_EQ(read.meaning("::a", name), "nowhere") << name;
}

TEST(Namespaces, ClassesMayBeUsedFromTheirDefinitionOn) {
  const Read read("struct S; int x; struct S { int i; }; struct T;");
  EXPECT_EQ(read.syntax.at(read.names.usable_from("", "S") + 2), "{");
  EXPECT_EQ(read.syntax.at(read.names.usable_from("", "T") + 1), "T");
}

TEST(Namespaces, NamesImportedByUsing) {
  const Read read(
      "namespace a { namespace b { int f(); } using b::f; using namespace b; } using namespace a::b; int "
      "last;");
  EXPECT_EQ(read.names.brought("::a", "f"), "::a::b");
  EXPECT_FALSE(read.names.brought("::a::b", "f").has_value());
  EXPECT_EQ(read.names.opened("::a::c", npos), (std::vector<std::string>{"::a::b", "::a::b"}));
  EXPECT_EQ(read.names.opened("", npos), std::vector<std::string>{"::a::b"});
  EXPECT_TRUE(read.names.opened("", 3).empty());
}

}  // namespace namespaces_test
}  // namespace emucc
