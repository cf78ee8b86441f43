#include "analyse/missing.hpp"

#include <gmock/gmock.h>

namespace emucc {
namespace missing_test {

using testing::HasSubstr;
using testing::StartsWith;

bool nothing(const char*) {
  return false;
}
bool everything(const char*) {
  return true;
}
bool all_but_doubles(const char* file) {
  return std::string_view(file) != "libfftw3.so.3";
}

TEST(MissingPackage, IsNamedWhereALibraryNeedsIt) {
  EXPECT_EQ(missing_package("cublas", nothing),
            "cuBLAS is computed by a library that is not installed here: sudo apt-get install libopenblas0");
  EXPECT_THAT(missing_package("cublasLt", nothing), StartsWith("cuBLASLt is computed"));
  EXPECT_THAT(missing_package("cufft", nothing), HasSubstr("install libfftw3-single3"));
  EXPECT_THAT(missing_package("cufft", all_but_doubles), HasSubstr("install libfftw3-double3"));
}

TEST(MissingPackage, IsNoneWhereItIsThereOrNotNeeded) {
  for (const char* const name : {"cublas", "cublasLt", "cufft"})
    EXPECT_EQ(missing_package(name, everything), "");
  for (const char* const name : {"curand", "cusparse", "m", "cublasXt"})
    EXPECT_EQ(missing_package(name, nothing), "");
}

TEST(MissingLibrary, IsReportedWithTheAvailableOnes) {
  EXPECT_EQ(missing_library("cusparse"),
            "cuSPARSE, which the emulation does not have: of CUDA's libraries it has the runtime, cuBLAS, "
            "cuFFT, cuRAND, CUB "
            "and Thrust");
  EXPECT_EQ(missing_library("cublas"), "");
  EXPECT_THAT(missing_library("cublasXt"), StartsWith("cuBLASXt"));
  EXPECT_EQ(missing_library("cufft"), "");
}

}  // namespace missing_test
}  // namespace emucc
