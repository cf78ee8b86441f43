// Tests the real program on broken kits: it gives no points, does not blame the student, names the next step,
// and grades again after the repair.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <future>
#include <thread>

#include "small_kit.hpp"

namespace grader {
namespace {

using testing::Ran;

const char* const oracle_file = "labs/lab9.1-double/oracle/oracle.cpp";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

/// The best points in the small lab, from `grader list`. Null if it was never graded.
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

/// Gives the small kit a copy of the headers, which a test may damage. @return the folder of the copy
fs::path own_headers(const fs::path& kit) {
  fs::remove(kit / "common");  // the link
  const fs::path headers = kit / "common/lab/include";
  fs::create_directories(headers);
  fs::copy(fs::path(KIT_SOURCE_DIR) / "common/lab/include", headers, fs::copy_options::recursive);
  return headers;
}

TEST(BrokenKit, AHeaderThatIsGoneIsNotTheStudentsMistake) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path());
  const fs::path headers = own_headers(kit);
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

TEST(BrokenKit, AHeaderThatIsDamagedIsNotTheStudentsMistakeEither) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path());
  const fs::path header = own_headers(kit) / "lab/npy.hpp";
  const testing::User user(kit);
  const std::string whole = testing::read_file(header);
  testing::write_file(header, whole.substr(0, whole.size() / 2));
  const Ran ran = user.grader({"lab9.1", "--backend", "emu"});
  EXPECT_EQ(ran.exit_code, 4) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("The files of the kit are damaged"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("not your mistake"), std::string::npos) << ran.err;
  EXPECT_EQ(kept(user), nlohmann::json());
  testing::write_file(header, whole);

  // A macro of the student that breaks a whole header is not a fault of the kit.
  testing::write_file(testing::students_file(kit), "#define header 3\n" + testing::small_program());
  const Ran broken = graded(user);
  EXPECT_EQ(broken.exit_code, 1) << broken.out << broken.err;
  EXPECT_EQ(broken.json()["verdict"], "compile_error");
  EXPECT_NE(broken.json()["diagnostics"].get<std::string>().find("npy.hpp"), std::string::npos);
}

TEST(BrokenKit, AGivenFileThatIsDamagedIsNotTheStudentsMistake) {
  const testing::TemporaryFolder folder;
  const std::string program =
      "#include \"size.h\"\n" + testing::small_program("if (i < n) y[i] = factor * x[i];");
  const fs::path kit = testing::write_small_kit(folder.path(), program);
  const fs::path given = kit / "labs/lab9.1-double/given/size.h",
                 own = testing::students_file(kit).parent_path() / "size.h";
  const std::string level = testing::read_file(kit / "labs/lab9.1-double/level1/double.cu");
  testing::write_file(kit / "labs/lab9.1-double/level1/double.cu", "#include \"size.h\"\n" + level);
  for (const fs::path& file : {given, own}) testing::write_file(file, "constexpr float factor = ;\n");
  const testing::User user(kit);
  EXPECT_EQ(graded(user).exit_code, 4);
  testing::write_file(given, "constexpr float factor = 2;\n");
  EXPECT_EQ(graded(user).exit_code, 1) << "the student broke a copy of the file";
}

/// Runs `grader watch` in a shell of its own.
TEST(BrokenKit, WatchingGoesOnWhenTheKitIsMended) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path()), log = folder / "log",
                 process = folder / "process";
  const fs::path header = own_headers(kit) / "lab/npy.hpp";
  const testing::User user(kit);
  const std::string whole = testing::read_file(header);
  testing::write_file(header, "nothing\n");
  // Returns the output when `count` gradings have ended. Empty after a time-out.
  const auto seen = [&](std::size_t count) {
    for (int tenths = 0; tenths < 1200; ++tenths) {
      const std::string text = testing::read_file(log);
      std::size_t found = 0;
      for (std::size_t at = text.find("Watching"); at != std::string::npos;
           at = text.find("Watching", at + 1))
        ++found;
      if (found >= count) return text;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return std::string();
  };
  std::future<void> watching = std::async(std::launch::async, [&] {
    user.shell(fmt::format("echo $$ > {}; exec {} watch lab9.1 --backend emu > {} 2>&1", process.string(),
                           GRADER_BINARY, log.string()));
  });
  EXPECT_NE(seen(1).find("not your mistake"), std::string::npos) << testing::read_file(log);
  testing::write_file(header, whole);
  testing::write_file(testing::students_file(kit), testing::small_program() + "\n");
  EXPECT_NE(seen(2).find("PASSED"), std::string::npos) << testing::read_file(log);
  kill(std::stoi(testing::read_file(process)), SIGINT);
  watching.wait();
}

TEST(BrokenKit, AnOracleThatListsNoLinesIsNoGrade) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(
      folder.path(),
      testing::small_program("if (i < n) y[i] = 2 * x[i];", "", "std::puts(\"Hello 1\");\n  return 0;"));
  std::string toml = replaced(testing::small_lab_toml(), "output = \"y\"", "output = \"stdout\"");
  toml.erase(toml.find("[[table]]"));
  testing::write_file(kit / "labs/lab9.1-double/lab.toml", toml);
  const testing::User user(kit);
  testing::write_file(kit / oracle_file, replaced(testing::small_oracle, "/y.npy", "/expected.txt"));
  const Ran ran = graded(user);
  EXPECT_EQ(ran.exit_code, 4) << ran.out << ran.err;
  expect_not_graded(ran);
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

  // The arrays that the oracle makes for the other case must have the dtypes of the gold.
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
