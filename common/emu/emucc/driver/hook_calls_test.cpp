#include "driver/hook_calls.hpp"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "driver/process.hpp"

namespace emucc {
namespace hook_calls_test {

namespace fs = std::filesystem;

class HookCalls : public testing::Test {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "calls are replaced in objects of x86-64 alone";
#endif
    std::string pattern = (fs::temp_directory_path() / "emucc-hooks-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override {
    if (!folder.empty()) fs::remove_all(folder);
  }

  /// Returns the object of a C++ source, compiled as --watchable compiles kernels.
  std::string object_of(const std::string& code) const {
    Command command;
    command.argv = {find_program("g++"),
                    "-O1",
                    "-fsanitize=thread",
                    "-fsanitize-coverage=trace-pc,trace-cmp",
                    "-x",
                    "c++",
                    "-c",
                    "-",
                    "-o",
                    (folder / "a.o").string()};
    command.input = code;
    EXPECT_TRUE(run(command).ok());
    std::ifstream in(folder / "a.o", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder;
};

const char* const code =
    "#include <atomic>\n"
    "int sum(const int* p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }\n"
    "int next(std::atomic<int>& a) { return a.fetch_add(1); }\n";

TEST_F(HookCalls, AreReplacedByAnInstructionOfTheSameLength) {
  const std::string before = object_of(code);
  std::string after = before;
  EXPECT_GT(remove_hook_calls(after), 4u);
  EXPECT_EQ(after.size(), before.size());
  EXPECT_NE(after, before);
  EXPECT_EQ(remove_hook_calls(after), 0u) << "none is left";
}

TEST_F(HookCalls, WithAResultRemain) {
  std::string atomic =
      object_of("#include <atomic>\nint next(std::atomic<int>& a) { return a.fetch_add(1); }\n");
  remove_hook_calls(atomic);
  std::ofstream(folder / "b.o", std::ios::binary) << atomic;
  // This program defines only one hook, the atomic operation. The link fails if the object still calls
  // another one.
  std::ofstream(folder / "main.cpp")
      << "#include <atomic>\n#include <cstdio>\nint next(std::atomic<int>&);\n"
         "extern \"C\" void __tsan_init() {}\n"
         "extern \"C\" int __tsan_atomic32_fetch_add(int* p, int value, int) { const int old = *p; *p += "
         "value; "
         "return old; }\n"
         "int main() { std::atomic<int> a{5}; next(a); return a == 6 ? 0 : 1; }\n";
  Command link;
  link.argv = {find_program("g++"), (folder / "main.cpp").string(), (folder / "b.o").string(), "-o",
               (folder / "b").string()};
  EXPECT_TRUE(run(link).ok());
  Command start;
  start.argv = {(folder / "b").string()};
  EXPECT_TRUE(run(start).ok());
}

TEST_F(HookCalls, OfADamagedObjectAreLeftAlone) {
  std::string text = "no object at all";
  EXPECT_EQ(remove_hook_calls(text), 0u);
  const std::string whole = object_of(code);
  for (std::size_t length = 0; length < whole.size(); length += whole.size() / 200 + 1) {
    std::string part = whole.substr(0, length);
    remove_hook_calls(part);  // must read and write only inside `part`; a sanitizer reports other accesses
    EXPECT_EQ(part.size(), length);
  }
  for (std::size_t at = 0; at < whole.size(); at += at < 64 ? 1 : whole.size() / 500 + 1) {
    std::string damaged = whole;
    damaged[at] = '\xff';
    remove_hook_calls(damaged);
    EXPECT_EQ(damaged.size(), whole.size());
  }
  // The last bytes of these offsets and sizes of sections are set, so that they are larger than any file.
  Elf64_Ehdr header;
  std::memcpy(&header, whole.data(), sizeof header);
  for (unsigned section = 0; section < header.e_shnum; ++section)
    for (const std::size_t member : {offsetof(Elf64_Shdr, sh_offset), offsetof(Elf64_Shdr, sh_size)}) {
      std::string damaged = whole;
      std::memset(damaged.data() + header.e_shoff + section * sizeof(Elf64_Shdr) + member, 0xff, 8);
      remove_hook_calls(damaged);
      EXPECT_EQ(damaged.size(), whole.size());
    }
}

}  // namespace hook_calls_test
}  // namespace emucc
