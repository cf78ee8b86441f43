// What grading a class costs, and how that grows with it.
//
//     grade_class [LAB] [N …]             default: lab2.1, classes of 50
//     grade_class --replay [LAB] [N …]    default: lab2.1, classes of 50, 500 and 5000
//
// For each N a class of N hand-ins is made up (made_class.hpp), so that nothing is taken from a cache but what is the kit's.
// Printed: wall clock, the time of the workers for a hand-in, what of it is neither compiling nor running the hand-ins (within
// grade(), and with all that the class does around it and waits at its end), the largest resident memory, and the time of the
// same command once more, when all is known.
//
// --replay grades the first hand-ins, and says of all others what came out of one of these: then what is left is all that is not
// compiling and running, in classes of any size. Each class is a process of its own, so that each has its own largest memory.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "base/scratch.hpp"
#include "course/course.hpp"
#include "course/local_executor.hpp"
#include "made_class.hpp"

namespace {

using namespace grader;

const unsigned workers = std::max(1u, std::thread::hardware_concurrency());

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

long peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// Grades a few.
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
  /// Of the real gradings.
  double graded_s() const { return graded_s_; }

 private:
  LocalExecutor& real_;
  double graded_s_ = 0;
};

void measure(const Kit& kit, const Lab& lab, int n, bool replayed) {
  const ScratchFolder scratch(fs::temp_directory_path(), "grade-class");
  CourseOptions options;
  options.folder = scratch.path() / "class";
  make_class(options.folder, kit, lab, n);
  const Toolchain toolchain = Toolchain::detect(kit);
  Records records(scratch.path() / "records.sqlite");
  LocalExecutor local(kit, toolchain, options.backend, static_cast<int>(workers));
  Replay replay(local);
  Executor& executor = replayed ? static_cast<Executor&>(replay) : local;
  const double begin = now();
  const std::vector<GradedAttempt> attempts = grade_course(kit, lab, records, options, executor, {});
  const double wall = now() - begin;
  double total = 0, theirs = 0;
  int right = 0;
  for (const GradedAttempt& attempt : attempts) {
    total += attempt.grading.total_s;
    theirs += attempt.grading.build_s + attempt.grading.run_s;
    right += attempt.grading.verdict == Verdict::passed;
  }
  const long peak = peak_mib();
  const double again_begin = now();
  grade_course(kit, lab, records, options, executor, {});
  const double again = now() - again_begin;
  if (replayed) {
    const double own = wall - replay.graded_s();  // by one thread
    std::printf("%6d %8.2f s %9.2f ms %6.2f %% %8ld MiB %8.2f s\n", n, own, 1000 * own / n,
                100 * own / (own + total), peak, again);
  } else {
    std::printf("%6d %8.1f s %9.2f s %8.1f %% %8.1f %% %8ld MiB %8.2f s %7d\n", n, wall, workers * wall / n,
                100 * (1 - theirs / total), 100 * (1 - theirs / (workers * wall)), peak, again, right);
  }
  std::fflush(stdout);
}

/// @return whether it went well
bool measure_apart(const Kit& kit, const Lab& lab, int n, bool replayed) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      measure(kit, lab, n, replayed);
      _exit(0);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(3);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool replayed = !words.empty() && words.front() == "--replay";
  if (replayed) words.erase(words.begin());
  const Kit kit = Kit::find(fs::current_path());
  std::optional<int> none;
  const Catalog catalog = Catalog::load(kit);
  const Lab& lab = catalog.find(words.empty() ? "lab2.1" : words.front(), none);
  std::vector<int> sizes;
  for (std::size_t i = 1; i < words.size(); ++i) sizes.push_back(std::max(1, std::atoi(words[i].c_str())));
  if (sizes.empty()) sizes = replayed ? std::vector<int>{50, 500, 5000} : std::vector<int>{50};
  std::printf("%s, %u workers\n%s\n", lab.id.c_str(), workers,
              replayed ? " hand-ins     wall   a hand-in    share         peak      again"
                       : " hand-ins    wall   a hand-in   in grade()  in all        peak      again   right");
  std::fflush(stdout);
  bool well = true;
  for (const int n : sizes) well = measure_apart(kit, lab, n, replayed) && well;
  return well ? 0 : 3;
} catch (const grader::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
