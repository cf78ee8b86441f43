#include "build/kit_part.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/files.hpp"
#include "base/test_folder.hpp"

namespace grader {
namespace {

class KitPart : public testing::Test {
 protected:
  KitPart() {
    write_file(emucc, "");
    fs::create_directories(folder.path / "lib");
  }
  /// What ./bootstrap leaves in the build folder.
  void give_script(const std::string& does) {
    write_file(folder.path / "build-part", "#!/bin/sh\ncd \"$(dirname \"$0\")\"\n" + does + "\n");
    fs::permissions(folder.path / "build-part", fs::perms(0755));
  }
  TestFolder folder;
  fs::path emucc = folder.path / "bin" / "emucc";
};

TEST_F(KitPart, IsBuiltOnceWhenItIsFirstNeededBySeveral) {
  give_script("echo $1 >> asked\nsleep 0.1\ntouch lib/lib$1.a");
  std::vector<std::jthread> builders;
  for (int i = 0; i < 4; ++i)
    builders.emplace_back([&] { need_library(this_machine(), emucc, Instrument::check); });
  builders.clear();
  need_library(this_machine(), emucc, Instrument::check);
  EXPECT_EQ(read_file(folder.path / "asked", 1000), "cuemu_check\n");
}

TEST_F(KitPart, OfAnInstalledKitIsNotBuilt) {
  need_library(this_machine(), emucc, Instrument::counters);
  need_library(this_machine(), "", Instrument::counters);
}

TEST_F(KitPart, ThatThisBuildHasNotIsDoneWithout) {
  give_script("echo called >> asked\nexit 4");
  need_library(this_machine(), emucc, Instrument::check);
  EXPECT_EQ(read_file(folder.path / "asked", 1000), "called\n");
}

TEST_F(KitPart, ThatCanNotBeBuiltIsTheMachinesFault) {
  give_script("echo no compiler\nexit 1");
  try {
    need_library(this_machine(), emucc, Instrument::counters);
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::environment);
    EXPECT_NE(std::string(e.what()).find("counters could not be built.\nno compiler"), std::string::npos)
        << e.what();
  }
  need_library(this_machine(), emucc, Instrument::none);
}

}  // namespace
}  // namespace grader
