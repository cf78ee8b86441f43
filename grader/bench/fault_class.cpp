// Grades a class while faults happen.
//
//     fault_class kill [COUNT [SEED [LAB [HAND_INS]]]]     default: 200 1 lab1.1 12
//     fault_class disk [COUNT [SEED [LAB [HAND_INS]]]]     default: 40 1 lab1.1 12
//
// kill: `grader class` is killed COUNT times, by SIGKILL to its process at a random moment, and called again,
// for as many classes as needed. disk: the grader's home is a small file system (tmpfs in a mount namespace,
// which needs root), which is filled to within some random bytes before each run.
//
// After each fault, no process may still run. When a class is complete, each attempt must have been graded
// exactly once, with the verdict and points of a run without faults, the records must be sound, and no
// folder, temporary file or control group may be left. Every violation is printed, and the exit code is then
// 1.
#include <cstdio>
#include <cstdlib>

#include "base/scratch.hpp"
#include "fault_run.hpp"
#include "made_class.hpp"

namespace {

using namespace grader;
using namespace grader::testing;

int print(const FaultReport& report, const Undisturbed& undisturbed, const char* blows) {
  std::printf("%d %s over %d classes, %d gradings: %zu problems\n", report.faults, blows, report.rounds,
              report.attempts, report.problems.size());
  std::printf(
      "undisturbed, with the first run's preparations, %.1f s a class; %.1f s with what had to be done "
      "again\n",
      undisturbed.wall_s, report.rounds > 0 ? report.disturbed_s / report.rounds : 0);
  for (const std::string& problem : report.problems) std::printf("  %s\n", problem.c_str());
  return report.problems.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto word = [&](int at, const char* otherwise) {
    return std::string(argc > at ? argv[at] : otherwise);
  };
  const std::string what = word(1, "");
  if (what != "kill" && what != "disk") {
    std::fprintf(stderr, "fault_class kill|disk [COUNT [SEED [LAB [HAND_INS]]]]\n");
    return 2;
  }
  const int count = std::max(1, std::atoi(word(2, what == "kill" ? "200" : "40").c_str()));
  const unsigned long long seed = std::strtoull(word(3, "1").c_str(), nullptr, 10);
  const Kit kit = Kit::find(fs::current_path());
  const Catalog catalog = Catalog::load(kit);
  std::optional<int> none;
  const Lab& lab = catalog.find(word(4, "lab1.1"), none);
  const ScratchFolder scratch(fs::temp_directory_path(), "faults");
  const fs::path class_folder = scratch.path() / "class";
  make_class(class_folder, kit, lab, std::max(1, std::atoi(word(5, "12").c_str())));
  const auto run_in = [&](const fs::path& homes) {
    return [&, homes](int number) {
      return ClassRun(GRADER_BINARY, kit.root, homes / std::to_string(number),
                      {class_folder.string(), "--lab", lab.id, "--backend", "emu"});
    };
  };
  const auto in_scratch = run_in(scratch.path() / "homes");
  const Undisturbed undisturbed(in_scratch(0));
  if (what == "kill")
    return print(kill_at_random(count, seed, undisturbed, in_scratch), undisturbed, "kills");
  const SmallDisk disk(scratch.path() / "disk", std::size_t{512} << 20);
  if (!disk.there()) {
    std::fprintf(stderr,
                 "No file system can be mounted: run it as root, where mount namespaces are permitted.\n");
    return 3;
  }
  return print(fill_at_random(count, seed, undisturbed, disk, run_in(disk.folder())), undisturbed,
               "runs without room");
} catch (const grader::Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.next_step().c_str());
  return static_cast<int>(error.kind());
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
