// Tests the arguments of Slurm's commands, and the reactions to late, wrong or missing answers, with fake
// commands. grader/tests/slurm_test.cpp uses the real commands.
#include "course/slurm.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "catalog/test_kit.hpp"
#include "course/class_file.hpp"
#include "course/slurm_executor.hpp"
#include "course/slurm_task.hpp"
#include "process/fake_machine.hpp"

namespace grader {
namespace slurm_test {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

template <class Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const Error& e) {
    return std::string(e.what()) + " | " + e.next_step();
  }
  return "";
}

struct SlurmCommands : testing::Test {
  FakeMachine machine;
  SlurmSettings settings;
  Slurm slurm{machine.machine, settings};
  JobArray job{"grader-1", "/spool/job.sh", "/spool", "logs/1-%a.txt", 64};
  std::string refusal(const ProcessResult& result) {
    machine.commands.play = [&](const ProcessRequest&) { return result; };
    return error_of([&] { slurm.submit(job); });
  }
};

TEST_F(SlurmCommands, AreGivenWhatTheClassFileSays) {
  settings.partition = "gpu";
  settings.gres = "gpu:a100:1";
  settings.time = "02:00:00";
  settings.memory = "8G";
  settings.cpus = 4;
  settings.at_once = 16;
  settings.options = {"--constraint=ib"};
  machine.commands.play = [](const ProcessRequest&) { return exits(0, "1234;cluster\n"); };
  EXPECT_EQ(slurm.submit(job), "1234");
  const std::vector<std::string>& argv = machine.commands.asked.front().argv;
  EXPECT_THAT(argv, AllOf(Contains("--partition=gpu"), Contains("--gres=gpu:a100:1"),
                          Contains("--time=02:00:00"), Contains("--mem=8G"), Contains("--cpus-per-task=4"),
                          Contains("--array=0-63%16"), Contains("--requeue"), Contains("--constraint=ib")));
  EXPECT_THAT(argv, Not(Contains(HasSubstr("--qos"))));
  EXPECT_EQ(argv.back(), "/spool/job.sh");
}

TEST_F(SlurmCommands, RefuseInOneSentence) {
  EXPECT_THAT(refusal(is_missing("sbatch: not found")), HasSubstr("sbatch was not found"));
  const std::string partition = refusal(
      exits(1, "",
            "sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: "
            "Invalid partition name specified\n"));
  EXPECT_THAT(partition, HasSubstr("Slurm takes no job: Invalid partition name specified. | "));
  EXPECT_THAT(refusal(hangs(120)), HasSubstr("Slurm takes no job: sbatch "));
  EXPECT_THAT(refusal(exits(0, "something else")), HasSubstr("Slurm takes no job"));
  EXPECT_THAT(refusal(exits(1, "", "sbatch: error: \x1b[2J\n")), Not(HasSubstr("\x1b")));
}

TEST_F(SlurmCommands, AQueueIsReadAndWhatIsNoQueueIsNot) {
  const Queue queue = parse_queue(
      "grader-1|0|RUNNING|n1|None\n"
      "grader-1|1|PENDING||Resources\n"
      "grader-1|2|TIMEOUT|n2|TimeLimit\n"
      "grader-1|3|OF_A_LATER_SLURM|n2|with|bars\n"
      "grader-1|N/A|RUNNING|n1|None\n"
      "grader-1|99999999999999999999|RUNNING|n1|None\n"
      "slurm_load_jobs error\n\n|||\n");
  ASSERT_EQ(queue.size(), 4u);
  EXPECT_FALSE(queue.at({"grader-1", 0}).over);
  EXPECT_FALSE(queue.at({"grader-1", 1}).over);
  EXPECT_EQ(queue.at({"grader-1", 1}).reason, "Resources");
  EXPECT_TRUE(queue.at({"grader-1", 2}).over);
  EXPECT_EQ(queue.at({"grader-1", 2}).node, "n2");
  EXPECT_FALSE(queue.at({"grader-1", 3}).over);
}

TEST_F(SlurmCommands, NoAnswerIsNoEmptyQueue) {
  machine.commands.play = [](const ProcessRequest&) {
    return exits(1, "", "squeue: error: Unable to contact slurm controller");
  };
  EXPECT_FALSE(slurm.queue({"grader-1"}));
}

/// A cluster with fake tasks.
struct SlurmRun : TestKit, testing::Test {
  FakeMachine machine;
  SlurmSettings settings;
  Lab the_lab = lab();
  std::vector<std::string> said;
  std::vector<WorkItem> items;
  std::map<std::string, int> graded;
  int submitted = 0;
  /// What task `task` of a round does. By default it finishes at the first read of the queue.
  std::function<void(const fs::path& round, int task)> run = finish_all;
  /// The queue's answer. By default no job is in the queue.
  std::function<ProcessResult()> ask = [] { return exits(0); };
  std::vector<fs::path> waiting;

  SlurmRun() {
    settings.poll_s = 0;
    settings.shared = path / "shared";
    settings.tasks = 2;
    for (const char* name : {"a", "b", "c"}) {
      WorkItem item;
      item.id = name;
      item.submission.files = {{"scale.cu", std::string("\xff // ") + name}};
      summarise(item.submission);
      items.push_back(std::move(item));
    }
    machine.commands.play = [this](const ProcessRequest& request) { return play(request); };
  }

  static Grading right(WorkItem item) {
    summarise(item.submission);
    Grading grading;
    grading.lab = "lab1.1";
    grading.sources_sha256 = item.submission.sha256;
    grading.verdict = Verdict::passed;
    grading.points = 2;
    return grading;
  }
  static void finish_all(const fs::path& round, int task) {
    for (const WorkItem& item : read_share(round, task).items) {
      write_begun(round, task, item.id);
      write_result(round, item.id, right(item));
    }
  }

  ProcessResult play(const ProcessRequest& request) {
    if (request.argv[0] == "sbatch") {
      waiting.push_back(fs::path(request.argv.back()).parent_path());
      return exits(0, std::to_string(++submitted) + "\n");
    }
    if (request.argv[0] != "squeue") return exits(0);
    for (const fs::path& round : std::exchange(waiting, {}))
      for (int task = 0; fs::exists(round / (std::to_string(task) + ".share")); ++task) run(round, task);
    return ask();
  }

  void grade() {
    SlurmExecutor executor(
        kit, the_lab, {}, {Backend::emu, false, "/class", 1}, settings,
        [&](const std::string& sentence) { said.push_back(sentence); }, machine.machine);
    executor.grade_all(items, [&](std::size_t item, const Grading& grading) {
      graded[items[item].id] += is_graded(grading) ? 1 : 100;
    });
  }
  /// The folder of the first round of the current batch.
  fs::path first_round() const {
    for (const auto& key : fs::directory_iterator(settings.shared))
      for (const auto& entry : fs::directory_iterator(key.path()))
        if (entry.is_directory()) return entry.path() / "rounds/1";
    return {};
  }

  using Times = std::map<std::string, int>;
};

TEST_F(SlurmRun, GradesEachOnceAndLeavesNothing) {
  grade();
  EXPECT_EQ(graded, (Times{{"a", 1}, {"b", 1}, {"c", 1}}));
  EXPECT_THAT(said, ElementsAre("Job 1: 2 tasks for 3 attempts."));
  EXPECT_TRUE(fs::is_empty(settings.shared));
}

TEST_F(SlurmRun, ATaskIsGivenTheBytesThatWereHandedIn) {
  run = [&](const fs::path& round, int task) {
    const Share share = read_share(round, task);
    EXPECT_EQ(share.lab, "lab1.1");
    for (const WorkItem& item : share.items)
      EXPECT_EQ(item.submission.files.at(0).text, "\xff // " + item.id);
    finish_all(round, task);
  };
  grade();
}

TEST_F(SlurmRun, EachAttemptIsReadOnceAndAnUnreadableOneStopsNoOther) {
  Times reads;
  for (WorkItem& item : items) {
    const Submission whole = item.submission;
    item.submission.files = {};
    item.read = [&reads, whole, id = item.id] {
      ++reads[id];
      if (id == "a") throw Error(ErrorKind::environment, "a was changed.");
      return whole;
    };
  }
  grade();
  EXPECT_EQ(reads, (Times{{"a", 1}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(graded, (Times{{"a", 100}, {"b", 1}, {"c", 1}}));
  EXPECT_THAT(said, ElementsAre("Job 1: 2 tasks for 2 attempts."));
}

TEST_F(SlurmRun, AResultThatIsDamagedIsMadeAgain) {
  run = [&](const fs::path& round, int task) {
    finish_all(round, task);
    if (submitted == 1 && task == 0)
      std::ofstream(round.parent_path().parent_path() / "results/a.json") << "{\"lab\": ";
  };
  grade();
  EXPECT_EQ(graded, (Times{{"a", 1}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(submitted, 2);
}

TEST_F(SlurmRun, AnItemBegunTooOftenIsGivenUpAlone) {
  run = [&](const fs::path& round, int task) {
    for (const WorkItem& item : read_share(round, task).items) {
      write_begun(round, task, item.id);
      if (item.id == "a") return;  // and the task dies
      write_result(round, item.id, right(item));
    }
  };
  grade();
  EXPECT_EQ(graded, (Times{{"a", 100}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(submitted, 3);
}

TEST_F(SlurmRun, TasksThatNeverBeginEndTheRun) {
  run = [](const fs::path&, int) {};
  EXPECT_THAT(error_of([&] { grade(); }), AllOf(HasSubstr("3 jobs were submitted, and no task has begun"),
                                                HasSubstr("do the nodes see ")));
  run = finish_all;  // repaired
  grade();
  EXPECT_EQ(graded, (Times{{"a", 1}, {"b", 1}, {"c", 1}}));
}

TEST_F(SlurmRun, ATasksOwnSentenceSaysWhyItEnded) {
  run = [](const fs::path& round, int task) {
    const fs::path logs = round.parent_path().parent_path() / "logs";
    std::ofstream(logs / (round.filename().string() + "-" + std::to_string(task) + ".txt"))
        << "loading modules\ngrader: There is no GPU on this node,\n        says the driver.\nNext: grader "
           "doctor\n";
  };
  EXPECT_THAT(error_of([&] { grade(); }), HasSubstr("(“There is no GPU on this node, says the driver.”)"));
}

TEST_F(SlurmRun, AQueueThatDoesNotAnswerIsWaitedForAndAtLastSaid) {
  run = [](const fs::path&, int) {};
  ask = [&] {
    machine.clocks.seconds = machine.clocks.seconds + 100;
    return exits(1, "", "Unable to contact slurm controller");
  };
  EXPECT_THAT(error_of([&] { grade(); }), HasSubstr("Slurm has not answered for ten minutes"));
  EXPECT_EQ(submitted, 1);
  // A task has finished meanwhile. The same command collects its results, and submits the items of the other
  // task.
  finish_all(first_round(), 0);
  ask = [] { return exits(0); };
  run = finish_all;
  grade();
  EXPECT_EQ(graded, (Times{{"a", 1}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(submitted, 2);
}

TEST_F(SlurmRun, ItemsInTheQueueAreNotSubmittedAgain) {
  ask = [&] {
    machine.commands.ctrl_c = true;
    return exits(0, "");
  };
  run = [](const fs::path&, int) {};
  EXPECT_THAT(error_of([&] { grade(); }), HasSubstr("Interrupted"));
  EXPECT_THAT(said.back(), HasSubstr("The tasks go on in the cluster"));
  machine.commands.ctrl_c = false;
  int looks = 0;
  ask = [&] {  // both tasks still run; at the third read they have ended
    std::string name;
    for (const std::string& word : machine.commands.asked.back().argv)
      if (word.rfind("--name=", 0) == 0) name = word.substr(7);
    if (++looks == 3)
      for (const int task : {0, 1}) finish_all(first_round(), task);
    return looks < 3 ? exits(0, name + "|0|RUNNING|n1|None\n" + name + "|1|PENDING||Priority\n") : exits(0);
  };
  grade();
  EXPECT_EQ(graded, (Times{{"a", 1}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(submitted, 1);
}

TEST_F(SlurmRun, TasksThatWaitAreSubmittedAnewWithChangedSettings) {
  settings.tries = 1;
  settings.cpus = 64;  // the cluster has no such node
  run = [](const fs::path&, int) {};
  ask = [&] {
    machine.commands.ctrl_c = true;
    return exits(0);
  };
  EXPECT_THAT(error_of([&] { grade(); }), HasSubstr("Interrupted"));
  machine.commands.ctrl_c = false;
  settings.cpus = 4;
  ask = [] { return exits(0); };
  run = finish_all;
  grade();
  EXPECT_EQ(graded, (Times{{"a", 1}, {"b", 1}, {"c", 1}}));
  EXPECT_TRUE(std::any_of(machine.commands.asked.begin(), machine.commands.asked.end(),
                          [](const ProcessRequest& request) {
                            return request.argv[0] == "scancel" && request.argv.back() == "--state=PENDING";
                          }));
}

TEST_F(SlurmRun, AChangedLabGivesUpWhatWasUnderWay) {
  run = [](const fs::path&, int) {};
  ask = [&] {
    machine.commands.ctrl_c = true;
    return exits(0);
  };
  EXPECT_THAT(error_of([&] { grade(); }), HasSubstr("Interrupted"));
  machine.commands.ctrl_c = false;
  ask = [] { return exits(0); };
  run = finish_all;
  write("labs/lab1.1-scale/given/scale.h", "#pragma once\n// mended\n");
  grade();
  EXPECT_EQ(graded, (Times{{"a", 1}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(submitted, 2);
  EXPECT_TRUE(std::any_of(machine.commands.asked.begin(), machine.commands.asked.end(),
                          [](const ProcessRequest& request) { return request.argv[0] == "scancel"; }));
}

TEST_F(SlurmRun, AFolderThatOthersCanReachIsRefused) {
  write("shared/x", "");
  const fs::path open_folder = path / "open";
  fs::create_directories(open_folder);
  fs::permissions(open_folder, fs::perms(0777));
  EXPECT_THAT(error_of([&] { make_private_folder(open_folder); }), HasSubstr("others can't look into"));
  fs::create_directory_symlink(path / "shared", path / "link");
  EXPECT_THAT(error_of([&] { make_private_folder(path / "link"); }), HasSubstr("others can't look into"));
  EXPECT_THAT(error_of([&] { make_private_folder(path / "shared/x/below"); }), HasSubstr("can't be made"));
  make_private_folder(path / "new/folder");
  EXPECT_EQ(fs::status(path / "new/folder").permissions(), fs::perms(0700));
}

TEST_F(SlurmRun, SettingsThatCannotBeAreRefusedWithTheirPlace) {
  const auto read = [&](const std::string& table) {
    write("class.toml", "format = 1\n[slurm]\n" + table);
    return error_of([&] { read_class_file(path / "class.toml"); });
  };
  EXPECT_THAT(read("gres = \"gpu:1\"\ntasks = 64\npoll_s = 0.5\n"), IsEmpty());
  EXPECT_THAT(read("tasks = 0\n"), HasSubstr("class.toml:3"));
  EXPECT_THAT(read("shared = \"here\"\n"), HasSubstr("a path from the root"));
  EXPECT_THAT(read("partion = \"gpu\"\n"), HasSubstr("partion"));
}

}  // namespace slurm_test
}  // namespace grader
