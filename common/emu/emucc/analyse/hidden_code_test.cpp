#include "analyse/hidden_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyse/line_markers.hpp"

namespace emucc {
namespace hidden_code_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Returns "line: word" for each error in a submitted file.
std::vector<std::string> said(const std::string& code, const std::string& marker = "# 1 \"a.cu\"\n") {
  const std::string text = marker + code + "\n";
  const TokenStream stream = lex(text);
  std::vector<std::string> all;
  for (const Diagnostic& one : check_hidden_code(stream))
    all.push_back(std::to_string(one.line) + ": " + one.message.substr(1, one.message.find('\'', 1) - 1));
  return all;
}

TEST(HiddenCode, IsNoneInWhatStudentsWrite) {
  EXPECT_THAT(
      said("__global__ void k(float* a) { asm(\"add.f32 %0, %0, %0;\" : \"+f\"(a[0])); }\n"
           "[[maybe_unused]] static int x; [[nodiscard]] int f(); struct alignas(16) S { int a[2]; };\n"
           "__attribute__((noinline, aligned(16))) void g(); [[gnu::cold, noreturn]] void h();\n"
           "[[using gnu: hot, always_inline]] void i();\n"
           "int n = __builtin_popcount(7) + __builtin_expect(1, 1); float y = __builtin_inff();\n"
           "auto z = a[b[0]]; bool c = std::less<::S>()(a, b);\n"
           "#pragma unroll 4\n#pragma GCC ivdep\n#pragma GCC diagnostic ignored \"-Wall\"\n#pragma once\n"),
      IsEmpty());
}
TEST(HiddenCode, IsAnUnknownAttribute) {
  EXPECT_THAT(said("__attribute__((no_sanitize(\"thread\"))) void f();"), ElementsAre("1: no_sanitize"));
  EXPECT_THAT(said("__attribute__((noinline, __no_sanitize_thread__)) void f();"),
              ElementsAre("1: no_sanitize_thread"));
  EXPECT_THAT(said("[[gnu::no_sanitize_thread]] void f();\n[[using gnu: hot, optimize(\"O0\")]] void g();"),
              ElementsAre("1: no_sanitize_thread", "2: optimize"));
  EXPECT_THAT(said("[[nodiscard, gnu::target(\"sse4\")]] int f();\n__attribute__((weak)) int g();"),
              ElementsAre("1: target", "2: weak"));
  EXPECT_THAT(said("<:<:gnu::no_sanitize_thread:>:> void f();"), ElementsAre("1: <:"));
}
TEST(HiddenCode, IsAPragmaOfTheCompilersAndABuiltinThatReachesMemory) {
  EXPECT_THAT(
      said("#pragma GCC optimize(\"O0\")\n#pragma GCC target (\"sse4\")\n#pragma clang attribute push\n"
           "#pragma weak f\n#pragma redefine_extname a b"),
      ElementsAre("1: #pragma GCC optimize", "2: #pragma GCC target", "3: #pragma clang attribute",
                  "4: #pragma weak f", "5: #pragma redefine_extname a"));
  EXPECT_THAT(said("__builtin_memcpy(a, b, 4);\n__builtin_prefetch(a);\n__builtin___memcpy_chk(a, b, 4, 4);\n"
                   "__sync_fetch_and_add(a, 1);\n__atomic_store_n(a, 1, 0);\n__builtin_ia32_movnti(a, 1);"),
              ElementsAre("1: __builtin_memcpy", "2: __builtin_prefetch", "3: __builtin___memcpy_chk",
                          "4: __sync_fetch_and_add", "5: __atomic_store_n", "6: __builtin_ia32_movnti"));
}
TEST(HiddenCode, IsANameOfThoseWhoWatch) {
  EXPECT_THAT(said("extern \"C\" void __tsan_read4(void*);\nnamespace cuemu { void write_channel(); }\n"
                   "extern \"C\" int _ZN5cuemu11has_channelEv();\nint cuemus;"),
              ElementsAre("1: __tsan_read4", "2: cuemu", "3: _ZN5cuemu11has_channelEv"));
  EXPECT_THAT(said("auto x = ::cuemu::f();", "# 1 \"a.cu\" 3 4\n"), IsEmpty()) << "a macro of the system's";
  EXPECT_THAT(said("[[gnu::weak]] void cuemu_record_time();", "# 1 \"/kit/lab/timer.hpp\"\n"), IsEmpty());
}

TEST(HiddenCode, IsAssemblyWithAText) {
  const std::string text =
      "# 1 \"a.cu\"\nasm volatile(\"\" ::: \"memory\"); asm(\"\" \"nop\"); __asm__(R\"(nop)\");\n"
      "int f() asm(\"g\"); asm(\"\");";
  const TokenStream stream = lex(text);
  const std::vector<std::size_t> found = assembly_in(stream);
  EXPECT_EQ(found.size(), 3u);
  EXPECT_THAT(host_assembly(stream, found[0]).message, HasSubstr("assembly of this machine"));
}

TEST(HiddenCode, IsAFunctionOfTheDeviceThatAnotherFileMayDefine) {
  const auto lacking = [](const std::string& code) {
    const std::string text = "# 1 \"a.cu\"\n" + code + "\n";
    const TokenStream stream = lex(text);
    return check_device_functions(Syntax(stream)).size();
  };
  EXPECT_EQ(lacking("__device__ void touch(int* a);\n__global__ void k(int* a) { touch(a); }"), 1u);
  EXPECT_EQ(lacking("__device__ void touch(int* a);\n__global__ void k(int* a) { touch(a); }\n"
                    "__device__ void touch(int* a) { *a = 1; }"),
            0u);
  EXPECT_EQ(lacking("__host__ __device__ int both(int);\nint f() { return both(1); }\n"
                    "__global__ void k(int);\nvoid g() { k<<<1, 1>>>(1); }"),
            0u);
  EXPECT_EQ(lacking("__host__ __device__ int both(int);\n__device__ int f() { return both(1); }"), 1u);
  EXPECT_EQ(lacking("__device__ void unused(int* a);\nint host(int);\nint f() { return host(1); }"), 0u);
}

/// Returns the number of errors for a main file `./a.cu`, given the preprocessor's output and the original
/// text.
std::size_t markers(const std::string& preprocessed, const std::string& written) {
  const std::string text =
      "# 0 \"./a.cu\"\n# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n"
      "# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n# 0 \"<command-line>\" 2\n# 1 \"./a.cu\"\n" +
      preprocessed;
  const TokenStream stream = lex(text);
  return check_line_markers(stream, [&](const std::string&) { return written; }).size();
}

TEST(LineMarkers, OfThePreprocessorAreNoMistake) {
  EXPECT_EQ(
      markers("# 1 \"h.h\" 1\nint a;\n# 2 \"./a.cu\" 2\n# 1 \"/usr/include/math.h\" 1 3 4\nint s;\n"
              "# 3 \"./a.cu\" 2\nfloat f =\n# 4 \"./a.cu\" 3 4\n 0\n# 4 \"./a.cu\"\n;\n",
              "#include \"h.h\"\n// # 12 of them\nint x; /* #1 */\nprintf(\"# 1 \\\"x\\\"\");\n#line 7\n"),
      0u);
}
TEST(LineMarkers, ThatNameAnotherFileAreFound) {
  EXPECT_EQ(markers("# 1 \"/etc/passwd\"\nint z;\n", ""), 1u);
  EXPECT_EQ(markers("# 1 \"<built-in>\"\nint z;\n", ""), 1u);
  EXPECT_EQ(markers("# 1 \"h.h\" 1 3\nint z;\n# 2 \"./a.cu\" 2\n", ""), 1u) << "#pragma GCC system_header";
  for (const char* written : {"# 1 \"/usr/include/x.h\" 1 3\n", "%:\\\n 1 \"x\" 1 3\n",
                              "/* */ # /**/ 1/**/\"x\" 1 3", "\f#\v1 R\"(x)\" 1 3\n"})
    EXPECT_EQ(markers("int a;\n", written), 1u) << written;
}

}  // namespace hidden_code_test
}  // namespace emucc
