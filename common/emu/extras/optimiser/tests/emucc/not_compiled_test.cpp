// Tests a program whose kernels do not compile as the optimiser writes them: emucc compiles it again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Returns the output and messages of emucc in the folder. Expects that it succeeds.
std::string run(const fs::path& folder, const std::string& arguments) {
  const std::string command =
      "cd '" + folder.string() + "' && '" + KIT_BINARY_DIR + "/bin/emucc' " + arguments + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
  EXPECT_EQ(pclose(pipe), 0) << output;
  return output;
}

TEST(Optimiser, KernelsThatDoNotCompileSplitRunThreadByThread) {
  std::string folder = (fs::temp_directory_path() / "emucc-split-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  // The optimiser adds this name, which nvcc does not know.
  std::ofstream(fs::path(folder) / "a.cu")
      << "#include <cstdio>\n__global__ void k(int* cuemu_at) {\n  __shared__ int s[2];\n"
         "  s[threadIdx.x] = cuemu_at[threadIdx.x];\n  __syncthreads();\n  cuemu_at[threadIdx.x] = s[1 - "
         "threadIdx.x];\n}\n"
         "int main() {\n  int* p;\n  cudaMallocManaged(&p, 8);\n  p[0] = 3;\n  p[1] = 4;\n  k<<<1, 2>>>(p);\n"
         "  cudaDeviceSynchronize();\n  printf(\"%d %d\\n\", p[0], p[1]);\n}\n";
  EXPECT_EQ(run(folder, "-run a.cu"), "4 3\n");
  EXPECT_THAT(run(folder, "-v -c a.cu"),
              HasSubstr("a.cu: note: all kernels run thread by thread, since this failed"));
  fs::remove_all(folder);
}

}  // namespace
