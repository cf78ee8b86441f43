// Kits that are broken, through the real binary: no points, no blame, the next step, and graded anew when mended.
#include <gtest/gtest.h>

#include "small_kit.hpp"

namespace grader {
namespace {

using testing::Ran;

const char* const oracle_file = "labs/lab9.1-double/oracle/oracle.cpp";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

/// Points that `grader list` keeps as the best of the small lab; none where it was never graded.
nlohmann::json kept(const testing::User& user) {
  const nlohmann::json level = user.grader({"list", "--json"}).json()["labs"][0]["levels"][0];
  return level["graded"] ? level["points"] : nlohmann::json();
}

Ran graded(const testing::User& user) {
  return user.grader({"lab9.1", "--backend", "emu", "--json"});
}

void expect_not_graded(const Ran& ran) {
  const auto report = ran.json();
  EXPECT_EQ(report["graded"], false) << report.dump(2);
  EXPECT_EQ(report["points"], 0);
  EXPECT_EQ(report["max_points"], 0);
}

TEST(BrokenKit, AnOracleThatDoesNotCompileIsNoGrade) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path());
  const testing::User user(kit);
  testing::write_file(kit / oracle_file, "int main() { return nothing; }\n");
  const Ran ran = graded(user);
  EXPECT_EQ(ran.exit_code, 4) << ran.out << ran.err;
  expect_not_graded(ran);
  EXPECT_EQ(ran.json()["verdict"], "grader_fault");
  EXPECT_NE(ran.out.find("costs you nothing"), std::string::npos) << ran.out;
  EXPECT_EQ(kept(user), nlohmann::json());

  testing::write_file(kit / oracle_file, testing::small_oracle);
  EXPECT_EQ(graded(user).exit_code, 0);
  EXPECT_EQ(kept(user), 4);
  testing::write_file(kit / oracle_file, "int main() { return nothing; }\n");
  graded(user);
  EXPECT_EQ(kept(user), 4) << "what was earned stays";
}

TEST(BrokenKit, AFaultInOneCaseHidesNoWrongAnswerInAnother) {
  const testing::TemporaryFolder folder;
  const fs::path kit =
      testing::write_small_kit(folder.path(), testing::small_program("if (i < n) y[i] = 3 * x[i];"));
  const testing::User user(kit);
  testing::write_file(kit / oracle_file,
                      replaced(testing::small_oracle, "if (!std::strcmp(argv[1], \"inputs\")) {",
                               "if (n == 7) return 2;\n  if (!std::strcmp(argv[1], \"inputs\")) {"));
  const Ran ran = graded(user);
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  expect_not_graded(ran);
  EXPECT_EQ(ran.json()["verdict"], "wrong_answer");
  EXPECT_EQ(kept(user), nlohmann::json());
  const std::string text = user.grader({"lab9.1", "--backend", "emu"}).out;
  EXPECT_NE(text.find("WRONG ANSWER  not graded"), std::string::npos) << text;
}

TEST(BrokenKit, AHeaderThatIsGoneIsNotTheStudentsMistake) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path());
  fs::remove(kit / "common");  // the link
  const fs::path headers = kit / "common/lab/include";
  fs::create_directories(headers);
  fs::copy(fs::path(KIT_SOURCE_DIR) / "common/lab/include", headers, fs::copy_options::recursive);
  fs::rename(headers / "lab/npy.hpp", kit / "npy.hpp");
  const testing::User user(kit);
  const Ran ran = user.grader({"lab9.1", "--backend", "emu"});
  EXPECT_EQ(ran.exit_code, 4) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("lab/npy.hpp is missing"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("not your mistake"), std::string::npos) << ran.err;
  EXPECT_EQ(kept(user), nlohmann::json());
  fs::rename(kit / "npy.hpp", headers / "lab/npy.hpp");
  EXPECT_EQ(graded(user).exit_code, 0);
}

TEST(BrokenKit, GoldThatIsDamagedIsNoGrade) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path());
  testing::write_file(
      kit / "labs/lab9.1-double/lab.toml",
      replaced(testing::small_lab_toml(), "args = [\"7\"]", "args = [\"7\"]\nverify = \"gold\"\nseed = 3"));
  const testing::User user(kit);
  ASSERT_EQ(user.grader({"gold"}).exit_code, 0);
  EXPECT_EQ(graded(user).exit_code, 0);

  const fs::path gold = kit / "gold/lab9.1-double/n7/y.npy";
  const std::string whole = testing::read_file(gold);
  std::string damaged = whole;
  damaged.back() ^= 1;
  testing::write_file(gold, damaged);
  const Ran ran = graded(user);
  EXPECT_EQ(ran.exit_code, 4) << ran.out << ran.err;
  expect_not_graded(ran);
  testing::write_file(gold, whole);
  EXPECT_EQ(graded(user).exit_code, 0);

  // The oracle's arrays of the other case must be of the gold's types.
  testing::write_file(
      kit / oracle_file,
      replaced(testing::small_oracle, "lab::write_npy(dir + \"/y.npy\", x.shape, x.data.data());",
               "std::vector<double> y(x.data.begin(), x.data.end());\n"
               "    lab::write_npy(dir + \"/y.npy\", x.shape, y.data());"));
  const Ran other = graded(user);
  EXPECT_EQ(other.exit_code, 4) << other.out << other.err;
  EXPECT_NE(other.out.find("the lab's gold has"), std::string::npos) << other.out;
}

}  // namespace
}  // namespace grader
