#include "author/scaffold.hpp"

#include <gtest/gtest.h>

#include "author/inventory.hpp"
#include "author/release.hpp"
#include "author/wrong.hpp"
#include "base/test_folder.hpp"
#include "workspace/submission.hpp"

namespace grader {
namespace {

struct ScaffoldTest : testing::Test {
  TestFolder folder;
  Kit kit{folder.path};

  ScaffoldTest() {
    fs::create_directory(kit.labs());
    fs::create_directory(kit.solutions());
  }
  NewLab make(const std::string& id, const std::string& name, int levels = 2) const {
    return new_lab(kit, Catalog::load(kit), id, name, levels);
  }
};

TEST_F(ScaffoldTest, WritesACompleteLab) {
  for (int levels = 1; levels <= 4; ++levels) {
    const std::string id = "lab9." + std::to_string(levels);
    const NewLab made = make(id, "scale-it", levels);
    EXPECT_EQ(made.files.size(), 6u + static_cast<std::size_t>(levels));
    for (const fs::path& file : made.files) {
      EXPECT_TRUE(fs::is_regular_file(file)) << file;
      const std::string text = folder.read(file.lexically_relative(folder.path));
      for (const char* placeholder : {"@ID@", "@NAME@", "@LEVELS@", "@OTHER", "@FOLDER@"})
        EXPECT_EQ(text.find(placeholder), std::string::npos) << file << placeholder;
    }
    EXPECT_NE(made.next_steps.find("grader " + id + " --solution"), std::string::npos);
  }
  const Catalog catalog = Catalog::load(kit);
  EXPECT_EQ(catalog.labs().size(), 4u);
  EXPECT_THAT(inventory_problems(kit, catalog), testing::IsEmpty());
  for (const Lab& lab : catalog.labs()) {
    EXPECT_TRUE(prove_levels(kit, lab).empty());
    EXPECT_EQ(read_submission(kit, lab, lab.levels, Origin::student).todo.size(), 1u);
    EXPECT_TRUE(read_submission(kit, lab, 1, Origin::solution).todo.empty());
    EXPECT_GE(read_wrong(kit, lab).size(), 1u);
  }
}

TEST_F(ScaffoldTest, RefusesWhatCanNotBeALab) {
  EXPECT_THAT([&] { make("9.9", "x"); }, throws_error(ErrorKind::usage, "is not a lab id"));
  EXPECT_THAT([&] { make("lab9.9.1", "x"); }, throws_error(ErrorKind::usage, "is not a lab id"));
  EXPECT_THAT([&] { make("lab9.9", "../x"); }, throws_error(ErrorKind::usage, "is not a lab name"));
  EXPECT_THAT([&] { make("lab9.9", ""); }, throws_error(ErrorKind::usage, "is not a lab name"));
  EXPECT_THAT([&] { make("lab9.9", "x", 0); }, throws_error(ErrorKind::usage, "1 to 9 levels, not 0"));
  EXPECT_TRUE(folder.names("labs").empty());
}

TEST_F(ScaffoldTest, RefusesWhatIsTaken) {
  make("lab9.9", "x");
  EXPECT_THAT([&] { make("lab9.9", "y"); }, throws_error(ErrorKind::usage, "There is a lab9.9 already"));
  folder.write("gold/lab9.8-z/n8/X.npy", "precious");
  EXPECT_THAT([&] { make("lab9.8", "z"); }, throws_error(ErrorKind::usage, "exists already"));
  EXPECT_EQ(folder.names("labs"), std::vector<std::string>{"lab9.9-x"});
}

TEST_F(ScaffoldTest, AFailureLeavesNothing) {
  fs::remove(kit.solutions());
  folder.write("solutions", "a file in the way");
  EXPECT_THAT([&] { make("lab9.9", "x"); }, throws_error(ErrorKind::environment, "can't be written"));
  EXPECT_TRUE(folder.names("labs").empty());
}

}  // namespace
}  // namespace grader
