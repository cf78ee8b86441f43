// Tests outputs and contents of copies that are made by hand: origins on the device, and messages on other origins.
#include "verify/origin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "base/test_folder.hpp"
#include "lab/npy.hpp"
#include "wire/content_hash.hpp"

namespace grader {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr bool to_device = false, to_host = true;

class OriginTest : public testing::Test {
 protected:
  OriginTest() {
    profile_.source = "emulation";
    profile_.has_contents = true;
    values_.resize(12 * 7);
    std::iota(values_.begin(), values_.end(), 100.f);
    lab::write_npy(folder_.path / "P.npy", {12, 7}, values_);
    lab::write_npy(folder_.path / "M.npy", {4}, std::vector<float>{1, 2, 3, 4});
  }

  void copy(bool direction, const void* data, std::size_t bytes, bool shared = false) {
    Content content{direction, shared, bytes, kit_wire::content_hash(data, bytes), 0};
    std::memcpy(&content.head, data, std::min<std::size_t>(bytes, sizeof content.head));
    profile_.contents.push_back(content);
    Activity activity;
    activity.kind = direction == to_host ? Activity::Kind::d2h : Activity::Kind::h2d;
    activity.bytes = bytes;
    profile_.activities.push_back(activity);
  }
  template <typename T>
  void copy(bool direction, const std::vector<T>& data) {
    copy(direction, data.data(), data.size() * sizeof(T));
  }
  /// Copies the rows first … last - 1 of the result, each with a separate copy.
  void copy_rows(bool direction, std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row) copy(direction, &values_[row * 7], 7 * sizeof(float));
  }
  /// Sets the result of a lab whose output is one number or a few numbers.
  void result_is(const std::vector<float>& values) {
    values_ = values;
    lab::write_npy(folder_.path / "P.npy", {values.size()}, values);
  }

  std::string problem() const {
    return origin_problem(profile_, folder_.path / "P.npy", {}, {folder_.path / "M.npy"});
  }

  TestFolder folder_;
  std::vector<float> values_;
  Profile profile_;
};

TEST_F(OriginTest, InputsAreCopiedWhereCopiesHaveAllOfThem) {
  const auto copied = [&] { return inputs_copied(profile_, {folder_.path / "M.npy"}); };
  EXPECT_FALSE(copied());
  copy(to_device, std::vector<float>{1, 2, 3});
  EXPECT_FALSE(copied()) << "not whole";
  copy(to_host, std::vector<float>{1, 2, 3, 4});
  EXPECT_FALSE(copied()) << "the other way";
  copy(to_device, std::vector<float>{3, 4});
  copy(to_device, std::vector<float>{1, 2});
  EXPECT_TRUE(copied()) << "in two copies";
  lab::write_npy(folder_.path / "N.npy", {2}, std::vector<float>{8, 9});
  EXPECT_FALSE(inputs_copied(profile_, {folder_.path / "M.npy", folder_.path / "N.npy"}));
  EXPECT_FALSE(inputs_copied(profile_, {folder_.path / "none.npy"}));
}

TEST_F(OriginTest, ValuesOfOneCopyAreTheDevices) {
  copy(to_device, std::vector<float>{1, 2, 3, 4});
  copy(to_host, values_);
  EXPECT_EQ(problem(), "");
}

TEST_F(OriginTest, SoIsWhatSeveralBroughtInAnyOrderAndAmongOthers) {
  copy_rows(to_host, 6, 12);
  copy(to_host, std::vector<float>{1, 2, 3, 4});
  copy_rows(to_host, 0, 4);
  copy(to_host, &values_[4 * 7], 2 * 7 * sizeof(float));
  EXPECT_EQ(problem(), "");
}

// The longest copy that fits at a position may be wrong.
TEST_F(OriginTest, EveryWayToPutCopiesTogetherIsTried) {
  result_is({1, 1, 2, 1, 1});
  copy(to_host, std::vector<float>{1, 1});
  copy(to_host, std::vector<float>{1});
  copy(to_host, std::vector<float>{1, 2, 1, 1});
  EXPECT_EQ(problem(), "");
}

TEST_F(OriginTest, ValuesThatNoCopyBroughtAreTheHosts) {
  EXPECT_THAT(problem(), HasSubstr("Nothing was copied back"));
  copy(to_host, std::vector<float>(values_.size(), 0.f));
  EXPECT_THAT(problem(), HasSubstr("No copy from the device brought these values"));
}

TEST_F(OriginTest, OneElementThatTheHostMendedIsNamed) {
  std::vector<float> kernels = values_;
  kernels[5 * 7 + 3] = 0;
  for (std::size_t row = 0; row < 12; ++row) copy(to_host, &kernels[row * 7], 7 * sizeof(float));
  EXPECT_THAT(problem(), HasSubstr("From element [5][0] on"));
}

TEST_F(OriginTest, ValuesThatWentUpBeforeTheyCameBackAreTheHosts) {
  copy(to_device, values_);
  copy(to_host, values_);
  EXPECT_THAT(problem(), HasSubstr("The host had these values first"));
}

TEST_F(OriginTest, AlsoInPieces) {
  copy_rows(to_device, 0, 12);
  copy(to_host, values_);
  EXPECT_THAT(problem(), HasSubstr("The host had these values first"));
  profile_ = {"emulation", "", {}, {}, {}, true};
  copy(to_device, values_);
  copy_rows(to_host, 0, 12);
  EXPECT_THAT(problem(), HasSubstr("The host had these values first"));
}

TEST_F(OriginTest, AResultThatIsSentUpAgainWasThereFirst) {
  copy(to_host, values_);
  copy(to_device, values_);
  copy(to_host, values_);
  EXPECT_EQ(problem(), "");
}

TEST_F(OriginTest, PartsThatWentUpAreNotTheWhole) {
  copy_rows(to_device, 0, 11);
  copy(to_host, values_);
  EXPECT_EQ(problem(), "");
}

TEST_F(OriginTest, ASumMayPrecedeALongerCopy) {
  result_is({42});
  copy(to_host, std::vector<float>{42, 7, 8});
  EXPECT_EQ(problem(), "");
  result_is({7});
  EXPECT_THAT(problem(), HasSubstr("No copy from the device"));
}

// A product with [1], a sum of one number and zeros may have been copied to the device for other reasons.
TEST_F(OriginTest, PartsOfAnInputAndZerosMayHaveGoneUp) {
  result_is({3});
  copy(to_device, std::vector<float>{3});
  copy(to_host, std::vector<float>{3});
  EXPECT_EQ(problem(), "");
  profile_.contents.clear();
  result_is({2, 3});
  copy(to_device, std::vector<float>{2, 3});
  copy(to_host, std::vector<float>{2, 3});
  EXPECT_EQ(problem(), "");
  profile_.contents.clear();
  result_is({0, 0});
  copy(to_device, std::vector<float>{0, 0});
  copy(to_host, std::vector<float>{0, 0});
  EXPECT_EQ(problem(), "");
  profile_.contents.clear();
  result_is({5});
  copy(to_device, std::vector<float>{5});
  copy(to_host, std::vector<float>{5});
  EXPECT_THAT(problem(), HasSubstr("The host had these values first"));
}

TEST_F(OriginTest, FloatsMayHaveComeAsDoubles) {
  const std::vector<double> wide(values_.begin(), values_.end());
  copy(to_host, wide);
  EXPECT_EQ(problem(), "");
  profile_.contents.clear();
  copy(to_device, wide);
  copy(to_host, wide);
  EXPECT_THAT(problem(), HasSubstr("The host had these values first"));
}

TEST_F(OriginTest, MemoryThatTheHostReadsWithoutACopyLeavesItUnknown) {
  profile_.host_visible = true;
  EXPECT_EQ(problem(), "");
  copy(to_device, values_);
  copy(to_host, values_);
  EXPECT_THAT(problem(), HasSubstr("The host had these values first")) << "this is known all the same";
}

TEST_F(OriginTest, ACopyFromMemoryThatTheHostWritesProvesNothing) {
  copy(to_host, values_.data(), values_.size() * sizeof(float), true);
  EXPECT_THAT(problem(), HasSubstr("No copy from the device"));
  profile_.host_visible = true;  // the profiler sets this for a kernel that wrote to memory of the host
  EXPECT_EQ(problem(), "");
}

TEST_F(OriginTest, ACopyThatTheProfileDidNotWatchLeavesItUnknown) {
  copy(to_host, std::vector<float>{1});
  EXPECT_NE(problem(), "");
  profile_.activities[0].bytes = 4000;
  EXPECT_EQ(problem(), "");
}

TEST_F(OriginTest, FilesOfTheLabsOwnFormatHoldTheirArraysBehindTheHeader) {
  const std::vector<float> real = {1.5f, 2.5f, 3.5f}, imaginary = {4.5f, 5.5f, 6.5f};
  {
    std::ofstream file(folder_.path / "Q.bin", std::ios::binary);
    const std::uint32_t count = 3;
    file.write(reinterpret_cast<const char*>(&count), sizeof count);
    file.write(reinterpret_cast<const char*>(real.data()), 12);
    file.write(reinterpret_cast<const char*>(imaginary.data()), 12);
  }
  const FileLayout layout{4, {"real", "imaginary"}};
  copy(to_host, imaginary);
  EXPECT_THAT(origin_problem(profile_, folder_.path / "Q.bin", layout, {}), HasSubstr("No copy"));
  copy(to_host, real);
  EXPECT_EQ(origin_problem(profile_, folder_.path / "Q.bin", layout, {}), "");
}

// A student's program could write such a profile, so its contents are only compared.
TEST_F(OriginTest, AbsurdContentsAreRefused) {
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{5}})
    for (const bool direction : {to_device, to_host})
      profile_.contents.push_back({direction, false, bytes, ~std::uint64_t{0}, ~std::uint64_t{0}});
  EXPECT_THAT(problem(), HasSubstr("No copy from the device"));
}

TEST(ContentHash, IsTheSameWordByWordAndInParts) {
  std::vector<unsigned char> bytes(1003);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * i + 7);
  for (const std::size_t length : {0u, 1u, 3u, 4u, 31u, 32u, 33u, 64u, 1000u, 1003u}) {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < length; i += 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, &bytes[i], std::min<std::size_t>(4, length - i));
      hash = kit_wire::hash_with(hash, word);
    }
    EXPECT_EQ(kit_wire::content_hash(bytes.data(), length), hash) << length;
  }
  const std::uint64_t all = kit_wire::content_hash(bytes.data(), 1000);
  const std::uint64_t front = kit_wire::content_hash(bytes.data(), 400);
  const std::uint64_t back = kit_wire::content_hash(&bytes[400], 600);
  const std::uint64_t moved = kit_wire::hash_times(front, kit_wire::hash_power(150));
  EXPECT_EQ((moved + back) % kit_wire::hash_modulus, all);
}

TEST(ContentHash, ReducesTheLargestSums) {
  const kit_wire::HashProduct largest = (static_cast<kit_wire::HashProduct>(1) << 124) - 1;
  EXPECT_EQ(kit_wire::hash_reduced(largest), static_cast<std::uint64_t>(largest % kit_wire::hash_modulus));
  EXPECT_EQ(kit_wire::hash_reduced(kit_wire::hash_modulus), 0u);
  EXPECT_LT(kit_wire::hash_base, kit_wire::hash_modulus);
}

/// Each length may fit at each position, so an unlimited search would take minutes.
TEST_F(OriginTest, TheSearchForFrequentLengthsIsBounded) {
  std::vector<float> values(1'000'000, 1.f);
  values.back() = 2;
  result_is(values);
  for (std::size_t length = 1; length <= 20'000; ++length)
    copy(to_host, values.data(), length * sizeof(float));
  EXPECT_THAT(problem(), HasSubstr("not what a copy brought back"));
  copy(to_host, values);
  EXPECT_THAT(problem(), IsEmpty());
}

}  // namespace
}  // namespace grader
