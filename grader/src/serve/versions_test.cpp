#include "serve/versions.hpp"

#include "catalog/test_kit.hpp"

namespace grader {
namespace {

TEST(Versions, KeepsTheNewestTwentyEachOnce) {
  const TestKit folder;
  const Lab lab = folder.lab();
  std::vector<std::string> digests;
  const auto keep = [&](int number) {
    Submission submission;
    submission.lab = &lab;
    submission.files = {{"scale.cu", std::to_string(number)}};
    summarise(submission);
    keep_version(folder.kit, submission);
    digests.push_back(submission.sha256);
  };
  EXPECT_TRUE(kept_versions(folder.kit, lab, 1).empty());
  for (int number = 0; number < 22; ++number) keep(number);
  keep(5);  // grades an old version again
  const auto kept = kept_versions(folder.kit, lab, 1);
  ASSERT_EQ(kept.size(), most_versions);
  EXPECT_EQ(kept.front().digest, digests.back());
  EXPECT_EQ(kept[1].digest, digests[21]);
  EXPECT_EQ(folder.read(kept[1].folder.lexically_relative(folder.path) / "scale.cu"), "21");
  EXPECT_TRUE(kept_versions(folder.kit, lab, 2).empty());
}

}  // namespace
}  // namespace grader
