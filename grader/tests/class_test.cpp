// Tests a class with the real binary: right and wrong hand-ins, in time and late, and a grader that is killed while
// it works.
#include <gmock/gmock.h>

#include <set>

#include "base/test_folder.hpp"
#include "catalog/catalog.hpp"
#include "course/course.hpp"
#include "course/local_executor.hpp"
#include "killer.hpp"
#include "process/sandbox.hpp"
#include "records/records.hpp"
#include "small_kit.hpp"

namespace grader {
namespace class_test {

using ::testing::HasSubstr;
using testing::Ran;
using testing::read_file;
using testing::User;
using testing::write_file;

class ClassTest : public ::testing::Test {
 protected:
  ClassTest() { user.set("LC_ALL", "C.UTF-8"); }

  /// Writes a hand-in with this text in its blank.
  void hand_in(const std::string& student, const std::string& blank) const {
    write_file(class_folder / student / "double.cu",
               testing::small_program("// ---- part 1: the kernel ----\n" + blank +
                                      "\n  // ---- end of part 1 ----"));
  }
  Ran grade(std::vector<std::string> more = {}, const User* who = nullptr) const {
    std::vector<std::string> words = {"class",   class_folder.string(), "--lab", "lab9.1", "--backend", "emu",
                                      "--unsafe"};
    words.insert(words.end(), more.begin(), more.end());
    return (who == nullptr ? user : *who).grader(words);
  }

  const testing::TemporaryFolder folder;
  const fs::path class_folder = folder / "class";
  User user{testing::write_small_kit(folder.path(), testing::small_program(), 10)};
};

TEST_F(ClassTest, GradesEachOnceAndGivesMarks) {
  hand_in("ada", "if (i < n) y[i] = 2 * x[i];");
  hand_in("bob", "if (i < n) y[i] = 3 * x[i];");
  hand_in("cleo", "LAB_TODO(1);");
  write_file(class_folder / "dan.zip", "no archive at all");
  const fs::path csv = folder / "marks.csv", feedback = folder / "feedback";
  const Ran first = grade({"--csv", csv.string(), "--feedback", feedback.string()});
  ASSERT_EQ(first.exit_code, 0) << first.out << first.err;
  EXPECT_THAT(first.out, HasSubstr("4 students, 4 attempts: 4 graded now, 0 before."));
  EXPECT_THAT(first.out, HasSubstr("dan, attempt 1: "));
  EXPECT_THAT(testing::read_file(csv), HasSubstr("ada,,,,1,1,"));
  EXPECT_THAT(testing::read_file(feedback / "bob.txt"), HasSubstr("WRONG ANSWER"));
  EXPECT_THAT(testing::read_file(feedback / "bob.txt"), Not(HasSubstr(class_folder.string())));
  EXPECT_THAT(testing::read_file(feedback / "bob.html"), HasSubstr("<dd>wrong answer</dd>"));
  const Ran again = grade({"--json"});
  const auto report = again.json();
  ASSERT_EQ(report["attempts"].size(), 4u);
  for (const auto& attempt : report["attempts"]) EXPECT_EQ(attempt["graded_before"], true);
  const std::map<std::string, double> marks = marks_of(again);
  EXPECT_EQ(marks.at("ada"), 4);
  EXPECT_EQ(marks.at("bob"), 0);
  EXPECT_EQ(marks.at("cleo"), 0);
  EXPECT_EQ(marks.at("dan"), 0);
}

TEST_F(ClassTest, ADeadlineThatIsMovedChangesMarksWithoutGradingAgain) {
  hand_in("ada", "if (i < n) y[i] = 2 * x[i];");
  const std::string rule = "format = 1\n[late]\nper_day = 1\n";
  write_file(class_folder / "class.toml", "deadline = \"2001-01-01T00:00:00Z\"\n" + rule);
  EXPECT_EQ(marks_of(grade({"--json"})).at("ada"), 0);
  write_file(class_folder / "class.toml", "deadline = \"2999-01-01T00:00:00Z\"\n" + rule);
  const Ran moved = grade({"--json"});
  EXPECT_EQ(marks_of(moved).at("ada"), 4);
  EXPECT_EQ(moved.json()["attempts"][0]["graded_before"], true);
}

TEST_F(ClassTest, AFileThatChangedIsGradedAgain) {
  hand_in("ada", "if (i < n) y[i] = 3 * x[i];");
  EXPECT_EQ(marks_of(grade({"--json"})).at("ada"), 0);
  hand_in("ada", "if (i < n) y[i] = 2 * x[i];");
  EXPECT_EQ(marks_of(grade({"--json"})).at("ada"), 4);
}

TEST_F(ClassTest, CommentsAndPointsByHandSurviveARegrade) {
  hand_in("ada", "if (i < n) y[i] = 2 * x[i];");
  hand_in("bob", "if (i < n) y[i] = 3 * x[i];");
  write_file(class_folder / "class.toml",
             "format = 1\ncomments = \"comments.csv\"\n[[student]]\nid = \"joe\"\n");
  write_file(class_folder / "comments.csv", "student,points,comment\nada,-0.5,Late sign-up.\nadda,1,\n");
  const Ran misspelled = grade();
  EXPECT_EQ(misspelled.exit_code, 2);
  EXPECT_THAT(std::regex_replace(misspelled.err, std::regex("\\s+"), " "),
              HasSubstr("comments.csv:3: \"adda\" is no student of this class. Did you mean ada?"));
  write_file(class_folder / "comments.csv", "student,points,comment\nada,-0.5,Late sign-up.\njoe,1,Essay.\n");
  const fs::path report = folder / "report";
  for (const bool again : {false, true}) {
    const Ran ran = grade({"--report", report.string(), again ? "--regrade" : "--json"});
    ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    const std::string feedback = testing::read_file(report / "feedback/ada.txt");
    EXPECT_TRUE(feedback.starts_with("By hand: -0.5 points. Late sign-up.\nMark: 3.5 of 4.\n")) << feedback;
    EXPECT_THAT(testing::read_file(report / "marks.csv"), HasSubstr(",4,1,3.5,4,-0.5,Late sign-up."));
    EXPECT_THAT(testing::read_file(report / "class.html"), HasSubstr("-0.5 Late sign-up."));
    EXPECT_THAT(testing::read_file(report / "feedback/bob.txt"), HasSubstr("0 of 4 points: wrong answer."));
  }
  const Ran marks = user.grader({"marks", (report / "class.json").string()});
  EXPECT_THAT(marks.out, HasSubstr("3.5"));
  EXPECT_THAT(marks.out, HasSubstr("joe"));
}

TEST_F(ClassTest, ARegradeGoesOnWhereItWasInterrupted) {
  const std::vector<std::string> students = {"ada", "bob", "cleo"};
  for (const std::string& student : students) hand_in(student, "if (i < n) y[i] = 2 * x[i]; // " + student);
  ASSERT_EQ(grade().exit_code, 0);
  struct Interrupted final : Executor {
    Executor& real;
    std::size_t until;
    std::vector<std::string> graded = {};
    Interrupted(Executor& executor, std::size_t most) : real(executor), until(most) {}
    void grade_all(const std::vector<WorkItem>& items, const Done& done) override {
      const std::vector<WorkItem> some(
          items.begin(), items.begin() + static_cast<std::ptrdiff_t>(std::min(until, items.size())));
      for (const WorkItem& item : some) graded.push_back(item.submission.folder.filename());
      real.grade_all(some, done);
      if (until < items.size()) throw Error(ErrorKind::environment, "Interrupted.");
    }
  };
  const Kit kit{user.kit()};
  const Catalog catalog = Catalog::load(kit);
  std::optional<int> none;
  const Lab& lab = catalog.find("lab9.1", none);
  const Toolchain toolchain = Toolchain::detect(kit);
  Records records(user.state() / "records.sqlite");
  CourseOptions options;
  options.folder = class_folder;
  options.regrade = true;
  const auto regrade = [&](std::size_t most) {
    LocalExecutor local(kit, toolchain, {Backend::emu, 1, "class"});
    Interrupted executor(local, most);
    GradedClass out;
    try {
      out = grade_course(kit, lab, records, options, executor, {});
    } catch (const Error&) {
    }
    return std::pair(executor.graded.size(), out.regrade_resumed);
  };
  EXPECT_EQ(regrade(1), std::pair(std::size_t{1}, false));
  EXPECT_EQ(regrade(9), std::pair(std::size_t{2}, true)) << "the others alone";
  EXPECT_EQ(regrade(9), std::pair(std::size_t{3}, false)) << "it was finished";
}

TEST_F(ClassTest, TheNearestPairsAreRankedOnRequest) {
  hand_in("ada", "if (i < n) y[i] = 2 * x[i];");
  hand_in("bob", "while (i >= n) return;\n  y[i] = x[i] + x[i];");
  hand_in("cleo", "// mine\n  if (i<n)   y[i] = 3 * x[i];");
  const auto similarity = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"similarity", class_folder.string(), "--lab", "lab9.1"});
    return user.grader(more);
  };
  EXPECT_THAT(similarity({"--nearest", "2"}).out, HasSubstr("1.  100 %  ada; cleo"));
  const auto nearest = similarity({"--nearest", "2", "--json"}).json()["nearest"];
  ASSERT_EQ(nearest["pairs"].size(), 2u);
  EXPECT_LT(nearest["pairs"][1]["shared"], 0.9);
  EXPECT_FALSE(similarity({"--json"}).json().contains("nearest"));
  EXPECT_EQ(similarity({"--nearest", "0"}).exit_code, 2);
}

TEST_F(ClassTest, ALostSecretIsSaid) {
  hand_in("ada", "if (i < n) y[i] = 3 * x[i];");
  EXPECT_THAT(grade().err, Not(HasSubstr("class.secret")));
  fs::remove(user.state() / "class.secret");
  EXPECT_THAT(grade().err, HasSubstr("class.secret is lost"));
  EXPECT_THAT(grade().err, Not(HasSubstr("class.secret")));
}

TEST_F(ClassTest, OnlySomeAttemptsAreGradedAgain) {
  const std::string right = "if (i < n) y[i] = 2 * x[i];", wrong = "if (i < n) y[i] = 3 * x[i];";
  hand_in("ada/1", right);
  hand_in("ada/2", wrong);
  hand_in("bob", wrong);
  const auto graded_now = [](const Ran& ran) {
    std::set<std::string> now;
    const auto report = ran.json();
    for (const auto& attempt : report["attempts"])
      if (!attempt["graded_before"].get<bool>())
        now.insert(attempt["student"].get<std::string>() + std::to_string(attempt["attempt"].get<int>()));
    return now;
  };
  using Attempts = std::set<std::string>;
  EXPECT_EQ(graded_now(grade({"--json", "--only", "latest"})), (Attempts{"ada2", "bob1"}));
  EXPECT_EQ(graded_now(grade({"--json"})), (Attempts{"ada1"}));
  EXPECT_EQ(graded_now(grade({"--json", "--only", "best"})), (Attempts{"ada1", "bob1"}));
  EXPECT_EQ(graded_now(grade({"--json", "--only", "failed"})), (Attempts{"ada2", "bob1"}));
  hand_in("bob", right);
  hand_in("cleo", right);
  EXPECT_EQ(graded_now(grade({"--json", "--only", "changed"})), (Attempts{"bob1"})) << "cleo is new";
}

/// Hand-ins are read once for planning, and again before they are graded.
TEST_F(ClassTest, AHandInThatChangesMeanwhileStopsNoOther) {
  hand_in("ada", "if (i < n) y[i] = 3 * x[i];");
  hand_in("bob", "if (i < n) y[i] = 2 * x[i];");
  hand_in("cleo", "if (i < n) y[i] = 2 * x[i]; // cleo");
  struct Meddler final : Executor {
    Executor& real;
    std::function<void()> meddle;
    explicit Meddler(Executor& executor) : real(executor) {}
    void grade_all(const std::vector<WorkItem>& items, const Done& done) override {
      EXPECT_TRUE(items.at(0).submission.files.empty()) << "not held in memory";
      EXPECT_FALSE(items.at(0).whole().files.empty());
      meddle();
      real.grade_all(items, done);
    }
  };
  const Kit kit{user.kit()};
  const Catalog catalog = Catalog::load(kit);
  std::optional<int> level;
  const Lab& lab = catalog.find("lab9.1", level);
  const Toolchain toolchain = Toolchain::detect(kit);
  LocalExecutor local(kit, toolchain, {Backend::emu, 2, "secret"});
  Meddler meddler(local);
  meddler.meddle = [&] {
    hand_in("ada", "if (i < n) y[i] = 2 * x[i];");
    fs::remove_all(class_folder / "cleo");
  };
  Records records(folder / "records.sqlite");
  CourseOptions options;
  options.folder = class_folder;
  options.backend = Backend::emu;
  const std::vector<GradedAttempt> attempts = grade_course(kit, lab, records, options, meddler, {}).attempts;
  ASSERT_EQ(attempts.size(), 3u);
  EXPECT_FALSE(is_graded(attempts[0].grading));
  EXPECT_THAT(attempts[0].grading.notes.back(), HasSubstr("ada was changed while the class was graded"));
  EXPECT_EQ(attempts[1].grading.verdict, Verdict::passed);
  EXPECT_FALSE(is_graded(attempts[2].grading));
  EXPECT_EQ(marks_of(grade({"--json"})).at("ada"), 4);
}

/// Whatever one hand-in prints or does, all others are graded, each with its own result.
TEST_F(ClassTest, NoHandInStopsTheOthers) {
  hand_in("ada", "if (i < n) y[i] = 2 * x[i];");
  hand_in("bob",
          "#error \"cc1plus: internal compiler error: cannot execute as: No space left on device; nvcc fatal "
          "gpu-architecture\"");
  hand_in("cleo", "asm(\".err \\\"libcuemu_none.a: No space left on device\\\"\");");
  // This object is at namespace scope, so its initialiser runs on the host before all other code.
  const auto at_once = [](const std::string& words, int code) {
    return "if (i < n) y[i] = 2 * x[i];\n}\nstatic const int failed = [] { std::fputs(\"" + words +
           "\\n\", stderr); _exit(" + std::to_string(code) + "); return 0; }();\n__global__ void other() {";
  };
  hand_in("dan", at_once("bwrap: Can't make /proc: No space left on device", 1));
  hand_in("eve", at_once("setpriv: failed to execute x", 127));
  hand_in("fay", at_once("Killed", 137));
  hand_in("zoe", "if (i < n) y[i] = 2 * x[i];  // zoe");
  const Ran ran = grade({"--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const std::map<std::string, double> marks = marks_of(ran);
  ASSERT_EQ(marks.size(), 7u);
  for (const auto& [student, mark] : marks)
    EXPECT_EQ(mark, student == "ada" || student == "zoe" ? 4 : 0) << student;
  for (const auto& attempt : ran.json()["attempts"]) EXPECT_NE(attempt["verdict"], "grader_fault") << attempt;
}

TEST_F(ClassTest, AProgramKilledFromOutsideCostsNoPoints) {
  if (!sandbox_status().filters) GTEST_SKIP() << "the sender of SIGKILL can't be identified here";
  const std::string slow = "if (i == 0) for (volatile int k = 0; k < 300000000; k = k + 1) {}\n";
  hand_in("ada", slow + "if (i < n) y[i] = 2 * x[i];");
  hand_in("bob", "if (i < n) y[i] = 2 * x[i];");
  {
    const testing::Killer once(user.state().string(), 1);
    const Ran ran = grade({"--json"});
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_EQ(marks_of(ran).at("ada"), 4) << "it was run again";
    EXPECT_EQ(marks_of(ran).at("bob"), 4);
  }
  {
    const testing::Killer always(user.state().string(), 1000);
    const Ran ran = grade({"--regrade"});
    EXPECT_EQ(ran.exit_code, 4) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("ada, attempt 1: "));
    EXPECT_THAT(ran.out, HasSubstr("killed from outside"));
  }
  EXPECT_EQ(marks_of(grade({"--json"})).at("ada"), 4);
}

/// Makes the lab's oracle kill itself as many times as `kills` says, as a person or the system would do.
void make_oracle_die(const fs::path& kit, const fs::path& kills) {
  const fs::path source = kit / "labs/lab9.1-double/oracle/oracle.cpp";
  std::string text = read_file(source);
  text.insert(text.find("  std::string dir;"), "  die(\"" + kills.string() + "\");\n");
  text.insert(text.find("int main"), R"(#include <csignal>
#include <fstream>
void die(const char* file) {
  int left = 0;
  std::ifstream(file) >> left;
  if (left == 0) return;
  std::ofstream(file) << left - 1;
  std::raise(SIGKILL);
}
)");
  write_file(source, text);
}

TEST_F(ClassTest, AnOracleKilledFromOutsideCostsNoPoints) {
  make_oracle_die(user.kit(), folder / "kills");
  hand_in("ada", "if (i < n) y[i] = 2 * x[i];");
  write_file(folder / "kills", "1");
  const Ran once = grade({"--json"});
  EXPECT_EQ(once.exit_code, 0) << once.out << once.err;
  EXPECT_EQ(read_file(folder / "kills"), "0");
  EXPECT_EQ(marks_of(once).at("ada"), 4) << "the oracle was run again";

  write_file(folder / "kills", "2");
  const Ran twice = grade({"--json", "--regrade"});
  EXPECT_EQ(marks_of(twice).at("ada"), 4) << "the answer was graded after the others";

  write_file(folder / "kills", "1000");
  const Ran always = grade({"--regrade"});
  EXPECT_EQ(always.exit_code, 4) << always.out << always.err;
  EXPECT_THAT(always.out, HasSubstr("The oracle of lab9.1 was run twice, and"));
  EXPECT_THAT(always.out, Not(HasSubstr("kit's fault")));
  write_file(folder / "kills", "0");
  EXPECT_EQ(marks_of(grade({"--json"})).at("ada"), 4) << "no grading without points was kept";
}

TEST_F(ClassTest, AnOraclesCompilerKilledFromOutsideCostsNoPoints) {
  const fs::path source = user.kit() / "labs/lab9.1-double/oracle/oracle.cpp";
  for (const int kills : {1, 2}) {
    write_file(source, read_file(source) + "// no oracle is kept: " + std::to_string(time(nullptr)) + "\n");
    hand_in("ada", "if (i < n) y[i] = 2 * x[i];");
    const testing::Killer killer(user.kit().string(), kills, std::chrono::milliseconds(5),
                                 testing::Killer::Victims::oracle_compilers);
    const Ran ran = grade({"--json", "--regrade"});
    EXPECT_EQ(killer.killed_compilers(), kills);
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_EQ(marks_of(ran).at("ada"), 4) << ran.out;
  }
}

// The compiler and its repetition are both killed, so the answer is graded after the others.
TEST_F(ClassTest, ACompilerKilledFromOutsideCostsNoPoints) {
  if (!sandbox_status().filters) GTEST_SKIP() << "the sender of SIGKILL can't be identified here";
  hand_in("ada", "if (i < n) y[i] = 2 * x[i];  // no object of it is kept: " + std::to_string(time(nullptr)));
  const testing::Killer twice(class_folder.string(), 2, std::chrono::milliseconds(5),
                              testing::Killer::Victims::compilers);
  const Ran ran = grade({"--json"});
  EXPECT_EQ(twice.killed_compilers(), 2);
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_EQ(marks_of(ran).at("ada"), 4) << ran.out;
}

TEST_F(ClassTest, OfAPlatformsDownloadNothingVanishes) {
  const auto answer = [](const std::string& factor) {
    return testing::small_program("// ---- part 1: the kernel ----\nif (i < n) y[i] = " + factor +
                                  " * x[i];\n  // ---- end of part 1 ----");
  };
  write_file(class_folder / "Anna Schmidt_101_assignsubmission_file_/double (1).cu", answer("2"));
  write_file(class_folder / "Anna Schmidt_102_assignsubmission_file_/double.cu", answer("3"));
  write_file(class_folder / "Eve_103_assignsubmission_file_/work.rar", "Rar!");
  fs::create_symlink("../Anna Schmidt_101_assignsubmission_file_/double (1).cu",
                     class_folder / "Eve_103_assignsubmission_file_/double.cu");
  write_file(class_folder / "notes.pdf", "%PDF");
  write_file(class_folder / "class.toml",
             "format = 1\ndeadline = \"2001-01-01T00:00:00Z\"\nlate = { per_day = 1 }\n[[student]]\nid = "
             "\"joe\"\n[[student]]\nid = \"anna\"\nnumber = \"101\"\n");
  const Ran ran = grade({"--report", (folder / "report").string()});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const std::string text = std::regex_replace(ran.out, std::regex("\\s+"), " ");
  EXPECT_THAT(text, HasSubstr("no name of a platform: notes.pdf."));
  EXPECT_THAT(text, HasSubstr("No student of the class file: Anna Schmidt 102, Eve."));
  EXPECT_THAT(text, HasSubstr("Moodle's files do not say when they were handed in, so these are not late."));
  EXPECT_THAT(text, HasSubstr("anna, attempt 1: double.cu was handed in as double (1).cu."));
  EXPECT_THAT(text, HasSubstr("double.cu is a link to "));
  EXPECT_THAT(text, HasSubstr("joe nothing handed in"));
  const auto report = nlohmann::json::parse(testing::read_file(folder / "report/class.json"));
  EXPECT_EQ(report["remarks"].size(), 3u);
  std::map<std::string, double> marks;
  for (const auto& student : report["students"]) marks[student["student"]] = student["mark"];
  EXPECT_EQ(marks,
            (std::map<std::string, double>{{"anna", 4}, {"Anna Schmidt 102", 0}, {"Eve", 0}, {"joe", 0}}));
  const std::string page = testing::read_file(folder / "report/class.html");
  EXPECT_THAT(page, HasSubstr("<li>Not read, since it has no name of a platform: notes.pdf."));
  EXPECT_THAT(testing::read_file(folder / "report/marks.csv"), HasSubstr("anna,,101,,1,1,,passed,4,1,4,4"));
  const Ran again = grade({"--json"});
  EXPECT_EQ(again.json()["attempts"][0]["graded_before"], true);
}

TEST_F(ClassTest, KilledAtAnyMomentItGoesOnWhereItStopped) {
  for (int i = 0; i < 6; ++i)
    hand_in("student" + std::to_string(i),
            (i % 2 == 0 ? "if (i < n) y[i] = 2 * x[i]; // " : "if (i < n) y[i] = 3 * x[i]; // ") +
                std::to_string(i));
  const std::string line = std::string(GRADER_BINARY) + " class '" + class_folder.string() +
                           "' --lab lab9.1 --backend emu --unsafe --workers 2 >/dev/null 2>&1";
  for (const char* seconds : {"0.4", "2.5", "1.7", "3.1"})
    user.shell("timeout -s KILL " + std::string(seconds) + " " + line);
  const Ran resumed = grade({"--json"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.out << resumed.err;
  EXPECT_EQ(Records(user.state() / "records.sqlite").list({.lab = "lab9.1", .limit = 1000}).size(),
            6u);  // each exactly once
  const User undisturbed(user.kit());
  EXPECT_EQ(marks_of(resumed), marks_of(grade({"--json"}, &undisturbed)));
  EXPECT_TRUE(fs::is_empty(user.state() / "work"));  // no folder of a killed run is left
}

TEST_F(ClassTest, AProgramMadeForTheHandoutsSizesGainsNothing) {
  const fs::path declared = user.kit() / "labs/lab9.1-double/lab.toml";
  std::string text = testing::read_file(declared);
  for (const auto& [args, drawn] : {std::pair("args = [\"1000\"]\n", "drawn = [\"{1000..9000}\"]\n"),
                                    std::pair("args = [\"7\"]\n", "drawn = [\"{7..999}\"]\n")})
    text.insert(text.find(args), drawn);
  write_file(declared, text);
  hand_in("ada", "if (i < n) y[i] = 2 * x[i];");
  hand_in("eve", "if (i < n && (n == 1000 || n == 7)) y[i] = 2 * x[i];");
  const Ran alone = user.grader({"grade", "lab9.1", "--backend", "emu", "--only-blanks", "--from",
                                 (class_folder / "eve").string(), "--json"});
  EXPECT_EQ(alone.json()["points"], 4) << alone.out << alone.err;
  const Ran ran = grade({"--feedback", (folder / "feedback").string(), "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_EQ(marks_of(ran).at("ada"), 4);
  EXPECT_LT(marks_of(ran).at("eve"), 4);
  const std::string feedback = testing::read_file(folder / "feedback/ada.txt");
  EXPECT_THAT(feedback, HasSubstr("Sizes were drawn for this class: case n1000 with "));
  EXPECT_THAT(feedback, Not(HasSubstr("case n7 with"))) << "it is hidden";
}

TEST_F(ClassTest, ReportsMissingFilesWithTheNextStep) {
  const Ran empty = user.grader({"class", folder.path().string(), "--unsafe"});
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_THAT(empty.err, HasSubstr("Which lab"));
  const Ran nothing = user.grader({"class", "/nowhere", "--lab", "lab9.1", "--unsafe"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("/nowhere is not a folder"));
  write_file(class_folder / "class.toml", "format = 1\ndeadlin = \"x\"\n");
  const Ran mistyped = grade();
  EXPECT_EQ(mistyped.exit_code, 2);
  EXPECT_THAT(mistyped.err, HasSubstr("deadline"));
}

}  // namespace class_test
}  // namespace grader
