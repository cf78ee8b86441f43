/// @file
/// Tests comparisons: NaN never passes, and the first wrong elements are named. Freivalds' check detects every kind of
/// wrong product.
#include <gtest/gtest.h>
#include <lab/compare.hpp>
#include <lab/product.hpp>

#include <limits>

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Close, IsExactByDefault) {
  EXPECT_TRUE(lab::close(1, 1));
  EXPECT_TRUE(lab::close(-0.0, 0.0));
  EXPECT_FALSE(lab::close(1, std::nextafter(1.0, 2.0)));
  EXPECT_TRUE(lab::close(100.5, 100, {0.5, 0}));
  EXPECT_TRUE(lab::close(101, 100, {0, 0.01}));
  EXPECT_FALSE(lab::close(101.5, 100, {0, 0.01}));
}

TEST(Close, NanAndInfinityPassForNothingElse) {
  EXPECT_FALSE(lab::close(nan, nan, {1e9, 1e9}));
  EXPECT_FALSE(lab::close(nan, 0, {1e9, 1e9}));
  EXPECT_FALSE(lab::close(0, nan, {1e9, 1e9}));
  EXPECT_FALSE(lab::close(infinity, 0, {1e9, 1e9}));
  EXPECT_FALSE(lab::close(0, infinity, {1e9, 1e9}));
  EXPECT_FALSE(lab::close(-infinity, infinity, {1e9, 1e9}));
  EXPECT_TRUE(lab::close(infinity, infinity));
}

TEST(Compare, NamesTheFirstWrongElements) {
  const std::vector<float> expected = {1, 2, 3, 4, 5, 6};
  const std::vector<float> got = {1, 2, 30, 4, 50, 6};
  testing::internal::CaptureStdout();
  EXPECT_EQ(lab::compare("P", got.data(), expected.data(), {2, 3}, {}, 1), 2u);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "  P[0][2] is 30, but should be 3\n  2 of 6 elements of P are wrong.\n");
}

TEST(Compare, SaysNothingWhenAllIsRight) {
  const std::vector<int> values = {1, 2, 3};
  testing::internal::CaptureStdout();
  EXPECT_EQ(lab::compare("a", values.data(), values.data(), {3}), 0u);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

/// M, N and their product. n is not a multiple of any block size.
struct Product : testing::Test {
  static constexpr std::size_t n = 37;
  std::vector<float> m, n_matrix, p;

  Product() {
    lab::Random random(11);
    m = lab::draw_matrix<float>(random, n);
    n_matrix = lab::draw_matrix<float>(random, n);
    p = multiply(m, n_matrix);
  }
  static std::vector<float> multiply(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> c(n * n, 0.0F);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
      }
    }
    return c;
  }
  std::vector<std::size_t> wrong() const {
    return lab::wrong_rows(p.data(), m.data(), n_matrix.data(), n, 5);
  }
};

TEST_F(Product, TheRightOnePasses) {
  EXPECT_TRUE(wrong().empty());
}

TEST_F(Product, OneWrongElementNamesItsRow) {
  p[20 * n + 36] += 0.25F;
  EXPECT_EQ(wrong(), std::vector<std::size_t>{20});
}

TEST_F(Product, NanNamesItsRow) {
  p[3 * n] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(wrong(), std::vector<std::size_t>{3});
}

TEST_F(Product, TheOtherOrderIsWrong) {
  p = multiply(n_matrix, m);
  EXPECT_FALSE(wrong().empty());
}

TEST_F(Product, TheReportShowsTheElement) {
  p[20 * n + 36] = 1000;
  testing::internal::CaptureStdout();
  EXPECT_EQ(lab::check_product(p.data(), m.data(), n_matrix.data(), n, 5), 1u);
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_NE(printed.find("P[20][36] is 1000, but should be "), std::string::npos) << printed;
  EXPECT_NE(printed.find("1 of 37 rows of P are wrong."), std::string::npos) << printed;
}

}  // namespace
