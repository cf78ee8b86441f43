// Tests that files of a lab's own format are read, rejected if damaged, and compared with a sample of the
// right values.
#include "verify/raw_file.hpp"

#include <sys/stat.h>

#include <cmath>
#include <cstring>

#include "base/test_folder.hpp"
#include "verify/verify.hpp"

namespace grader {
namespace {

using testing::HasSubstr;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

class RawFiles : public testing::Test {
 protected:
  /// Writes a header of four bytes and floats. @return the file
  fs::path raw(const std::string& name, const std::string& header, const std::vector<float>& data) const {
    std::string bytes = header;
    bytes.append(reinterpret_cast<const char*>(data.data()), data.size() * sizeof(float));
    folder_.write(name, bytes);
    return folder_.path / name;
  }
  Verification compare(const std::vector<float>& got, const std::vector<float>& expected,
                       const Tolerance& tolerance = {}, bool sample = false) const {
    return verify_array(raw("Q.bin", "head", got), raw("expected.bin", "head", expected), tolerance, {},
                        {layout_, sample});
  }
  /// The mismatch of a file whose rows are two arrays.
  Mismatch explain(const std::vector<float>& got, const std::vector<float>& expected) const {
    const Verification v = verify_array(raw("Q.bin", "head", got), raw("expected.bin", "head", expected),
                                        {1e-4, 0, "sums"}, {}, {layout_, false});
    return v.mismatch.value_or(Mismatch());
  }

  const FileLayout layout_ = {4, {"real", "imaginary"}};
  TestFolder folder_;
};

TEST_F(RawFiles, HoldAHeaderAndRows) {
  const RawFile file = read_raw(raw("Q.bin", "head", {1, 2, 3, 4, 5, 6}), layout_, lab::NpyLinks::refuse);
  EXPECT_EQ(file.header, "head");
  EXPECT_EQ(file.array.shape(), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(file.array.at(1, 0), 4);
}

TEST_F(RawFiles, OfAnotherKindAreRefused) {
  const auto problem = [&](const fs::path& file, std::optional<std::uintmax_t> bytes = {}) -> std::string {
    try {
      read_raw(file, layout_, lab::NpyLinks::refuse, bytes);
    } catch (const lab::NpyError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problem(folder_.path / "none"), HasSubstr("can't be opened"));
  EXPECT_THAT(problem(folder_.path), HasSubstr("expected a file"));
  EXPECT_THAT(problem(raw("Q.bin", "he", {})), HasSubstr("found 2 bytes"));
  EXPECT_THAT(problem(raw("Q.bin", "head", {1, 2, 3})), HasSubstr("whole rows"));
  EXPECT_THAT(problem(raw("Q.bin", "head", {1, 2}), 20), HasSubstr("expected 20 bytes, found 12"));
  fs::create_symlink(folder_.path / "Q.bin", folder_.path / "link");
  EXPECT_THAT(problem(folder_.path / "link"), HasSubstr("can't be opened"));
  ASSERT_EQ(mkfifo((folder_.path / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(problem(folder_.path / "pipe"), HasSubstr("expected a file"));
}

TEST_F(RawFiles, AreComparedBehindTheirHeader) {
  EXPECT_TRUE(compare({1, 2, 3, 4}, {1, 2, 3, 4}).right);
  const Verification wrong = compare({1, 2, 3, 5}, {1, 2, 3, 4});
  ASSERT_TRUE(wrong.mismatch);
  EXPECT_EQ(wrong.mismatch->first[0].index, (std::vector<std::size_t>{1, 1}));
  EXPECT_THAT(compare({1, 2}, {1, 2, 3, 4}).problem, HasSubstr("Q.bin: expected 20 bytes, found 12"));
  const Verification header = verify_array(raw("Q.bin", "heXd", {1, 2}), raw("expected.bin", "head", {1, 2}),
                                           {}, {}, {layout_, false});
  EXPECT_THAT(header.problem, HasSubstr("byte 2 is 0x58, expected 0x61"));
  EXPECT_FALSE(header.right);
}

TEST_F(RawFiles, AnExpectedFileThatHoldsWhatItsHeaderDoesNotSayIsTheKitsFault) {
  const FileLayout counted = {4, {"real", "imaginary"}, 0};
  const auto with_count = [&](const std::string& name, char count, const std::vector<float>& elements) {
    return raw(name, std::string{count, 0, 0, 0}, elements);
  };
  const auto verify = [&](char expected_count) {
    return verify_array(with_count("Q.bin", 2, {1, 2, 3, 4}),
                        with_count("expected.bin", expected_count, {1, 2, 3, 4}), {}, {}, {counted, false});
  };
  EXPECT_TRUE(verify(2).right);
  EXPECT_THAT([&] { verify(1); },
              throws_error(ErrorKind::fault, "a row has 1 elements, and the file holds 2"));
}

TEST_F(RawFiles, AToleranceCanBeAPartOfTheLargestValue) {
  const Tolerance tolerance = {0, 0, "sums", 1e-2};
  EXPECT_TRUE(compare({100, 0.9F, -0.9F, 4}, {100, 0, 0, 4}, tolerance).right);
  EXPECT_FALSE(compare({100, 1.1F, 0, 4}, {100, 0, 0, 4}, tolerance).right);
  EXPECT_TRUE(compare({0, 0.9F}, {-100, 0}, {101, 0, "both add up", 0}).right);
  EXPECT_FALSE(compare({0, 1e-6F}, {0, 0}, tolerance).right) << "a part of nothing is nothing";
}

TEST_F(RawFiles, ArraysThatShareAFileAreExplainedOneByOne) {
  std::vector<float> expected, negated, first_block, odd;
  for (int i = 0; i < 512; ++i) {
    const auto value = static_cast<float>(3 + i * 7 % 31);
    expected.push_back(value);
    negated.push_back(i < 256 ? value : -value * 1.000001F);
    first_block.push_back(i % 256 < 128 ? value : 0);
    odd.push_back(i == 300 || i == 411 || i == 423 || i == 470 ? value + 1 : value);
  }
  const Mismatch sign = explain(negated, expected);
  EXPECT_EQ(sign.pattern, "scaled");
  EXPECT_THAT(sign.explanation,
              HasSubstr("Only imaginary is wrong, real is right. The output has the opposite sign."));
  const Mismatch blocks = explain(first_block, expected);
  EXPECT_EQ(blocks.pattern, "only-first-block");
  EXPECT_THAT(blocks.explanation, HasSubstr("In real: Only the first 128 elements are right"));
  EXPECT_EQ(explain(odd, expected).pattern, "one-array");
}

TEST_F(RawFiles, ASampleOmitsUnknownElements) {
  std::vector<float> expected(1000, nan), got(1000, 7);
  for (std::size_t i = 0; i < 300; ++i) expected[3 * i] = got[3 * i] = static_cast<float>(i);
  EXPECT_TRUE(compare(got, expected, {}, true).right);
  EXPECT_FALSE(compare(got, expected).right) << "only where the case asks for it";

  got[1] = nan;
  const Verification unwritten = compare(got, expected, {}, true);
  ASSERT_TRUE(unwritten.mismatch) << "not compared, but no number either";
  EXPECT_EQ(unwritten.mismatch->wrong, 1U);
  got[1] = 0;
  got[300] = 1;
  const Verification wrong = compare(got, expected, {}, true);
  ASSERT_TRUE(wrong.mismatch);
  EXPECT_EQ(wrong.mismatch->wrong, 1U);
  EXPECT_EQ(wrong.mismatch->total, 300U);
  EXPECT_EQ(wrong.mismatch->pattern, "");
}

TEST_F(RawFiles, ASampleThatProvesNothingIsTheKitsFault) {
  std::vector<float> expected(1000, nan);
  expected[5] = 1;
  EXPECT_THAT([&] { compare(expected, expected, {}, true); },
              throws_error(ErrorKind::fault, "computed 1 of 1000 elements"));
}

}  // namespace
}  // namespace grader
