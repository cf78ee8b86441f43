// Tests the construction of vector types and the conversions of dim3. The header itself checks the types'
// layout.
#include "vector_functions.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace {

TEST(Vector, MakesEachElement) {
  const float4 f = make_float4(1, 2, 3, 4);
  EXPECT_EQ(f.x + 10 * f.y + 100 * f.z + 1000 * f.w, 4321.0f);
  const uchar3 c = make_uchar3(250, 251, 252);
  EXPECT_EQ(c.x, 250);
  EXPECT_EQ(c.z, 252);
  constexpr longlong2 l = make_longlong2(-1, 1LL << 40);
  static_assert(l.x == -1 && l.y == 1LL << 40);
}

TEST(Vector, ArraysAreDense) {
  int3 a[4] = {};
  EXPECT_EQ(reinterpret_cast<char*>(&a[3]) - reinterpret_cast<char*>(&a[0]), 36);
}

TEST(Vector, TrivialSoThatTheyMayBeShared) {
  static_assert(std::is_trivial_v<float4> && std::is_trivial_v<char1> && std::is_standard_layout_v<double3>);
  static_assert(std::is_trivially_copyable_v<dim3>);
}

TEST(Dim3, ElementsDefaultToOne) {
  constexpr dim3 d;
  static_assert(d.x == 1 && d.y == 1 && d.z == 1);
  const dim3 e(7);
  EXPECT_EQ(e.x * 100 + e.y * 10 + e.z, 711u);
  const dim3 from_int = 5;
  EXPECT_EQ(from_int.x, 5u);
}

TEST(Dim3, ConvertsBothWays) {
  const dim3 d = make_uint3(2, 3, 4);
  const uint3 u = d;
  EXPECT_EQ(u.x * 100 + u.y * 10 + u.z, 234u);
}

}  // namespace
