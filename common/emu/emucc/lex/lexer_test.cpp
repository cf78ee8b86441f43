#include "lex/lexer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace lexer_test {

using testing::ElementsAre;

std::vector<std::string> spellings(std::string_view text) {
  std::vector<std::string> all;
  const TokenStream stream = lex(text);
  for (std::size_t i = 0; i + 1 < stream.tokens.size(); ++i) all.emplace_back(stream.spelling(i));
  return all;
}

TEST(Lexer, AnglesAreSingleTokens) {
  EXPECT_THAT(spellings("a<<<b>>>c"), ElementsAre("a", "<", "<", "<", "b", ">", ">", ">", "c"));
  EXPECT_THAT(spellings("a->b <= c::d"), ElementsAre("a", "->", "b", "<=", "c", "::", "d"));
}

TEST(Lexer, LiteralsAreWhole) {
  EXPECT_THAT(spellings("u8\"a\\\"b\" 'x' L'\\'' 1'000.5e-3f 0x1p+2 .5"),
              ElementsAre("u8\"a\\\"b\"", "'x'", "L'\\''", "1'000.5e-3f", "0x1p+2", ".5"));
  EXPECT_THAT(spellings("R\"(a)\" R\"x(a)\"\n)x\" b"), ElementsAre("R\"(a)\"", "R\"x(a)\"\n)x\"", "b"));
  EXPECT_THAT(spellings("\"open\nb"), ElementsAre("\"", "open", "b"));
}

TEST(Lexer, LinesFollowMarkers) {
  const TokenStream stream = lex("# 1 \"a.cu\"\nx\n\ny\n# 9 \"a.cu\" 3 4\nz\n");
  ASSERT_EQ(stream.tokens.size(), 5u);  // the marker that enters the file, three names, the end
  EXPECT_EQ(stream.tokens[1].line, 1u);
  EXPECT_EQ(stream.tokens[2].line, 3u);
  EXPECT_EQ(stream.tokens[3].line, 9u);
  EXPECT_EQ(stream.places[stream.tokens[2].place].flags, "");
  EXPECT_EQ(stream.places[stream.tokens[3].place].flags, " 3 4");
}

TEST(Lexer, ASystemHeaderIsOneToken) {
  const TokenStream stream =
      lex("a\n# 1 \"/usr/x.h\" 1 3\nint b;\n# 1 \"/usr/y.h\" 1 3\nc\n# 3 \"/usr/x.h\" 2 3\nd\n# 2 \"a.cu\" "
          "2\ne\n");
  ASSERT_EQ(stream.tokens.size(), 4u);
  EXPECT_EQ(stream.tokens[1].kind, TokenKind::verbatim);
  EXPECT_EQ(stream.spelling(2), "e");
  EXPECT_EQ(stream.tokens[2].line, 2u);
}

TEST(Lexer, AUsersHeaderInASystemHeaderIsUserCode) {
  const TokenStream stream =
      lex("# 1 \"/usr/x.h\" 1 3\na\n# 1 \"mine.h\" 1\nb\n# 3 \"/usr/x.h\" 2 3\nc\n# 2 \"a.cu\" 2\nd\n");
  ASSERT_EQ(stream.tokens.size(), 5u);
  EXPECT_EQ(stream.spelling(1), "b");
  EXPECT_EQ(stream.tokens[2].kind, TokenKind::verbatim);
  EXPECT_EQ(stream.spelling(3), "d");
}

TEST(Lexer, SourceLinesLoseComments) {
  bool in_comment = false;
  EXPECT_EQ(lex_source_line("a /* b */ c // d", in_comment).size(), 2u);
  EXPECT_EQ(lex_source_line("a \"// no\" /* open", in_comment).size(), 2u);
  EXPECT_TRUE(in_comment);
  const auto tokens = lex_source_line("still */ b", in_comment);
  ASSERT_EQ(tokens.size(), 1u);
  EXPECT_EQ(tokens[0].column, 10u);
}

}  // namespace lexer_test
}  // namespace emucc
