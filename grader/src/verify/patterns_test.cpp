// Tests every pattern on matrices that are wrong in that way, known completely or by sampled rows, and on near
// misses.
#include "verify/patterns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include "verify/product.hpp"

namespace grader {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

/// A matrix of doubles that can be converted to a float Array.
struct Matrix {
  std::size_t rows, columns;
  std::vector<double> data;

  Matrix(std::size_t r, std::size_t c, double value = 0) : rows(r), columns(c), data(r * c, value) {}
  double& operator()(std::size_t i, std::size_t j) { return data[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return data[i * columns + j]; }

  template <class T = float>
  Array array() const {
    return {{rows, columns}, std::vector<T>(data.begin(), data.end())};
  }
};

Matrix random_matrix(std::size_t rows, std::size_t columns, unsigned seed, int largest = 3) {
  std::mt19937_64 random(seed);
  Matrix m(rows, columns);
  for (double& value : m.data) value = static_cast<double>(random() % static_cast<unsigned>(largest + 1));
  return m;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix p(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j) p(i, j) += a(i, k) * b(k, j);
  return p;
}

Matrix transpose(const Matrix& a) {
  Matrix t(a.columns, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) t(j, i) = a(i, j);
  return t;
}

/// The pattern if the whole expected array is known.
std::optional<Pattern> pattern_of(const Array& got, const Array& expected,
                                  const std::vector<const Array*>& inputs = {},
                                  const Tolerance& tolerance = {}) {
  std::vector<bool> wrong(got.size());
  for (std::size_t i = 0; i < got.size(); ++i) wrong[i] = outside(got[i], expected[i], tolerance);
  return find_pattern(ArrayEvidence(got, expected, inputs, tolerance, wrong));
}

/// The pattern if only the inputs of a product are known.
std::optional<Pattern> product_pattern_of(const Array& got, const Array& m, const Array& n) {
  Freivalds freivalds(got, m, n, {}, 1);
  const SuspectRows found = freivalds.suspect_rows(3);
  return find_pattern(ProductEvidence(got, {&m, &n}, {}, found.suspects, freivalds.wrong_columns()));
}

std::string name(const std::optional<Pattern>& pattern) {
  return pattern ? pattern->name : "";
}

double float_with_bits(std::uint32_t word) {
  float value;
  std::memcpy(&value, &word, sizeof value);
  return static_cast<double>(value);
}

const double unwritten_value = float_with_bits(0x7fffdead);
const double unfilled_shared_value = float_with_bits(0x7fffbead);

/// A mistake in a matrix product. `make` receives the operands and the right product.
struct Mistake {
  std::string pattern;
  std::string what;
  std::function<Matrix(const Matrix& m, const Matrix& n, const Matrix& p)> make;
};

/// Changes the elements of the right product for which `where` holds.
Mistake changed(std::string pattern, std::string what,
                std::function<bool(std::size_t, std::size_t, std::size_t)> where,
                std::function<double(double)> to) {
  return {std::move(pattern), std::move(what), [=](const Matrix&, const Matrix&, const Matrix& p) {
            Matrix got = p;
            for (std::size_t i = 0; i < p.rows; ++i)
              for (std::size_t j = 0; j < p.columns; ++j)
                if (where(i, j, p.rows)) got(i, j) = to(p(i, j));
            return got;
          }};
}

double lost(double) {
  return 0;
}
double more(double value) {
  return value + 1 + std::fmod(value, 3);
}
bool everywhere(std::size_t, std::size_t, std::size_t) {
  return true;
}

Matrix sum_of_terms(const Matrix& m, const Matrix& n, std::function<int(std::size_t k)> times) {
  Matrix p(m.rows, n.columns);
  for (std::size_t i = 0; i < p.rows; ++i)
    for (std::size_t j = 0; j < p.columns; ++j)
      for (std::size_t k = 0; k < m.columns; ++k) p(i, j) += times(k) * m(i, k) * n(k, j);
  return p;
}

/// The matrix of the sums of term(i, k, j) over k.
template <class F>
Matrix product_by(const Matrix& m, const Matrix& n, F term) {
  Matrix p(m.rows, n.columns);
  for (std::size_t i = 0; i < p.rows; ++i)
    for (std::size_t j = 0; j < p.columns; ++j)
      for (std::size_t k = 0; k < m.columns; ++k) p(i, j) += term(i, k, j);
  return p;
}

Matrix read_with_stride(const Matrix& a, std::size_t stride) {
  Matrix read = a;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) read(i, j) = a.data[i * stride + j];
  return read;
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> list = {
      changed("unwritten", "nothing written", everywhere, [](double) { return unwritten_value; }),
      changed("unset-variable", "a sum that was never set", everywhere,
              [](double) { return float_with_bits(0xfefefefe); }),
      changed("nan", "all NaN", everywhere, [](double) { return NAN; }),
      changed("infinite", "all infinite", everywhere, [](double) { return INFINITY; }),
      changed("zeros", "all zero", everywhere, lost),
      changed("constant", "all five", everywhere, [](double) { return 5; }),
      {"copied-input", "the first input", [](const Matrix& m, const Matrix&, const Matrix&) { return m; }},
      {"copied-input", "the second input", [](const Matrix&, const Matrix& n, const Matrix&) { return n; }},
      {"transposed", "Pᵀ", [](const Matrix&, const Matrix&, const Matrix& p) { return transpose(p); }},
      {"swapped-inputs", "N·M",
       [](const Matrix& m, const Matrix& n, const Matrix&) { return product(n, m); }},
      {"same-operand-twice", "M·M",
       [](const Matrix& m, const Matrix&, const Matrix&) { return product(m, m); }},
      {"same-operand-twice", "N·N",
       [](const Matrix&, const Matrix& n, const Matrix&) { return product(n, n); }},
      {"operand-transposed", "Mᵀ·N",
       [](const Matrix& m, const Matrix& n, const Matrix&) { return product(transpose(m), n); }},
      {"operand-transposed", "M·Nᵀ",
       [](const Matrix& m, const Matrix& n, const Matrix&) { return product(m, transpose(n)); }},
      {"operand-transposed", "Mᵀ·Nᵀ",
       [](const Matrix& m, const Matrix& n, const Matrix&) { return product(transpose(m), transpose(n)); }},
      {"operand-stride", "rows of N taken for one shorter",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return product(m, read_with_stride(n, n.columns - 1));
       }},
      {"operand-stride", "rows of M taken for one shorter",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return product(read_with_stride(m, m.columns - 1), n);
       }},
      {"row-stride", "rows stored one shorter",
       [](const Matrix&, const Matrix&, const Matrix& p) {
         Matrix got(p.rows, p.columns, unwritten_value);
         for (std::size_t i = 0; i < p.rows; ++i)
           for (std::size_t j = 0; j < p.columns; ++j) got.data[i * (p.columns - 1) + j] = p(i, j);
         return got;
       }},
      {"operand-index", "N[column][column]",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return product_by(m, n, [&](auto i, auto k, auto j) { return m(i, k) * n(j, j); });
       }},
      {"operand-index", "M[k][k]",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return product_by(m, n, [&](auto i, auto k, auto j) { return m(k, k) * n(k, j) + 0 * m(i, k); });
       }},
      {"elementwise", "M ∘ N",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         Matrix got = m;
         for (std::size_t i = 0; i < got.data.size(); ++i) got.data[i] *= n.data[i];
         return got;
       }},
      {"elementwise", "M + N",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         Matrix got = m;
         for (std::size_t i = 0; i < got.data.size(); ++i) got.data[i] += n.data[i];
         return got;
       }},
      changed("scaled", "twice", everywhere, [](double v) { return 2 * v; }),
      changed("scaled", "negated", everywhere, [](double v) { return -v; }),
      changed("offset", "one more everywhere", everywhere, [](double v) { return v + 1; }),
      {"off-by-one-term", "first term missing",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return sum_of_terms(m, n, [](std::size_t k) { return k > 0; });
       }},
      {"off-by-one-term", "last term missing",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return sum_of_terms(m, n, [&](std::size_t k) { return k + 1 < m.columns; });
       }},
      {"off-by-one-term", "first term twice",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return sum_of_terms(m, n, [](std::size_t k) { return k == 0 ? 2 : 1; });
       }},
      {"last-term-only", "= instead of +=",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return sum_of_terms(m, n, [&](std::size_t k) { return k + 1 == m.columns; });
       }},
      {"partial-sum", "half of the terms",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return sum_of_terms(m, n, [&](std::size_t k) { return k < m.columns / 2; });
       }},
      {"partial-sum", "the last quarter of the terms",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return sum_of_terms(m, n, [&](std::size_t k) { return k >= m.columns * 3 / 4; });
       }},
      {"partial-sum", "every other term",
       [](const Matrix& m, const Matrix& n, const Matrix&) {
         return sum_of_terms(m, n, [](std::size_t k) { return k % 2 == 0; });
       }},
      {"shifted", "one column on",
       [](const Matrix&, const Matrix&, const Matrix& p) {
         Matrix got(p.rows, p.columns);
         for (std::size_t i = 0; i < p.rows; ++i)
           for (std::size_t j = 0; j + 1 < p.columns; ++j) got(i, j) = p(i, j + 1);
         return got;
       }},
      {"shifted", "one row down",
       [](const Matrix&, const Matrix&, const Matrix& p) {
         Matrix got(p.rows, p.columns);
         for (std::size_t i = 1; i < p.rows; ++i)
           for (std::size_t j = 0; j < p.columns; ++j) got(i, j) = p(i - 1, j);
         return got;
       }},
      {"reversed", "rows from the end",
       [](const Matrix&, const Matrix&, const Matrix& p) {
         Matrix got(p.rows, p.columns);
         for (std::size_t i = 0; i < p.rows; ++i)
           for (std::size_t j = 0; j < p.columns; ++j) got(i, j) = p(p.rows - 1 - i, j);
         return got;
       }},
      {"reversed", "all from the end",
       [](const Matrix&, const Matrix&, const Matrix& p) {
         Matrix got = p;
         std::reverse(got.data.begin(), got.data.end());
         return got;
       }},
      {"accumulated-garbage", "a sum that goes on along the row",
       [](const Matrix&, const Matrix&, const Matrix& p) {
         Matrix got = p;
         for (std::size_t i = 1; i < got.data.size(); ++i)
           if (i % 16 != 0) got.data[i] += got.data[i - 1];
         return got;
       }},
      changed(
          "rows-from", "the last quarter of the rows", [](auto i, auto, auto n) { return 4 * i >= 3 * n; },
          lost),
      changed(
          "rows-from", "the last row", [](auto i, auto, auto n) { return i + 1 == n; }, more),
      changed(
          "rows-until", "the first row", [](auto i, auto, auto) { return i == 0; }, more),
      changed(
          "columns-from", "the last quarter of the columns",
          [](auto, auto j, auto n) { return 4 * j >= 3 * n; }, [](double) { return unwritten_value; }),
      changed(
          "columns-from", "the last column", [](auto, auto j, auto n) { return j + 1 == n; }, more),
      changed(
          "columns-until", "the first columns", [](auto, auto j, auto) { return j < 2; }, more),
      changed(
          "tail", "the last element", [](auto i, auto j, auto n) { return i + 1 == n && j + 1 == n; }, more),
      changed(
          "tail", "from the middle of a row",
          [](auto i, auto j, auto n) { return i * n + j >= n * n / 2 + n / 2; }, lost),
      changed(
          "diagonal-only", "all but the diagonal", [](auto i, auto j, auto) { return i != j; }, more),
      {"diagonal-only", "M[col * n + k]",
       [](const Matrix&, const Matrix&, const Matrix& p) {
         Matrix got = p;
         for (std::size_t i = 0; i < p.rows; ++i)
           for (std::size_t j = 0; j < p.columns; ++j) got(i, j) = p(j, j);
         return got;
       }},
      {"diagonal-only", "N[k * n + row]",
       [](const Matrix&, const Matrix&, const Matrix& p) {
         Matrix got = p;
         for (std::size_t i = 0; i < p.rows; ++i)
           for (std::size_t j = 0; j < p.columns; ++j) got(i, j) = p(i, i);
         return got;
       }},
      changed(
          "edges-from", "last rows and columns",
          [](auto i, auto j, auto n) { return i + 2 >= n || j + 2 >= n; }, lost),
      changed(
          "block-edges", "every 4th column", [](auto, auto j, auto) { return j % 4 == 3; }, more),
      changed(
          "block-edges", "every 4th row", [](auto i, auto, auto) { return i % 4 == 3; }, more),
      changed(
          "block-edges", "every 4th row and column",
          [](auto i, auto j, auto) { return i % 4 == 3 || j % 4 == 3; }, more),
      changed(
          "block-edges", "first rows and columns of blocks",
          [](auto i, auto j, auto) { return i % 4 == 0 || j % 4 == 0; }, more),
      changed(
          "checkerboard", "black squares", [](auto i, auto j, auto) { return (i + j) % 2 == 0; }, more),
      changed(
          "diagonal", "the diagonal", [](auto i, auto j, auto) { return i == j; }, more),
      changed(
          "upper-triangle", "above the diagonal", [](auto i, auto j, auto) { return i < j; }, more),
      changed(
          "lower-triangle", "below the diagonal", [](auto i, auto j, auto) { return i > j; }, lost),
      changed(
          "box", "a rectangle",
          [](auto i, auto j, auto n) { return i >= n / 4 && i < n / 2 && j >= n / 4 && j < n / 2; }, more),
  };
  return list;
}

class Products : public testing::TestWithParam<std::size_t> {
 protected:
  const std::size_t n_ = GetParam();
  const Matrix m_ = random_matrix(n_, n_, 1), n_matrix_ = random_matrix(n_, n_, 2),
               p_ = product(m_, n_matrix_);
  const Array m_array_ = m_.array(), n_array_ = n_matrix_.array(), expected_ = p_.array();
};

TEST_P(Products, EveryMistakeIsNamedWhenAllIsKnown) {
  for (const Mistake& mistake : mistakes()) {
    const Array got = mistake.make(m_, n_matrix_, p_).array();
    EXPECT_EQ(name(pattern_of(got, expected_, {&m_array_, &n_array_})), mistake.pattern) << mistake.what;
  }
}

TEST_P(Products, EveryMistakeIsNamedFromSampledRows) {
  for (const Mistake& mistake : mistakes()) {
    const Array got = mistake.make(m_, n_matrix_, p_).array();
    EXPECT_EQ(name(product_pattern_of(got, m_array_, n_array_)), mistake.pattern) << mistake.what;
  }
}

TEST_P(Products, ScatteredErrorsHaveNoPattern) {
  Matrix got = p_;
  std::mt19937_64 random(3);
  for (std::size_t i = 0; i < n_; ++i)
    got.data[random() % got.data.size()] += 1 + static_cast<double>(random() % 5);
  EXPECT_EQ(name(pattern_of(got.array(), expected_, {&m_array_, &n_array_})), "");
}

TEST_P(Products, NoiseHasNoPattern) {
  Matrix got = p_;
  std::mt19937_64 random(4);
  for (double& value : got.data) value += 1 + static_cast<double>(random() % 100);
  EXPECT_EQ(name(pattern_of(got.array(), expected_, {&m_array_, &n_array_})), "");
}

TEST_P(Products, OneWrongElementInTheMiddleHasNoPattern) {
  Matrix got = p_;
  got(n_ / 2, n_ / 3) += 1;
  EXPECT_EQ(name(pattern_of(got.array(), expected_, {&m_array_, &n_array_})), "");
  EXPECT_EQ(name(product_pattern_of(got.array(), m_array_, n_array_)), "");
}

// A fifth of the elements contradicts a transpose, a multiple or a shift, so the pattern must not get that
// name.
TEST_P(Products, AlmostIsNotEnough) {
  const std::set<std::string> whole = {
      "transposed",  "swapped-inputs", "same-operand-twice", "operand-transposed",
      "scaled",      "offset",         "off-by-one-term",    "last-term-only",
      "shifted",     "reversed",       "copied-input",       "elementwise",
      "partial-sum", "zeros",          "constant",           "unwritten"};
  for (const Mistake& mistake : mistakes()) {
    if (whole.count(mistake.pattern) == 0) continue;
    Matrix got = mistake.make(m_, n_matrix_, p_);
    std::mt19937_64 random(5);
    for (double& value : got.data)
      if (random() % 5 == 0) value = 1000 + static_cast<double>(random() % 1000);
    EXPECT_NE(name(pattern_of(got.array(), expected_, {&m_array_, &n_array_})), mistake.pattern)
        << mistake.what;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Products, testing::Values(8, 32, 100), testing::PrintToStringParamName());

// The product is too large to know all rows: a hypothesis can use only a few rows besides the sampled ones.
TEST(Patterns, NeighboursInALargeProduct) {
  const Matrix m = random_matrix(450, 450, 1), n = random_matrix(450, 450, 2), p = product(m, n);
  for (const Mistake& mistake : mistakes()) {
    if (mistake.pattern != "shifted" && mistake.pattern != "reversed" && mistake.pattern != "row-stride")
      continue;
    const Array got = mistake.make(m, n, p).array();
    EXPECT_EQ(name(product_pattern_of(got, m.array(), n.array())), mistake.pattern) << mistake.what;
  }
}

// A product pattern whose prediction equals the right result must not be claimed for another mistake.
TEST(Patterns, CommutingOperandsAreNotCalledSwapped) {
  const Matrix m = random_matrix(16, 16, 1), one = [] {
    Matrix i(16, 16);
    for (std::size_t k = 0; k < 16; ++k) i(k, k) = 1;
    return i;
  }();
  Matrix got = m;
  for (std::size_t j = 0; j < 16; ++j) got(15, j) += 1;
  const Array m_array = m.array(), one_array = one.array();
  EXPECT_EQ(name(pattern_of(got.array(), m_array, {&m_array, &one_array})), "rows-from");
}

TEST(Patterns, RowsOfAnotherLength) {
  const Matrix p = random_matrix(64, 64, 1, 1000);
  for (const std::size_t stride : {16u, 63u, 65u, 128u}) {
    Matrix got(64, 64, unwritten_value);
    for (std::size_t i = 0; i < 64; ++i)
      for (std::size_t j = 0; j < 64; ++j)
        if (i * stride + j < got.data.size()) got.data[i * stride + j] = p(i, j);
    const auto pattern = pattern_of(got.array(), p.array());
    EXPECT_EQ(name(pattern), "row-stride") << stride;
    ASSERT_TRUE(pattern);
    EXPECT_THAT(pattern->explanation, HasSubstr(std::to_string(stride) + " elements apart"));
  }
}

TEST(Patterns, RowsAtEachOthersPlace) {
  const Matrix p = random_matrix(16, 16, 1, 1000);
  Matrix got = p;
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 16; ++j) got(i ^ 1, j) = p(i, j);
  const auto pattern = pattern_of(got.array(), p.array());
  EXPECT_EQ(name(pattern), "swapped-rows");
  EXPECT_THAT(pattern->explanation, HasSubstr("row 0 holds row 1"));
}

TEST(Patterns, RightValuesAtWrongPlaces) {
  const Matrix p = random_matrix(16, 16, 1, 1000);
  Matrix got = p;
  std::shuffle(got.data.begin(), got.data.end(), std::mt19937_64(7));
  EXPECT_EQ(name(pattern_of(got.array(), p.array())), "permuted");
  got(3, 3) += 0.5;
  EXPECT_EQ(name(pattern_of(got.array(), p.array())), "");
}

TEST(Patterns, ATransposeThatIsNotSquare) {
  const Matrix p = random_matrix(6, 10, 1, 1000), t = transpose(p);
  Matrix got = p;
  got.data = t.data;
  EXPECT_EQ(name(pattern_of(got.array(), p.array())), "transposed");
}

TEST(Patterns, SymmetricDataHideATranspose) {
  Matrix p(8, 8);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j) p(i, j) = static_cast<double>(i + j + 1);
  Matrix got = p;
  got(0, 7) = 100;
  EXPECT_EQ(name(pattern_of(got.array(), p.array())), "");
}

TEST(Patterns, NumbersCutToWholeOnes) {
  Matrix p = random_matrix(8, 8, 1, 1000);
  for (double& value : p.data) value = value / 7 + 0.25;
  Matrix cut = p, rounded = p;
  for (double& value : cut.data) value = std::trunc(value);
  for (double& value : rounded.data) value = std::nearbyint(value);
  EXPECT_EQ(name(pattern_of(cut.array(), p.array())), "truncated-integers");
  EXPECT_EQ(name(pattern_of(rounded.array(), p.array())), "truncated-integers");
}

TEST(Patterns, NumbersOutOfAnIntegersRange) {
  const Matrix p = random_matrix(8, 8, 1, 1000);
  Matrix wrapped = p, clamped = p;
  for (double& value : wrapped.data) value = std::fmod(value, 256);
  for (double& value : clamped.data) value = std::min(value, 255.);
  EXPECT_EQ(name(pattern_of(wrapped.array<std::int32_t>(), p.array<std::int32_t>())), "wrapped-integers");
  EXPECT_EQ(name(pattern_of(clamped.array<std::int32_t>(), p.array<std::int32_t>())), "wrapped-integers");
}

TEST(Patterns, RealDataThatAreNearlyRight) {
  Matrix p = random_matrix(8, 8, 1, 1000);
  for (double& value : p.data) value = value / 7 + 1;
  Matrix near = p, far = p;
  std::mt19937_64 random(9);
  for (double& value : near.data) value *= 1 + 1e-4 * static_cast<double>(random() % 7);
  for (double& value : far.data) value *= 1 + 0.1 * static_cast<double>(1 + random() % 7);
  const Tolerance tolerance = {0, 1e-5, "sums in another order"};
  const auto pattern = pattern_of(near.array(), p.array(), {}, tolerance);
  EXPECT_EQ(name(pattern), "imprecise");
  EXPECT_THAT(pattern->explanation, HasSubstr("sums in another order"));
  EXPECT_EQ(name(pattern_of(far.array(), p.array(), {}, tolerance)), "");
}

TEST(Patterns, UnwrittenMemory) {
  const Matrix p = random_matrix(8, 8, 1, 1000);
  Matrix got = p;
  std::mt19937_64 random(10);
  for (double& value : got.data)
    value = random() % 2 ? 1e20 * static_cast<double>(random() % 100 + 1)
                         : 1e-30 * static_cast<double>(random() % 9 + 1);
  EXPECT_EQ(name(pattern_of(got.array(), p.array())), "garbage");
}

TEST(Patterns, BesideZerosNothingIsAbsurdlySmall) {
  const Matrix zeros(2, 2);
  Matrix got = zeros;
  for (std::size_t i = 0; i < 4; ++i) got.data[i] = 0.1 + 0.01 * static_cast<double>(i);
  EXPECT_NE(name(pattern_of(got.array(), zeros.array())), "garbage");
}

TEST(Patterns, MostAreInfinite) {
  const Matrix p = random_matrix(20, 20, 1, 1000);
  Matrix got = p;
  for (std::size_t i = 0; i < p.data.size(); ++i) got.data[i] = i % 5 == 0 ? p.data[i] + 1 : INFINITY;
  const auto pattern = pattern_of(got.array(), p.array());
  EXPECT_EQ(name(pattern), "infinite");
  EXPECT_THAT(pattern->explanation, HasSubstr("Most wrong elements are infinite"));
}

TEST(Patterns, ScatteredNan) {
  const Matrix p = random_matrix(20, 20, 1, 1000);
  Matrix got = p;
  for (const std::size_t i : {17u, 61u, 99u, 203u, 333u}) got.data[i] = NAN;
  const auto pattern = pattern_of(got.array(), p.array());
  EXPECT_EQ(name(pattern), "nan");
  EXPECT_THAT(pattern->explanation, HasSubstr("The wrong elements are not numbers"));
}

TEST(Patterns, TheMarkOfFreshMemoryInIntegers) {
  const Matrix p = random_matrix(8, 8, 1, 1000);
  const Array got({8, 8}, std::vector<std::uint32_t>(64, 0x7fffdead));
  EXPECT_EQ(name(pattern_of(got, p.array<std::uint32_t>())), "unwritten");
}

/// The pattern of an array of 1000 elements in one dimension, in which the elements with `where` are wrong.
std::optional<Pattern> linear_pattern(std::function<bool(std::size_t)> where, bool as_column = false) {
  std::vector<float> expected(1000);
  std::iota(expected.begin(), expected.end(), 1.f);
  std::vector<float> got = expected;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (where(i)) got[i] = -got[i] - static_cast<float>(i % 7);
  const std::vector<std::size_t> shape =
      as_column ? std::vector<std::size_t>{1000, 1} : std::vector<std::size_t>{1000};
  return pattern_of(Array(shape, got), Array(shape, expected));
}

TEST(Patterns, OneDimension) {
  for (const bool as_column : {false, true}) {
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i >= 960; }, as_column)), "tail");
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i == 999; }, as_column)), "tail");
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i >= 256; }, as_column)), "only-first-block");
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i % 64 == 63; }, as_column)), "block-edges");
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i % 64 == 0; }, as_column)), "block-edges");
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i >= 100 && i < 200; }, as_column)), "box");
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i == 500; }, as_column)), "");
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i < 999; }, as_column)), "")
        << "one of a thousand is right by luck";
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i < 950; }, as_column)), "box");
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i >= 1; }, as_column)), "tail");
    EXPECT_EQ(name(linear_pattern([](std::size_t i) { return i != 0 && i != 413 && i != 777; }, as_column)),
              "")
        << "three of a thousand are right by luck";
  }
  EXPECT_THAT(linear_pattern([](std::size_t i) { return i % 64 == 63; })->explanation,
              HasSubstr("every 64th element (the last of each 64)"));
}

TEST(Patterns, OneDimensionShiftedAndReversed) {
  std::vector<float> expected(100), shifted(100);
  std::mt19937_64 random(1);
  for (float& value : expected) value = static_cast<float>(random() % 1000);
  for (std::size_t i = 0; i + 1 < 100; ++i) shifted[i] = expected[i + 1];
  EXPECT_EQ(name(pattern_of(Array({100}, shifted), Array({100}, expected))), "shifted");
  std::vector<float> reversed(expected.rbegin(), expected.rend());
  EXPECT_EQ(name(pattern_of(Array({100}, reversed), Array({100}, expected))), "reversed");
}

TEST(Patterns, RegionsSayWhatTheirElementsHold) {
  const Matrix p = random_matrix(16, 16, 1, 1000);
  Matrix got = p;
  for (std::size_t i = 12; i < 16; ++i)
    for (std::size_t j = 0; j < 16; ++j) got(i, j) = unwritten_value;
  const auto pattern = pattern_of(got.array(), p.array());
  EXPECT_THAT(pattern->explanation,
              AllOf(HasSubstr("Every row from 12 on"), HasSubstr("They still hold the mark")));
}

/// The pattern of an array that keeps the first `rows` × `columns` elements of the right result, and has other values
/// elsewhere.
std::optional<Pattern> corner_pattern(std::size_t n, std::size_t rows, std::size_t columns,
                                      std::function<double(double)> to) {
  const Matrix p = random_matrix(n, n, 1, 1000);
  Matrix got = p;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (i >= rows || j >= columns) got(i, j) = to(p(i, j));
  return pattern_of(got.array(), p.array());
}

TEST(Patterns, ABlocksShareIsNamedForABlocksShareAlone) {
  const auto unwritten = [](double) { return unwritten_value; };
  for (const auto& [rows, columns] : {std::pair{8, 8}, {16, 16}, {32, 32}, {8, 32}, {16, 8}}) {
    const auto pattern =
        corner_pattern(100, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), unwritten);
    EXPECT_EQ(name(pattern), "only-first-block") << rows << " x " << columns;
    EXPECT_EQ(
        name(corner_pattern(100, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), more)),
        "only-first-block")
        << "blockIdx left out of an index that reads";
  }
  // No block has one thread, a prime number of threads, or more than 1024 threads.
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 16}, {2, 16}, {7, 7}, {3, 5}, {33, 32}, {64, 32}})
    EXPECT_NE(
        name(corner_pattern(100, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), more)),
        "only-first-block")
        << rows << " x " << columns;
  const auto one = corner_pattern(37, 1, 1, more);
  EXPECT_TRUE(!one || one->explanation.find("1 rows") == std::string::npos);
  EXPECT_EQ(name(one), "");
}

TEST(Patterns, AGridThatIsRoundedDownLacksLessThanABlockAndLeavesItsShareBlank) {
  const auto unwritten = [](double) { return unwritten_value; };
  EXPECT_EQ(name(corner_pattern(37, 32, 32, unwritten)), "edges-from");
  EXPECT_EQ(name(corner_pattern(100, 96, 96, unwritten)), "edges-from");
  EXPECT_EQ(name(corner_pattern(100, 96, 96, lost)), "edges-from");
  EXPECT_NE(name(corner_pattern(100, 96, 96, more)), "edges-from") << "threads did write there";
  EXPECT_NE(name(corner_pattern(100, 50, 96, unwritten)), "edges-from") << "many blocks are missing";
}

TEST(Patterns, RegionsThatWereWrittenAreNoFaultOfTheGrid) {
  const auto of_rows = [](double (*to)(double)) {
    const Matrix p = random_matrix(32, 32, 1, 1000);
    Matrix got = p;
    for (std::size_t i = 24; i < 32; ++i)
      for (std::size_t j = 0; j < 32; ++j) got(i, j) = to(p(i, j));
    return pattern_of(got.array(), p.array());
  };
  const auto blank = of_rows(lost), written = of_rows(more);
  EXPECT_EQ(name(blank), "rows-from");
  EXPECT_THAT(blank->explanation, HasSubstr("Are enough blocks launched"));
  EXPECT_EQ(name(written), "rows-from");
  EXPECT_THAT(written->explanation,
              AllOf(testing::Not(HasSubstr("blocks launched")), HasSubstr("Threads wrote there")));
}

TEST(Patterns, TheDiagonalSaysWhichIndexIsExchanged) {
  const Matrix p = random_matrix(24, 24, 1, 1000);
  Matrix by_column = p, by_row = p, almost = p;
  for (std::size_t i = 0; i < 24; ++i)
    for (std::size_t j = 0; j < 24; ++j) {
      by_column(i, j) = p(j, j);
      by_row(i, j) = p(i, i);
      if (i != j || i == 5) almost(i, j) = more(p(i, j));
    }
  EXPECT_THAT(pattern_of(by_column.array(), p.array())->explanation, HasSubstr("the column where the row"));
  EXPECT_THAT(pattern_of(by_row.array(), p.array())->explanation, HasSubstr("the row where the column"));
  EXPECT_NE(name(pattern_of(almost.array(), p.array())), "diagonal-only") << "one of it is wrong";
}

/// The message for a 40 × 40 array that is wrong where `wrong` holds for (row, column).
template <class F>
std::string words_where(const F& wrong) {
  const Matrix p = random_matrix(40, 40, 1, 1000);
  Matrix got = p;
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 40; ++j)
      if (wrong(i, j)) got(i, j) = more(p(i, j));
  const auto pattern = pattern_of(got.array(), p.array());
  return pattern ? pattern->explanation : "";
}

TEST(Patterns, AStatementOnARegionHoldsForAllOfIt) {
  EXPECT_THAT(words_where([](auto i, auto) { return i >= 30; }), HasSubstr("Every row from 30 on is wrong."));
  EXPECT_THAT(words_where([](auto i, auto j) { return i >= 30 && (i + j) % 4 != 0; }),
              HasSubstr("All wrong elements lie in the rows from 30 on."));
  EXPECT_THAT(words_where([](auto, auto j) { return j <= 2; }), HasSubstr("Every column up to 2 is wrong."));
  EXPECT_THAT(words_where([](auto, auto j) { return j == 0; }),
              HasSubstr("All of column 0 is wrong, and nothing else."));
  EXPECT_THAT(words_where([](auto i, auto j) { return j == 0 && i % 4 != 1; }),
              HasSubstr("All wrong elements lie in column 0."));
  EXPECT_THAT(words_where([](auto i, auto j) { return i > j; }),
              HasSubstr("All wrong elements lie below the diagonal."));
  EXPECT_THAT(words_where([](auto i, auto j) { return i > j || (i == 0 && j < 6); }),
              HasSubstr("Nearly all wrong elements lie below the diagonal."));
}

TEST(Patterns, ACheckerboardOfAnOddWidthIsNoEdgeOfBlocks) {
  const Matrix p = random_matrix(7, 7, 1, 1000);
  Matrix got = p;
  for (std::size_t i = 1; i < 49; i += 2) got.data[i] = -1;
  EXPECT_EQ(name(pattern_of(got.array(), p.array())), "checkerboard");
}

TEST(Patterns, OneElementLiesAboveTheDiagonalByChance) {
  const Matrix p = random_matrix(3, 3, 1, 1000);
  Matrix got = p;
  got(0, 1) = more(p(0, 1));
  EXPECT_NE(name(pattern_of(got.array(), p.array())), "upper-triangle");
}

TEST(Patterns, ResultsComputedFromUnfilledSharedMemory) {
  const Matrix p = random_matrix(20, 20, 1, 1000);
  Matrix all = p, some = p, negative = p;
  for (std::size_t i = 1; i < p.data.size(); ++i) {
    all.data[i] = unfilled_shared_value;
    negative.data[i] = -unfilled_shared_value;
    some.data[i] = i % 3 == 0 ? unfilled_shared_value : p.data[i] + 1;
  }
  for (const Matrix& got : {all, some, negative}) {
    const auto pattern = pattern_of(got.array(), p.array());
    EXPECT_EQ(name(pattern), "unfilled-shared");
    EXPECT_THAT(pattern->explanation,
                AllOf(HasSubstr("shared memory"), HasSubstr("__syncthreads()"),
                      testing::Not(HasSubstr("never wrote")), testing::Not(HasSubstr("blocks launched"))));
  }
  EXPECT_THAT(pattern_of(some.array(), p.array())->explanation, HasSubstr("Some of the wrong elements"));
  all.data.assign(all.data.size(), unwritten_value);
  EXPECT_EQ(name(pattern_of(all.array(), p.array())), "unwritten") << "the mark of device memory is another";
}

/// The facts of a run in emulation with this launch.
RunFacts facts(std::size_t grid_x, std::size_t grid_y, std::size_t block, bool shared = false) {
  RunFacts run;
  run.launch = Launch{{grid_x, grid_y, 1}, {block, block, 1}, shared};
  run.marked_memory = true;
  return run;
}

/// The pattern if the launch is known.
std::optional<Pattern> launched_pattern_of(const Matrix& got, const Matrix& expected, const RunFacts& run,
                                           const std::vector<const Array*>& inputs = {}) {
  const Array got_array = got.array(), expected_array = expected.array();
  std::vector<bool> wrong(got_array.size());
  for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] = outside(got_array[i], expected_array[i], {});
  ArrayEvidence evidence(got_array, expected_array, inputs, {}, wrong);
  evidence.run = run;
  return find_pattern(evidence);
}

/// The elements of `p` for which `written` holds, and fresh memory elsewhere.
template <class F>
Matrix only(const Matrix& p, F written) {
  Matrix got(p.rows, p.columns, unwritten_value);
  for (std::size_t i = 0; i < p.rows; ++i)
    for (std::size_t j = 0; j < p.columns; ++j)
      if (written(i, j)) got(i, j) = p(i, j);
  return got;
}

// The same elements are missing in both cases. The launch shows whether the grid or the guard omitted them.
TEST(Patterns, TheLaunchDistinguishesATooSmallGridFromATooStrictGuard) {
  const Matrix p = random_matrix(33, 33, 1, 1000);
  const Matrix corner = only(p, [](auto i, auto j) { return i < 32 && j < 32; });
  const auto small = launched_pattern_of(corner, p, facts(2, 2, 16)),
             strict = launched_pattern_of(corner, p, facts(3, 3, 16));
  EXPECT_EQ(name(small), "edges-from");
  EXPECT_THAT(small->explanation, AllOf(HasSubstr("2 × 2 of 16 × 16"), HasSubstr("rounded up")));
  EXPECT_EQ(name(strict), "edges-from");
  EXPECT_THAT(strict->explanation, AllOf(HasSubstr("The last row and the last column"),
                                         HasSubstr("condition"), testing::Not(HasSubstr("rounded up"))));
  const auto one =
      launched_pattern_of(only(p, [](auto i, auto j) { return i < 16 && j < 16; }), p, facts(1, 1, 16));
  EXPECT_EQ(name(one), "only-first-block");
  EXPECT_THAT(one->explanation, HasSubstr("has one block of 16 × 16"));
  const Matrix rows = only(p, [](auto i, auto) { return i < 18; });
  EXPECT_THAT(launched_pattern_of(rows, p, facts(3, 3, 16))->explanation,
              AllOf(HasSubstr("blockIdx.y * blockDim.y"), testing::Not(HasSubstr("ound the number"))));
  const Matrix cut = only(p, [](auto i, auto) { return i < 32; });
  EXPECT_THAT(launched_pattern_of(cut, p, facts(3, 2, 16))->explanation,
              HasSubstr("Round the number of blocks up"));
  const Matrix half = only(p, [](auto i, auto) { return i < 16; });  // a thread may compute two rows
  EXPECT_THAT(launched_pattern_of(half, p, facts(3, 1, 16))->explanation,
              testing::Not(HasSubstr("ound the number")));
}

TEST(Patterns, WhereOfFourElementsSaysNothing) {
  const Matrix p = random_matrix(2, 2, 1, 1000);
  for (unsigned wrong = 1; wrong < 15; ++wrong) {
    Matrix got = p;
    for (unsigned i = 0; i < 4; ++i)
      if ((wrong >> i & 1U) != 0) got.data[i] = more(got.data[i]);
    EXPECT_EQ(name(launched_pattern_of(got, p, facts(1, 1, 16))), "") << wrong;
    for (unsigned i = 0; i < 4; ++i)
      if ((wrong >> i & 1U) != 0) got.data[i] = 0;
    EXPECT_THAT(name(launched_pattern_of(got, p, facts(1, 1, 16))), AnyOf("", "zeros")) << wrong;
  }
  const Matrix pairs = random_matrix(3, 2, 1, 1000);
  Matrix got = pairs;
  for (std::size_t i = 0; i < 3; ++i) got(i, 0) = more(pairs(i, 0));
  EXPECT_EQ(name(launched_pattern_of(got, pairs, facts(1, 1, 16))), "columns-until") << "three of six do";
}

TEST(Patterns, AnArrayWithoutItsLastBlockNamesTheLaunch) {
  const Matrix p = random_matrix(1, 2051, 1, 1000);
  const auto said = [&](std::size_t first, std::size_t blocks) {
    Matrix got = p;
    for (std::size_t i = first; i < 2051; ++i) got.data[i] = 2 * p.data[i] + 1 + static_cast<double>(i % 3);
    RunFacts run;
    run.launch = Launch{{blocks, 1, 1}, {256, 1, 1}, false};
    const auto pattern = launched_pattern_of(got, p, run);
    return pattern ? pattern->name + ": " + pattern->explanation : "";
  };
  for (const std::size_t first : {2048, 2045})  // neighbours of missing elements may be wrong, too
    EXPECT_THAT(said(first, 8),
                AllOf(HasSubstr("tail"), HasSubstr("8 blocks of 256 threads, 2048 in all, for 2051 elements"),
                      HasSubstr("round the number of blocks up")));
  EXPECT_THAT(said(2048, 9), testing::Not(HasSubstr("round"))) << "there are enough";
  EXPECT_THAT(said(1500, 8), testing::Not(HasSubstr("round"))) << "it begins elsewhere";
  EXPECT_THAT(said(1020, 4), testing::Not(HasSubstr("round"))) << "a thread may have several elements";
}

TEST(Patterns, ElementsThatOnlyTheFirstThreadsOfEachGroupWrote) {
  const Matrix p = random_matrix(40, 40, 1, 1000);
  const auto rows = launched_pattern_of(only(p, [](auto i, auto) { return i % 16 < 6; }), p, facts(7, 7, 6));
  EXPECT_EQ(name(rows), "blank-in-groups");
  EXPECT_THAT(rows->explanation, AllOf(HasSubstr("Of each 16 rows only the first 6"), HasSubstr("blockIdx.y"),
                                       HasSubstr("BLOCK_SIZE")));
  EXPECT_EQ(name(launched_pattern_of(only(p, [](auto, auto j) { return j % 16 < 4; }), p, facts(3, 10, 4))),
            "blank-in-groups");
}

TEST(Patterns, ThreadsBeyondTheRightEdgeStoreIntoTheNextRow) {
  const Matrix p = random_matrix(37, 37, 1, 1000);
  Matrix got = p;
  for (std::size_t i = 0; i < 37; ++i)
    for (std::size_t j = 0; j < 11; ++j) got(i, j) = 0;
  const auto pattern = launched_pattern_of(got, p, facts(3, 3, 16));
  EXPECT_EQ(name(pattern), "beyond-the-edge");
  EXPECT_THAT(pattern->explanation, AllOf(HasSubstr("first 11 columns"), HasSubstr("col < n")));
}

/// In products of 32 × 32, wrong tiles of 8 × 8 were read.
TEST(Patterns, OtherTilesOfAnOperand) {
  const Matrix m = random_matrix(32, 32, 1), n = random_matrix(32, 32, 2), p = product(m, n);
  const Array m_array = m.array(), n_array = n.array();
  const auto explained = [&](auto term) -> std::string {
    const auto pattern =
        launched_pattern_of(product_by(m, n, term), p, facts(4, 4, 8, true), {&m_array, &n_array});
    return pattern ? pattern->name + ": " + pattern->explanation : "";
  };
  using S = std::size_t;
  EXPECT_THAT(explained([&](S i, S k, S j) { return m(i, k / 8 + k % 8) * n(k, j); }),
              AllOf(HasSubstr("operand-tile: Tile t of the first input"), HasSubstr("BLOCK_SIZE")));
  EXPECT_THAT(explained([&](S i, S k, S j) { return m(i, k) * n(k % 8, j); }),
              HasSubstr("first tile of the second input again"));
  EXPECT_THAT(explained([&](S i, S k, S j) { return m(i, j / 8 * 8 + k % 8) * n(k, j); }),
              HasSubstr("blockIdx"));
  EXPECT_THAT(explained([&](S i, S k, S j) { return m(i, k < 8 ? k : k - 8) * n(k, j); }),
              HasSubstr("fetched ahead"));
  EXPECT_THAT(explained([&](S i, S k, S j) { return m(i, k) * n(k / 8 * 8 + j % 8, j); }),
              AllOf(HasSubstr("the row comes from threadIdx.x"), HasSubstr("second input")));
  EXPECT_THAT(explained([&](S i, S k, S j) { return m(i, k) * n(k / 8 * 8 + j % 8, j / 8 * 8 + k % 8); }),
              HasSubstr("Within each tile of 8 × 8 of the second input"));
  EXPECT_THAT(explained([&](S i, S k, S j) { return k % 8 == 7 ? 0 : m(i, k) * n(k, j); }),
              HasSubstr("Of each 8 terms of the sum, a tile's, the last is missing"));
  EXPECT_THAT(explained([&](S i, S k, S j) { return k % 8 % 4 == 0 ? m(i, k) * n(k, j) : 0; }),
              HasSubstr("only every 4th was added"));
  EXPECT_THAT(explained([&](S i, S k, S j) { return k < 8 ? 0 : m(i, k) * n(k, j); }),
              AllOf(HasSubstr("first 8 of the 32 terms"), HasSubstr("tile 0")));
  EXPECT_THAT(explained([&](S i, S k, S j) { return k < 24 ? 0 : m(i, k) * n(k, j); }),
              AllOf(HasSubstr("Only the last 8"), HasSubstr("=")));
}

TEST(Patterns, TheLastElementsReplaceZerosBeyondTheEdge) {
  const Matrix m = random_matrix(13, 13, 1), n = random_matrix(13, 13, 2), p = product(m, n);
  const Matrix got = sum_of_terms(m, n, [](std::size_t k) { return k == 12 ? 4 : 1; });
  const Array m_array = m.array(), n_array = n.array();
  const auto pattern = launched_pattern_of(got, p, facts(2, 2, 8, true), {&m_array, &n_array});
  EXPECT_EQ(name(pattern), "off-by-one-term");
  EXPECT_THAT(pattern->explanation, AllOf(HasSubstr("counted 4 times"), HasSubstr("must hold zeros")));
}

TEST(Patterns, ASumThatIsKeptInAnInt) {
  Matrix m = random_matrix(16, 16, 1), n = random_matrix(16, 16, 2);
  for (double& value : m.data) value /= 2;
  for (double& value : n.data) value /= 2;
  const Matrix p = product(m, n);
  Matrix got(16, 16);
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 16; ++j)
      for (std::size_t k = 0; k < 16; ++k) got(i, j) = std::trunc(got(i, j) + m(i, k) * n(k, j));
  const Array m_array = m.array(), n_array = n.array();
  const auto pattern = launched_pattern_of(got, p, facts(1, 1, 16), {&m_array, &n_array});
  EXPECT_EQ(name(pattern), "truncated-integers");
  EXPECT_THAT(pattern->explanation, HasSubstr("int"));
}

TEST(Patterns, MarksOfEmulationExcludeCauses) {
  const Matrix p = random_matrix(16, 16, 1, 1000);
  EXPECT_THAT(launched_pattern_of(Matrix(16, 16, NAN), p, facts(1, 1, 16))->explanation,
              AllOf(HasSubstr("0 / 0"), testing::Not(HasSubstr("shared"))));
  EXPECT_THAT(launched_pattern_of(Matrix(16, 16, 0), p, facts(1, 1, 16))->explanation,
              AllOf(HasSubstr("Zeros were stored"), testing::Not(HasSubstr("never stored"))));
}

// On a GPU, NaN may have been in memory before the run. Advice that the profile disproves is omitted.
TEST(Patterns, NanSuggestsNothingThatTheProfileDisproves) {
  const Matrix p = random_matrix(16, 16, 1, 1000);
  RunFacts run = facts(1, 1, 16);
  run.marked_memory = false;
  const auto said = [&] { return launched_pattern_of(Matrix(16, 16, NAN), p, run)->explanation; };
  run.launch->shared = true;
  EXPECT_THAT(said(), AllOf(HasSubstr("was each input copied"), HasSubstr("every shared element")));
  run.launch->shared = false;
  EXPECT_THAT(said(), AllOf(HasSubstr("was each input copied"), testing::Not(HasSubstr("shared"))));
  run.inputs_copied = [] { return true; };
  EXPECT_THAT(said(), AllOf(HasSubstr("infinity minus infinity"), testing::Not(HasSubstr("copied"))));
}

TEST(Patterns, TinyArraysAreSafe) {
  const std::vector<std::size_t> none = {0, 4}, single;
  EXPECT_EQ(name(pattern_of(Array(none, std::vector<float>{}), Array(none, std::vector<float>{}))), "");
  EXPECT_EQ(name(pattern_of(Array(single, std::vector<float>{1}), Array(single, std::vector<float>{2}))), "");
  EXPECT_EQ(name(pattern_of(Array({2}, std::vector<float>{NAN, 1}), Array({2}, std::vector<float>{2, 1}))),
            "nan");
}

Profile profile_with(std::uint64_t in, std::uint64_t out, bool kernel = true) {
  Profile profile;
  profile.source = "emulation";
  Activity activity;
  if (kernel) profile.activities.push_back(activity);
  activity.kind = Activity::Kind::h2d;
  activity.bytes = in;
  if (in > 0) profile.activities.push_back(activity);
  activity.kind = Activity::Kind::d2h;
  activity.bytes = out;
  if (out > 0) profile.activities.push_back(activity);
  return profile;
}

/// The pattern if the sum of `terms` is `got`.
std::optional<Pattern> sum_pattern_of(const Matrix& terms, double got) {
  const double sum = std::accumulate(terms.data.begin(), terms.data.end(), 0.0);
  const Array input({terms.data.size()}, std::vector<float>(terms.data.begin(), terms.data.end()));
  return pattern_of({{1}, std::vector<float>{static_cast<float>(got)}},
                    {{1}, std::vector<float>{static_cast<float>(sum)}}, {&input});
}

TEST(Patterns, ASumOfOtherTerms) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    Matrix terms = random_matrix(1, 1000, seed, 999);
    terms.data.front() += 1;  // zeros would hide missing terms
    terms.data.back() += 2;
    const auto sum_if = [&](auto counts) {
      double sum = 0;
      for (std::size_t i = 0; i < terms.data.size(); ++i) sum += counts(i) ? terms.data[i] : 0;
      return sum;
    };
    const double sum = sum_if([](std::size_t) { return true; });
    EXPECT_EQ(name(sum_pattern_of(terms, terms.data.front())), "copied-input");
    EXPECT_EQ(name(sum_pattern_of(terms, terms.data.back())), "last-term-only");
    EXPECT_EQ(name(sum_pattern_of(terms, 2 * sum)), "scaled");
    EXPECT_EQ(name(sum_pattern_of(terms, sum - terms.data.front())), "off-by-one-term");
    EXPECT_EQ(name(sum_pattern_of(terms, sum + terms.data.back())), "off-by-one-term");
    EXPECT_EQ(name(sum_pattern_of(terms, 0)), "zeros");
    EXPECT_EQ(name(sum_pattern_of(terms, unwritten_value)), "unwritten");
    EXPECT_EQ(name(sum_pattern_of(terms, sum + 0.5)), "");  // not a sum of whole numbers
    const auto first = sum_pattern_of(terms, sum_if([](std::size_t i) { return i < 768; }));
    EXPECT_EQ(name(first), "partial-sum");
    EXPECT_THAT(first->explanation, HasSubstr("the last 232 are missing"));
    const auto last = sum_pattern_of(terms, sum_if([](std::size_t i) { return i >= 256; }));
    EXPECT_EQ(name(last), "partial-sum");
    EXPECT_THAT(last->explanation, HasSubstr("the first 256 are missing"));
    const auto level = sum_pattern_of(terms, sum_if([](std::size_t i) { return (i & 4) == 0; }));
    EXPECT_EQ(name(level), "partial-sum");
    EXPECT_THAT(level->explanation, HasSubstr("at the distance 4"));
  }
}

/// The message for the sum `got` of terms that one block of 512 threads adds.
std::string block_sum_words(const Matrix& terms, double got) {
  const double sum = std::accumulate(terms.data.begin(), terms.data.end(), 0.0);
  const Array input({terms.data.size()}, std::vector<float>(terms.data.begin(), terms.data.end()));
  const Array got_array({1}, std::vector<float>{static_cast<float>(got)}),
      expected({1}, std::vector<float>{static_cast<float>(sum)});
  ArrayEvidence evidence(got_array, expected, {&input}, {}, {true});
  evidence.run.launch = Launch{{1, 1, 1}, {512, 1, 1}, true};
  const auto pattern = find_pattern(evidence);
  return pattern ? pattern->explanation : "";
}

/// In one draw in four hundred, a sum of the first or last numbers equals a level's sum by chance.
TEST(Patterns, ALevelThatIsMissingIsNamedWhateverTheNumbersAre) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const Matrix terms = random_matrix(1, 512, seed, 999);
    double even = 0;
    for (std::size_t i = 0; i < terms.data.size(); i += 2) even += terms.data[i];
    ASSERT_THAT(block_sum_words(terms, even), HasSubstr("at the distance 1 did not take place")) << seed;
  }
}

TEST(Patterns, TreesThatAddOtherNumbers) {
  const Matrix terms = random_matrix(1, 512, 3, 999);
  const std::vector<double>& x = terms.data;
  const double sum = std::accumulate(x.begin(), x.end(), 0.0);
  const auto sum_if = [&](auto counts) {
    double some = 0;
    for (std::size_t i = 0; i < x.size(); ++i) some += counts(i) ? x[i] : 0;
    return some;
  };
  EXPECT_THAT(block_sum_words(terms, x[0] + 9 * x[1]), HasSubstr("next to it"));
  EXPECT_THAT(block_sum_words(terms, sum_if([](std::size_t i) { return (i & 0b1010101010) == 0; })),
              HasSubstr("Every second level"));
  EXPECT_THAT(block_sum_words(terms, sum_if([](std::size_t i) { return i % 2 == 0; })),
              HasSubstr("at the distance 1 did not take place"));
  EXPECT_THAT(block_sum_words(terms, sum_if([](std::size_t i) { return i % 2 == 0 && i / 32 % 2 == 0; })),
              HasSubstr("within each warp"));
  EXPECT_THAT(block_sum_words(terms, sum_if([](std::size_t i) { return i < 32; })), HasSubstr("other warps"));
  EXPECT_THAT(block_sum_words(terms, x[1]), HasSubstr("index 1"));
  EXPECT_THAT(block_sum_words(terms, sum + 1), HasSubstr("1 more"));
  EXPECT_THAT(block_sum_words(random_matrix(1, 100, 3, 999), 0.0), HasSubstr("zero"));
  Matrix few = random_matrix(1, 300, 4, 999);
  few.data.back() = 501;
  const double few_sum = std::accumulate(few.data.begin(), few.data.end(), 0.0);
  EXPECT_THAT(block_sum_words(few, few_sum + 212 * 501), HasSubstr("added 213 times"));
  const Matrix many = random_matrix(1, 600, 5, 999);
  const double first = std::accumulate(many.data.begin(), many.data.begin() + 256, 0.0);
  EXPECT_THAT(block_sum_words(many, 3 * first), HasSubstr("blockIdx"));
}

TEST(Patterns, ZerosDoNotHideWhereASumEnded) {
  Matrix terms = random_matrix(1, 1000, 4, 999);
  for (double& term : terms.data) term += 1;
  const auto words_of_first = [&](std::size_t k) {
    return block_sum_words(terms, std::accumulate(terms.data.begin(), terms.data.begin() + k, 0.0));
  };
  std::fill(terms.data.begin() + 254, terms.data.begin() + 258, 0.0);
  EXPECT_THAT(words_of_first(256), HasSubstr("the first 256 of the 1000")) << "whole warps";
  std::fill(terms.data.begin() + 470, terms.data.begin() + 520, 0.0);
  EXPECT_THAT(words_of_first(512), HasSubstr("the first 512 of the 1000")) << "the launch's threads, not 480";
  std::fill(terms.data.begin() + 700, terms.data.begin() + 702, 0.0);
  EXPECT_THAT(words_of_first(702), HasSubstr("the first 700 of the 1000"));
}

TEST(Patterns, AmongSmallTermsOnlyWholeWarpsAreLookedFor) {
  const Matrix terms =
      random_matrix(1, 100000, 5, 2);  // each whole number below the sum is the sum of some leading terms
  const auto sum_of_first = [&](std::size_t k) {
    return std::accumulate(terms.data.begin(), terms.data.begin() + static_cast<std::ptrdiff_t>(k), 0.0);
  };
  EXPECT_EQ(name(sum_pattern_of(terms, sum_of_first(256 * 390))), "partial-sum");
  double k = 50001;
  while (terms.data[static_cast<std::size_t>(k) - 1] == 0) ++k;
  EXPECT_EQ(name(sum_pattern_of(terms, sum_of_first(static_cast<std::size_t>(k)))), "");
}

TEST(Patterns, TheProfileShowsWhatWasNotCopied) {
  EXPECT_EQ(name(profile_pattern(profile_with(512, 256), 512, 256)), "");
  EXPECT_EQ(name(profile_pattern(profile_with(256, 256), 512, 256)), "input-not-copied");
  EXPECT_EQ(name(profile_pattern(profile_with(0, 256), 512, 256)), "input-not-copied");
  EXPECT_EQ(name(profile_pattern(profile_with(512, 0), 512, 256)), "output-not-copied");
  EXPECT_EQ(name(profile_pattern(profile_with(512, 64), 512, 256)), "output-not-copied");
  EXPECT_EQ(name(profile_pattern(profile_with(0, 0, false), 512, 256)), "no-kernel");
}

TEST(Patterns, NamesAreUniqueAndCoverTheMistakes) {
  std::set<std::string> names;
  for (const PatternName& known : pattern_names()) EXPECT_TRUE(names.insert(known.name).second) << known.name;
  for (const Mistake& mistake : mistakes()) EXPECT_EQ(names.count(mistake.pattern), 1u) << mistake.pattern;
}

}  // namespace
}  // namespace grader
