#include "base/csv_row.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using testing::ElementsAre;

TEST(CsvRow, QuotesKeepSeparatorsLinesAndQuotes) {
  const std::string text = "a , \"b, \"\"c\"\"\",\"d\ne\"\r\n\nnext";
  std::size_t at = 0;
  const CsvRow first = read_csv_row(text, at);
  EXPECT_THAT(first.cells, ElementsAre("a", "b, \"c\"", "d\ne"));
  EXPECT_EQ(first.lines, 2u);
  EXPECT_THAT(read_csv_row(text, at).cells, ElementsAre(""));
  EXPECT_THAT(read_csv_row(text, at).cells, ElementsAre("next"));
  EXPECT_EQ(at, text.size());
}

TEST(CsvRow, AQuoteWithoutEndIsReported) {
  std::size_t at = 0;
  EXPECT_FALSE(read_csv_row("a;\"b;c\n", at, ';').whole);
  at = 0;
  EXPECT_THAT(read_csv_row("5\" disk;x", at, ';').cells, ElementsAre("5\" disk", "x")) << "it begins no cell";
}

}  // namespace
}  // namespace grader
