/// @file
/// Tests scans: files byte for byte, invalid files, generated trajectories, and the right Q.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "mri.hpp"

namespace {

using ::testing::ExitedWithCode;
namespace fs = std::filesystem;

struct Mri : testing::Test {
  fs::path folder =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  Mri() { fs::create_directories(folder); }
  ~Mri() override { fs::remove_all(folder); }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  std::string bytes_of(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string with_bytes(const std::string& bytes) const {
    std::ofstream(path("scan.bin"), std::ios::binary) << bytes;
    return path("scan.bin");
  }
  /// A file that begins with these counts and has `rest` more bytes, all zero.
  std::string with_counts(std::int32_t samples, std::int32_t voxels, std::size_t rest) const {
    std::string bytes(8 + rest, '\0');
    std::memcpy(bytes.data(), &samples, 4);
    std::memcpy(bytes.data() + 4, &voxels, 4);
    return with_bytes(bytes);
  }
};

lab::Scan drawn(const std::string& text, std::uint64_t seed = 1) {
  lab::ScanShape shape;
  EXPECT_TRUE(lab::parse_shape(text, shape)) << text;
  lab::Random random(seed);
  return lab::draw_scan(random, shape);
}

TEST_F(Mri, AScanIsStoredByteForByte) {
  const lab::Scan scan = {{1}, {2}, {3}, {4}, {5}, {6, 7}, {8, 9}, {10, 11}};
  lab::write_scan(path("scan.bin"), scan);
  std::string expected = std::string("\1\0\0\0\2\0\0\0", 8);
  for (const float value : {1.F, 2.F, 3.F, 6.F, 7.F, 8.F, 9.F, 10.F, 11.F, 4.F, 5.F})  // phi comes last
    expected.append(reinterpret_cast<const char*>(&value), 4);
  EXPECT_EQ(bytes_of("scan.bin"), expected);
  const lab::Scan read = lab::read_scan(path("scan.bin"));
  EXPECT_EQ(read.kz, scan.kz);
  EXPECT_EQ(read.phiI, scan.phiI);
  EXPECT_EQ(read.z, scan.z);
}

TEST_F(Mri, SizesAreThoseOfTheKnownDataSets) {
  lab::write_scan(path("small"), drawn("32^3x3072"));
  EXPECT_EQ(fs::file_size(path("small")), 454664U);
  lab::write_scan(path("large"), drawn("64^3x2048"));
  EXPECT_EQ(fs::file_size(path("large")), 3186696U);
}

TEST_F(Mri, AResultIsStoredByteForByte) {
  lab::write_q(path("q"), {{1, 2}, {3, 4}});
  std::string expected("\2\0\0\0", 4);
  for (const float value : {1.F, 2.F, 3.F, 4.F}) expected.append(reinterpret_cast<const char*>(&value), 4);
  EXPECT_EQ(bytes_of("q"), expected);
  EXPECT_EQ(lab::read_q(path("q"), 2).i, (std::vector<float>{3, 4}));
  EXPECT_EXIT(lab::read_q(path("q"), 3), ExitedWithCode(2),
              "is not a result for this scan: 3 voxels make 28 bytes");
}

TEST_F(Mri, OtherFilesAreRefusedInASentence) {
  EXPECT_EXIT(lab::read_scan(path("none")), ExitedWithCode(2),
              "can't be opened: No such file.*Check the path");
  EXPECT_EXIT(lab::read_scan(folder.string()), ExitedWithCode(2), "is a folder");
  EXPECT_EXIT(lab::read_scan(with_bytes("")), ExitedWithCode(2),
              "has 0 bytes, but a scan begins with two counts");
  EXPECT_EXIT(lab::read_scan(with_bytes({"\1\0\0", 3})), ExitedWithCode(2), "has 3 bytes");
  EXPECT_EXIT(lab::read_scan(with_bytes("kx ky kz\n1.5 2.5 3.5\n")), ExitedWithCode(2),
              "is text.*right file");
  EXPECT_EXIT(lab::read_scan(with_counts(-5, 3, 0)), ExitedWithCode(2),
              "-5 samples and 3 voxels: the counts must");
  EXPECT_EXIT(lab::read_scan(with_counts(2147483647, 2147483647, 100)), ExitedWithCode(2),
              "is cut short: .* make 68719476712 bytes, but it has 108");
  EXPECT_EXIT(lab::read_scan(with_counts(1, 1, 31)), ExitedWithCode(2),
              "is cut short.*40 bytes, but it has 39");
  EXPECT_EXIT(lab::read_scan(with_counts(1, 1, 33)), ExitedWithCode(2), "continues after its end");
  lab::Scan scan = drawn("5x4");
  scan.ky[2] = std::numeric_limits<float>::infinity();
  lab::write_scan(path("scan.bin"), scan);
  EXPECT_EXIT(lab::read_scan(path("scan.bin")), ExitedWithCode(2), "no number at ky\\[2\\]");
}

TEST_F(Mri, AFailedWriteIsASentence) {
  EXPECT_EXIT(lab::write_q(path("no/folder"), {{1}, {1}}), ExitedWithCode(2),
              "can't be written: No such file.*Name a");
  EXPECT_EXIT(lab::write_q("/dev/full", {{1}, {1}}), ExitedWithCode(2), "No space left");
}

TEST_F(Mri, ShapesAreReadOrRefused) {
  lab::ScanShape shape;
  ASSERT_TRUE(lab::parse_shape("128^3x147258", shape));
  EXPECT_EQ(shape.side, 128U);
  EXPECT_EQ(shape.voxels, 2097152U);
  EXPECT_EQ(shape.samples, 147258U);
  ASSERT_TRUE(lab::parse_shape("1001x0", shape));
  EXPECT_EQ(shape.side, 0U);
  EXPECT_EQ(shape.voxels, 1001U);
  ASSERT_TRUE(lab::parse_shape("8^3+100x5", shape));
  EXPECT_EQ(shape.side, 8U);
  EXPECT_EQ(shape.voxels, 612U);
  for (const char* wrong :
       {"", "x", "8+5x5", "8^3+x5", "+5x5", "8^3+0x5", "8^3x5+5", "128", "128^3", "0x5", "0^3x5", "513^3x5",
        "^3x5", "8^3x16777217", "-1x5", "8^3x", "8^2x5", "99999999999x5", "8^3x5x"})
    EXPECT_FALSE(lab::parse_shape(wrong, shape)) << wrong;
}

TEST_F(Mri, AStackOfSpiralsFillsKSpace) {
  const lab::Scan scan = drawn("8^3x147258");
  ASSERT_EQ(scan.samples(), 147258U);
  EXPECT_EQ(scan.kx, drawn("8^3x147258").kx);
  EXPECT_NE(scan.kx, drawn("8^3x147258", 2).kx);
  // 54 planes of 27 · 101 samples: within a plane the heights differ by the gradients' error only.
  for (const std::size_t plane : {0U, 20U, 53U}) {
    EXPECT_NEAR(scan.kz[plane * 2727], scan.kz[plane * 2727 + 2726], 0.021);
  }
  EXPECT_GT(scan.kz[2727] - scan.kz[2726], 0.1);
  for (std::size_t k = 0; k < scan.samples(); ++k) {
    EXPECT_LE(std::hypot(scan.kx[k], scan.ky[k]), 4.05);
    EXPECT_LE(std::fabs(scan.kz[k]), 4.05);
  }
  EXPECT_EQ(scan.x[1] - scan.x[0], 0.125F);  // x varies fastest
  EXPECT_EQ(scan.y[8] - scan.y[0], 0.125F);
  EXPECT_EQ(scan.z[64] - scan.z[0], 0.125F);
}

TEST_F(Mri, OtherVoxelsFollowTheGrid) {
  const lab::Scan scan = drawn("2^3+2x3");
  ASSERT_EQ(scan.voxels(), 10U);
  EXPECT_EQ(scan.x[7], 0);
  EXPECT_EQ(scan.z[7], 0);
  EXPECT_NE(scan.x[8], scan.x[9]);
  EXPECT_NE(scan.x[8], scan.y[8]);
}

TEST_F(Mri, QOfOneSampleIsACircle) {
  const lab::Scan scan = {{1}, {0}, {0}, {3}, {4}, {0, 0.25F, 0.5F, 1000.25F}, {7, 7, 7, 7}, {0, 0, 0, 0}};
  const lab::Q q = lab::right_q(scan, 1, {0, 1, 3});
  EXPECT_FLOAT_EQ(q.r[0], 25);
  EXPECT_FLOAT_EQ(q.i[0], 0);
  EXPECT_NEAR(q.r[1], 0, 1e-12);
  EXPECT_FLOAT_EQ(q.i[1], 25);
  EXPECT_TRUE(std::isnan(q.r[2])) << "not asked for";
  EXPECT_FLOAT_EQ(q.i[3], 25) << "whole cycles change nothing";
  EXPECT_EQ(lab::right_q(scan, 0, {0}).r[0], 0);
}

TEST_F(Mri, TheSampleHasTheEndsAndTheOrigin) {
  const lab::Scan scan = drawn("20^3x2");
  lab::Random random(3);
  const std::vector<std::size_t> chosen = lab::sample_voxels(random, scan, 200);
  const auto has = [&](std::size_t voxel) { return std::binary_search(chosen.begin(), chosen.end(), voxel); };
  EXPECT_TRUE(has(0) && has(24) && has(7999) && has(7975));
  EXPECT_TRUE(has(10 + 20 * (10 + 20 * 10))) << "(0, 0, 0)";
  EXPECT_GT(chosen.size(), 150U);
  EXPECT_LE(chosen.size(), 200U);
  EXPECT_EQ(lab::sample_voxels(random, scan, 8000).size(), 8000U);
}

TEST_F(Mri, WrongValuesAreCountedByTheLargestOne) {
  const float unknown = std::numeric_limits<float>::quiet_NaN();
  const lab::Q right = {{1000, 1, unknown}, {0, -2, unknown}};
  double worst = 0;
  EXPECT_EQ(lab::count_wrong({{1000.05F, 1.05F, 77}, {0, -2, 5}}, right, worst), 0U);
  EXPECT_NEAR(worst, 5e-5, 1e-7);
  EXPECT_EQ(lab::count_wrong({{1000.2F, 1, 77}, {0.2F, -2, 5}}, right, worst), 2U);
  EXPECT_EQ(lab::count_wrong({{unknown, 1, unknown}, {0, -2, 5}}, right, worst), 2U);
}

}  // namespace
