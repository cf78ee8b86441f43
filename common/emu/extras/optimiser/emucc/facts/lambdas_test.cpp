#include "facts/lambdas.hpp"

#include <gtest/gtest.h>

#include "parse/syntax_tree.hpp"

namespace emucc {
namespace lambdas_test {

/// The facts about the lambda in `auto f = …;`.
struct Read {
  explicit Read(const std::string& initialiser)
      : source("auto f = " + initialiser + ";"), stream(lex(source)), syntax(stream) {
    read_statements(syntax, 0, syntax.size(), statements);
    if (!statements.empty() && !statements[0].names.empty())
      lambda = lambda_of(syntax, statements[0].names[0]);
  }
  /// Returns the letters of the lambda's properties: d: captures by default, c: copies, s: has a state.
  std::string captures() const {
    if (!lambda) return "none";
    return std::string(lambda->by_default ? "d" : "") + (lambda->copies ? "c" : "") +
           (lambda->has_state ? "s" : "");
  }
  std::string names() const {
    std::string all;
    for (const std::size_t name : own_names(syntax, *lambda)) all += std::string(syntax.at(name)) + " ";
    return all;
  }
  const std::string source;
  const TokenStream stream;
  const Syntax syntax;
  std::vector<Statement> statements;
  std::optional<Lambda> lambda;
};

TEST(Lambdas, Captures) {
  EXPECT_EQ(Read("[&] { }").captures(), "d");
  EXPECT_EQ(Read("[=] { }").captures(), "dc");
  EXPECT_EQ(Read("[] { }").captures(), "");
  EXPECT_EQ(Read("[&, x](int) { }").captures(), "dc");
  EXPECT_EQ(Read("[=, &x](int) { }").captures(), "dc");
  EXPECT_EQ(Read("[&x, &y] { }").captures(), "");
  EXPECT_EQ(Read("[x, &y] { }").captures(), "c");
  EXPECT_EQ(Read("[x = 2, &y] { }").captures(), "cs");
  EXPECT_EQ(Read("[&x = y] { }").captures(), "s");
  EXPECT_EQ(Read("[=]() mutable -> int { return 1; }").captures(), "dcs");
  EXPECT_EQ(Read("g([&] { })").captures(), "none");
}

TEST(Lambdas, NamesThatTheyDeclare) {
  const Read read(
      "[&](int a, float& b, auto&& c) { int d = a; for (int e = 0; e < d; ++e) { float g; } auto h = [](int "
      "i) {"
      "return i; }; }");
  ASSERT_TRUE(read.lambda.has_value());
  EXPECT_EQ(read.names(), "a b c d e g h i ");
  EXPECT_EQ(reference_mask(read.syntax, *read.lambda), 0b110U);
  EXPECT_EQ(body_of(read.syntax, *read.lambda).size(), 3U);
}

}  // namespace lambdas_test
}  // namespace emucc
