#include "driver/extra_library.hpp"

#include <gtest/gtest.h>

namespace emucc {
namespace extra_library_test {

constexpr const char* lines =
    "cublas|cuemu_blas|cuBLAS|libopenblas.so.0|libopenblas0\ncurand|cuemu_curand|cuRAND||\n";

bool nothing(const char*) {
  return false;
}
bool openblas(const char* file) {
  return std::string_view(file) == "libopenblas.so.0";
}

TEST(ExtraLibraries, AreReadFromLines) {
  const auto libraries = extra_libraries(lines);
  ASSERT_EQ(libraries.size(), 2u);
  EXPECT_EQ(libraries[0].name, "cublas");
  EXPECT_EQ(libraries[0].target, "cuemu_blas");
  EXPECT_EQ(libraries[1].title, "cuRAND");
  EXPECT_EQ(libraries[1].file, "");
  EXPECT_TRUE(extra_libraries("").empty());
}

TEST(ExtraLibraries, NameThePackageThatTheyNeed) {
  const auto libraries = extra_libraries(lines);
  EXPECT_EQ(missing_package(libraries[0], nothing),
            "cuBLAS is computed by a library that is not installed here: sudo apt-get install libopenblas0");
  EXPECT_EQ(missing_package(libraries[0], openblas), "");
  EXPECT_EQ(missing_package(libraries[1], nothing), "");
}

TEST(ExtraLibraries, AreNoneWithoutAList) {
  EXPECT_TRUE(extra_libraries_beside("/no/such/lib/libcuemu.a").empty());
}

}  // namespace extra_library_test
}  // namespace emucc
