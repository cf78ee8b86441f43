#include "parse/host_device.hpp"

#include <gtest/gtest.h>

namespace emucc {
namespace host_device_test {

/// Joins both sides of one source. A line `@d …` is only on the device's side, `@h …` only on the host's; all
/// others are on both.
JoinedSides both_of(const std::string& source) {
  std::string device = "# 1 \"a.cu\"\n", host = device;
  std::size_t at = 0;
  while (at < source.size()) {
    const std::size_t end = source.find('\n', at);
    const std::string line = source.substr(at, end - at);
    const bool ours = line.rfind("@h ", 0) != 0, theirs = line.rfind("@d ", 0) != 0;
    const std::string text = ours && theirs ? line : line.substr(3);
    device += (ours ? text : "") + "\n";
    host += (theirs ? text : "") + "\n";
    at = end + 1;
  }
  const TokenStream a = lex(device), b = lex(host);
  return join_sides(a, b);
}
std::optional<std::string> joined(const std::string& source) {
  return both_of(source).text;
}
/// The text without markers, with single blanks.
std::string plain(const std::optional<std::string>& text) {
  std::string out;
  for (const auto& token : lex(*text).tokens) {
    if (token.kind == TokenKind::end || token.kind == TokenKind::directive) continue;
    out += std::string(std::string_view(*text).substr(token.offset, token.length)) + " ";
  }
  return out;
}

TEST(Sides, EqualTextsStay) {
  EXPECT_EQ(joined("int a;\nvoid f() { a = 1; }\n"), std::nullopt);
}

TEST(Sides, AFunctionOfBothTestsWhereItRuns) {
  EXPECT_EQ(plain(joined("__host__ __device__ int f() {\n@d return 1;\n@h return 0;\n}\nint x;\n")),
            "__host__ __device__ int f ( ) { if ( :: cuemu :: on_device ( ) ) { return 1 ; } else { return 0 "
            "; } } int x ; ");
}

TEST(Sides, DeviceFunctionsThatOnlyTheHostSeesAreDropped) {
  // `#if __CUDA_ARCH__ < 600` is true on the host, where that macro isn't defined.
  EXPECT_EQ(joined("@h __device__ double add(double* a, double b) { return 1; }\n"
                   "@d __device__ double add(double* to, double what) { return 2; }\n"),
            std::nullopt);
}

TEST(Sides, AHostFunctionHasTheHostsBodyAKernelTheDevices) {
  const auto text =
      plain(joined("void f() {\n@d a();\n@h b();\n}\n__global__ void k() {\n@d c();\n@h d();\n}\n"));
  EXPECT_EQ(text, "void f ( ) { b ( ) ; } __global__ void k ( ) { c ( ) ; } ");
}

TEST(Sides, DifferentDeclarationsBecomeTheDevicesWithAWarning) {
  const JoinedSides both = both_of(
      "@d using real = float;\n@h using real = double;\n@d struct S { int a; };\n@h struct S { long a; };\n"
      "@d int same;\n@h int same;\nint f();\n");
  ASSERT_EQ(both.left_out.size(), 2U);
  EXPECT_EQ(both.left_out[0].name, "real");
  EXPECT_EQ(both.left_out[0].file, "a.cu");
  EXPECT_EQ(both.left_out[0].line, 2U);
  EXPECT_EQ(both.left_out[1].name, "S");
}

TEST(Sides, DeclarationsOfOneSideAreThere) {
  EXPECT_EQ(plain(joined("int a;\n@h int b;\n@d int c;\nnamespace n {\n@h void f() {}\n}\n")),
            "int a ; int c ; int b ; namespace n { void f ( ) { } } ");
}

TEST(Sides, DefinitionsOfBothUnderOneNameAreJoined) {
  EXPECT_EQ(plain(joined("struct S {\n@d __device__ int f() { return 1; }\n@h int f() { return 2; }\n};\n")),
            "struct S { __host__ __device__ int f ( ) { if ( :: cuemu :: on_device ( ) ) { return 1 ; } else "
            "{ return "
            "2 ; } } } ; ");
}

TEST(Sides, OtherThingsUnderOneNameAreTheDevices) {
  EXPECT_EQ(joined("@d typedef int T;\n@h typedef long T;\nT x;\n"), std::nullopt);
}

TEST(Sides, LambdasOfBothInHostFunctions) {
  const auto text = plain(joined(
      "void f() {\n@h g();\nauto l = [] __host__ __device__(int x) {\n@d return x;\n@h return -x;\n};\n}\n"));
  EXPECT_EQ(text,
            "void f ( ) { g ( ) ; auto l = [ ] __host__ __device__ ( int x ) { if ( :: cuemu :: on_device ( "
            ") ) { return x ; } else { "
            "return - x ; } } ; } ");
}

TEST(Sides, LinesStayWhereTheyWere) {
  const auto text = joined("__host__ __device__ int f() {\n@d return 1;\n@h return 0;\n}\nint x;\n");
  const TokenStream stream = lex(*text);
  for (std::size_t i = 0; i + 1 < stream.tokens.size(); ++i) {
    if (stream.spelling(i) == "x") {
      EXPECT_EQ(stream.tokens[i].line, 5U);
    }
    if (stream.spelling(i) == "1") {
      EXPECT_EQ(stream.tokens[i].line, 2U);
    }
    if (stream.spelling(i) == "0") {
      EXPECT_EQ(stream.tokens[i].line, 3U);
    }
  }
}

}  // namespace host_device_test
}  // namespace emucc
