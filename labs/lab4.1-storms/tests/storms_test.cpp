/// @file
/// Tests storms: files of every kind, the published results, and the answers that rounding allows.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "storm_peaks.hpp"

namespace {

using ::testing::ExitedWithCode;
namespace fs = std::filesystem;

struct Storms : testing::Test {
  fs::path folder =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  Storms() { fs::create_directories(folder); }
  ~Storms() override { fs::remove_all(folder); }
  std::string with(const std::string& text) const {
    const std::string path = (folder / "storm.txt").string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
};

std::vector<lab::Storm> drawn(const std::string& text, int size) {
  lab::StormShape shape;
  EXPECT_TRUE(lab::parse_storms(text, shape)) << text;
  lab::Random random(1);
  return lab::draw_storms(random, shape, size);
}

/// The best answer after each storm.
std::vector<lab::Peak> best(const std::string& storms, int size, lab::Rules rules) {
  std::vector<lab::Peak> peaks;
  lab::right_layers(size, drawn(storms, size), rules, [&](std::size_t, const std::vector<double>& layer) {
    peaks.push_back(lab::right_peaks(layer)[0]);
  });
  return peaks;
}

void expect_peaks(const std::vector<lab::Peak>& got, const std::vector<lab::Peak>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].position, wanted[i].position) << i;
    EXPECT_NEAR(got[i].value, wanted[i].value, 1e-6 * (1 + wanted[i].value)) << i;
  }
}

constexpr lab::Rules classroom = lab::Rules::classroom, eduhpc = lab::Rules::eduhpc;

TEST_F(Storms, AFileHoldsOneStormOrSeveral) {
  const std::vector<lab::Storm> one = lab::read_storms(with("2\n4 100\n-8 60\n"));
  ASSERT_EQ(one.size(), 1U);
  ASSERT_EQ(one[0].size(), 2U);
  EXPECT_EQ(one[0][1].position, -8);
  EXPECT_EQ(one[0][1].value, 60);
  const std::vector<lab::Storm> three = lab::read_storms(with("1\r\n 4\t100 \r\n\n0\n1\n7 -3"));
  ASSERT_EQ(three.size(), 3U);
  EXPECT_TRUE(three[1].empty());
  EXPECT_EQ(three[2][0].value, -3);
}

TEST_F(Storms, WrittenStormsAreReadBack) {
  const std::vector<lab::Storm> storms = drawn("test_01", 35);
  const std::string path = (folder / "written.txt").string();
  lab::write_storms(path, storms);
  const std::vector<lab::Storm> again = lab::read_storms(path);
  ASSERT_EQ(again.size(), 4U);
  EXPECT_EQ(again[3].size(), 8U);
  EXPECT_EQ(again[3][6].value, 530);
}

TEST_F(Storms, ErrorsOfAFileAreSentences) {
  const auto dies = [&](const std::string& text, const std::string& says) {
    EXPECT_EXIT(lab::read_storms(with(text)), ExitedWithCode(2), says) << text;
  };
  dies("", "is empty: expected the number of particles");
  dies("\n \n", "is empty");
  dies("3\n4 100\n5 60\n", "ends after 2 of the 3 particles that line 1 says");
  dies("99999999999\n4 100\n", "ends after 1 of the 99999999999 particles");
  dies("-1\n", "line 1: the number of particles must be at least 0, but is -1");
  dies("4 100\n", "line 1: expected the number of particles, one number, but found two");
  dies("1\n4 100\n5 60\n", "line 3: found one more particle than the 1 that");
  dies("2\n4 100\n5\n", "line 3: expected particle 2 of 2, a position and a value, but found one number");
  dies("2\n4 abc\n", "line 2: expected one whole number, how many particles, or two.*found '4 abc'");
  dies("1\n4 10 7\n", "line 2: expected one whole number");
  dies("1\n4.5 10\n", "line 2: expected one whole number");
  dies("1\n99999999999999999999 10\n", "line 2: expected one whole number");
  dies("1\n2000000000 10\n", "must be between -1000000000 and 1000000000, but found 2000000000");
  EXPECT_EXIT(lab::read_storms((folder / "none").string()), ExitedWithCode(2), "can't be opened");
  EXPECT_EXIT(lab::read_storms(folder.string()), ExitedWithCode(2), "is a folder, a pipe or a device");
}

TEST_F(Storms, ShapesAreReadAndOthersRefused) {
  EXPECT_EQ(drawn("3x50", 100).size(), 3U);
  EXPECT_EQ(drawn("3x50", 100)[2].size(), 50U);
  EXPECT_EQ(drawn("test_08", 100)[1][0].position, 658423);
  lab::StormShape shape;
  for (const char* wrong : {"", "x", "3x", "x5", "0x5", "2000x5", "3x99999999", "-1x5", "test_99", "3x5x7"})
    EXPECT_FALSE(lab::parse_storms(wrong, shape)) << wrong;
}

// The handout's figures of 2017/18, and the public program's results for 20 cells.
TEST_F(Storms, ThePublishedResults) {
  expect_peaks(best("handout", 30, classroom), {{14, 0.381967}, {26, 0.499453}, {10, 0.600869}});
  expect_peaks(best("test_01", 20, eduhpc),
               {{14, 19098.357422}, {14, 24859.306641}, {10, 30043.429688}, {3, 54815.644531}});
  expect_peaks(best("test_01", 35, eduhpc),
               {{14, 10913.346680}, {26, 14270.079102}, {10, 17167.673828}, {3, 31323.224609}});
  expect_peaks(best("test_03", 20, classroom), {{10, 0.259333}});
  expect_peaks(best("test_04", 20, classroom), {{16, 0.259333}});
  expect_peaks(best("test_05", 20, classroom), {{9, 0.256586}});
  expect_peaks(best("test_06", 20, classroom), {{16, 0.256586}});
}

TEST_F(Storms, SpecialCases) {
  for (const char* none : {"negative", "zero"}) expect_peaks(best(none, 20, classroom), {{0, 0}});
  expect_peaks(best("border", 20, classroom), {{0, 0}, {0, 0}});
  expect_peaks(best("outside", 20, classroom), {{0, 0}, {6, 0.362736}});
  expect_peaks(best("plateau", 20, classroom), {{0, 0}});
  expect_peaks(best("empty", 20, classroom), {{10, 0.080474}, {10, 0.077590}, {10, 0.073887}});
  expect_peaks(best("tie", 20, classroom), {{5, 0.112176}});
  expect_peaks(best("mixed", 20, eduhpc), {{4, 1334.890625}});
  for (const int size : {1, 2}) expect_peaks(best("smallest", size, eduhpc), {{0, 0}});
  expect_peaks(best("smallest", 3, eduhpc), {{1, 26824.593750}});
}

TEST_F(Storms, ACellIsRightWhenItIsAMaximumAndAsGoodAsTheBest) {
  // Cell 2 is the best. Cell 5 is as good to within rounding, and cell 8 is not. Cell 1 is as good but no maximum.
  const std::vector<double> layer = {0, 0.99999, 1, 0.5, 0.6, 0.99999, 0.5, 0.1, 0.9, 0.1};
  EXPECT_EQ(lab::right_peaks(layer).size(), 2U);
  EXPECT_EQ(lab::peak_at(layer, 2), 1);
  EXPECT_EQ(lab::peak_at(layer, 5), 0.99999);
  EXPECT_EQ(lab::peak_at(layer, 8), 0.9) << "what it has, which is too little";
  EXPECT_EQ(lab::peak_at(layer, 1), -1);
  EXPECT_EQ(lab::peak_at(layer, 10), -1);
  EXPECT_EQ(lab::peak_at(layer, -1), -1);
}

TEST_F(Storms, WhereNothingRisesNoMaximumIsRightAndAPlateauMayBe) {
  const std::vector<double> flat = {0, 1, 2, 2, 1, 0};
  EXPECT_EQ(lab::peak_at(flat, 0), 0);
  EXPECT_EQ(lab::peak_at(flat, 2), 2) << "rounding may make one of two equal cells the greater one";
  EXPECT_EQ(lab::peak_at({3, 2, 1}, 0), 0);
  EXPECT_EQ(lab::peak_at({3, 2, 1}, 1), 2) << "its energy, which is not 0";
}

// The layers of many storms, with and without the table of inverse roots, agree with direct sums.
TEST_F(Storms, LayersOfManyCellsAreThoseOfTheFormula) {
  const int size = 9001;
  const std::vector<lab::Storm> storms = drawn("1x70", size);
  for (const lab::Rules rules : {classroom, eduhpc}) {
    std::vector<double> layer(size), relaxed;
    for (const lab::Impact& one : storms[0]) {
      const double energy = rules == classroom ? one.value / 1000.0 : one.value * 1000.0 / size;
      for (int k = 0; k < size; ++k) {
        const int distance = std::abs(one.position - k) + 1;
        if (rules == eduhpc || distance <= one.value * one.value) layer[k] += energy / std::sqrt(distance);
      }
    }
    relaxed = layer;
    for (int k = 1; k < size - 1; ++k) relaxed[k] = (layer[k - 1] + layer[k] + layer[k + 1]) / 3;
    lab::right_layers(size, storms, rules, [&](std::size_t, const std::vector<double>& got) {
      for (int k = 0; k < size; ++k) ASSERT_NEAR(got[k], relaxed[k], 1e-12 * relaxed[k]) << k;
    });
  }
}

}  // namespace
