#include "build/object_file.hpp"

#include <gmock/gmock.h>

#include "base/files.hpp"
#include "base/test_folder.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

using testing::HasSubstr;

class ObjectFile : public ::testing::Test {
 protected:
  /// A compiler's object file for some lines of C++.
  std::string compiled(const std::string& source, const std::vector<std::string>& flags = {}) {
    folder.write("a.cpp", source);
    ProcessRequest request;
    request.argv = {"c++", "-c", "a.cpp", "-o", "a.o"};
    request.argv.insert(request.argv.end(), flags.begin(), flags.end());
    request.cwd = folder.path;
    EXPECT_TRUE(run_process(request).ok());
    return read_file(folder.path / "a.o", 1 << 20);
  }
  TestFolder folder;
};

TEST_F(ObjectFile, OfAnOrdinarySourceHoldsNothingForbidden) {
  const std::string object = compiled(
      "#include <string>\nstatic std::string made(\"before main\");\nlong clock(long x) { return x; }\n"
      "inline int cudaHelper() { return 1; }\nint main() { return cudaHelper() + clock(1); }\n");
  EXPECT_EQ(forbidden_in_object(object), "");
  EXPECT_EQ(forbidden_in_object_file(folder.path / "a.o"), "");
}

TEST_F(ObjectFile, MayNotTakeThePlaceOfWhatMeasures) {
  for (const std::string name : {"clock_gettime", "cudaEventElapsedTime", "cuptiActivityEnable", "getenv"}) {
    compiled("extern \"C\" int " + name + "() { return 0; }\n");
    EXPECT_EQ(forbidden_in_object_file(folder.path / "a.o").find("defines " + name + ", a function"), 0u)
        << name;
  }
  EXPECT_EQ(
      forbidden_in_object(compiled("#include <string>\n#include <vector>\nnamespace lab { void save(const "
                                   "std::string&, const std::vector<std::string>&) {} }\n"))
          .find("defines lab::save, which the kit's headers define: "),
      0u);
  EXPECT_EQ(forbidden_in_object(compiled("namespace std { namespace chrono { int now() { return 0; } } }\n"))
                .find("defines std::chrono::now, a function"),
            0u);
  EXPECT_NE(forbidden_in_object(compiled("namespace lab { void record_time(double) {} }\n")), "");
}

TEST_F(ObjectFile, IsJudgedByItsNamesWithoutVersionsAndOfAnyBinding) {
  const std::string versioned = "extern \"C\" int mine() { return 0; }\n__asm__(\".symver mine, ";
  for (const char* version : {"clock_gettime@GLIBC_2.17", "clock_gettime@@GLIBC_2.17", "clock_gettime@@@V"})
    EXPECT_THAT(forbidden_in_object(compiled(versioned + version + "\");\n")),
                HasSubstr("defines clock_gettime"))
        << version;
  const std::string clock =
      "#include <chrono>\nnamespace std::chrono { inline namespace _V2 { __attribute__((weak)) "
      "steady_clock::time_point steady_clock::now() noexcept { return {}; } } }\n";
  EXPECT_THAT(forbidden_in_object(compiled(clock)), HasSubstr("steady_clock::now"));
  EXPECT_THAT(
      forbidden_in_object(compiled("__asm__(\".type f, @gnu_unique_object\\n.globl clock_gettime\\n.type "
                                   "clock_gettime, @gnu_unique_object\\nclock_gettime: ret\");\n")),
      HasSubstr("defines clock_gettime"));
}

TEST_F(ObjectFile, MayNotCallWhatSpeaksToTheGrader) {
  const std::string declared =
      "#include <string>\nnamespace cuemu { void write_channel(const std::string&); const char* "
      "setting(const char*); int ordinary(); }\n";
  EXPECT_THAT(forbidden_in_object(compiled(declared + "void f() { cuemu::write_channel(\"\"); }\n")),
              HasSubstr("calls cuemu::write_channel"));
  EXPECT_THAT(forbidden_in_object(compiled(declared + "auto f() { return cuemu::setting(\"key\"); }\n")),
              HasSubstr("calls cuemu::setting"));
  EXPECT_EQ(forbidden_in_object(compiled(declared + "auto f() { return cuemu::ordinary(); }\n")), "");
}

TEST_F(ObjectFile, MayNotReplaceWhatWritesRecords) {
  EXPECT_THAT(forbidden_in_object(compiled(
                  "namespace kit_wire { __attribute__((weak)) int seal_of(int key) { return key; } }\n")),
              HasSubstr("defines kit_wire::seal_of"));
}

TEST_F(ObjectFile, MayNotRunBeforeTheEmulation) {
  EXPECT_EQ(forbidden_in_object(compiled("__attribute__((constructor)) void late() {}\n")), "");
  EXPECT_NE(forbidden_in_object(compiled("__attribute__((constructor(101))) void early() {}\n")), "");
  EXPECT_NE(
      forbidden_in_object(compiled("void early() {}\n__attribute__((section(\".preinit_array\"), used)) void "
                                   "(*first)() = early;\n")),
      "");
  EXPECT_NE(
      forbidden_in_object(compiled("extern \"C\" { static void one() {} void (*choose())() { return one; } "
                                   "void f() __attribute__((ifunc(\"choose\"))); }\n")),
      "");
}

TEST_F(ObjectFile, OfWatchableCodeHoldsOneEarlyFunctionOfTheCompiler) {
  const std::vector<std::string> watchable = {"-fsanitize=thread"};
  const std::string ordinary = "int main() { return 0; }\n";
  EXPECT_EQ(forbidden_in_object(compiled(ordinary, watchable), true), "");
  EXPECT_THAT(forbidden_in_object(compiled(ordinary, watchable), false), HasSubstr(".init_array.00099"));
  const std::string named = "void early() {}\n__attribute__((section(\".init_array.00099\"), used)) ";
  for (const std::string early : {"__attribute__((constructor(99))) void early() {}\n",
                                  "__attribute__((constructor(98))) void early() {}\n"})
    EXPECT_THAT(forbidden_in_object(compiled(early, watchable), true), HasSubstr("runs before")) << early;
  EXPECT_THAT(forbidden_in_object(compiled(named + "void (*first)() = early;\n", watchable), true),
              HasSubstr("runs before"));
  for (const std::string name : {"__tsan_read4", "__sanitizer_cov_trace_pc", "__wrap_memcpy"})
    EXPECT_THAT(forbidden_in_object(compiled("extern \"C\" void " + name + "(void*) {}\n"), true),
                HasSubstr("defines " + name));
}

TEST_F(ObjectFile, ThatIsDamagedEndsTheReading) {
  const std::string object = compiled("extern \"C\" int clock() { return 0; }\n");
  for (std::size_t i = 0; i < object.size(); ++i) {
    EXPECT_LE(forbidden_in_object(std::string_view(object).substr(0, i)).size(), 200u);
    std::string changed = object;
    changed[i] = static_cast<char>(0xff);
    EXPECT_LE(forbidden_in_object(std::string_view(changed)).size(), 200u);
  }
}

}  // namespace
}  // namespace grader
