// Tests the lines of a profile; a test of the grader reads the lines back.
#include "profile_file.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace cuda_lab_profile {
namespace {

TEST(KernelName, HasNeitherReturnTypeNorParameters) {
  EXPECT_EQ(kernel_name("_Z9matrixMulPfS_S_i"), "matrixMul");
  EXPECT_EQ(kernel_name("_ZN3lab4scanILi256EEEvPKf"), "lab::scan<256>");
  EXPECT_EQ(kernel_name("_ZN12_GLOBAL__N_16hiddenEPf"), "(anonymous namespace)::hidden");
  EXPECT_EQ(kernel_name("_Z5applyI3addIiEEvT_Pi"), "apply<add<int> >");
}

TEST(KernelName, KeepsNamesThatAreNotMangled) {
  EXPECT_EQ(kernel_name("plain_c_kernel"), "plain_c_kernel");
  EXPECT_EQ(kernel_name(nullptr), "unknown");
}

TEST(Lines, SayWhatHappened) {
  EXPECT_EQ(kernel_line({"_Z1kv", 100, 350, {2, 1, 1}, {8, 8, 1}, 16, 32, 40}),
            "{\"kind\":\"kernel\",\"name\":\"k\",\"start_ns\":100,\"duration_ns\":250,\"grid\":[2,1,1],"
            "\"block\":[8,8,1],"
            "\"static_shared\":16,\"dynamic_shared\":32,\"registers\":40}\n");
  EXPECT_EQ(memcpy_line("h2d", 256, 5, 7),
            "{\"kind\":\"memcpy\",\"direction\":\"h2d\",\"bytes\":256,\"start_ns\":5,\"duration_ns\":2}\n");
}

TEST(Lines, SayWhatCopiesMoved) {
  EXPECT_EQ(content_line({"h2d", 256, 3, 4, false}),
            "{\"kind\":\"content\",\"direction\":\"h2d\",\"bytes\":256,\"hash\":3,\"head\":4}\n");
  EXPECT_EQ(
      content_line({"d2h", 4, 3, 4, true}),
      "{\"kind\":\"content\",\"direction\":\"d2h\",\"bytes\":4,\"hash\":3,\"head\":4,\"shared\":true}\n");
  EXPECT_EQ(host_visible_line(), "{\"kind\":\"host_visible\"}\n");
  EXPECT_THAT(header_line("GPU", "580"), testing::Not(testing::HasSubstr("content")));
  EXPECT_THAT(header_line("GPU", "580", true), testing::HasSubstr("\"content\":true}\n"));
}

TEST(Lines, ATimeThatRunsBackwardsIsZero) {
  EXPECT_THAT(memset_line(4, 9, 5), testing::HasSubstr("\"duration_ns\":0"));
}

TEST(ProfileFile, AppendsWholeLines) {
  std::string path = testing::TempDir() + "/profile-XXXXXX";
  close(mkstemp(path.data()));
  std::ofstream(path) << "before\n";
  {
    ProfileFile file(path.c_str());
    file.add("one\n");
    std::ofstream(path, std::ios::app) << "between\n";
    file.add("two\n");
    file.flush();
  }
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "before\nbetween\none\ntwo\n");
  unlink(path.c_str());
}

TEST(ProfileFile, AFileThatCanNotBeWrittenIsIgnored) {
  ProfileFile file("/no/such/folder/profile");
  file.add("line\n");
  file.flush();
}

}  // namespace
}  // namespace cuda_lab_profile
