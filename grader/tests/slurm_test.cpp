// Tests a class on a real Slurm, which each test starts: results are the same as on this machine, and tasks
// may be killed, the command may be killed, and the cluster may refuse jobs.
#include <gmock/gmock.h>

#include <future>

#include "records/records.hpp"
#include "slurm_cluster.hpp"
#include "small_kit.hpp"

namespace grader {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using testing::Ran;
using testing::SlurmCluster;
using testing::User;
using testing::wait_until;
using testing::write_file;

class SlurmTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = SlurmCluster::missing(); !missing.empty()) GTEST_SKIP() << missing;
    cluster = std::make_unique<SlurmCluster>();
    ASSERT_TRUE(cluster->comes_up()) << cluster->logs();
    set_up(user);
    settings("");
  }

  void set_up(User& who) const {
    who.set("LC_ALL", "C.UTF-8");
    who.set("SLURM_CONF", cluster->configuration());
    who.set("TMPDIR", folder.path().string());  // scratch folder of the nodes
  }
  void settings(const std::string& more) const {
    write_file(class_folder / "class.toml", "format = 1\nlab = \"lab9.1\"\n[slurm]\npoll_s = 0.2\n" + more);
  }
  /// Writes a hand-in with this text in its blank. Its program is new, so no earlier test has put it into a
  /// cache.
  void hand_in(const std::string& student, const std::string& blank) const {
    const std::string once = " // " + student + " " + folder.path().filename().string();
    write_file(class_folder / student / "double.cu",
               testing::small_program("// ---- part 1: the kernel ----\n" + blank + once +
                                      "\n  // ---- end of part 1 ----"));
  }
  void hand_in_right(const std::string& student) const { hand_in(student, "if (i < n) y[i] = 2 * x[i];"); }

  /// The grader to test. $KIT_SLURM_GRADER may name another one, such as the portable preset's.
  static std::string grader() {
    const char* const other = std::getenv("KIT_SLURM_GRADER");
    return other != nullptr ? other : GRADER_BINARY;
  }
  std::string command(const std::string& more = "") const {
    return grader() + " class '" + class_folder.string() + "' --backend emu --unsafe --json " + more;
  }
  Ran on_slurm() const { return user.shell(command("--executor slurm")); }

  /// The spool folder of the current batch. Empty if there is none.
  fs::path batch() const {
    std::error_code none;
    for (const auto& key : fs::directory_iterator(user.state() / "cluster", none))
      for (const auto& entry : fs::directory_iterator(key.path(), none))
        if (fs::is_directory(entry.path(), none)) return entry.path();
    return {};
  }
  std::size_t begun() const {
    std::error_code none;
    const fs::directory_iterator at(batch() / "begun", none);
    return static_cast<std::size_t>(std::count_if(begin(at), end(at), [](const fs::directory_entry& entry) {
      return entry.path().filename().string()[0] != '.';
    }));
  }
  std::size_t recorded() const {
    return Records(user.state() / "records.sqlite").list({.lab = "lab9.1", .limit = 1000}).size();
  }
  /// The process of the grader that runs a task of the first round. 0 if there is none.
  pid_t process_of_task(int task) const {
    const std::string round = (batch() / "rounds/1").string();
    const std::vector<std::string> words = {"class-task", round, "--task", std::to_string(task)};
    for (const auto& process : fs::directory_iterator("/proc")) {
      std::istringstream line(testing::read_file(process.path() / "cmdline"));
      std::vector<std::string> argv;
      for (std::string word; std::getline(line, word, '\0');) argv.push_back(word);
      if (argv.size() == 5 && std::equal(words.begin(), words.end(), argv.begin() + 1))
        return std::stoi(process.path().filename().string());
    }
    return 0;
  }
  /// The number of job arrays that Slurm still lists. It removes them five minutes after their end.
  std::size_t jobs() const {
    const std::string lines = cluster->shell("squeue --states=all --noheader --format=%F | sort -u").out;
    return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  }

  const testing::TemporaryFolder folder;
  const fs::path class_folder = folder / "class";
  User user{testing::write_small_kit(folder.path())};
  std::unique_ptr<SlurmCluster> cluster;
};

/// The results without values that differ in each run: times and drawn numbers.
nlohmann::json essence(const Ran& ran) {
  nlohmann::json out = nlohmann::json::array();
  nlohmann::json report = ran.json();  // not const, so that a missing value is null
  for (auto& attempt : report["attempts"]) {
    auto& grading = attempt["grading"];
    nlohmann::json one = {{"student", attempt["student"]},      {"attempt", attempt["attempt"]},
                          {"received", attempt["received_at"]}, {"notes", attempt["notes"]},
                          {"verdict", grading["verdict"]},      {"points", grading["points"]},
                          {"of", grading["max_points"]},        {"sources", grading["sources_sha256"]},
                          {"parts", grading["parts"]},          {"todo", grading["todo"]},
                          {"backend", grading["backend"]},      {"device", grading["device"]},
                          {"said", grading["notes"]},           {"folder", grading["submission"]}};
    for (auto& c : grading["cases"])
      one["cases"].push_back({c["id"], c["verdict"], c["points"], c["visibility"], c["findings"]});
    out.push_back(one);
  }
  return out;
}

TEST_F(SlurmTest, GivesTheResultsOfThisMachine) {
  settings("gres = \"gpu:1\"\ncpus = 2\ntasks = 2\n");
  hand_in_right("ada");
  hand_in("bob", "if (i < n) y[i] = 3 * x[i];");
  hand_in("cleo", "LAB_TODO(1);");
  hand_in("dan", "no C++ at all");
  hand_in("eve", "if (i <= n) y[i] = 2 * x[i]; // \xff");  // out of bounds; and no UTF-8
  write_file(class_folder / "fay.zip", "no archive at all");
  const Ran there = on_slurm();
  ASSERT_EQ(there.exit_code, 0) << there.out << there.err;
  EXPECT_THAT(there.err, ContainsRegex("Job [0-9]+: 2 tasks for 6 attempts\\."));
  User other(user.kit());
  set_up(other);
  const Ran here = other.shell(command("--executor local"));
  ASSERT_EQ(here.exit_code, 0) << here.out << here.err;
  EXPECT_EQ(essence(there), essence(here));
  EXPECT_EQ(marks_of(there).at("ada"), 4);
  EXPECT_EQ(recorded(), 6u);
  // All hand-ins are graded, so no job is submitted, and the spool is empty.
  EXPECT_THAT(on_slurm().err, Not(HasSubstr("Job")));
  EXPECT_EQ(jobs(), 1u);
  EXPECT_TRUE(batch().empty());
}

TEST_F(SlurmTest, ItemsOfAKilledTaskAreGradedExactlyOnce) {
  for (const char* student : {"ada", "bob", "cleo", "dan"})  // each of them takes some seconds
    hand_in(student,
            "if (i == 0) for (volatile long k = 0; k < 1000000000; ++k); if (i < n) y[i] = 2 * x[i];");
  std::future<Ran> ran = std::async(std::launch::async, [&] { return on_slurm(); });
  ASSERT_TRUE(wait_until([&] { return begun() >= 3; }));
  // One task ends as if memory had run out, another is cancelled by its owner, and Slurm pre-empts a third.
  const pid_t task = process_of_task(0);
  ASSERT_NE(task, 0);
  kill(task, SIGKILL);
  const std::string id = cluster->shell("squeue --noheader --format=%F | head -n 1 | tr -d '\\n'").out;
  cluster->shell("scancel " + id + "_1; scontrol requeue " + id + "_2");
  // Slurm would wait two minutes before it restarts the pre-empted task, so the test sets its start time.
  const std::string state = "squeue --noheader --array --format=%T --job=" + id + "_2";
  EXPECT_TRUE(wait_until([&] { return cluster->shell(state).out == "PENDING\n"; }, 20));
  cluster->shell("scontrol update jobid=" + id + "_2 starttime=now");
  const Ran done = ran.get();
  ASSERT_EQ(done.exit_code, 0) << done.out << done.err;
  EXPECT_THAT(done.err, HasSubstr(" again, since a task ended with "));
  EXPECT_GE(jobs(), 2u);
  EXPECT_EQ(recorded(), 4u);
  for (const auto& [student, mark] : marks_of(done)) EXPECT_EQ(mark, 4) << student;
}

TEST_F(SlurmTest, ACommandThatIsKilledGoesOnAndSubmitsNothingTwice) {
  settings("tasks = 4\n");
  for (int i = 0; i < 8; ++i) hand_in_right("student" + std::to_string(i));
  const std::string line = command("--executor slurm >/dev/null 2>&1 & echo $! >pid; wait");
  std::future<Ran> killed = std::async(std::launch::async, [&] { return user.shell(line); });
  ASSERT_TRUE(wait_until([&] { return begun() >= 1; }));
  user.shell("kill -KILL $(cat pid)");  // while the tasks work
  killed.get();
  const Ran interrupted = user.shell("timeout -s INT 1 " + command("--executor slurm"));
  if (interrupted.exit_code != 0) {
    EXPECT_THAT(interrupted.err, HasSubstr("The tasks go on in the cluster"));
  }
  const Ran resumed = on_slurm();
  ASSERT_EQ(resumed.exit_code, 0) << resumed.out << resumed.err;
  EXPECT_EQ(jobs(), 1u);
  EXPECT_EQ(recorded(), 8u);
  for (const auto& [student, mark] : marks_of(resumed)) EXPECT_EQ(mark, 4) << student;
  EXPECT_TRUE(batch().empty());
}

TEST_F(SlurmTest, AnEndlessHandInIsGivenUpAndTheOthersAreGraded) {
  // This grader dies when it has begun zoe's hand-in, as if a program took all memory of the node.
  const fs::path wrapper = folder / "dies-with-zoe";
  write_file(
      wrapper,
      "#!/bin/sh\n'" + grader() +
          "' \"$@\" & grader=$!\n"
          "if grep -q zoe \"$2/$4.share\"; then\n"
          "  until ls \"$2\"/../../begun | grep -q \"[.]$(basename \"$2\")-$4-\"; do sleep 0.05; done\n"
          "  kill -KILL $grader; exit 9\nfi\nwait $grader\n");
  fs::permissions(wrapper, fs::perms(0755));
  settings("tries = 2\ngrader = \"" + wrapper.string() + "\"\n");
  hand_in_right("ada");
  hand_in_right("zoe");
  const Ran ran = on_slurm();
  EXPECT_EQ(ran.exit_code, 4) << ran.out << ran.err;
  EXPECT_EQ(marks_of(ran).at("ada"), 4);
  EXPECT_THAT(
      ran.out,
      HasSubstr("It was begun 2 times on the cluster and never finished: its task ended with FAILED"));
  EXPECT_EQ(jobs(), 2u);
  settings("");  // after this repair, the same command grades that hand-in, too
  const Ran mended = on_slurm();
  ASSERT_EQ(mended.exit_code, 0) << mended.out << mended.err;
  EXPECT_EQ(marks_of(mended).at("zoe"), 4);
}

TEST_F(SlurmTest, AClusterThatCannotGradeIsSaidInOneSentence) {
  hand_in_right("ada");
  settings("partition = \"nope\"\n");
  const Ran partition = on_slurm();
  EXPECT_EQ(partition.exit_code, 3);
  EXPECT_THAT(partition.json()["error"], HasSubstr("Slurm takes no job: "));
  EXPECT_THAT(partition.json()["error"], HasSubstr("nvalid partition"));
  EXPECT_THAT(partition.json()["next"], HasSubstr("[slurm]"));

  settings("tries = 2\nsetup = \"echo No module named cuda >&2; exit 1\"\n");
  const Ran setup = on_slurm();
  EXPECT_EQ(setup.exit_code, 3);
  EXPECT_THAT(setup.json()["error"], HasSubstr("2 jobs were submitted, and no task has begun to grade"));
  EXPECT_THAT(setup.json()["error"], HasSubstr("“No module named cuda”"));

  User elsewhere(user.kit());
  elsewhere.set("PATH", "/nowhere");
  const Ran none = elsewhere.grader({"class", class_folder.string(), "--executor", "slurm"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, HasSubstr("sbatch was not found"));
  EXPECT_THAT(none.err, HasSubstr("--executor local"));

  settings("");
  EXPECT_EQ(marks_of(on_slurm()).at("ada"), 4);
}

}  // namespace
}  // namespace grader
