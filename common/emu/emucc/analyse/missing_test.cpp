#include "analyse/missing.hpp"

#include <gmock/gmock.h>

namespace emucc {
namespace missing_test {

using testing::StartsWith;

TEST(MissingLibrary, IsReportedWithTheAvailableOnes) {
  EXPECT_EQ(missing_library("cusparse"),
            "cuSPARSE, which the emulation does not have: of CUDA's libraries it has the runtime, cuBLAS, "
            "cuFFT, cuRAND, CUB "
            "and Thrust");
  EXPECT_THAT(missing_library("cublasXt"), StartsWith("cuBLASXt"));
  EXPECT_EQ(missing_library("m"), "");
}

TEST(MissingLibrary, OfAnExtraIsTheKitsOption) {
  EXPECT_EQ(
      missing_library("cublas"),
      "cuBLAS, an extra of the emulation that this kit was built without: build it with -DKIT_EMU_EXTRAS=ON");
  EXPECT_THAT(missing_library("cufftw"), StartsWith("cuFFT's form"));
  EXPECT_THAT(missing_header("thrust/reduce.h"), StartsWith("Thrust, an extra"));
  EXPECT_THAT(missing_header("cub/cub.cuh"), StartsWith("CUB, an extra"));
  EXPECT_EQ(missing_header("thrusters.h"), "");
  EXPECT_THAT(missing_header("texture_types.h"), StartsWith("textures and arrays, an extra"));
  EXPECT_THAT(missing_name("cudaTextureObject_t"), StartsWith("textures and arrays, an extra"));
  EXPECT_EQ(missing_name("tex2Da"), "") << "a typing error in a kit that has the extra";
}

}  // namespace missing_test
}  // namespace emucc
