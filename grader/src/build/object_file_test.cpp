#include "build/object_file.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/test_folder.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

class ObjectFile : public ::testing::Test {
 protected:
  /// What a compiler makes of some lines of C++.
  std::string compiled(const std::string& source) {
    folder.write("a.cpp", source);
    ProcessRequest request;
    request.argv = {"c++", "-c", "a.cpp", "-o", "a.o"};
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
