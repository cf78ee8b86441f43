/// @file
/// Tests parameter files: allowed contents, and the messages about everything else.
#include <gtest/gtest.h>
#include <lab/parameter_file.hpp>

#include <filesystem>

namespace {

using ::testing::ExitedWithCode;
namespace fs = std::filesystem;

struct ParameterFile : testing::Test {
  std::string path =
      (fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name()).string();
  ~ParameterFile() override { fs::remove(path); }

  lab::Presets with(const std::string& text) const {
    std::ofstream(path, std::ios::binary) << text;
    const char* const argv[] = {"program", "--parameters", path.c_str()};
    return lab::with_parameter_file(3, argv, {{"N", "8192"}, {"dump-ratio", "1"}, {"g", "1"}});
  }
};

TEST_F(ParameterFile, SetsPresetsInTheReportsNamesOrTheOptions) {
  const lab::Presets presets = with("# a film\r\n\r\nN = 200 # balls\nDUMP_RATIO=3");
  EXPECT_EQ(presets.at("N"), "200");
  EXPECT_EQ(presets.at("dump-ratio"), "3");
  EXPECT_EQ(presets.at("g"), "1");
  EXPECT_EQ(with("dump-ratio = 4\nn = 5\nG = 0").at("N"), "5");
}

TEST_F(ParameterFile, WithoutOneThePresetsStay) {
  const char* const argv[] = {"program", "7"};
  EXPECT_EQ(lab::with_parameter_file(2, argv, {{"N", "8192"}}).at("N"), "8192");
}

TEST_F(ParameterFile, ErrorsAreSentences) {
  EXPECT_EXIT(with(""), ExitedWithCode(2), "can't be read, or is empty");
  EXPECT_EXIT(with("N = 5\nRADIUS = 3\n"), ExitedWithCode(2),
              "line 2: there is no parameter 'radius'; there are N, dump-ratio, g");
  EXPECT_EXIT(with("N 5\n"), ExitedWithCode(2), "line 1: expected name = value, but found 'N 5'");
  EXPECT_EXIT(with("N =\n"), ExitedWithCode(2), "expected name = value");
  EXPECT_EXIT(with(std::string(5000, 'x')), ExitedWithCode(2), "line 1: this is no text");
  EXPECT_EXIT(with(std::string("N\0=4", 5)), ExitedWithCode(2), "line 1: this is no text");
  const auto missing = [] {
    const char* const argv[] = {"program", "--parameters=/nowhere/at/all"};
    lab::with_parameter_file(2, argv, {});
  };
  EXPECT_EXIT(missing(), ExitedWithCode(2), "Parameter file /nowhere/at/all can't be read");
}

}  // namespace
