#include "workspace/source_scan.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

TEST(ClassifyTest, OneKindForEachByte) {
  const std::string text = "a /*b*/ \"c\" // d\n#define E 1\nf";
  const std::vector<TextKind> kinds = classify(text);
  ASSERT_EQ(kinds.size(), text.size());
  EXPECT_EQ(kinds[0], TextKind::code);
  EXPECT_EQ(kinds[2], TextKind::comment_start);
  EXPECT_EQ(kinds[4], TextKind::comment);
  EXPECT_EQ(kinds[9], TextKind::string);
  EXPECT_EQ(kinds[text.find('d')], TextKind::comment);
  EXPECT_EQ(kinds[text.find('E')], TextKind::macro);
  EXPECT_EQ(kinds.back(), TextKind::code);
}

}  // namespace
}  // namespace grader
