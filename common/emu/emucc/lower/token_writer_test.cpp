// Tests lines and columns: the host compiler's messages must refer to the user's source.
#include "emit/token_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lower/translator.hpp"

namespace emucc {
namespace token_writer_test {

/// Returns the line and column that the compiler gives `word`, according to the markers in the text.
std::pair<unsigned, unsigned> position(const std::string& text, const std::string& word) {
  unsigned line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string here = text.substr(at, end - at);
    if (here.rfind("# ", 0) == 0) {
      line = static_cast<unsigned>(std::stoul(here.substr(2)));
    } else {
      if (const std::size_t found = here.find(word); found != here.npos)
        return {line, static_cast<unsigned>(found + 1)};
      ++line;
    }
    at = end + 1;
  }
  return {0, 0};
}

/// Translates `preprocessed`, the preprocessor's output for the file a.cu with the text `source`.
std::string translated(const std::string& source, const std::string& preprocessed) {
  TranslateOptions options;
  options.load = [&](const std::string& path) {
    return path == "a.cu" ? std::optional(source) : std::nullopt;
  };
  return translate("# 1 \"a.cu\"\n" + preprocessed, options).text;
}

/// Expects that every name zA, zB … has the same position as in the source.
void expect_same_places(const std::string& source, const std::string& preprocessed) {
  const std::string text = translated(source, preprocessed);
  for (char name = 'A'; name <= 'F'; ++name) {
    const std::string word = std::string("z") + name;
    const auto wanted = position(source, word);
    if (wanted.first == 0) continue;
    EXPECT_EQ(position(text, word), wanted) << word << " in\n" << text;
  }
}

TEST(Columns, TextBehindGeneratedTextKeepsItsPlace) {
  const std::string source = "__global__ void k() { zA; }\nint main() { k<<<zB, zC>>>(zD); zE; }\n";
  expect_same_places(source, source);
}

TEST(Tokens, AQualifiedNameJoinsNoOperatorBeforeIt) {
  const std::string source = "__device__ int f(int n) { return n%blockDim.x + (n?n:blockDim.y); }\n";
  const std::string text = translated(source, source);
  EXPECT_EQ(text.find("%::"), text.npos) << text;
  EXPECT_EQ(text.find(":::"), text.npos) << text;
}

TEST(Columns, ALaunchMayTakeSeveralLines) {
  const std::string source = "int main() {\n  ns::zA<<<zB,\n      zC>>>(\n    zD,\n zE); zF;\n}\n";
  expect_same_places(source, source);
}

TEST(Columns, CommentsAndBlanksAreCountedAgain) {
  expect_same_places("int  /* one */  zA =\t3;   // two\n  zB;\n", "int zA = 3;\n zB;\n");
}

TEST(Columns, TextAroundAMacroKeepsItsPlace) {
  expect_same_places("zA = MACRO(1); zB;\n", "zA = (1 + 2 + 3); zB;\n");
}

TEST(Columns, TextBetweenMacrosKeepsItsPlace) {
  expect_same_places("t[IDX(a / 32, a % 32)] zA in[GID zB N] zC;\n",
                     "t[((a / 32) * 32 + (a % 32))] zA in[(b * d + a) zB 64] zC;\n");
  expect_same_places("NOTHING zA NOTHING NOTHING zB;\n", "zA zB;\n");
  expect_same_places("LATER(zA, N * zB); zC;\n", "do { f(1); (64 * zB) = (zA); } while (0); zC;\n");
}

/// Expects that the word is after the line's end, where the user has no expression.
void expect_no_place(const std::string& source, const std::string& preprocessed, const std::string& word) {
  const std::string text = translated(source, preprocessed);
  EXPECT_GT(position(text, word).second, source.find('\n')) << word << " in\n" << text;
}

TEST(Columns, TextWithSeveralPossiblePlacesHasNone) {
  expect_no_place("a = M; b = N;\n", "a = zA; b = 2;\n", "zA");
  expect_no_place("M + N + O;\n", "1 + 2 zA 3 + 4;\n", "zA");
  expect_no_place("x = F(a[i]);\n", "x = g(a[i], b[zA]);\n", "zA");
  expect_no_place("x = F(a[zA]);\n", "x = g(a[zA], b[zA]);\n", "zA");
  expect_no_place("x = F(a[zA]);\n", "x = g(a[0], b[zA]);\n", "b[zA");
}

TEST(Columns, SharedDeclarations) {
  const std::string source = "__global__ void k() {\n  __shared__ float zA[zB], zD;\n  zE;\n}\n";
  expect_same_places(source, source);
}

TEST(Columns, AFileThatCannotBeReadCostsOnlyColumns) {
  TranslateOptions options;
  options.load = [](const std::string&) { return std::nullopt; };
  EXPECT_EQ(position(translate("# 5 \"gone.cu\"\nint A;\n", options).text, "A").first, 5u);
}

TEST(Lines, MarkersOfMacrosFromSystemHeadersKeepTheirFlags) {
  const std::string text =
      translated("A = NULL;\n", "A =\n# 1 \"a.cu\" 3 4\n   __null\n# 1 \"a.cu\"\n   ;\n");
  EXPECT_NE(text.find("# 1 \"a.cu\" 3 4\n" + std::string(10, ' ') + "__null"), text.npos) << text;
}

TEST(Lines, AFileIsIncludedFromTheLineOfItsInclude) {
  EXPECT_EQ(
      translated(
          "", "# 12 \"a.cu\"\n# 1 \"b.h\" 1\n\n\n\n# 1 \"c.h\" 1\nint a;\n# 5 \"b.h\" 2\n# 13 \"a.cu\" 2\n"),
      "# 1 \"a.cu\"\n# 12 \"a.cu\"\n# 1 \"b.h\" 1\n# 4 \"b.h\"\n# 1 \"c.h\" 1\nint a;\n# 5 \"b.h\" 2\n# 13 "
      "\"a.cu\" 2\n");
}

TEST(Lines, TokensThatTouchStayTogether) {
  const std::string source = "auto a = \"x\"_s; x = y >>= 2; t = a+++b;\n";
  EXPECT_EQ(translated(source, source), "# 1 \"a.cu\"\n" + source);
}

}  // namespace token_writer_test
}  // namespace emucc
