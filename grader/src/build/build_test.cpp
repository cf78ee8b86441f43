// Builds with a script in place of emucc. Like emucc, the script calls the host's compiler.
#include "build/build.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>
#include <thread>

#include "build/compiler.hpp"
#include "build/kit_headers.hpp"
#include "catalog/test_kit.hpp"
#include "process/sandbox.hpp"

namespace grader {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Shell lines that put those of emucc's options that c++ knows into `options`.
const std::string options_of_cpp =
    "options=()\nfor word in \"$@\"; do\n  case $word in\n"
    "    --watchable|--check|--counters|--lockstep|--no-hidden-code|-lineinfo|-Xcompiler) ;;\n"
    "    *) options+=(\"$word\") ;;\n  esac\ndone\n";

class Build : public testing::Test {
 protected:
  Build() {
    kit.write("prefix/bin/emucc",
              "#!/bin/bash\n[[ \" $* \" == *\" --make-headers \"* ]] && exit\nlanguage=none\n[[ \" $* \" == "
              "*\" -c \"* ]] && language=c++\n" +
                  options_of_cpp + "exec c++ -x $language \"${options[@]}\"\n");
    fs::permissions(kit.path / "prefix/bin/emucc", fs::perms(0755));
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
  /// The number of sources that were compiled for a program, without cached objects.
  std::size_t compiled(const std::map<std::string, std::string>& macros = {}) {
    const BuildResult result = run(macros);
    EXPECT_TRUE(result.ok) << result.diagnostics;
    return result.compiled;
  }
  /// Removes only the programs, so that they must be linked again.
  void forget_programs() { fs::remove_all(kit.kit.cache() / "build"); }
  std::vector<fs::path> objects() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(kit.kit.cache() / "objects"))
      found.push_back(entry.path() / "program");
    return found;
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

TEST_F(Build, AHeaderOfTheKitThatIsGoneIsNotTheStudentsMistake) {
  submission.files[0].text.insert(0, "#include <lab/check.hpp>\n");  // exists only in a whole kit
  EXPECT_THAT([&] { run(); }, throws_error(ErrorKind::fault, "lab/check.hpp is missing"));
  kit.write("common/lab/include/lab/check.hpp", "");
  EXPECT_TRUE(run().ok) << "and is tried anew";
  submission.files[0].text.insert(0, "#include <lab/chek.hpp>\n");
  const BuildResult misspelled = run();
  EXPECT_FALSE(misspelled.ok);
  EXPECT_THAT(misspelled.diagnostics, HasSubstr("lab/chek.hpp"));
}

TEST_F(Build, DeviceCodeIsRelocatableIfTheLabRequiresIt) {
  kit.write("prefix/bin/emucc", "#!/bin/bash\nlanguage=none\n[[ \" $* \" == *\" -c \"* ]] && language=c++\n" +
                                    options_of_cpp +
                                    "exec c++ -x $language \"${options[@]/-rdc=true/-DRELOCATABLE}\"\n");
  submission.files[1].text =
      "#include \"other.h\"\nint other() {\n#ifdef RELOCATABLE\n  return 1;\n#endif\n  return 2;\n}\n";
  EXPECT_EQ(exit_code_of(run().program), 2);
  lab.relocatable = true;
  const BuildResult result = run();
  ASSERT_TRUE(result.ok) << result.diagnostics;
  EXPECT_EQ(result.compiled, 2u) << "objects of the other kind are no good";
  EXPECT_EQ(exit_code_of(result.program), 1);
  EXPECT_THAT(result.command, HasSubstr(" -rdc=true "));
}

TEST_F(Build, CompilesTheSameOnlyOnce) {
  const fs::path first = run().program;
  const BuildResult again = run();
  EXPECT_TRUE(again.ok);
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.program, first);
}

TEST_F(Build, CompilesAgainWhenAnythingChanges) {
  EXPECT_EQ(compiled(), 2u);
  kit.write("common/lab/include/lab/answer.hpp", "#define ANSWER 43\n");
  const BuildResult header = run();
  EXPECT_EQ(header.compiled, 2u);
  EXPECT_EQ(exit_code_of(header.program), 43);
  kit.write("prefix/include/cuemu/launch.hpp", "new");
  EXPECT_EQ(compiled(), 2u) << "the emulation's headers";
  kit.write("prefix/lib/libcuemu.a", "new");
  EXPECT_EQ(compiled(), 2u) << "the emulation's library";
  kit.write("prefix/lib/libother.a", "new");
  EXPECT_TRUE(run().cached) << "no business of a lab's";
}

// If a file of the kit is missing, emucc's message about it is not the student's fault. If the file exists,
// it may be.
TEST_F(Build, AFileOfTheEmulationThatIsGoneIsTheKitsDamage) {
  Toolchain half;
  kit.write("half/bin/emucc", "");
  half.emucc = kit.path / "half/bin/emucc";
  const std::string said = "emucc: error: emucc's runtime library /k/lib/libcuemu.a is missing";
  EXPECT_THAT([&] { refuse_damaged_kit(half, said); },
              throws_error(ErrorKind::fault, "file lib/libcuemu.a is missing from"));
  EXPECT_NO_THROW(refuse_damaged_kit(half, "a.cu:3: error: 'x' was not declared"));
  kit.write("half/lib/libcuemu.a", "");
  EXPECT_NO_THROW(refuse_damaged_kit(half, said));
}

TEST_F(Build, CompilesOnlyWhatChanged) {
  EXPECT_EQ(compiled(), 2u);
  submission.files[1].text += "int more() { return 1; }\n";
  EXPECT_EQ(compiled(), 1u) << "a source";
  submission.files[2].text += "int more();\n";
  EXPECT_EQ(compiled(), 2u) << "a header of both";
  submission.files.push_back({"alone.cpp", "int alone() { return ANSWER; }\n"});
  submission.files.back().text.insert(0, "#include <lab/answer.hpp>\n");
  EXPECT_EQ(compiled(), 1u) << "a new source";
  submission.files.push_back({"notes.txt", "later"});
  EXPECT_TRUE(run().cached) << "what no source includes";
}

TEST_F(Build, ASourceThatIsIncludedCounts) {
  submission.files = {{"main.cu", "#include \"kernel.cu\"\nint main() { return answer(); }\n"},
                      {"kernel.cu", "static int answer() { return 1; }\nint use() { return answer(); }\n"},
                      {"other.cpp", "int other() { return 0; }\n"}};
  submission.files[1].text = "#ifndef K\n#define K\ninline int answer() { return 1; }\n#endif\n";
  EXPECT_EQ(compiled(), 3u);
  submission.files[1].text = "#ifndef K\n#define K\ninline int answer() { return 2; }\n#endif\n";
  const BuildResult changed = run();
  EXPECT_EQ(changed.compiled, 2u) << "itself, and the source that includes it";
  EXPECT_EQ(exit_code_of(changed.program), 2);
}

TEST_F(Build, AnIncludeByAMacroSeesAllFiles) {
  submission.files[0].text = "#define HEADER \"other.h\"\n#include HEADER\nint main() { return other(); }\n";
  submission.files.push_back({"notes.txt", "later"});
  EXPECT_EQ(compiled(), 2u);
  submission.files[3].text = "sooner";
  EXPECT_EQ(compiled(), 1u);
}

TEST_F(Build, ProgramsShareObjectsThatDoNotLookAtTheirMacros) {
  submission.files[0].text = "#include \"other.h\"\nint main() { return other() + SIZE; }\n";
  EXPECT_EQ(compiled({{"SIZE", "1"}}), 2u);
  const BuildResult second = run({{"SIZE", "2"}});
  EXPECT_EQ(second.compiled, 1u);
  EXPECT_EQ(exit_code_of(second.program), 44);
  EXPECT_THAT(second.command, HasSubstr("-DSIZE=2 main.cu other.cpp"));
  EXPECT_TRUE(run({{"SIZE", "2"}, {"UNROLL", "4"}}).cached) << "nobody looks at UNROLL";
}

TEST_F(Build, AMacroThatIsPutTogetherIsSeen) {
  submission.files = {{"main.cu", "#define JOIN(a, b) a##b\nint main() { return JOIN(BLOCK_, SIZE); }\n"}};
  EXPECT_EQ(exit_code_of(run({{"BLOCK_SIZE", "3"}}).program), 3);
  EXPECT_EQ(exit_code_of(run({{"BLOCK_SIZE", "4"}}).program), 4);
}

TEST_F(Build, ADamagedObjectIsMadeAgain) {
  run();
  for (const fs::path& object : objects()) std::ofstream(object) << "damage";
  forget_programs();
  const BuildResult again = run();
  EXPECT_EQ(again.compiled, 2u);
  EXPECT_EQ(exit_code_of(again.program), 42);
  forget_programs();
  EXPECT_EQ(compiled(), 0u);
}

TEST_F(Build, AllFilesErrorsComeAtOnceAndInOrder) {
  submission.files[0].text = "int main() { return undeclared; }\n";
  submission.files[1].text = "int other() { return unknown; }\n";
  const BuildResult result = run();
  EXPECT_FALSE(result.ok);
  const std::size_t first = result.diagnostics.find("main.cu:1:"),
                    second = result.diagnostics.find("other.cpp:1:");
  EXPECT_LT(first, second);
  EXPECT_NE(second, std::string::npos) << result.diagnostics;
}

TEST_F(Build, ASourceThatFailsDoesNotCostTheOthersObjects) {
  submission.files[0].text = "int main() { return undeclared; }\n";
  EXPECT_FALSE(run().ok);
  submission.files[0].text = "int main() { return 7; }\n";
  EXPECT_EQ(compiled(), 1u);
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
  submission.files.push_back({"zero.cpp", "#warning zero\n"});
  const BuildResult more = run();
  EXPECT_EQ(more.compiled, 1u);
  EXPECT_LT(more.diagnostics.find("attention"), more.diagnostics.find("zero"))
      << "that of an object was kept";
}

TEST_F(Build, ALinkErrorIsACompileError) {
  submission.files = {{"main.cu", "void missing(); int main() { missing(); }\n"}};
  EXPECT_FALSE(run().ok);
  EXPECT_THAT(run().diagnostics, HasSubstr("main.cu.o"));
  EXPECT_THAT(run().diagnostics, Not(HasSubstr(kit.path.string())));
  EXPECT_EQ(run().compiled, 0u) << "its object is sound";
}

TEST_F(Build, FilesMayBeCalledAnything) {
  submission.files = {{"-fplugin=x.cpp", "int k() { return 0; }\n"},
                      {"-o x.cu", "int main() { return 5; }\n"},
                      {"@x.cpp", "int l() { return 0; }\n"},
                      {"x.cpp", "int m() { return 0; }\n"},
                      {"x.cpp.o", "-fplugin=/nowhere"},  // an option for a compiler that reads @x.cpp.o
                      {"below/it's.cpp", "int f() { return 0; }\n"},
                      {"it's.cpp", "int g() { return 0; }\n"},
                      {"it's.cu", "int h() { return 0; }\n"}};
  const BuildResult result = run();
  ASSERT_TRUE(result.ok) << result.diagnostics;
  EXPECT_EQ(exit_code_of(result.program), 5);
  EXPECT_THAT(result.command, HasSubstr("'./-o x.cu' ./@x.cpp x.cpp 'below/it'\\''s.cpp'"));
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

TEST_F(Build, ACompilerKilledTwiceIsTheMachinesFault) {
  const auto killed = [&](int times) {
    kit.write("prefix/bin/emucc",
              "#!/bin/bash\n[[ \" $* \" == *\" --make-headers \"* ]] && exit\n[[ $(cat tries) == " +
                  std::string(static_cast<std::size_t>(times), '+') +
                  " ]] || { echo -n + >> tries; exit 75; }\nexit 1\n");
  };
  killed(1);
  EXPECT_FALSE(run().ok) << "the second compiler found an error";
  killed(2);
  EXPECT_THAT([&] { run(); }, throws_error(ErrorKind::environment, "killed from outside both times"));
}

TEST_F(Build, ACompilationSeesEveryCacheReadOnly) {
  if (!sandbox_status().works) GTEST_SKIP() << sandbox_status().reason;
  kit.write("prefix/bin/emucc",
            "#!/bin/bash\n[[ \" $* \" == *\" --make-headers \"* ]] && { echo made > \"$CUEMU_CACHE/header\"; "
            "exit; }\n"
            "for folder in \"$CUEMU_CACHE\" \"$CUEMU_CACHE/../objects\" \"$CUEMU_CACHE/../build\"; do\n"
            "  echo mine > \"$folder/header\" && exit 0\n"
            "  rm \"$folder/header\" && exit 0\n"
            "done\n"
            "exec c++ -x c++ -c -o .object.o main.cu\n");
  submission.files = {{"main.cu", "int main() {}\n"}};
  EXPECT_THAT(run().diagnostics, HasSubstr("Read-only file system"));
  EXPECT_EQ(kit.read(fs::relative(kit.kit.cache(), kit.path) / "emucc/header"), "made\n");
}

TEST_F(Build, NoMoreCompilersRunThanThereAreCores) {
  // Each compiler prints a line when it starts and when it ends. These messages are stored with its output.
  kit.write("prefix/bin/emucc",
            "#!/bin/bash\n[[ \" $* \" == *\" --make-headers \"* ]] && exit\nlanguage=none\n"
            "[[ \" $* \" == *\" -c \"* ]] && language=c++\n"
            "date +'%s%N start' >&2\n" +
                options_of_cpp +
                "c++ -x $language \"${options[@]}\"\nstatus=$?\n"
                "date +'%s%N end' >&2\nexit $status\n");
  for (const char* name : {"a.cpp", "b.cpp", "c.cpp", "d.cpp"})
    submission.files.push_back({name, "namespace {}\n"});
  std::vector<ProgramToBuild> programs;
  const std::shared_ptr<const Submission> shared(&submission, [](const Submission*) {});
  for (int i = 0; i < 4; ++i) programs.push_back({shared, {{"NDEBUG", std::to_string(i)}}, {}});
  build_all(kit.kit, toolchain, Backend::emu, programs, [] { return false; }, {});

  std::vector<std::string> log;
  for (const ProgramToBuild& program : programs) {
    std::istringstream words(run(program.macros).diagnostics);
    for (std::string line; std::getline(words, line);) log.push_back(line);
  }
  std::sort(log.begin(), log.end());
  int running = 0, most = 0, started = 0;
  for (const std::string& line : log) {
    const bool starts = line.ends_with("start");
    running += starts ? 1 : -1;
    started += starts;
    most = std::max(most, running);
  }
  EXPECT_EQ(started, 4 * (6 + 1)) << "objects and programs";
  EXPECT_EQ(running, 0);
  EXPECT_LE(most, most_compilers());
}

TEST_F(Build, ProgramsOfOneGraderAtOnceCompileEachSourceOnce) {
  std::vector<std::thread> threads;
  std::vector<BuildResult> results(4);
  for (std::size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([&, i] { results[i] = run({{"NDEBUG", std::to_string(i / 2)}}); });
  for (std::thread& thread : threads) thread.join();
  std::size_t all = 0;
  for (const BuildResult& result : results) {
    EXPECT_EQ(exit_code_of(result.program), 42);
    all += result.compiled;
  }
  EXPECT_EQ(all, 4u);
}

TEST_F(Build, TwoGradersAtOnce) {
  std::vector<pid_t> graders;
  for (int i = 0; i < 2; ++i) {
    const pid_t grader = fork();
    if (grader == 0) _exit(exit_code_of(run().program) == 42 ? 0 : 1);
    graders.push_back(grader);
  }
  for (const pid_t grader : graders) {
    int status = -1;
    waitpid(grader, &status, 0);
    EXPECT_EQ(status, 0);
  }
  forget_programs();
  EXPECT_EQ(compiled(), 0u) << "sound objects are left";
}

/// A kit with a library of its headers' functions: a header declares lab::answer(), and the library's source
/// defines it.
class LinkedHeaders : public Build {
 protected:
  LinkedHeaders() {
    kit.write("common/lab/include/lab/answer.hpp",
              "namespace lab {\nint answer();\n}\n#ifndef LAB_LIBRARY\n#include \"impl/all.hpp\"\n#endif\n");
    kit.write("common/lab/include/lab/impl/all.hpp",
              "#include \"../answer.hpp\"\n#ifdef LAB_LIBRARY\nint lab::answer() { return 42; }\n"
              "#else\ninline int lab::answer() { return 41; }\n#endif\n");
    submission.files = {{"main.cu", "#include \"a.h\"\nint main() { return lab::answer(); }\n"},
                        {"a.h", "#include <lab/answer.hpp>\n"}};
  }
};

TEST_F(LinkedHeaders, AreCompiledOnceForAllPrograms) {
  const BuildResult result = run();
  EXPECT_EQ(exit_code_of(result.program), 42);
  EXPECT_EQ(result.compiled, 1u) << "of the student's";
  EXPECT_THAT(result.command, Not(HasSubstr("LAB_LIBRARY"))) << "what is typed by hand needs no library";
  EXPECT_EQ(objects().size(), 2u);
  submission.files[0].text += "// changed\n";
  EXPECT_EQ(exit_code_of(run().program), 42);
  EXPECT_EQ(objects().size(), 3u) << "the student's alone is made anew";
}

TEST_F(Build, SourcesAreCompiledOnceForTheInstrumentsOfAGrading) {
  const auto compiled_for = [&](Instrument instrument) {
    const BuildResult result = build(kit.kit, toolchain, submission, Backend::emu, {}, instrument);
    EXPECT_EQ(exit_code_of(result.program), 42) << result.diagnostics;
    return result.compiled;
  };
  EXPECT_EQ(compiled_for(Instrument::none), 2u);
  EXPECT_EQ(compiled_for(Instrument::check), 0u);
  EXPECT_EQ(compiled_for(Instrument::counters), 0u);
  EXPECT_EQ(compiled_for(Instrument::lockstep), 2u) << "its code is another";
  submission.files[1].text += "// changed\n";
  EXPECT_EQ(compiled_for(Instrument::check), 1u);
  EXPECT_EQ(compiled_for(Instrument::none), 0u) << "nor again for the graded run";
}

TEST_F(LinkedHeaders, AreNotLinkedIfNoSourceIncludesThem) {
  submission.files = {{"main.cu", "int main() { return 3; }\n"}};
  EXPECT_EQ(exit_code_of(run().program), 3);
  EXPECT_EQ(objects().size(), 1u);
}

TEST_F(LinkedHeaders, NoSourceTakesTheirPlace) {
  submission.files.push_back({"own.cu", "namespace lab { int answer() { return 1; } }\n"});
  const BuildResult result = run();
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.diagnostics, HasSubstr("use another name"));
}

TEST_F(Build, BuildsAnOracle) {
  kit.write("labs/lab1.1-scale/oracle/oracle.cpp",
            "#include <lab/answer.hpp>\nint main() { return ANSWER; }\n");
  const fs::path oracle = build_oracle(kit.kit, toolchain, lab);
  EXPECT_EQ(exit_code_of(oracle), 42);
  EXPECT_EQ(build_oracle(kit.kit, toolchain, lab), oracle);
}

TEST_F(Build, AnOracleIncludesTheSharedHeadersOfItsLab) {
  kit.write("labs/lab1.1-scale/oracle/oracle.cpp", "#include \"rules.hpp\"\nint main() { return rule; }\n");
  for (const int rule : {7, 8}) {
    kit.write("labs/lab1.1-scale/shared/rules.hpp", "constexpr int rule = " + std::to_string(rule) + ";\n");
    EXPECT_EQ(exit_code_of(build_oracle(kit.kit, toolchain, lab)), rule);
  }
}

TEST_F(Build, ABrokenOracleIsTheKitsFault) {
  EXPECT_THAT([&] { build_oracle(kit.kit, toolchain, lab); }, throws_error(ErrorKind::fault, "no oracle"));
  kit.write("labs/lab1.1-scale/oracle/oracle.cpp", "int main() { return undeclared; }\n");
  EXPECT_THAT([&] { build_oracle(kit.kit, toolchain, lab); }, throws_error(ErrorKind::fault, "undeclared"));
}

}  // namespace
}  // namespace grader
