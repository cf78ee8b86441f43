// How many hand-ins a class run grades in a minute, and what of the time is the grader's own.
//
//     grade_class [LAB] [N …]          default: lab2.1, classes of 50
//
// For each N a class of N hand-ins is made up (made_class.hpp), so that nothing is taken from a cache but what is the kit's.
// Printed: wall clock, hand-ins a minute, the share of the workers' time that is neither
// compiling nor running, the largest resident memory so far, and the time of the same command once more, when all is known.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
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

long peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void measure(const Kit& kit, const Lab& lab, int n) {
  const ScratchFolder scratch(fs::temp_directory_path(), "grade-class");
  CourseOptions options;
  options.folder = scratch.path() / "class";
  make_class(options.folder, kit, lab, n);
  const Toolchain toolchain = Toolchain::detect(kit);
  Records records(scratch.path() / "records.sqlite");
  LocalExecutor executor(kit, toolchain, options.backend,
                         static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
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
  const double again = now();
  grade_course(kit, lab, records, options, executor, {});
  std::printf("%6d %8.1f s %8.1f %10.2f s %9.1f %% %8ld MiB %8.2f s %7d\n", n, wall, n / wall * 60, wall / n,
              100 * (1 - theirs / total), peak_mib(), now() - again, right);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const Kit kit = Kit::find(fs::current_path());
  std::optional<int> none;
  const Catalog catalog = Catalog::load(kit);
  const Lab& lab = catalog.find(argc > 1 ? argv[1] : "lab2.1", none);
  std::printf(
      "%s, %u workers\n hand-ins    wall  a minute    a hand-in  grader's      peak     again   right\n",
      lab.id.c_str(), std::max(1u, std::thread::hardware_concurrency()));
  if (argc < 3) measure(kit, lab, 50);
  for (int i = 2; i < argc; ++i) measure(kit, lab, std::max(1, std::atoi(argv[i])));
} catch (const grader::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
