// A report belongs to the student: the command fills in its tables, and changes no other text.
#include "report/lab_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace grader {
namespace lab_report_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* handout =
    "# lab\n\n1. A step\n\n## Questions to think about\n\n1. Why is it\n   so slow?\n2. And why not?\n\n## "
    "For experts\n\n"
    "1. Faster\n";

Lab lab() {
  Lab one;
  one.id = "lab9.1";
  one.title = "Double a vector";
  one.tables.resize(2);
  one.tables[0].id = "sizes";
  one.tables[0].title = "Time by size";
  one.tables[1].id = "blocks";
  one.tables[1].title = "Time by block";
  return one;
}

TEST(LabReport, HasThePlacesOfAllTablesAndTheHandoutsQuestions) {
  const std::string text = new_report("# {{lab}}: {{title}}\n{{tables}}\n{{questions}}\n", lab(), handout);
  EXPECT_THAT(text, HasSubstr("# lab9.1: Double a vector\n"));
  EXPECT_THAT(text, HasSubstr("### Time by size\n\n<!-- table sizes -->\n<!-- end of table -->\n"));
  EXPECT_THAT(text, HasSubstr("2. *And why not?*\n\n   (Your answer.)\n"));
  EXPECT_THAT(new_report("{{tables}}\n{{questions}}\n", {}, ""), HasSubstr("(The handout asks none.)"));
}

TEST(LabReport, OnlyItsTablesChange) {
  const TableText measured = [](const std::string& id) {
    return id == "sizes" ? std::string("| n | time |\n") : std::string();
  };
  std::vector<std::string> missing;
  const std::string begun = "Mine.\n<!-- table sizes -->\n<!-- end of table -->\nBelow, mine.\n";
  const std::string filled = fill_report(begun, measured, missing);
  EXPECT_EQ(filled, "Mine.\n<!-- table sizes -->\n\n| n | time |\n\n<!-- end of table -->\nBelow, mine.\n");
  EXPECT_EQ(fill_report(filled, measured, missing), filled) << "twice is as once";
  EXPECT_THAT(missing, IsEmpty());

  const std::string other = "<!-- table blocks -->\n<!-- end of table -->\n";
  const std::string said = fill_report(other, measured, missing);
  EXPECT_EQ(said, "<!-- table blocks -->\n(not measured yet)\n<!-- end of table -->\n");
  EXPECT_EQ(fill_report(said, measured, missing), said);
  EXPECT_THAT(missing, ElementsAre("blocks", "blocks"));
  // The text of a table remains if its measurement no longer exists. A mark without its end is ordinary text.
  const std::string kept =
      "<!-- table blocks -->\n\n| 4 | 5 |\n\n<!-- end of table -->\n<!-- table sizes -->\n";
  EXPECT_EQ(fill_report(kept, measured, missing), kept);
}

}  // namespace lab_report_test
}  // namespace grader
