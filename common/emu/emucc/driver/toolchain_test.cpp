#include "driver/toolchain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace toolchain_test {

using testing::Contains;
using testing::HasSubstr;

std::string refusal(const std::string& compiler) {
  Options options;
  options.host_compiler = compiler;
  try {
    find_toolchain(options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Toolchain, MacroDefinitionsAreJoined) {
  EXPECT_EQ(macro_definition("#define A 1\n#define AB x,   \\\n    y\nrest", "AB"), "x, y");
  EXPECT_EQ(macro_definition("#define A 1\n", "B"), "");
}

TEST(Toolchain, TheContractWithTheRuntimeIsRead) {
  const auto header = load_file(KIT_SOURCE_DIR "/common/emu/include/cuemu/launch.hpp");
  ASSERT_TRUE(header);
  for (const char* name : {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"}) {
    EXPECT_THAT(macro_definition(*header, "CUEMU_KERNEL_PARAMS"), HasSubstr(name));
  }
}

TEST(Toolchain, CompilersThatWontDoAreRefused) {
  EXPECT_THAT(refusal("no-such-compiler"), HasSubstr("no such program"));
  EXPECT_THAT(refusal("/bin/false"), HasSubstr("--version"));
}

TEST(Toolchain, Macros) {
  Options options;
  options.architecture = 750;
  EXPECT_THAT(cuda_macros(options), Contains("-D__CUDA_ARCH__=750"));
  EXPECT_THAT(cuda_macros(options), Contains("-D__CUEMU__=1"));
  EXPECT_THAT(cuda_macros(options), testing::Not(Contains("-D__CUDACC_RDC__=1")));
  EXPECT_THAT(cuda_macros(options), testing::Not(Contains("-D__CUDA_ARCH_FEAT_SM90_ALL=1")));
  options.architecture = 900;
  EXPECT_THAT(cuda_macros(options), Contains("-D__CUDA_ARCH_FEAT_SM90_ALL=1"));
}

TEST(Toolchain, OptimisationFollowsTheUser) {
  Options options;
  options.optimisation = "3";
  EXPECT_THAT(base_flags(options, HostKind::gcc), Contains("-O3"));
  options.optimisation = "";
  options.debug = true;
  EXPECT_THAT(base_flags(options, HostKind::gcc), Contains("-O0"));
  options.debug = false;
  EXPECT_THAT(base_flags(options, HostKind::clang), Contains("-O2"));
  EXPECT_THAT(base_flags(options, HostKind::gcc), Contains("-ftree-vectorize"));
}

}  // namespace toolchain_test
}  // namespace emucc
