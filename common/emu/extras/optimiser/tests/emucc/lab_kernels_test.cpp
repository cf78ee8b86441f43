// Tests that labs' kernels run as loops over the threads of a block. The exceptions are listed here with
// their reasons. The split code must compile: otherwise emucc would run the kernel thread by thread, and
// users would not notice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kit = KIT_SOURCE_DIR;

bool has_kernel(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return file.extension() == ".cu" && text.str().find("__global__") != std::string::npos;
}

/// Returns emucc's notes on the kernels of a lab's source: the lines "FILE:LINE: kernel 'NAME' …".
/// @param folders the folders of the program's files
std::vector<std::string> kernels_of(const fs::path& source, const std::vector<fs::path>& folders) {
  std::string includes;
  for (const fs::path& folder : folders) includes += " -I'" + folder.string() + "'";
  const std::string command = "CUEMU_FISSION=strict '" + std::string(KIT_BINARY_DIR) +
                              "/bin/emucc' -std=c++17 -O0 -rdc=true -DLAB_LIBRARY=1 --dump=fission -I'" +
                              (kit / "common/lab/include").string() + "'" + includes + " -c '" +
                              source.string() + "' -o /dev/null 2>&1";
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
  EXPECT_EQ(pclose(pipe), 0) << command << "\n" << output;
  std::vector<std::string> lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);)
    if (line.find(": kernel '") != std::string::npos) lines.push_back(line);
  return lines;
}

TEST(LabKernels, RunAsLoops) {
  std::vector<std::string> by_thread;
  std::size_t all = 0;
  for (const auto& lab : fs::directory_iterator(kit / "solutions")) {
    const fs::path students = kit / "labs" / lab.path().filename();
    const std::vector<fs::path> folders = {lab.path(), students / "given", students / "shared"};
    for (const fs::path& folder : folders) {
      if (!fs::exists(folder)) continue;
      for (const auto& file : fs::directory_iterator(folder)) {
        if (!has_kernel(file.path())) continue;
        for (const std::string& line : kernels_of(file.path(), folders)) {
          ++all;
          const std::size_t begin = line.find('\'') + 1;
          const std::string name = line.substr(begin, line.find('\'', begin) - begin);
          if (line.find(" runs thread by thread") != std::string::npos)
            by_thread.push_back(file.path().filename().string() + " " + name);
        }
      }
    }
  }
  EXPECT_GT(all, 60u);
  EXPECT_THAT(by_thread,
              testing::UnorderedElementsAre(
                  // These kernels launch kernels.
                  "dynamic.cu dynamicKernel", "dynamic.cu launchKernel", "quick.cu quickKernel",
                  // A payload of one of these kernels has barriers.
                  "dynamic.cu boxKernel", "flat_maps.cu mapKernel",
                  // This kernel calls a member function of an object whose type is a template's parameter.
                  "flat_maps.cu rowsKernel",
                  // Warpgroups run different code, and wait for each other in products and at mbarriers.
                  "matrixmul_hopper.cu productHopper",
                  // Warps exchange values in matrix products.
                  "computeQ_tensor.cu onTensorCores", "computeQ_hopper.cu onWarpgroups",
                  // A member function changes the condition, and warps exchange values in products.
                  "matrixmul_tensor.cu productTensor",
                  // The condition is in memory that these kernels also write. Besides, warps exchange values
                  // in a function.
                  "storms_expert.cu someStorms"));
}

}  // namespace
