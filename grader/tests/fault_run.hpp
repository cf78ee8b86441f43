/// @file
/// Grades a class while faults happen: the grader is killed at random moments, or its disk is full again and
/// again. After each fault, the same command resumes. At the end, the state must equal that of a run without
/// faults.
///
/// integration_fault_test (a few faults on a small lab) and bench/fault_class (hundreds of faults on a real
/// lab) use it.
#pragma once
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "base/removal.hpp"
#include "records/records.hpp"
#include "records/upkeep.hpp"

namespace grader::testing {

/// The results of each attempt, such as "wrong_answer 3/10", with one entry for each time that it was graded.
using Outcome = std::map<std::pair<std::string, int>, std::vector<std::string>>;

/// The home of a grader, with all files that it writes, and the command that grades the class.
class ClassRun {
 public:
  /// @param home  an existing folder for the grader's state, cache and temporary files
  /// @param words the words after "grader class"
  ClassRun(fs::path grader, fs::path kit, fs::path home, std::vector<std::string> words)
      : grader_(std::move(grader)), kit_(std::move(kit)), home_(std::move(home)), words_(std::move(words)) {
    fs::create_directories(home_ / "tmp");
    // All runs have the same sizes, so that points can be compared.
    fs::create_directories(home_ / "state");
    std::ofstream(home_ / "state/class.secret") << "a secret that all of them share";
    // If a grader is killed, its processes become children of this process, so that strays() finds all of
    // them.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }

  /// Copies the compiler's precompiled headers, which take as long to compile as some hand-ins. So the run is
  /// like one on a machine that has graded before.
  void take_headers(const ClassRun& other) const {
    std::error_code none;
    fs::create_directories(home_ / "cache", none);
    fs::copy(other.home_ / "cache/emucc", home_ / "cache/emucc", fs::copy_options::recursive, none);
  }

  /// The bytes that the run wrote, without the precompiled headers.
  std::uintmax_t written() const {
    std::uintmax_t bytes = 0;
    std::error_code gone;
    for (fs::recursive_directory_iterator at(home_, gone), end; !gone && at != end; at.increment(gone)) {
      if (at->path().filename() == "emucc") at.disable_recursion_pending();
      if (at->is_regular_file(gone)) bytes += at->file_size(gone);
    }
    return bytes;
  }

  struct Ended {
    bool killed = false;
    int exit_code = -1;
    std::string said;  ///< its standard error
    double wall_s = 0;
  };

  /// Runs the command. After the given time, kills the process of the grader with SIGKILL.
  Ended run(std::optional<double> kill_after_s = std::nullopt) const {
    const auto begin = std::chrono::steady_clock::now();
    const auto passed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    const pid_t child = start(ends[1]);
    close(ends[1]);
    Ended ended;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (kill_after_s && passed() >= *kill_after_s && !ended.killed) {
        kill(child, SIGKILL);
        ended.killed = true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ended.wall_s = passed();
    ended.killed = WIFSIGNALED(status);
    if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    char text[4096];
    for (ssize_t got; (got = read(ends[0], text, sizeof text)) > 0;)
      ended.said.append(text, static_cast<std::size_t>(got));
    close(ends[0]);
    return ended;
  }

  /// The command lines of processes that still run some seconds after the grader has ended. They are then
  /// killed.
  static std::vector<std::string> strays(double patience_s = 5) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_s);
    for (;;) {
      int status = 0;
      const pid_t ended = waitpid(-1, &status, WNOHANG);
      if (ended < 0) return {};
      if (ended > 0) continue;
      if (std::chrono::steady_clock::now() > give_up) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::vector<std::string> left;
    std::ifstream children("/proc/thread-self/children");
    for (pid_t pid; children >> pid;) {
      std::ostringstream words;
      words << std::ifstream("/proc/" + std::to_string(pid) + "/cmdline").rdbuf();
      std::string line = words.str();
      std::replace(line.begin(), line.end(), '\0', ' ');
      left.push_back(line);
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    return left;
  }

  /// The median of the gradings' wall-clock times.
  double median_s() const {
    const Records records(records_file());
    std::vector<double> all;
    for (const RecordSummary& one : records.list()) all.push_back(records.get(one.id)->total_s);
    std::sort(all.begin(), all.end());
    return all.empty() ? 0 : all[all.size() / 2];
  }

  Outcome outcome() const {
    Outcome out;
    for (const RecordSummary& one : Records(records_file()).list({.oldest_first = true}))
      out[{one.student, one.attempt}].push_back(one.verdict + " " + std::to_string(one.points) + "/" +
                                                std::to_string(one.max_points));
    return out;
  }

  /// What a dead grader left in the file system: work folders, partial files, control groups.
  std::set<std::string> leavings() const {
    std::set<std::string> out;
    std::error_code failed;
    for (fs::recursive_directory_iterator at(home_, failed), end; !failed && at != end;
         at.increment(failed)) {
      const std::string name = at->path().filename().string();
      const bool half_written = name.size() > 8 && name[0] == '.' && name[name.size() - 7] == '.';
      if (!name.starts_with("grader-") && !name.starts_with("tmp-") && !half_written) continue;
      out.insert(fs::relative(at->path(), home_).string());
      at.disable_recursion_pending();
    }
    for (const auto& entry : fs::directory_iterator(home_ / "tmp", failed))
      out.insert("tmp/" + entry.path().filename().string());
    return out;
  }

  fs::path records_file() const { return home_ / "state/records.sqlite"; }
  const fs::path& home() const { return home_; }
  const std::vector<std::string>& words() const { return words_; }

 private:
  pid_t start(int standard_error) const {
    std::vector<std::string> line = {grader_.string(), "class"};
    line.insert(line.end(), words_.begin(), words_.end());
    std::vector<char*> argv;
    for (std::string& word : line) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    setenv("CUDA_LAB_KIT", kit_.c_str(), 1);
    setenv("GRADER_HOME", (home_ / "state").c_str(), 1);
    setenv("GRADER_CACHE", (home_ / "cache").c_str(), 1);
    setenv("TMPDIR", (home_ / "tmp").c_str(), 1);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(standard_error, 2);
    execv(grader_.c_str(), argv.data());
    _exit(127);
  }

  fs::path grader_, kit_, home_;
  std::vector<std::string> words_;
};

/// What happened in all rounds.
struct FaultReport {
  int faults = 0;                     ///< faults that happened while the grader worked
  int rounds = 0;                     ///< classes that were graded completely
  int attempts = 0;                   ///< gradings in all rounds
  double disturbed_s = 0;             ///< wall clock of all runs
  std::vector<std::string> problems;  ///< a sentence for each problem

  void hold(bool well, const std::string& otherwise) {
    if (!well) problems.push_back(otherwise);
  }
};

/// Compares the results with those of the undisturbed run, when a class is complete.
inline void compare(const ClassRun& run, const Outcome& undisturbed, FaultReport& report) {
  const Outcome outcome = run.outcome();
  for (const auto& [who, graded] : outcome) {
    const std::string name = who.first + ", attempt " + std::to_string(who.second);
    report.attempts += static_cast<int>(graded.size());
    report.hold(graded.size() == 1, name + " was graded " + std::to_string(graded.size()) + " times");
    const auto other = undisturbed.find(who);
    const bool same = other != undisturbed.end() && other->second.front() == graded.front();
    report.hold(same, name + " got " + graded.front() + ", and undisturbed " +
                          (other == undisturbed.end() ? "nothing" : other->second.front()));
  }
  report.hold(
      outcome.size() == undisturbed.size(),
      std::to_string(outcome.size()) + " attempts were graded of " + std::to_string(undisturbed.size()));
  for (const std::string& problem : prove_records(run.records_file()).problems) report.hold(false, problem);
  for (const std::string& left : run.leavings()) report.hold(false, "left behind: " + left);
}

/// A run without faults, with which the others are compared.
struct Undisturbed {
  explicit Undisturbed(ClassRun it) : run(std::move(it)) {
    const ClassRun::Ended whole = run.run();
    wall_s = whole.wall_s;
    if (whole.exit_code != 0) throw std::runtime_error("the undisturbed run failed: " + whole.said);
    outcome = run.outcome();
    FaultReport report;
    compare(run, outcome, report);
    if (!report.problems.empty()) throw std::runtime_error("undisturbed: " + report.problems.front());
  }

  ClassRun run;
  Outcome outcome;
  double wall_s = 0;
};

/// Kills every run at a random moment, at most twice the time of a grading after its start, until `faults`
/// runs were killed. A class that is complete before that is compared, and another one starts in a new home.
/// @param make_run makes the run of a class in the home with this number, from 1
template <class MakeRun>
FaultReport kill_at_random(int faults, unsigned long long seed, const Undisturbed& undisturbed,
                           MakeRun make_run) {
  FaultReport report;
  std::mt19937_64 random(seed);
  // The latest moment is early enough to kill many runs, and late enough for the class to be completed.
  const double latest_s = std::max(1.5, 2 * undisturbed.run.median_s());
  while (report.faults < faults) {
    const ClassRun run = make_run(++report.rounds);
    run.take_headers(undisturbed.run);
    for (bool done = false; !done;) {
      std::optional<double> moment;
      if (report.faults < faults) moment = static_cast<double>(random() % 1000000) / 1e6 * latest_s;
      const ClassRun::Ended ended = run.run(moment);
      report.disturbed_s += ended.wall_s;
      report.faults += ended.killed;
      for (const std::string& stray : ClassRun::strays())
        report.hold(false, "still ran after a blow: " + stray);
      done = !ended.killed;
      report.hold(!done || ended.exit_code == 0,
                  "a run that went on ended with " + std::to_string(ended.exit_code) + ": " + ended.said);
    }
    compare(run, undisturbed.outcome, report);
    remove_tree(run.home());
  }
  return report;
}

/// A private file system in memory for this process, if the operating system permits it.
class SmallDisk {
 public:
  SmallDisk(fs::path folder, std::size_t bytes) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
    const std::string size = "size=" + std::to_string(bytes);
    there_ = unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
             mount("small", folder_.c_str(), "tmpfs", 0, size.c_str()) == 0;
  }
  ~SmallDisk() {
    if (there_) umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool there() const { return there_; }
  const fs::path& folder() const { return folder_; }
  /// Fills the file system up to this number of free bytes, or removes the ballast.
  void leave_free(std::uintmax_t bytes) const {
    const fs::path ballast = folder_ / "ballast";
    fs::remove(ballast);
    const std::uintmax_t free = fs::space(folder_).available;
    if (free <= bytes) return;
    const int file = open(ballast.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    [[maybe_unused]] const int failed = posix_fallocate(file, 0, static_cast<off_t>(free - bytes));
    close(file);
  }
  void free_all() const { fs::remove(folder_ / "ballast"); }

 private:
  fs::path folder_;
  bool there_ = false;
};

/// Gives each run a disk with a small random space, until `faults` runs have failed because of it. Then the
/// class resumes with enough space.
template <class MakeRun>
FaultReport fill_at_random(int faults, unsigned long long seed, const Undisturbed& undisturbed,
                           const SmallDisk& disk, MakeRun make_run) {
  FaultReport report;
  std::mt19937_64 random(seed);
  const std::uintmax_t needed = undisturbed.run.written();
  while (report.faults < faults) {
    const ClassRun run = make_run(++report.rounds);
    run.take_headers(undisturbed.run);
    for (bool done = false; !done;) {
      if (report.faults < faults)
        disk.leave_free(random() % needed);
      else
        disk.free_all();
      const ClassRun::Ended ended = run.run();
      report.disturbed_s += ended.wall_s;
      done = ended.exit_code == 0;
      report.faults += !done;
      const bool clear = ended.exit_code == 3 && (ended.said.find("disk") != std::string::npos ||
                                                  ended.said.find("space") != std::string::npos);
      report.hold(done || clear,
                  "a run without room ended with " + std::to_string(ended.exit_code) + ": " + ended.said);
      if (report.problems.size() > 10) return report;
    }
    disk.free_all();
    compare(run, undisturbed.outcome, report);
    remove_tree(run.home());
  }
  return report;
}

}  // namespace grader::testing
