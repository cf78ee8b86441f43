/// @file
/// Tests arrays as programs read them, failing allocations, and times that are stored in the profile.
#include <gtest/gtest.h>
#include <lab/arrays.hpp>
#include <lab/memory.hpp>
#include <lab/timer.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using ::testing::ExitedWithCode;
namespace fs = std::filesystem;

/// A folder for each test.
struct Files : testing::Test {
  fs::path folder =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  Files() { fs::create_directories(folder); }
  ~Files() override { fs::remove_all(folder); }
  std::string path(const std::string& name) const { return (folder / name).string(); }
};

TEST_F(Files, SavedDataIsLoadedUnchanged) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  lab::save(path("a.npy"), {2, 3}, values);
  EXPECT_EQ(lab::load<float>(path("a.npy"), "a", {2, 3}), values);
}

TEST_F(Files, DoubleReadsBothPrecisions) {
  lab::save(path("f.npy"), {2}, std::vector<float>{0.5F, -2});
  lab::save(path("d.npy"), {2}, std::vector<double>{0.1, 1e300});
  EXPECT_EQ(lab::load<double>(path("f.npy"), "f", {2}), (std::vector<double>{0.5, -2}));
  EXPECT_EQ(lab::load<double>(path("d.npy"), "d", {2}), (std::vector<double>{0.1, 1e300}));
}

TEST_F(Files, FloatRefusesDouble) {
  lab::save(path("d.npy"), {2}, std::vector<double>{0.1, 1e300});
  EXPECT_EXIT(lab::load<float>(path("d.npy"), "M", {2}), ExitedWithCode(2), "Input M: .*float32");
}

TEST_F(Files, AnotherShapeIsASentence) {
  lab::save(path("a.npy"), {2, 2}, std::vector<float>{1, 2, 3, 4});
  EXPECT_EXIT(lab::load<float>(path("a.npy"), "M", {4, 4}), ExitedWithCode(2),
              "Input M: .*a.npy has the shape \\(2, 2\\), but \\(4, 4\\) was expected");
}

TEST_F(Files, AMissingFileIsASentence) {
  EXPECT_EXIT(lab::load<float>(path("none.npy"), "M", {1}), ExitedWithCode(2), "Input M: .*none.npy");
}

TEST_F(Files, NoSuchFolderIsASentence) {
  EXPECT_EXIT(lab::save(path("no/such/p.npy"), {1}, std::vector<float>{1}), ExitedWithCode(2),
              "Output: .*p.npy");
}

TEST_F(Files, PrintedTimesAreKeptInTheProfile) {
  ::setenv("LAB_PROFILE", path("profile").c_str(), 1);
  testing::internal::CaptureStdout();
  lab::print_time("copy to the device ", 1.5, "h2d");
  lab::print_time("a sum, which no table asks for", 2);
  lab::print_time("kernel", 2, "kernel");
  ::unsetenv("LAB_PROFILE");
  lab::print_time("unseen", 3, "kernel");
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "copy to the device : 1.500000 (ms)\na sum, which no table asks for: 2.000000 (ms)\n"
            "kernel: 2.000000 (ms)\nunseen: 3.000000 (ms)\n");
  std::ifstream file(path("profile"));
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(),
            "{\"kind\":\"timer\",\"name\":\"h2d\",\"duration_ns\":1500000}\n"
            "{\"kind\":\"timer\",\"name\":\"kernel\",\"duration_ns\":2000000}\n");
}

TEST_F(Files, RecordedTimesAreKeptInTheProfileAndNotPrinted) {
  ::setenv("LAB_PROFILE", path("profile").c_str(), 1);
  testing::internal::CaptureStdout();
  lab::record_time("own", 0.25);
  ::setenv("LAB_PROFILE", "", 1);
  lab::record_time("unseen", 1);
  ::unsetenv("LAB_PROFILE");
  lab::record_time("unseen", 2);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  std::ifstream file(path("profile"));
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), "{\"kind\":\"timer\",\"name\":\"own\",\"duration_ns\":250000}\n");
}

TEST(Timer, AddsUpWhatLiesBetweenStartAndStop) {
  lab::Timer timer;
  EXPECT_EQ(timer.ms(), 0);
  timer.start();
  timer.stop();
  const double once = timer.ms();
  EXPECT_GE(once, 0);
  timer.start();
  timer.stop();
  EXPECT_GE(timer.ms(), once);
  timer.reset();
  EXPECT_EQ(timer.seconds(), 0);
}

TEST(Memory, TooMuchIsASentence) {
  EXPECT_EXIT(lab::host_array<double>(SIZE_MAX / 16, "P"), ExitedWithCode(2),
              "no room for P: .*smaller size");
  EXPECT_EXIT(lab::require_host_memory(1e18, "n = 46340"), ExitedWithCode(2), "n = 46340 needs .* PiB");
}

TEST(Memory, SizesAreReadable) {
  EXPECT_EQ(lab::bytes_text(256), "256 bytes");
  EXPECT_EQ(lab::bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(lab::bytes_text(64.0 * 1024 * 1024), "64.0 MiB");
}

TEST(Memory, ArraysBeginWithTheValue) {
  EXPECT_EQ(lab::host_array<int>(2, "a", 7), (std::vector<int>{7, 7}));
}

}  // namespace
