// Tests the Makefile of a student's folder: the names in it, and the commands that make reads from it.
#include "workspace/makefile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalog/test_kit.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

using testing::HasSubstr;
using testing::Not;

LabFile file(const std::string& name, const std::string& text) {
  return {name, "labs/" + name, text};
}

TEST(Makefile, IsNamedAfterTheFileWithMain) {
  EXPECT_EQ(program_name({file("a.cu", "// int main() stands elsewhere\n"), file("notes.txt", "int main()\n"),
                          file("scale.cu", "#include <x>\nint main(int argc, char** argv) {}\n")}),
            "scale");
  EXPECT_THAT([] { program_name({file("a.cu", "void f();\n")}); },
              throws_error(ErrorKind::usage, "None of the files has a main()"));
}

/// The output of `make -n` in a folder with the Makefile and two sources.
std::string would_run(const std::vector<std::string>& words, bool relocatable = false) {
  const TestKit kit;
  Lab lab = kit.lab();
  lab.relocatable = relocatable;
  kit.write("work/scale.cu", "");
  kit.write("work/check.cpp", "");
  kit.write("work/Makefile", makefile_text(kit.kit, lab, 1, "scale", "/kit/bin/emucc"));
  ProcessRequest request;
  request.argv = {"make", "-n"};
  request.argv.insert(request.argv.end(), words.begin(), words.end());
  request.cwd = kit.path / "work";
  request.limits.wall_s = 60;
  const ProcessResult result = run_process(request);
  return result.out + result.err;
}

TEST(Makefile, HasACommandForEachProgram) {
  EXPECT_THAT(would_run({}), HasSubstr("nvcc -std=c++17 -I "));
  EXPECT_THAT(would_run({}), HasSubstr(" -O3 -arch=native check.cpp scale.cu -o scale\n"));
  EXPECT_THAT(would_run({"ARCH=sm_90", "lines"}), HasSubstr(" -O3 -lineinfo -arch=sm_90 "));
  EXPECT_THAT(would_run({"debug"}), HasSubstr(" -g -G -arch=native check.cpp scale.cu -o scale-debug\n"));
  EXPECT_THAT(would_run({"emu"}), HasSubstr("/kit/bin/emucc -std=c++17 "));
  EXPECT_THAT(would_run({"check"}), HasSubstr(" -g --check check.cpp scale.cu -o scale-check\n"));
  const std::string gdb = would_run({"gdb", "ARGS=8 --seed 2"});
  EXPECT_THAT(gdb, HasSubstr(" -g -O0 -G check.cpp scale.cu -o scale-emu-debug\n"));
  EXPECT_THAT(gdb, HasSubstr("--args ./scale-emu-debug 8 --seed 2\n"));
  EXPECT_THAT(would_run({"clean"}),
              HasSubstr("scale scale-emu scale-lines scale-debug scale-emu-debug scale-check\n"));
  EXPECT_THAT(would_run({"clean"}), Not(HasSubstr("No rule")));
}

TEST(Makefile, KernelsThatLaunchKernelsNeedRelocatableCode) {
  EXPECT_THAT(would_run({}, true), HasSubstr("nvcc -std=c++17 -rdc=true -I "));
  EXPECT_THAT(would_run({"emu"}, true), HasSubstr("emucc -std=c++17 -rdc=true -I "));
  EXPECT_THAT(would_run({}), Not(HasSubstr("-rdc")));
}

}  // namespace
}  // namespace grader
