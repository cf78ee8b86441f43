// Builds with a stand-in for emucc: a script that calls the host's compiler, as the real one does in the end.
#include "build.hpp"

#include <sys/stat.h>

#include <thread>

#include "sandbox.hpp"
#include "test_kit.hpp"

namespace grader {
namespace {

using testing::HasSubstr;
using testing::Not;

class Build : public testing::Test {
 protected:
  Build() {
    kit.write("prefix/bin/emucc", "#!/bin/bash\nexec c++ -x c++ \"${@/--no-fission/-g0}\"\n");
    fs::permissions(kit.path / "prefix/bin/emucc", fs::perms::owner_all);
    kit.write("common/lab/include/lab/answer.hpp", "#define ANSWER 42\n");
    toolchain.emucc = kit.path / "prefix/bin/emucc";
    toolchain.host_compiler = find_program("c++");
    toolchain.include_folder = kit.path / "common/lab/include";
    lab = kit.lab();
    submission.lab = &lab;
    submission.files = {
        {"main.cu", "#include <lab/answer.hpp>\n#include \"other.h\"\nint main() { return other(); }\n"},
        {"other.cpp", "#include \"other.h\"\n#include <lab/answer.hpp>\nint other() { return ANSWER; }\n"},
        {"other.h", "int other();\n"}};
  }
  BuildResult run(const std::map<std::string, std::string>& macros = {}) {
    return build(kit.kit, toolchain, submission, Backend::emu, macros);
  }
  static int exit_code_of(const fs::path& program) {
    ProcessRequest request;
    request.argv = {program};
    return run_process(request).code;
  }

  TestKit kit;
  Toolchain toolchain;
  Lab lab;
  Submission submission;
};

TEST_F(Build, MakesOneProgramOfAllSources) {
  const BuildResult result = run();
  ASSERT_TRUE(result.ok) << result.diagnostics;
  EXPECT_FALSE(result.cached);
  EXPECT_EQ(exit_code_of(result.program), 42);
  EXPECT_THAT(result.command, HasSubstr("main.cu other.cpp -o scale"));
}

TEST_F(Build, CompilesTheSameOnlyOnce) {
  const fs::path first = run().program;
  const BuildResult again = run();
  EXPECT_TRUE(again.ok);
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.program, first);
}

TEST_F(Build, CompilesAgainWhenAnythingChanges) {
  const fs::path first = run().program;
  kit.write("common/lab/include/lab/answer.hpp", "#define ANSWER 43\n");
  const BuildResult header = run();
  EXPECT_FALSE(header.cached);
  EXPECT_EQ(exit_code_of(header.program), 43);
  submission.files[2].text += "// changed\n";
  EXPECT_FALSE(run().cached);
  EXPECT_FALSE(run({{"SIZE", "3"}}).cached);
  kit.write("prefix/include/cuemu/launch.hpp", "new");
  EXPECT_FALSE(run().cached) << "the emulation's headers";
  kit.write("prefix/lib/libcuemu.a", "new");
  EXPECT_FALSE(run().cached) << "the emulation's library";
  kit.write("prefix/lib/libother.a", "new");
  EXPECT_TRUE(run().cached) << "no business of a lab's";
}

TEST_F(Build, ADamagedProgramIsMadeAgain) {
  const fs::path program = run().program;
  std::ofstream(program) << "damage";
  const BuildResult again = run();
  EXPECT_FALSE(again.cached);
  EXPECT_EQ(exit_code_of(again.program), 42);
}

TEST_F(Build, GivesMacros) {
  submission.files = {{"main.cu", "int main() { return SIZE; }\n"}};
  EXPECT_EQ(exit_code_of(run({{"SIZE", "3"}}).program), 3);
}

TEST_F(Build, NamesTheStudentsOwnFilesAndLines) {
  submission.files[0].text = "int main() {\n  return undeclared;\n}\n";
  const BuildResult result = run();
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics, HasSubstr("\nmain.cu:2:"));
  EXPECT_THAT(result.diagnostics, Not(HasSubstr(kit.path.string())));
}

TEST_F(Build, KeepsWarnings) {
  submission.files = {{"main.cu", "#warning attention\nint main() {}\n"}};
  EXPECT_THAT(run().diagnostics, HasSubstr("attention"));
  const BuildResult again = run();
  EXPECT_TRUE(again.cached);
  EXPECT_THAT(again.diagnostics, HasSubstr("attention"));
}

TEST_F(Build, ALinkErrorIsACompileError) {
  submission.files = {{"main.cu", "void missing(); int main() { missing(); }\n"}};
  EXPECT_FALSE(run().ok);
  EXPECT_THAT(run().diagnostics, HasSubstr("missing"));
}

TEST_F(Build, FilesMayBeCalledAnything) {
  submission.files = {{"-o x.cu", "int main() { return 5; }\n"},
                      {"below/it's.cpp", "int f() { return 0; }\n"}};
  const BuildResult result = run();
  ASSERT_TRUE(result.ok) << result.diagnostics;
  EXPECT_EQ(exit_code_of(result.program), 5);
  EXPECT_THAT(result.command, HasSubstr("'./-o x.cu' 'below/it'\\''s.cpp'"));
}

TEST_F(Build, WritesNothingOutsideItsFolder) {
  submission.files = {{"../main.cu", "int main() {}\n"}};
  EXPECT_THAT([&] { run(); }, throws_error(ErrorKind::usage, "outside"));
}

TEST_F(Build, CanNotReadOtherFiles) {
  if (!sandbox_status().works) GTEST_SKIP() << sandbox_status().reason;
  kit.write("gold/secret.h", "int secret_value = 7;\n");
  submission.files = {
      {"main.cu", "#include \"" + (kit.path / "gold/secret.h").string() + "\"\nint main() {}\n"}};
  const BuildResult result = run();
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics, HasSubstr("No such file"));
}

TEST_F(Build, NoSourceIsSaid) {
  submission.files = {{"notes.txt", "later"}};
  EXPECT_FALSE(run().ok);
  EXPECT_THAT(run().diagnostics, HasSubstr("no .cu or .cpp"));
}

TEST_F(Build, ACompilerThatIsGoneIsTheMachinesFault) {
  fs::remove(toolchain.emucc);
  EXPECT_THAT([&] { run(); }, throws_error(ErrorKind::environment, "could not be started"));
}

TEST_F(Build, TwoGradersAtOnce) {
  std::vector<std::thread> threads;
  std::vector<BuildResult> results(2);
  for (BuildResult& result : results) threads.emplace_back([&] { result = run(); });
  for (std::thread& thread : threads) thread.join();
  for (const BuildResult& result : results) EXPECT_EQ(exit_code_of(result.program), 42);
}

TEST_F(Build, BuildsAnOracle) {
  kit.write("labs/lab1.1-scale/oracle/oracle.cpp",
            "#include <lab/answer.hpp>\nint main() { return ANSWER; }\n");
  const fs::path oracle = build_oracle(kit.kit, toolchain, lab);
  EXPECT_EQ(exit_code_of(oracle), 42);
  EXPECT_EQ(build_oracle(kit.kit, toolchain, lab), oracle);
}

TEST_F(Build, ABrokenOracleIsTheKitsFault) {
  EXPECT_THAT([&] { build_oracle(kit.kit, toolchain, lab); }, throws_error(ErrorKind::fault, "no oracle"));
  kit.write("labs/lab1.1-scale/oracle/oracle.cpp", "int main() { return undeclared; }\n");
  EXPECT_THAT([&] { build_oracle(kit.kit, toolchain, lab); }, throws_error(ErrorKind::fault, "undeclared"));
}

}  // namespace
}  // namespace grader
