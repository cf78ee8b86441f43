#include "model/grading.hpp"
#include "model/lab.hpp"
#include "model/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace grader {
namespace {

TEST(MeasurementTest, MedianOfOddEvenAndNoSamples) {
  EXPECT_DOUBLE_EQ((Measurement{{3, 1, 2}}.median()), 2);
  EXPECT_DOUBLE_EQ((Measurement{{4, 1, 2, 3}}.median()), 2.5);
  EXPECT_TRUE(std::isnan(Measurement{}.median()));
}

TEST(MeasurementTest, SpreadIsRelativeToTheMedian) {
  EXPECT_DOUBLE_EQ((Measurement{{1, 2, 4}}.spread()), 1.5);
  EXPECT_DOUBLE_EQ((Measurement{{7}}.spread()), 0);
  EXPECT_DOUBLE_EQ((Measurement{{0, 0}}.spread()), 0);
}

TEST(VerdictTest, EveryVerdictHasANameAndWordsOfItsOwn) {
  std::set<std::string> names, for_people;
  const int last = static_cast<int>(Verdict::grader_fault);
  for (int v = 0; v <= last; ++v) {
    names.insert(to_string(static_cast<Verdict>(v)));
    for_people.insert(words(static_cast<Verdict>(v)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(last + 1));
  EXPECT_EQ(for_people.size(), static_cast<std::size_t>(last + 1));
  EXPECT_STREQ(words(Verdict::wrong_answer), "wrong answer");
  EXPECT_STREQ(to_string(Verdict::wrong_answer), "wrong_answer");
}

TEST(LabTest, FolderNameJoinsIdAndName) {
  Lab lab;
  lab.id = "lab1.1";
  lab.name = "matrixmul";
  EXPECT_EQ(lab.folder_name(), "lab1.1-matrixmul");
}

}  // namespace
}  // namespace grader
