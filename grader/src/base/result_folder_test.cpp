// Tests entries with which a process may replace a result file.
#include "base/result_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "base/test_folder.hpp"

namespace grader {
namespace {

using testing::HasSubstr;

class Results : public testing::Test {
 protected:
  void SetUp() override {
    folder.write("run/output/P.npy", "result");
    folder.write("expected/P.npy", "expected");
    fs::create_directory(folder.path / "taken");
    opened.emplace(run);
  }
  ResultFolder::Taken take(std::uintmax_t largest = 100) {
    return opened->take("output/P.npy", folder.path / "taken", largest);
  }
  std::string problem() {
    const ResultFolder::Taken taken = take();
    EXPECT_EQ(taken.file, "");
    EXPECT_EQ(opened->read("output/P.npy", 100), std::nullopt);
    EXPECT_EQ(folder.read("expected/P.npy"), "expected") << "it was touched";
    return taken.problem;
  }
  TestFolder folder;
  const fs::path run = folder.path / "run", output = run / "output/P.npy";
  std::optional<ResultFolder> opened;
};

TEST_F(Results, AreReadAndMovedOut) {
  EXPECT_EQ(opened->read("output/P.npy", 100), "result");
  EXPECT_EQ(opened->read("output/../output/P.npy", 100).value_or("result"), "result");
  const ResultFolder::Taken taken = take();
  EXPECT_EQ(taken.file, folder.path / "taken/P.npy") << taken.problem;
  EXPECT_EQ(folder.read("taken/P.npy"), "result");
  EXPECT_FALSE(fs::exists(output));
}

TEST_F(Results, ThatAreMissingAreNoProblem) {
  fs::remove(output);
  EXPECT_EQ(problem(), "");
}

TEST_F(Results, AreNoLink) {
  fs::remove(output);
  fs::create_symlink(folder.path / "expected/P.npy", output);
  EXPECT_THAT(problem(), HasSubstr("symbolic link"));
}

TEST_F(Results, AreNotBehindALink) {
  fs::remove_all(run / "output");
  fs::create_directory_symlink(folder.path / "expected", run / "output");
  EXPECT_THAT(problem(), HasSubstr("symbolic link"));
  fs::remove(run / "output");
  fs::create_directory_symlink("../expected", run / "output");
  EXPECT_THAT(problem(), HasSubstr("symbolic link"));
}

TEST_F(Results, AreNotInAFolderThatWasExchanged) {
  fs::rename(run, folder.path / "away");
  fs::create_directory(run);
  fs::create_directory_symlink(folder.path / "expected", run / "output");
  EXPECT_EQ(opened->read("output/P.npy", 100), "result");
}

TEST_F(Results, AreNoHardLink) {
  fs::remove(output);
  fs::create_hard_link(folder.path / "expected/P.npy", output);
  EXPECT_THAT(problem(), HasSubstr("hard link"));
}

TEST_F(Results, AreNoPipeAndNoFolder) {
  fs::remove(output);
  ASSERT_EQ(mkfifo(output.c_str(), 0666), 0);
  EXPECT_THAT(problem(), HasSubstr("pipe"));
  fs::remove(output);
  fs::create_directory(output);
  EXPECT_THAT(problem(), HasSubstr("folder"));
}

TEST_F(Results, AreNotLargerThanTheyMayBe) {
  ASSERT_EQ(truncate(output.c_str(), 1 << 30), 0);  // takes no disk space
  EXPECT_THAT(problem(), HasSubstr("bytes"));
}

TEST_F(Results, NeverLieOutside) {
  EXPECT_EQ(opened->read("../expected/P.npy", 100), std::nullopt);
  EXPECT_EQ(opened->read((folder.path / "expected/P.npy"), 100), std::nullopt);
}

}  // namespace
}  // namespace grader
