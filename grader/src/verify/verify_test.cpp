// Tests right, wrong, damaged and hostile output files, and products by Freivalds' method.
#include "verify/verify.hpp"

#include <sys/stat.h>

#include <cmath>
#include <random>

#include "base/test_folder.hpp"
#include "lab/npy.hpp"
#include "verify/elements.hpp"
#include "verify/patterns.hpp"
#include "verify/product.hpp"

namespace grader {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Shape = std::vector<std::size_t>;

class Verify : public testing::Test {
 protected:
  template <class T>
  fs::path array(const std::string& name, const Shape& shape, const std::vector<T>& data) const {
    lab::write_npy(path(name).string(), shape, data);
    return path(name);
  }
  fs::path path(const std::string& name) const { return folder_.path / name; }

  Verification compare(const std::vector<float>& got, const std::vector<float>& expected,
                       const Tolerance& tolerance = {}) const {
    return verify_array(array("P.npy", {got.size()}, got), array("expected.npy", {expected.size()}, expected),
                        tolerance, {});
  }

  TestFolder folder_;
};

TEST_F(Verify, EqualArraysAreRight) {
  const Verification v = compare({1, -2.5f, INFINITY}, {1, -2.5f, INFINITY});
  EXPECT_TRUE(v.right);
  EXPECT_FALSE(v.mismatch);
  EXPECT_THAT(v.problem, IsEmpty());
}

TEST_F(Verify, MinusZeroIsZero) {
  EXPECT_TRUE(compare({-0.f, 0.f}, {0.f, -0.f}).right);
}

TEST_F(Verify, WhichElementsAreWrongIsKept) {
  EXPECT_EQ(compare({1, 2, 3}, {1, 5, 3}).wrong, (std::vector<bool>{false, true, false}));
  EXPECT_THAT(compare({1, 2, 3}, {1, 2, 3}).wrong, IsEmpty());
}

TEST_F(Verify, AValueIsHeldAgainstAnElementAsTheWholeArrayIs) {
  const Tolerance of_max = {0, 0, "rounding", 0.01};
  const Array expected({3}, std::vector<float>{0.1f, 2, 100});
  EXPECT_FALSE(is_wrong("2.9", 1, expected, of_max));
  EXPECT_TRUE(is_wrong("3.1", 1, expected, of_max));
  EXPECT_TRUE(is_wrong("nan", 1, expected, of_max));
  EXPECT_FALSE(is_wrong("0.1", 0, expected, {})) << "as a float has it";
  EXPECT_TRUE(is_wrong("3", 0, Array({1}, std::vector<int>{2}), {5, 5, "never of integers"}));
}

TEST_F(Verify, AnElementsTextHasTheWholeRangeOfItsType) {
  const std::int64_t big = (std::int64_t{1} << 60) + 1;
  const Array wide({1}, std::vector<std::int64_t>{big}), narrow({1}, std::vector<std::int8_t>{-1});
  EXPECT_FALSE(is_wrong(wide.text(0), 0, wide, {}));
  EXPECT_TRUE(is_wrong(std::to_string(big - 1), 0, wide, {})) << "as a double both are the same";
  EXPECT_FALSE(is_wrong("-1", 0, narrow, {}));
  EXPECT_TRUE(is_wrong("255", 0, narrow, {}));
  for (const char* const text : {"", "?", "1.5 ", "(1, 2)"}) {
    EXPECT_TRUE(is_wrong(text, 0, narrow, {})) << text;
    EXPECT_TRUE(is_wrong(text, 0, Array({1}, std::vector<float>{1}), {1e9, 0, "anything"})) << text;
  }
}

TEST_F(Verify, NanNeverPasses) {
  const Tolerance all = {1e30, 1e30, "anything"};
  EXPECT_FALSE(compare({NAN}, {NAN}, all).right);
  EXPECT_FALSE(compare({NAN}, {1}, all).right);
  EXPECT_FALSE(compare({1}, {NAN}, all).right);
}

TEST_F(Verify, InfinityIsOnlyItself) {
  const Tolerance all = {1e30, 1, "anything"};
  EXPECT_TRUE(compare({INFINITY}, {INFINITY}, all).right);
  EXPECT_FALSE(compare({-INFINITY}, {INFINITY}, all).right);
  EXPECT_FALSE(compare({INFINITY}, {1}, all).right);
  EXPECT_FALSE(compare({1}, {INFINITY}, all).right);
}

TEST_F(Verify, TheToleranceIsInclusive) {
  const Tolerance half = {0.5, 0, "halves"}, tenth = {0, 0.125, "eighths"};
  EXPECT_TRUE(compare({1.5f}, {1}, half).right);
  EXPECT_FALSE(compare({std::nextafter(1.5f, 2.f)}, {1}, half).right);
  EXPECT_TRUE(compare({-9}, {-8}, tenth).right);
  EXPECT_FALSE(compare({-9.01f}, {-8}, tenth).right);
}

TEST_F(Verify, IntegersAreExactWhateverTheTolerance) {
  const std::int64_t big = (std::int64_t{1} << 60) + 1;
  const fs::path expected = array<std::int64_t>("expected.npy", {2}, {big, 5});
  EXPECT_TRUE(verify_array(array<std::int64_t>("P.npy", {2}, {big, 5}), expected, {}, {}).right);
  const Verification v =
      verify_array(array<std::int64_t>("P.npy", {2}, {big - 1, 5}), expected, {10, 0, "x"}, {});
  ASSERT_TRUE(v.mismatch);
  EXPECT_EQ(v.mismatch->wrong, 1u);
  EXPECT_EQ(v.mismatch->first[0].got, "1152921504606846976");
  EXPECT_EQ(v.mismatch->first[0].expected, "1152921504606846977");
}

TEST_F(Verify, TheFirstEightWrongElementsHaveCoordinatesAndExactValues) {
  std::vector<float> right(12, 0.1f), wrong = right;
  for (std::size_t i = 1; i < 12; ++i) wrong[i] = 0.3f + static_cast<float>(i * i * i % 7);
  const Verification v =
      verify_array(array("P.npy", {3, 4}, wrong), array("expected.npy", {3, 4}, right), {}, {});
  ASSERT_TRUE(v.mismatch);
  EXPECT_EQ(v.mismatch->wrong, 11u);
  EXPECT_EQ(v.mismatch->total, 12u);
  ASSERT_THAT(v.mismatch->first, SizeIs(8));
  EXPECT_EQ(v.mismatch->first[3].index, (Shape{1, 0}));
  EXPECT_EQ(v.mismatch->first[3].expected, "0.1");
  EXPECT_EQ(v.mismatch->first[0].got, "1.3");
}

TEST_F(Verify, NanIsShownWithoutASign) {
  EXPECT_EQ(compare({std::copysign(NAN, -1.f)}, {1}).mismatch->first[0].got, "nan");
}

TEST_F(Verify, HalvesAreCompared) {
  const auto half = [](std::uint16_t bits) { return std::vector<lab::NpyHalf>{{bits}}; };
  const fs::path one = array("one.npy", {1}, half(0x3c00));
  EXPECT_TRUE(verify_array(array("P.npy", {1}, half(0x3c00)), one, {}, {}).right);
  EXPECT_TRUE(verify_array(array("P.npy", {1}, half(0x8000)), array("zero.npy", {1}, half(0)), {}, {}).right);
  EXPECT_EQ(verify_array(array("P.npy", {1}, half(0x3800)), one, {}, {}).mismatch->first[0].got, "0.5");
}

TEST_F(Verify, AnotherShapeOrTypeIsExplained) {
  const fs::path expected = array<float>("expected.npy", {2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(verify_array(array<float>("P.npy", {4}, {1, 2, 3, 4}), expected, {}, {}).problem,
            "P.npy: expected shape (2, 2) of float32 (<f4), found shape (4,) of float32 (<f4).");
  EXPECT_THAT(verify_array(array<double>("P.npy", {2, 2}, {1, 2, 3, 4}), expected, {}, {}).problem,
              HasSubstr("of float32 (<f4), found shape (2, 2) of float64 (<f8)"));
}

TEST_F(Verify, OtherFilesAreAProblemAndNoHang) {
  const fs::path expected = array<float>("expected.npy", {2}, {1, 2});
  EXPECT_THAT(verify_array(path("missing.npy"), expected, {}, {}).problem,
              HasSubstr("missing.npy: expected an array file"));
  ASSERT_EQ(::mkfifo(path("pipe.npy").c_str(), 0600), 0);
  EXPECT_THAT(verify_array(path("pipe.npy"), expected, {}, {}).problem, HasSubstr("found a pipe"));
  folder_.write("text.npy", "1 2");
  EXPECT_THAT(verify_array(path("text.npy"), expected, {}, {}).problem, HasSubstr("doesn't begin as one"));
  folder_.write("short.npy", folder_.read("expected.npy").substr(0, 132));
  EXPECT_THAT(verify_array(path("short.npy"), expected, {}, {}).problem, HasSubstr("truncated"));
}

TEST_F(Verify, ALinkToTheAnswerIsNoOutput) {
  const fs::path expected = array<float>("expected.npy", {2}, {1, 2});
  fs::create_symlink(expected, path("P.npy"));
  const Verification v = verify_array(path("P.npy"), expected, {}, {});
  EXPECT_FALSE(v.right);
  EXPECT_THAT(v.problem, HasSubstr("found a symbolic link"));
}

// A sparse file may claim terabytes; its shape is rejected before its data are read.
TEST_F(Verify, AHugeOutputIsNotRead) {
  const fs::path expected = array<float>("expected.npy", {2}, {1, 2});
  std::string bytes = folder_.read("expected.npy").substr(0, 128);
  bytes.replace(bytes.find("(2,)"), 4, "(1000000000000,)");
  bytes.erase(bytes.size() - 1 - 12, 12);
  folder_.write("P.npy", bytes);
  std::error_code too_large;
  fs::resize_file(path("P.npy"), 128 + 4'000'000'000'000, too_large);
  if (too_large) GTEST_SKIP() << "no sparse files of terabytes here";
  EXPECT_THAT(verify_array(path("P.npy"), expected, {}, {}).problem,
              HasSubstr("found shape (1000000000000,)"));
}

TEST_F(Verify, BrokenDataOfItsOwnAreTheGradersFault) {
  const fs::path got = array<float>("P.npy", {2}, {1, 2});
  EXPECT_THAT([&] { verify_array(got, path("no.npy"), {}, {}); },
              throws_error(ErrorKind::fault, "its own data"));
}

// ---------------------------------------------------------------------------------------------------------------------

class VerifyProduct : public Verify {
 protected:
  /// Draws M (r × k) and N (k × c) and computes P.
  void draw(std::size_t r, std::size_t k, std::size_t c, unsigned seed = 1, float scale = 1) {
    rows_ = r;
    columns_ = c;
    std::mt19937_64 random(seed);
    m_.resize(r * k);
    n_.resize(k * c);
    for (float& value : m_) value = scale * static_cast<float>(random() % 4);
    for (float& value : n_) value = scale * static_cast<float>(random() % 4);
    std::vector<double> sums(r * c);
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t x = 0; x < k; ++x)
        for (std::size_t j = 0; j < c; ++j)
          sums[i * c + j] += static_cast<double>(m_[i * k + x]) * n_[x * c + j];
    p_.assign(sums.begin(), sums.end());
    inputs_ = {array("M.npy", {r, k}, m_), array("N.npy", {k, c}, n_)};
  }

  Verification verify(const Tolerance& tolerance = {}, std::uint64_t seed = 99, int rounds = 3) const {
    return verify_product(array("P.npy", {rows_, columns_}, p_), inputs_, tolerance, seed, rounds);
  }

  std::size_t rows_ = 0, columns_ = 0;
  std::vector<float> m_, n_, p_;
  std::vector<fs::path> inputs_;
};

TEST_F(VerifyProduct, RightProductsPassForEverySeed) {
  draw(37, 29, 41);
  for (std::uint64_t seed = 0; seed < 50; ++seed) EXPECT_TRUE(verify({}, seed).right);
}

TEST_F(VerifyProduct, EverySingleWrongElementIsFoundAndShown) {
  draw(23, 17, 19);
  for (std::size_t i = 0; i < p_.size(); ++i) {
    const float right = p_[i];
    p_[i] = std::nextafter(right, 1000.f);  // the smallest possible error
    const Verification v = verify({}, i);
    ASSERT_TRUE(v.mismatch) << i;
    EXPECT_EQ(v.mismatch->wrong, 1u);
    EXPECT_EQ(v.mismatch->total, 23u);
    ASSERT_THAT(v.mismatch->first, SizeIs(1));
    EXPECT_EQ(v.mismatch->first[0].index, (Shape{i / 19, i % 19}));
    p_[i] = right;
  }
}

TEST_F(VerifyProduct, OneWrongElementIn512Squared) {
  draw(512, 512, 512);
  EXPECT_TRUE(verify().right);
  p_[300 * 512 + 7] += 1;
  const Verification v = verify({}, 5, 1);
  ASSERT_TRUE(v.mismatch);
  EXPECT_EQ(v.mismatch->first[0].index, (Shape{300, 7}));
}

// Two errors in a row that cancel for r = (1, 1, …) don't cancel for random r.
TEST_F(VerifyProduct, ErrorsThatCancelAreFound) {
  draw(32, 32, 32);
  for (std::size_t i = 0; i < 32; ++i) {
    p_[i * 32] += 1;
    p_[i * 32 + 1] -= 1;
  }
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(verify({}, seed, 1).mismatch.value_or(Mismatch{}).wrong, 32u);
}

TEST_F(VerifyProduct, NanInfinityAndHugeValuesNeverPass) {
  for (const float strange : {NAN, INFINITY, -INFINITY, 3e38f}) {
    draw(16, 16, 16);
    p_[77] = strange;
    const Verification exact = verify();
    ASSERT_TRUE(exact.mismatch) << strange;
    EXPECT_EQ(exact.mismatch->first[0].index, (Shape{4, 13}));
    EXPECT_FALSE(verify({1e-3, 1e-3, "x"}).right) << strange;
  }
}

TEST_F(VerifyProduct, RealDataPassWithinTheTolerance) {
  draw(64, 64, 64, 3, 0.3f);
  const Tolerance tolerance = {0, 1e-5, "float sums"};
  for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_TRUE(verify(tolerance, seed).right);
  for (float& value : p_) value *= 1 + 5e-6f;
  EXPECT_TRUE(verify(tolerance).right);
  p_[1000] *= 1.001f;
  const Verification v = verify(tolerance);
  ASSERT_TRUE(v.mismatch);
  EXPECT_EQ(v.mismatch->first[0].index, (Shape{15, 40}));
}

TEST_F(VerifyProduct, PatternsAreNamed) {
  draw(64, 64, 64);
  std::vector<float> transposed = p_;
  for (std::size_t i = 0; i < 64; ++i)
    for (std::size_t j = 0; j < 64; ++j) transposed[i * 64 + j] = p_[j * 64 + i];
  p_ = transposed;
  EXPECT_EQ(verify().mismatch->pattern, "transposed");
}

TEST_F(VerifyProduct, TheNumberOfRandomValuesKeepsSumsExact) {
  const auto matrix = [](double value) { return Array({2, 2}, std::vector<double>(4, value)); };
  const auto values = [](const Array& a, const Tolerance& tolerance = {}) {
    return Freivalds(a, a, a, tolerance, 1).values();
  };
  EXPECT_GE(values(matrix(3)), 2e6);
  EXPECT_EQ(values(matrix(1 << 24)), 9);  // 2 · 2^24 · 2^24 · 2 = 2^50 leaves 2^52 / 2^50 = 4 on each side
  EXPECT_EQ(values(matrix(1 << 26)), 0);
  EXPECT_GE(values(matrix(0.375)), 2e6);
  EXPECT_EQ(values(matrix(0.1)), 0);
  EXPECT_EQ(values(matrix(3), {0, 1e-6, "x"}), 0);
}

// 5000 · 5000 · 2 is not a float, so exact sums in double would make every right product suspect.
TEST_F(VerifyProduct, AProductThatItsTypeRoundsIsNotExact) {
  const Array factor({2, 2}, std::vector<float>(4, 5001)), small({2, 2}, std::vector<float>(4, 100));
  EXPECT_FALSE(Freivalds(factor, factor, factor, {}, 1).exact());
  EXPECT_TRUE(Freivalds(small, small, small, {}, 1).exact());
}

TEST_F(VerifyProduct, FractionsOfPowersOfTwoAreExact) {
  draw(300, 64, 64, 4, 0.25f);
  EXPECT_TRUE(verify().right);
  for (std::size_t i = 100 * 64; i < p_.size(); ++i) p_[i] = NAN;
  const Verification v = verify();
  EXPECT_EQ(v.mismatch->wrong, 200u);
  EXPECT_EQ(v.mismatch->pattern, "rows-from");
}

// With real data, far more rows are wrong than are computed again, and all of them count.
TEST_F(VerifyProduct, AllWrongRowsOfRealDataCount) {
  draw(300, 64, 64, 4, 0.3f);
  for (std::size_t i = 100 * 64; i < p_.size(); ++i) p_[i] = NAN;
  const Verification v = verify({0, 1e-5, "float sums"});
  EXPECT_EQ(v.mismatch->wrong, 200u);
  EXPECT_EQ(v.mismatch->pattern, "rows-from");
}

TEST_F(VerifyProduct, AnotherShapeIsAProblem) {
  draw(8, 8, 8);
  const fs::path got = array("P.npy", {64}, p_);
  EXPECT_THAT(verify_product(got, inputs_, {}, 1).problem, HasSubstr("expected shape (8, 8)"));
}

TEST_F(VerifyProduct, InputsThatAreNoFactorsAreTheKitsFault) {
  draw(8, 8, 8);
  const fs::path got = array("P.npy", {8, 8}, p_), vector = array("V.npy", {64}, m_);
  EXPECT_THAT([&] { verify_product(got, {inputs_[0]}, {}, 1); },
              throws_error(ErrorKind::fault, "two inputs"));
  EXPECT_THAT(
      [&] {
        verify_product(got, {inputs_[0], vector}, {}, 1);
      },
      throws_error(ErrorKind::fault, "can't be multiplied"));
  m_[3] = NAN;
  const fs::path strange = array("S.npy", {8, 8}, m_);
  EXPECT_THAT(
      [&] {
        verify_product(got, {strange, inputs_[1]}, {}, 1);
      },
      throws_error(ErrorKind::fault, "must be finite"));
}

TEST_F(VerifyProduct, TheProfileReplacesSymptomsButNotResults) {
  draw(8, 8, 8);
  const fs::path got = array("P.npy", {8, 8}, p_);
  Profile profile;
  Activity kernel, copy;
  copy.kind = Activity::Kind::h2d;
  copy.bytes = 256;
  profile.activities = {kernel, copy};
  copy.kind = Activity::Kind::d2h;
  profile.activities.push_back(copy);
  Mismatch symptom, result;
  symptom.pattern = "nan";
  result.pattern = "same-operand-twice";
  explain_with_profile(symptom, profile, inputs_, got);
  explain_with_profile(result, profile, inputs_, got);
  EXPECT_EQ(symptom.pattern, "input-not-copied");
  EXPECT_THAT(symptom.explanation,
              HasSubstr("Only 256 bytes were copied to the device, and the inputs have 512"));
  EXPECT_EQ(result.pattern, "same-operand-twice");
}

TEST(RunFacts, HaveTheLargestLaunchHoweverLongItTook) {
  const auto kernel = [](std::uint32_t blocks, std::uint32_t threads, double seconds) {
    Activity launch;
    launch.duration_s = seconds;
    for (int axis = 0; axis < 3; ++axis) launch.grid[axis] = launch.block[axis] = 1;
    launch.grid[0] = blocks;
    launch.block[0] = threads;
    return launch;
  };
  Profile profile;
  profile.activities = {kernel(1, 256, 3e-6), kernel(2, 256, 2e-6), kernel(4, 128, 1e-6)};
  ASSERT_TRUE(run_facts(profile).launch);
  EXPECT_EQ(run_facts(profile).launch->blocks(), 2u) << "of two with 512 threads the longer one";
  profile.activities.push_back(kernel(4'194'304, 1024, 0));
  EXPECT_EQ(run_facts(profile).launch->blocks(), 4'194'304u);
}

}  // namespace
}  // namespace grader
