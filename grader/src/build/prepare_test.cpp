// Tests, with fake compilers, which commands prepare() runs, and which of them a second call skips.
#include "build/prepare.hpp"

#include <algorithm>

#include "catalog/test_kit.hpp"
#include "process/fake_machine.hpp"

namespace grader {
namespace {

class Prepare : public testing::Test {
 protected:
  Prepare() {
    kit.write("prefix/bin/emucc", "");
    kit.write("prefix/bin/c++", "");
    kit.write("common/lab/include/lab/impl/all.hpp", "");
    kit.write("common/lab/include/lab/args.hpp", "");
    kit.write("labs/lab1.1-scale/oracle/oracle.cpp", "");
    toolchain.emucc = kit.path / "prefix/bin/emucc";
    toolchain.host_compiler = kit.path / "prefix/bin/c++";
    toolchain.include_folder = kit.path / "common/lab/include";
    labs[0].lab = &lab;
    labs[0].files = {{"main.cu", "#include <lab/args.hpp>\nint main() {}\n"}, {"kernel.cu", ""}};
    fake.commands.play = [this](const ProcessRequest& request) {
      const auto o = std::find(request.argv.begin(), request.argv.end(), "-o");
      if (o == request.argv.end()) return exits(0, "made\n");
      const fs::path made = *(o + 1);
      if (request.argv[0] == broken) return exits(1, "", "oracle.cpp:1: error: what?\n");
      std::ofstream(made.is_absolute() ? made : request.cwd / made) << "made";
      return exits(0);
    };
  }
  void run() { prepare(kit.kit, toolchain, labs, {}, fake.machine); }
  /// The number of commands that contain a word.
  std::ptrdiff_t asked(const std::string& word) const {
    return std::count_if(fake.commands.asked.begin(), fake.commands.asked.end(),
                         [&](const ProcessRequest& request) {
                           return std::any_of(request.argv.begin(), request.argv.end(),
                                              [&](const std::string& one) { return one.ends_with(word); });
                         });
  }

  TestKit kit;
  Toolchain toolchain;
  Lab lab = kit.lab();
  std::vector<Submission> labs = std::vector<Submission>(1);
  FakeMachine fake;
  fs::path broken;
};

TEST_F(Prepare, MakesWhatAGradingAndACheckShareOnce) {
  run();
  EXPECT_EQ(asked(".object.o"), 1)
      << "lab/'s functions, the same for a grading and for a check; no student's file";
  EXPECT_EQ(asked("--make-headers=shared"), 1);
  EXPECT_EQ(asked("oracle.cpp"), 1);
  const std::size_t all = fake.commands.asked.size();
  run();
  EXPECT_EQ(fake.commands.asked.size(), all);

  fs::remove_all(kit.kit.cache() / "build");
  run();
  EXPECT_EQ(asked("oracle.cpp"), 2) << "what the cache has lost is made again";
  EXPECT_EQ(asked(".object.o"), 1);
  kit.write("common/lab/include/lab/args.hpp", "// another one\n");
  run();
  EXPECT_EQ(asked(".object.o"), 2);
}

TEST_F(Prepare, AnOracleThatDoesNotCompileIsLeftToTheGrading) {
  broken = toolchain.host_compiler;
  run();
  EXPECT_EQ(asked(".object.o"), 1);
}

TEST_F(Prepare, FailuresOfTheMachineAreTriedAgain) {
  fake.commands.play = [](const ProcessRequest&) { return is_missing("there is no such file"); };
  EXPECT_THAT([&] { run(); }, throws_error(ErrorKind::environment, "could not be started"));
  const std::size_t before = fake.commands.asked.size();
  EXPECT_THAT([&] { run(); }, throws_error(ErrorKind::environment, "could not be started"));
  EXPECT_GT(fake.commands.asked.size(), before);
}

TEST_F(Prepare, CtrlCEndsIt) {
  fake.commands.ctrl_c = true;
  EXPECT_THAT([&] { run(); }, throws_error(ErrorKind::environment, "Interrupted"));
  EXPECT_EQ(asked(".object.o"), 0);
}

}  // namespace
}  // namespace grader
