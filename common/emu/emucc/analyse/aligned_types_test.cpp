#include "analyse/aligned_types.hpp"

#include <gtest/gtest.h>

namespace emucc {
namespace aligned_types_test {

bool in(const std::string& code) {
  const std::string text = "# 1 \"a.cu\"\n" + code + "\n";
  return names_aligned_type(lex(text));
}

TEST(AlignedTypes, AreVectorTypesAndStructuresWithAnAlignment) {
  EXPECT_TRUE(in("__global__ void k(float4* p) {}"));
  EXPECT_TRUE(in("auto p = reinterpret_cast<const uchar2*>(q);"));
  EXPECT_TRUE(in("double4_16a d;"));
  EXPECT_TRUE(in("struct __align__(8) Pair { float a, b; };"));
  EXPECT_TRUE(in("struct alignas(16) Sphere { float x[4]; };"));
  EXPECT_TRUE(in("struct __attribute__((aligned(16))) S {};"));
  EXPECT_TRUE(in("cuda::std::complex<float> z;"));
}
TEST(AlignedTypes, AreNoScalarsAndNoStructuresOfThem) {
  EXPECT_FALSE(in("__global__ void k(double* p, float3 v, dim3 d) { float float4x = 2; int log2 = 1; }"));
  EXPECT_FALSE(in("const char* text = \"float4\";"));
}
TEST(AlignedTypes, InHeadersOfTheSystemDoNotCount) {
  EXPECT_FALSE(names_aligned_type(
      lex("# 1 \"a.cu\"\n# 1 \"/usr/include/v.h\" 1 3\nstruct float4 {};\n# 2 \"a.cu\" 2\nint x;\n")));
}

}  // namespace aligned_types_test
}  // namespace emucc
