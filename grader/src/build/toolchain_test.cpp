// Tests machines with and without each tool. Small scripts imitate the tools.
#include "build/toolchain.hpp"

#include <sys/stat.h>

#include "catalog/test_kit.hpp"

namespace grader {
namespace {

using testing::HasSubstr;

/// A kit, and a folder of scripts that is the only folder in PATH.
class ToolchainTest : public testing::Test {
 protected:
  ToolchainTest() {
    path_before_ = getenv("PATH");
    cxx_before_ = getenv("CXX") ? getenv("CXX") : "";
    unsetenv("CXX");
    unsetenv("CUDA_VISIBLE_DEVICES");
    fs::create_directories(kit.path / "bin");
    setenv("PATH", (kit.path / "bin").c_str(), 1);
  }
  ~ToolchainTest() override {
    setenv("PATH", path_before_.c_str(), 1);
    if (!cxx_before_.empty()) setenv("CXX", cxx_before_.c_str(), 1);
  }
  void script(const std::string& name, const std::string& body) {
    kit.write("bin/" + name, "#!/bin/sh\n" + body + "\n");
    fs::permissions(kit.path / "bin" / name, fs::perms(0755));
  }
  Toolchain detect() { return Toolchain::detect(kit.kit); }
  std::string note_of(const Toolchain& toolchain, std::optional<Backend> wanted = {}) {
    std::string note;
    toolchain.choose(wanted, note);
    return note;
  }

  TestKit kit;

 private:
  std::string path_before_, cxx_before_;
};

Toolchain with_gpu() {
  Toolchain toolchain;
  toolchain.nvcc = "/usr/local/cuda/bin/nvcc";
  toolchain.emucc = "/kit/emucc";
  toolchain.host_compiler = "/usr/bin/c++";
  toolchain.gpus = {{"NVIDIA H200", "580.159", 9, 0, ""}};
  return toolchain;
}

TEST_F(ToolchainTest, FindsCompilersInPath) {
  script("c++", "echo 'c++ (Test) 1.2.3'; echo more");
  const Toolchain found = detect();
  EXPECT_EQ(found.host_compiler, kit.path / "bin/c++");
  EXPECT_EQ(found.host_version, "c++ (Test) 1.2.3");
}

TEST_F(ToolchainTest, ReadsTheReleaseOfNvcc) {
  script(
      "nvcc",
      "echo 'nvcc: NVIDIA (R) Cuda compiler driver'; echo 'Cuda compilation tools, release 13.0, V13.0.48'");
  EXPECT_EQ(detect().nvcc_version, "13.0, V13.0.48");
}

TEST_F(ToolchainTest, QueriesACompilerOnlyOnce) {
  script("c++", "echo asked >> '" + (kit.path / "asked").string() + "'; echo c++ 1");
  detect();
  EXPECT_EQ(detect().host_version, "c++ 1");
  EXPECT_EQ(kit.read("asked"), "asked\n");
  script("c++", "echo another c++ 2");
  EXPECT_EQ(detect().host_version, "another c++ 2");
}

TEST_F(ToolchainTest, ADamagedVersionFileCostsOnlyTime) {
  script("c++", "echo c++ 1");
  for (const char* damage : {"", "{", "[]", "{\"a\":1}"}) {
    kit.write(".grader/cache/versions.json", damage);
    EXPECT_EQ(detect().host_version, "c++ 1");
  }
}

TEST_F(ToolchainTest, ReadsGpus) {
  script("nvidia-smi", "echo 'NVIDIA H200, 580.159.03, 9.0'");
  const Toolchain found = detect();
  ASSERT_EQ(found.gpus.size(), 1u);
  EXPECT_EQ(found.gpus[0].name, "NVIDIA H200");
  EXPECT_EQ(found.gpus[0].driver, "580.159.03");
  EXPECT_EQ(found.gpus[0].compute_major, 9);
  EXPECT_EQ(found.gpus[0].compute_minor, 0);
}

TEST_F(ToolchainTest, SaysWhyADriverGivesNoGpu) {
  script("nvidia-smi",
         "echo \"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\"; exit 9");
  EXPECT_THAT(detect().gpu_problem, HasSubstr("couldn't communicate"));
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  EXPECT_THAT(detect().gpu_problem, HasSubstr("CUDA_VISIBLE_DEVICES"));
}

TEST_F(ToolchainTest, TurnsAreTakenOnTheVisibleGpusThatAreAlike) {
  script("nvidia-smi",
         "printf 'A, 1.2, 9.0, GPU-11-aa\\nB, 1.2, 8.0, GPU-22-bb\\nA, 1.2, 9.0, GPU-33-cc\\n'");
  using testing::ElementsAre;
  EXPECT_THAT(detect().devices(), ElementsAre("GPU-11-aa", "GPU-33-cc"));
  setenv("CUDA_VISIBLE_DEVICES", "2,1", 1);
  EXPECT_THAT(detect().devices(), ElementsAre("GPU-33-cc"));
  setenv("CUDA_VISIBLE_DEVICES", "GPU-22", 1);
  EXPECT_THAT(detect().devices(), ElementsAre("GPU-22-bb"));
  EXPECT_EQ(detect().device(Backend::gpu), "B");
  setenv("CUDA_VISIBLE_DEVICES", "0,7,2", 1);
  EXPECT_THAT(detect().devices(), ElementsAre("GPU-11-aa"));
  setenv("CUDA_VISIBLE_DEVICES", "MIG-44", 1);
  EXPECT_THAT(detect().devices(), ElementsAre("MIG-44"));
  setenv("CUDA_VISIBLE_DEVICES", "7", 1);
  EXPECT_THAT(detect().gpu_problem, HasSubstr("CUDA_VISIBLE_DEVICES=7 names no GPU"));
}

TEST(ParseGpus, PassesOverWhatDoesNotFit) {
  EXPECT_EQ(parse_gpus("A, with comma, 1.2, 8.6\nB, 1.2, 12.1\n").size(), 2u);
  EXPECT_EQ(parse_gpus("A, with comma, 1.2, 8.6\n")[0].name, "A, with comma");
  EXPECT_EQ(parse_gpus("B, 1.2, 12.1")[0].compute_major, 12);
  for (const char* wrong : {"", "\n", "No devices were found\n", "A, 1.2\n", "A, 1.2, [N/A]\n", ", 1, 9.0\n",
                            "A, 1, 9\n", ",,\n"})
    EXPECT_TRUE(parse_gpus(wrong).empty()) << wrong;
}

TEST_F(ToolchainTest, TakesTheGpuWhereThereIsOne) {
  std::string note;
  EXPECT_EQ(with_gpu().choose({}, note), Backend::gpu);
  EXPECT_THAT(note, HasSubstr("NVIDIA H200"));
  EXPECT_EQ(with_gpu().choose(Backend::emu, note), Backend::emu);
  EXPECT_THAT(note, HasSubstr("as asked"));
}

TEST_F(ToolchainTest, GoesToEmulationAndSaysWhy) {
  Toolchain toolchain = with_gpu();
  toolchain.nvcc.clear();
  EXPECT_THAT(note_of(toolchain), HasSubstr("no nvcc"));
  toolchain.gpus.clear();
  EXPECT_THAT(note_of(toolchain), HasSubstr("no NVIDIA GPU"));
}

TEST_F(ToolchainTest, SaysWhatIsMissing) {
  Toolchain toolchain = with_gpu();
  toolchain.nvcc.clear();
  EXPECT_THAT([&] { note_of(toolchain, Backend::gpu); }, throws_error(ErrorKind::environment, "no nvcc"));
  toolchain.gpus.clear();
  EXPECT_THAT([&] { note_of(toolchain, Backend::gpu); }, throws_error(ErrorKind::environment, "--backend"));
  toolchain.host_compiler.clear();
  EXPECT_THAT([&] { note_of(toolchain); }, throws_error(ErrorKind::environment, "apt install g++"));
  toolchain.emucc.clear();
  EXPECT_THAT([&] { note_of(toolchain); }, throws_error(ErrorKind::environment, "./bootstrap"));
}

}  // namespace
}  // namespace grader
