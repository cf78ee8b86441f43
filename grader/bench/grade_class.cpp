// Measures what grading a class costs, and how the cost grows with the class.
//
//     grade_class [--lab LAB] [--workers N] [N …]             default: lab2.1, one worker for each core, classes of 50
//     grade_class --replay [--lab LAB] [--workers N] [N …]    default: classes of 50, 500 and 5000
//
// For each N, the program makes a class of N hand-ins (made_class.hpp), of which only the kit's part is in a
// cache. Before the clock starts, six other gradings make what all classes share: the oracle and precompiled
// headers.
//
// The operating system reports the processor time of each command that a grading runs:
//
//     the submissions' own: compilers and linkers on their files, their programs, and these once more under the checker
//     the grader's own: its process, the oracle, finding headers, a sandbox per command (measured with /bin/true)
//
// --replay grades the first hand-ins, and reuses their results for all others. The remaining time is that of
// everything except compiling and running, in classes of any size. Each class is graded in a process of its
// own, so that its peak memory is not that of an earlier class.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <thread>

#include "base/scratch.hpp"
#include "course/course.hpp"
#include "course/local_executor.hpp"
#include "made_class.hpp"

namespace {

using namespace grader;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

rusage usage_of_self() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

long peak_mib() {
  return usage_of_self().ru_maxrss / 1024;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// The processor time of this process, without its children.
double own_cpu_s() {
  const rusage usage = usage_of_self();
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

/// The time that commands of one kind took.
struct Spent {
  int times = 0;
  double cpu_s = 0, wall_s = 0;

  void add(const ProcessResult& done) {
    ++times;
    cpu_s += done.cpu_s;
    wall_s += done.wall_s;
  }
};

/// Runs commands like this machine, and records their times.
class CountedCommands final : public CommandRunner {
 public:
  Spent kit, headers, compiled, compiled_checked, ran, ran_checked;
  double sandbox_cpu_s = 0;  ///< of one command, without the program in it

  CountedCommands() {
    const ScratchFolder folder(fs::temp_directory_path(), "sandbox");
    ProcessRequest nothing;
    nothing.argv = {"/bin/true"};
    SandboxSpec spec;
    spec.work_folder = folder.path();
    Spent all;
    for (int i = 0; i < 20; ++i) all.add(this_machine().commands.run_confined(nothing, spec));
    sandbox_cpu_s = all.cpu_s / all.times;
  }

  ProcessResult run(const ProcessRequest& request) override {
    return counted(kit, this_machine().commands.run(request));
  }
  ProcessResult run_confined(const ProcessRequest& request, const SandboxSpec& spec) override {
    const bool compiles = fs::path(request.argv[0]).filename() == "emucc";
    const bool checks =
        compiles ? std::find(request.argv.begin(), request.argv.end(), "--check") != request.argv.end()
                 : request.hello.find("CUEMU_CHECK=") != std::string::npos;
    Spent& spent = spec.of_the_kit ? headers
                   : compiles      ? (checks ? compiled_checked : compiled)
                                   : (checks ? ran_checked : ran);
    return counted(spent, this_machine().commands.run_confined(request, spec));
  }
  SandboxStatus sandbox() override { return this_machine().commands.sandbox(); }
  bool interrupted() override { return this_machine().commands.interrupted(); }

  /// The number of the submissions' commands, each of which runs in a sandbox.
  int confined() const { return compiled.times + compiled_checked.times + ran.times + ran_checked.times; }
  double theirs_cpu_s() const {
    return compiled.cpu_s + compiled_checked.cpu_s + ran.cpu_s + ran_checked.cpu_s - sandboxes_cpu_s();
  }
  double sandboxes_cpu_s() const { return confined() * sandbox_cpu_s; }

 private:
  ProcessResult counted(Spent& spent, ProcessResult done) {
    const std::lock_guard<std::mutex> lock(mutex_);
    spent.add(done);
    return done;
  }
  std::mutex mutex_;
};

/// Grades a few hand-ins, and replays their results for the others.
class Replay final : public Executor {
 public:
  explicit Replay(LocalExecutor& real) : real_(real) {}

  void grade_all(const std::vector<WorkItem>& items, const Done& done) override {
    const double begin = now();
    constexpr std::size_t most = 6;
    const std::vector<WorkItem> few(
        items.begin(), items.begin() + static_cast<std::ptrdiff_t>(std::min(most, items.size())));
    std::vector<Grading> known(few.size());
    real_.grade_all(few, [&](std::size_t item, Grading grading) { known[item] = std::move(grading); });
    graded_s_ += now() - begin;
    for (std::size_t i = 0; i < items.size(); ++i) {
      Grading again = known[i % known.size()];
      again.sources_sha256 = items[i].submission.sha256;
      again.submission = items[i].submission.folder.string();
      done(i, std::move(again));
    }
  }
  /// The time of the gradings that were not replayed.
  double graded_s() const { return graded_s_; }

 private:
  LocalExecutor& real_;
  double graded_s_ = 0;
};

struct Bench {
  const Kit& kit;
  const Lab& lab;
  int workers = 1;
  bool replayed = false;
};

std::vector<GradedAttempt> grade(const Bench& bench, const fs::path& folder, Records& records,
                                 Executor& executor) {
  CourseOptions options;
  options.folder = folder;
  return grade_course(bench.kit, bench.lab, records, options, executor, {}).attempts;
}

void print_line(const char* what, const Spent& spent, int n, double all_cpu_s) {
  std::printf("  %-34s %7.1f %9.0f ms %8.0f ms %6.1f %%\n", what, static_cast<double>(spent.times) / n,
              1000 * spent.wall_s / n, 1000 * spent.cpu_s / n, 100 * spent.cpu_s / all_cpu_s);
}

void print_line(const char* what, double cpu_s, int n, double all_cpu_s) {
  std::printf("  %-34s %7s %12s %8.0f ms %6.1f %%\n", what, "", "", 1000 * cpu_s / n,
              100 * cpu_s / all_cpu_s);
}

/// Prints where the processor time went.
void print_shares(const CountedCommands& commands, double own_s, int n) {
  const double kit = commands.kit.cpu_s + commands.headers.cpu_s;
  const double theirs = commands.theirs_cpu_s(), sandboxes = commands.sandboxes_cpu_s();
  const double all = theirs + sandboxes + kit + own_s;
  std::printf("  for a hand-in                        times         wall   processors   share\n");
  print_line("compiling", commands.compiled, n, all);
  print_line("linking with the checker", commands.compiled_checked, n, all);
  print_line("running", commands.ran, n, all);
  print_line("running under the checker", commands.ran_checked, n, all);
  print_line("of these: their sandboxes", sandboxes, n, all);
  print_line("looking for headers", commands.headers, n, all);
  print_line("the oracle", commands.kit, n, all);
  print_line("the grader's own process", own_s, n, all);
  std::printf("  the submissions' own: %.2f s; the grader's: %.2f s, which is %.1f %%\n", theirs / n,
              (all - theirs) / n, 100 * (all - theirs) / all);
}

void measure(const Bench& bench, int n) {
  const ScratchFolder scratch(fs::temp_directory_path(), "grade-class");
  // The programs must differ from those of the last run, which the kit's cache may still have.
  const int number = static_cast<int>(std::time(nullptr) % 5'000'000) * 120;
  make_class(scratch.path() / "class", bench.kit, bench.lab, n, number);
  make_class(scratch.path() / "others", bench.kit, bench.lab, 6, number + 1'000'000'000);
  const Toolchain toolchain = Toolchain::detect(bench.kit);
  Records records(scratch.path() / "records.sqlite"), of_others(scratch.path() / "others.sqlite");
  CountedCommands commands;
  const Machine& real = this_machine();
  const Machine counting{commands, real.clocks, real.files, real.devices};
  LocalExecutor first(bench.kit, toolchain, {Backend::emu, bench.workers, "others"});
  grade(bench, scratch.path() / "others", of_others, first);
  LocalExecutor local(bench.kit, toolchain, {Backend::emu, bench.workers, "class"}, {}, counting);
  Replay replay(local);
  Executor& executor = bench.replayed ? static_cast<Executor&>(replay) : local;
  const double own_begin = own_cpu_s(), begin = now();
  const std::vector<GradedAttempt> attempts = grade(bench, scratch.path() / "class", records, executor);
  const double wall = now() - begin, own = own_cpu_s() - own_begin;
  const auto right = std::count_if(attempts.begin(), attempts.end(), [](const GradedAttempt& attempt) {
    return attempt.grading.verdict == Verdict::passed;
  });
  const long peak = peak_mib();
  const double again_begin = now();
  grade(bench, scratch.path() / "class", records, executor);
  const double again = now() - again_begin;
  if (bench.replayed) {
    const double rest = wall - replay.graded_s();  // time of the one thread that does the rest
    std::printf("%6d %8.2f s %9.2f ms %8ld MiB %8.2f s\n", n, rest, 1000 * rest / n, peak, again);
  } else {
    std::printf("%6d %8.1f s %9.2f s %8.0f %8ld MiB %8.2f s %7ld\n", n, wall, bench.workers * wall / n,
                3600 * n / wall, peak, again, static_cast<long>(right));
    print_shares(commands, own, n);
  }
  std::fflush(stdout);
}

/// @return whether it succeeded
bool measure_apart(const Bench& bench, int n) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      measure(bench, n);
      _exit(0);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n%s\n", error.what(), error.next_step().c_str());
      _exit(3);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

[[noreturn]] void explain_use() {
  std::fprintf(stderr, "usage: grade_class [--replay] [--lab LAB] [--workers N] [N …]\n");
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) try {
  std::string lab_id = "lab2.1";
  int workers = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bool replayed = false;
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_next = i + 1 < argc;
    if (word == "--replay") {
      replayed = true;
    } else if (word == "--lab" && has_next) {
      lab_id = argv[++i];
    } else if (word == "--workers" && has_next && std::atoi(argv[i + 1]) > 0) {
      workers = std::atoi(argv[++i]);
    } else if (std::atoi(argv[i]) > 0) {
      sizes.push_back(std::atoi(argv[i]));
    } else {
      explain_use();
    }
  }
  if (sizes.empty()) sizes = replayed ? std::vector<int>{50, 500, 5000} : std::vector<int>{50};
  const Kit kit = Kit::find(fs::current_path());
  std::optional<int> none;
  const Catalog catalog = Catalog::load(kit);
  const Bench bench{kit, catalog.find(lab_id, none), workers, replayed};
  std::printf("%s, %d workers on %u cores\n%s\n", bench.lab.id.c_str(), workers,
              std::thread::hardware_concurrency(),
              replayed ? " hand-ins     wall   a hand-in         peak      again"
                       : " hand-ins    wall   a hand-in   an hour         peak      again   right");
  std::fflush(stdout);
  bool well = true;
  for (const int n : sizes) well = measure_apart(bench, n) && well;
  return well ? 0 : 3;
} catch (const grader::Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.next_step().c_str());
  return 3;
}
