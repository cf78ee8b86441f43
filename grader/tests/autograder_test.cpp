// Runs the files of `grader autograder` as the platforms do.
#include <gmock/gmock.h>

#include "small_kit.hpp"

namespace grader {
namespace autograder_test {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;
using testing::User;
using testing::write_file;

const char* const right = "if (i < n) y[i] = 2 * x[i];";

std::string handed_in(const std::string& blank) {
  return testing::small_program("// ---- part 1: the kernel ----\n  " + blank +
                                "\n  // ---- end of part 1 ----");
}

class AutograderTest : public ::testing::Test {
 protected:
  AutograderTest() {
    user.set("LC_ALL", "C.UTF-8");
    write_file(user.kit() / "bootstrap", "#!/bin/sh\n");
    write_file(user.kit() / "CMakeLists.txt", "");
  }
  Ran make_zip() const {
    return user.grader({"autograder", "lab9.1", "--gradescope", (folder / "a.zip").string()});
  }
  void unpack() const {
    fs::create_directories(platform / "source");
    const Ran ran = user.shell("cd '" + (platform / "source").string() + "' && cmake -E tar xf '" +
                               (folder / "a.zip").string() + "'");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  /// Does what the platform does: runs a copy of the script in another folder than that of the zip, with only
  /// PATH set.
  int run() {
    const fs::path script = platform / "run_autograder";
    fs::copy_file(platform / "source/run_autograder", script, fs::copy_options::overwrite_existing);
    const Ran ran = user.shell(
        "cd '" + platform.string() + "' && exec env -i PATH=\"$PATH\" AUTOGRADER='" + platform.string() +
        "' GRADER='" GRADER_BINARY "' GRADER_CACHE=\"$GRADER_CACHE\" ./run_autograder");
    if (ran.exit_code == 0) expect_documented(results());
    return ran.exit_code;
  }
  /// Keys that https://gradescope-autograders.readthedocs.io/en/latest/specs/ does not list could have any
  /// effect.
  static void expect_documented(const nlohmann::json& results) {
    using ::testing::AnyOf;
    for (const auto& [key, value] : results.items())
      EXPECT_THAT(key, AnyOf("score", "execution_time", "output", "output_format", "stdout_visibility",
                             "tests", "leaderboard"));
    EXPECT_TRUE(results["score"].is_number());
    EXPECT_TRUE(results.value("execution_time", nlohmann::json(0)).is_number());
    EXPECT_TRUE(results["output"].is_string());
    EXPECT_EQ(results["output_format"], "text") << "by default it is HTML";
    for (const auto& one : results.value("tests", nlohmann::json::array())) {
      for (const auto& [key, value] : one.items())
        EXPECT_THAT(key, AnyOf("score", "max_score", "status", "name", "output", "visibility"));
      EXPECT_LE(one["score"].get<double>(), one["max_score"].get<double>());
      EXPECT_THAT(one["status"].get<std::string>(), AnyOf("passed", "failed"));
      EXPECT_THAT(one["visibility"].get<std::string>(),
                  AnyOf("visible", "hidden", "after_due_date", "after_published"));
      EXPECT_TRUE(one["name"].is_string() && one["output"].is_string());
    }
    for (const auto& one : results.value("leaderboard", nlohmann::json::array()))
      EXPECT_TRUE(one["name"].is_string() && one["value"].is_number() && one["order"] == "asc");
  }
  nlohmann::json results() const {
    return nlohmann::json::parse(testing::read_file(platform / "results/results.json"));
  }

  const testing::TemporaryFolder folder;
  const fs::path platform = folder / "autograder";
  User user{testing::write_small_kit(folder.path(), testing::small_program(), 10)};
};

TEST_F(AutograderTest, GradescopeGradesTheBlanksWithHiddenCases) {
  const Ran ran = make_zip();
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string first = testing::read_file(folder / "a.zip");
  ASSERT_EQ(make_zip().exit_code, 0);
  EXPECT_EQ(testing::read_file(folder / "a.zip"), first) << "the same kit makes another zip";
  unpack();
  // CI proves that the real bootstrap works. In this test, bootstrap only writes a file, and a grading
  // follows.
  write_file(platform / "source/kit/bootstrap", "#!/bin/sh\ntouch bootstrapped\n");
  fs::permissions(platform / "source/kit/bootstrap", fs::perms::owner_all);
  const Ran setup =
      user.shell("GRADER='" GRADER_BINARY "' '" + (platform / "source/setup.sh").string() + "'");
  EXPECT_EQ(setup.exit_code, 0) << setup.err;
  EXPECT_TRUE(fs::exists(platform / "source/kit/bootstrapped"));
  EXPECT_THAT(setup.out, HasSubstr("0 of 4 points"));
  EXPECT_EQ(access((platform / "source/run_autograder").c_str(), X_OK), 0);
  EXPECT_FALSE(fs::exists(platform / "source/kit/solutions"));
  EXPECT_THAT(testing::read_file(platform / "source/kit/labs/lab9.1-double/lab.toml"),
              HasSubstr("n7"));  // a hidden case

  // Changes outside of the blank must be ignored.
  std::string text = handed_in(right);
  text.insert(text.find("int main"), "#error changed\n");
  write_file(platform / "submission/double.cu", text);
  ASSERT_EQ(run(), 0);
  EXPECT_EQ(results()["score"], 4);
  ASSERT_EQ(results()["tests"].size(), 2u);
  EXPECT_EQ(results()["tests"][1]["visibility"], "hidden");
  EXPECT_EQ(results()["tests"][0]["score"], 2);
  EXPECT_EQ(results()["tests"][1]["score"], 2) << "together the score";

  write_file(platform / "submission/double.cu", handed_in("if (i < n) y[i] = 3 * x[i];"));
  ASSERT_EQ(run(), 0);
  EXPECT_EQ(results()["score"], 0);
  EXPECT_EQ(results()["tests"][0]["status"], "failed");

  // A hand-in that can't be read gets no points.
  fs::remove(platform / "submission/double.cu");
  fs::create_symlink("/etc/passwd", platform / "submission/double.cu");
  ASSERT_EQ(run(), 0);
  EXPECT_EQ(results()["score"], 0);
  EXPECT_THAT(results()["output"].get<std::string>(), HasSubstr("double.cu"));

  // A fault of the kit is not a grade.
  fs::remove_all(platform / "results");
  fs::remove(platform / "submission/double.cu");
  write_file(platform / "submission/double.cu", handed_in(right));
  write_file(platform / "source/kit/labs/lab9.1-double/oracle/oracle.cpp", "#error broken");
  EXPECT_EQ(run(), 4);
  EXPECT_FALSE(fs::exists(platform / "results/results.json"));
}

TEST_F(AutograderTest, AWorkflowForClassroomGradesWhatTheKitHas) {
  ASSERT_EQ(user.grader({"release", "--to", (folder / "class").string()}).exit_code, 0);
  const Ran ran = user.grader({"autograder", "--github", (folder / "class").string()});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string workflow = testing::read_file(folder / "class/.github/workflows/classroom.yml");
  EXPECT_THAT(workflow, HasSubstr("grader grade lab9.1 --level 1 --format classroom"));
  EXPECT_THAT(workflow, HasSubstr("LAB9X1LEVEL1_RESULTS: ${{ steps.lab9x1level1.outputs.result }}"));
  EXPECT_THAT(workflow, HasSubstr("runners: lab9x1level1\n"));
  EXPECT_THAT(workflow, Not(HasSubstr("\t")));
  EXPECT_TRUE(fs::exists(folder / "class/.gitignore"));
  // The workflow passes this text to the reporter.
  const Ran graded = user.grader({"grade", "lab9.1", "--backend", "emu", "--format", "classroom"});
  EXPECT_EQ(graded.exit_code, 0) << graded.err;
  write_file(folder / "result", graded.out);
  const Ran decoded = user.shell("base64 -d '" + (folder / "result").string() + "'");
  const auto result = nlohmann::json::parse(decoded.out);
  EXPECT_EQ(result["max_score"], 4);
  EXPECT_EQ(result["tests"][0]["score"], 4);
  EXPECT_EQ(result["status"], "pass");
}

TEST_F(AutograderTest, ReportsMissingPrograms) {
  EXPECT_THAT(user.grader({"autograder", "lab9.1"}).err, HasSubstr("--gradescope"));
  EXPECT_THAT(user.grader({"autograder", "--gradescope", "x.zip"}).err, HasSubstr("which?"));
  EXPECT_THAT(user.grader({"autograder", "--github", folder.path().string()}).err,
              HasSubstr("is no kit for a class"));
  EXPECT_THAT(user.grader({"autograder", "--github", user.kit().string()}).err,
              HasSubstr("holds the solutions"));
}

}  // namespace autograder_test
}  // namespace grader
