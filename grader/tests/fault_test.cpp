// Tests a class on a small lab under a few faults: the grader is killed, or its disk is full.
// bench/fault_class causes hundreds of faults.
#include "fault_run.hpp"

#include <gmock/gmock.h>

#include "small_kit.hpp"

namespace grader {
namespace {

using testing::ClassRun;
using testing::FaultReport;
using ::testing::IsEmpty;
using testing::Undisturbed;

/// Writes right and wrong hand-ins, each of which is a different program.
void hand_in(const fs::path& class_folder, int count) {
  for (int i = 0; i < count; ++i)
    testing::write_file(class_folder / ("student" + std::to_string(i)) / "double.cu",
                        testing::small_program("// ---- part 1: the kernel ----\nif (i < n) y[i] = " +
                                               std::to_string(2 + i % 2) + " * x[i];  // " +
                                               std::to_string(i) + "\n  // ---- end of part 1 ----"));
}

/// All checks are one test, because the undisturbed run takes longest.
TEST(Faults, WhateverStrikesEachIsGradedOnceAsUndisturbed) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path());
  hand_in(folder / "class", 3);
  const auto run_in = [&](const fs::path& homes) {
    return [&, homes](int number) {
      return ClassRun(GRADER_BINARY, kit, homes / std::to_string(number),
                      {(folder / "class").string(), "--lab", "lab9.1", "--backend", "emu", "--unsafe"});
    };
  };
  const Undisturbed undisturbed(run_in(folder / "homes")(0));

  const FaultReport killed = testing::kill_at_random(5, 1, undisturbed, run_in(folder / "homes"));
  EXPECT_THAT(killed.problems, IsEmpty());
  EXPECT_EQ(killed.faults, 5);

  const testing::SmallDisk disk(folder / "small", std::size_t{256} << 20);
  if (!disk.there()) {
    std::puts(
        "No file system may be mounted here, so no disk was filled (RecordsTest does it with a limit on "
        "files).");
    return;
  }
  const FaultReport filled = testing::fill_at_random(3, 1, undisturbed, disk, run_in(disk.folder()));
  EXPECT_THAT(filled.problems, IsEmpty());
  EXPECT_EQ(filled.faults, 3);
}

}  // namespace
}  // namespace grader
