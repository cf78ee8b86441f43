// Tests that pairs are shown with their lines side by side, in 80 columns, and as markup that students' text
// can't change.
#include "report/similarity_report.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace grader {
namespace similarity_report_test {

using testing::HasSubstr;
using testing::Not;

ClassSimilarity two(const std::string& name, const std::string& line) {
  ClassSimilarity out;
  std::string text;
  for (int i = 0; i < 20; ++i) text += line + "\n";
  out.answers = {{"student a", name, {{"kernel.cu", 34, text}}},
                 {"student b", "bob", {{"kernel.cu", 40, text}}}};
  SimilarPair pair;
  pair.a = 0;
  pair.b = 1;
  pair.tokens = 60;
  pair.expected = 0.002;
  pair.share_a = 0.9;
  pair.share_b = 0.8;
  pair.passages = {{.first_a = 2, .last_a = 20, .first_b = 1, .last_b = 19, .tokens = 60}};
  out.found = {{pair}, 12};
  return out;
}

Lab lab() {
  Lab out;
  out.id = "lab1.1";
  return out;
}

TEST(SimilarityReport, FitsATerminalWithLinesSideBySide) {
  const std::string text = similarity_text(lab(), two("ada", std::string(60, 'x') + " = 1;"), Style{});
  EXPECT_THAT(text, HasSubstr("1. ada and bob share 19 lines that no one else has"));
  EXPECT_THAT(text, HasSubstr("kernel.cu:35-53"));
  EXPECT_THAT(text, HasSubstr("  35 xxx"));
  EXPECT_THAT(text, HasSubstr("  40 xxx"));
  EXPECT_THAT(text, HasSubstr("7 lines more"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
  ClassSimilarity none = two("ada", "x");
  none.found.pairs.clear();
  EXPECT_THAT(similarity_text(lab(), none, Style{}), HasSubstr("none of 12 answers"));
}

TEST(SimilarityReport, RanksTheNearestPairs) {
  const ClassSimilarity similarity = two("ada\x1b[2J", "x = 1;");
  const Nearest nearest{{{0, 1, 0.876}}, 0.4};
  const std::string text = nearest_text(similarity, nearest, Style{});
  EXPECT_THAT(text, HasSubstr("1.  88 %  ada?[2J; bob"));
  EXPECT_THAT(text, HasSubstr("40 %"));
  EXPECT_EQ(nearest_json(similarity, nearest)["pairs"][0]["b"], "bob");
}

TEST(SimilarityReport, TakesNothingFromAStudentAsMarkupOrControl) {
  const std::string hostile = "</pre><script>alert(1)</script>\x1b[2J";
  const ClassSimilarity similarity = two(hostile, hostile);
  EXPECT_THAT(similarity_section(similarity), Not(HasSubstr("<script>")));
  EXPECT_THAT(similarity_section(similarity), Not(HasSubstr("\x1b")));
  EXPECT_THAT(similarity_text(lab(), similarity, Style{}), Not(HasSubstr("\x1b")));
  const nlohmann::json json = similarity_json(similarity);
  EXPECT_EQ(json["pairs"][0]["passages"][0]["a"]["lines"].size(), 19u);
}

}  // namespace similarity_report_test
}  // namespace grader
