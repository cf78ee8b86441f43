#include "build/kit_part.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/files.hpp"
#include "base/test_folder.hpp"

namespace grader {
namespace {

class KitParts : public testing::Test {
 protected:
  KitParts() {
    write_file(emucc, "");
    fs::create_directories(folder.path / "lib");
  }
  /// Writes the script that ./bootstrap leaves in the build folder.
  void give_script(const std::string& does) {
    write_file(folder.path / "build-part", "#!/bin/sh\ncd \"$(dirname \"$0\")\"\n" + does + "\n");
    fs::permissions(folder.path / "build-part", fs::perms(0755));
  }
  TestFolder folder;
  fs::path emucc = folder.path / "bin" / "emucc";
};

TEST_F(KitParts, IsBuiltOnceWhenItIsFirstNeededBySeveral) {
  give_script("echo $1 >> asked\nsleep 0.1\ntouch lib/lib$1.a");
  std::vector<std::jthread> builders;
  for (int i = 0; i < 4; ++i)
    builders.emplace_back([&] { need_parts(this_machine(), emucc, {checker_part}); });
  builders.clear();
  need_parts(this_machine(), emucc, {checker_part});
  EXPECT_EQ(read_file(folder.path / "asked", 1000), "cuemu_check\n");
}

TEST_F(KitParts, IsWhatAProgramIsLinkedWith) {
  using Parts = std::set<KitPart>;
  write_file(folder.path / "lib/extras.txt",
             "cublasLt|cuemu_blas|cuBLASLt|libblas.so|libblas\ncufft|cuemu_fft|cuFFT||\n");
  EXPECT_EQ(parts_for(Instrument::none, {}, emucc), Parts{});
  EXPECT_EQ(parts_for(Instrument::check, {"m"}, emucc), Parts{checker_part});
  EXPECT_EQ(parts_for(Instrument::counters, {"m", "cublasLt", "cufft"}, emucc),
            (Parts{counters_part, "cuemu_blas", "cuemu_fft"}));
  give_script("echo $1 >> asked\ntouch lib/lib$1.a");
  need_parts(this_machine(), emucc, parts_for(Instrument::none, {"cufft"}, emucc));
  EXPECT_EQ(read_file(folder.path / "asked", 1000), "cuemu_fft\n");
}

TEST_F(KitParts, OfExtrasAreNoneInAKitWithoutExtras) {
  EXPECT_EQ(parts_for(Instrument::none, {"cublas"}, emucc), std::set<KitPart>{});
}

TEST_F(KitParts, OfAnInstalledKitIsNotBuilt) {
  need_parts(this_machine(), emucc, {counters_part});
  need_parts(this_machine(), "", {counters_part});
}

TEST_F(KitParts, ThatThisBuildHasNotIsDoneWithout) {
  give_script("echo called >> asked\nexit 4");
  need_parts(this_machine(), emucc, {checker_part});
  EXPECT_EQ(read_file(folder.path / "asked", 1000), "called\n");
}

TEST_F(KitParts, WhoseCompilerIsKilledFromOutsideIsBuiltOnceMore) {
  const std::string killed =
      "echo called >> asked; echo 'c++: fatal error: Killed signal terminated program cc1plus'; exit 1";
  give_script("[ -e asked ] || { " + killed + "; }\ntouch lib/lib$1.a");
  need_parts(this_machine(), emucc, {checker_part});
  EXPECT_EQ(read_file(folder.path / "asked", 1000), "called\n");
  give_script(killed);
  try {
    need_parts(this_machine(), emucc, {counters_part});
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::environment);
    EXPECT_NE(std::string(e.what()).find("counters was run twice, and killed from outside"),
              std::string::npos)
        << e.what();
  }
  EXPECT_EQ(read_file(folder.path / "asked", 1000), "called\ncalled\ncalled\n");
}

TEST_F(KitParts, ThatCanNotBeBuiltIsTheMachinesFault) {
  give_script("echo no compiler\nexit 1");
  try {
    need_parts(this_machine(), emucc, {counters_part});
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::environment);
    EXPECT_NE(std::string(e.what()).find("counters could not be built.\nno compiler"), std::string::npos)
        << e.what();
  }
  need_parts(this_machine(), emucc, {});
}

}  // namespace
}  // namespace grader
