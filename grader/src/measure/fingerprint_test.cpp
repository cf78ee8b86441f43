// Tests which changes make earlier values invalid, and which don't.
#include <gtest/gtest.h>

#include "measure/peers.hpp"

namespace grader {
namespace {

class Fingerprint : public ::testing::Test {
 protected:
  Fingerprint() {
    lab_.id = "lab9.1";
    submission_.lab = &lab_;
    submission_.sha256 = "aa";
    spec_.id = "sizes";
    spec_.samples = 5;
    peer_.name = "cub";
    toolchain_.nvcc_version = "13.0, V13.0.88";
    toolchain_.emucc_version = "emucc 1";
    toolchain_.gpus = {{"NVIDIA H200", "580.159.04", 9, 0, ""}};
  }
  std::string of(Backend backend = Backend::gpu) const {
    return fingerprint({kit_, catalog_, toolchain_, submission_, backend}, spec_, others_);
  }

  Kit kit_;
  Catalog catalog_;
  Lab lab_;
  Submission submission_;
  TableSpec spec_;
  Peer peer_;
  Toolchain toolchain_;
  std::vector<Contestant> others_;
};

TEST_F(Fingerprint, IsAnotherWithAnotherProgramTableCompilerOrDevice) {
  const std::string before = of();
  EXPECT_EQ(of(), before);
  EXPECT_NE(of(Backend::emu), before);

  submission_.sha256 = "bb";
  EXPECT_NE(of(), before) << "a source";
  submission_.sha256 = "aa";
  spec_.samples = 9;
  EXPECT_NE(of(), before) << "the table";
  spec_.samples = 5;
  toolchain_.nvcc_version = "13.1, V13.1.1";
  EXPECT_NE(of(), before) << "the compiler";
  toolchain_.nvcc_version = "13.0, V13.0.88";
  toolchain_.gpus[0].name = "NVIDIA H100";
  EXPECT_NE(of(), before) << "the device";
  toolchain_.gpus[0].name = "NVIDIA H200";
  others_ = {{&peer_, nullptr, ""}};
  EXPECT_NE(of(), before) << "a peer";
  others_.clear();
  EXPECT_EQ(of(), before);
}

TEST_F(Fingerprint, OfADriverOnlyTheBranchCounts) {
  const std::string before = of();
  toolchain_.gpus[0].driver = "580.159.03";
  EXPECT_EQ(of(), before);
  toolchain_.gpus[0].driver = "580.160.04";
  EXPECT_NE(of(), before);
}

TEST_F(Fingerprint, OfTheEmulationDoesNotMindTheGpu) {
  const std::string before = of(Backend::emu);
  toolchain_.gpus.clear();
  toolchain_.nvcc_version = "12.9";
  EXPECT_EQ(of(Backend::emu), before);
}

}  // namespace
}  // namespace grader
