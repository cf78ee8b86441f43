#include "verify/product.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

namespace grader {
namespace {

using Vector = std::vector<double>;

constexpr double exact_limit = 9007199254740992.0;  // 2^53: whole numbers below it are exact in double
constexpr double most_values = 1 << 20;             // entries of r are drawn from [-this, this]

/// Calls body(begin, end) for parts of [0, count), on two threads if the work is large enough.
template <class Body>
void in_parallel(std::size_t count, std::size_t work_each, const Body& body) {
  if (count < 2 || count * work_each < (1u << 20) || std::thread::hardware_concurrency() < 2)
    return body(0, count);
  std::thread other([&] { body(count / 2, count); });
  body(0, count / 2);
  other.join();
}

double dot(const double* a, const double* b, std::size_t count) {
  double lanes[8] = {};  // independent sums, so that the compiler may use vector registers
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
  double sum = 0;
  for (; i < count; ++i) sum += a[i] * b[i];
  for (const double lane : lanes) sum += lane;
  return sum;
}

/// a · x for each x of xs, in one pass over a. Rows marked in `skipped` give 0.
std::vector<Vector> multiply(const Array& a, const std::vector<Vector>& xs,
                             const std::vector<char>& skipped = {}) {
  std::vector<Vector> results(xs.size(), Vector(a.rows()));
  in_parallel(a.rows(), a.columns(), [&](std::size_t begin, std::size_t end) {
    Vector row(a.columns());
    for (std::size_t i = begin; i < end; ++i) {
      if (!skipped.empty() && skipped[i]) continue;
      a.copy_row(i, row.data());
      for (std::size_t x = 0; x < xs.size(); ++x) results[x][i] = dot(row.data(), xs[x].data(), row.size());
    }
  });
  return results;
}

/// x · a. Rows marked in `skipped` count as 0.
Vector multiply_left(const Vector& x, const Array& a, const std::vector<char>& skipped = {}) {
  Vector result(a.columns()), row(a.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    if (!skipped.empty() && skipped[i]) continue;
    a.copy_row(i, row.data());
    for (std::size_t j = 0; j < row.size(); ++j) result[j] += x[i] * row[j];
  }
  return result;
}

/// Sums over one row, computed in one pass. Eight independent sums let the compiler use vector registers.
struct RowFacts {
  double largest = 0, sum = 0;  ///< of |element|
  bool finite = true;
  bool whole = true;  ///< multiples of the unit
};

/// @param unit a power of two
RowFacts facts_of(const double* row, std::size_t count, double unit) {
  const double rounder = 6755399441055744.0 * unit;  // 1.5 · 2^52: adding it rounds to a multiple of the unit
  double largest[8] = {}, sum[8] = {}, fraction[8] = {}, zero[8] = {};
  for (std::size_t i = 0; i < count; i += 8) {
    const std::size_t lanes = std::min<std::size_t>(8, count - i);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double value = row[i + lane], size = std::fabs(value);
      largest[lane] = size > largest[lane] ? size : largest[lane];
      sum[lane] += size;
      fraction[lane] += std::fabs((value + rounder) - rounder - value);
      zero[lane] += 0 * value;  // NaN if the value isn't finite
    }
  }
  RowFacts facts;
  for (int lane = 0; lane < 8; ++lane) {
    facts.largest = std::max(facts.largest, largest[lane]);
    facts.sum += sum[lane];
    facts.finite &= zero[lane] == 0;
    facts.whole &= fraction[lane] == 0;
  }
  return facts;
}

/// Whole numbers up to this are exact in the array's type (and in double).
double exact_below(const Array& array) {
  const std::string dtype = array.dtype();
  return dtype == "<f4" ? 0x1p24 : dtype == "<f2" ? 0x1p11 : exact_limit;
}

/// A uniform number in [0, limit). The standard library's distributions differ between implementations.
std::uint64_t below(std::uint64_t limit, std::mt19937_64& random) {
  const std::uint64_t fair = UINT64_MAX - UINT64_MAX % limit;
  for (;;) {
    const std::uint64_t value = random();
    if (value < fair) return value % limit;
  }
}

}  // namespace

std::vector<std::vector<double>> product_rows(Factor a, Factor b, const std::vector<std::size_t>& rows) {
  std::vector<Vector> factors(rows.size(), Vector(a.columns()));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t k = 0; k < a.columns(); ++k) factors[r][k] = a.at(rows[r], k);
  if (b.transposed) {  // (a · bᵀ)[row] = b · a[row]: multiply() computes it without a stride
    return multiply(b.array, factors);
  }
  std::vector<Vector> results(rows.size(), Vector(b.columns()));
  in_parallel(rows.size(), a.columns() * b.columns(), [&](std::size_t begin, std::size_t end) {
    Vector row(b.columns());
    for (std::size_t k = 0; k < b.rows(); ++k) {
      b.array.copy_row(k, row.data());
      for (std::size_t r = begin; r < end; ++r) {
        const double factor = factors[r][k];
        for (std::size_t j = 0; j < row.size(); ++j) results[r][j] += factor * row[j];
      }
    }
  });
  return results;
}

Magnitude magnitude(const Array& array) {
  Magnitude result;
  Vector row(array.columns());
  for (const double unit : {1.0, 0x1p-2, 0x1p-4, 0x1p-8, 0x1p-12}) {
    bool whole = true;
    for (std::size_t i = 0; i < array.rows() && whole; ++i) {
      array.copy_row(i, row.data());
      whole = facts_of(row.data(), row.size(), unit).whole;
    }
    if (!whole) continue;
    result.unit = unit;
    break;
  }
  for (std::size_t i = 0; i < array.rows(); ++i) {
    array.copy_row(i, row.data());
    const RowFacts facts = facts_of(row.data(), row.size(), 1);
    result.largest = std::max(result.largest, facts.largest);
    result.finite &= facts.finite;
  }
  return result;
}

Freivalds::Freivalds(const Array& p, const Array& m, const Array& n, const Tolerance& tolerance,
                     std::uint64_t seed)
    : p_(p), m_(m), n_(n), tolerance_(tolerance), random_(seed), impossible_(p.rows()), row_mean_(p.rows()) {
  const Magnitude a = magnitude(m), b = magnitude(n);
  const double unit = a.unit * b.unit;
  const double longest = static_cast<double>(std::max({m.rows(), n.columns(), std::size_t{1}}));
  const double largest_element = static_cast<double>(m.columns()) * a.largest * b.largest;
  const double largest_sum = largest_element * longest;  // is multiplied by the largest random entry below
  exact_ = unit > 0 && tolerance.abs == 0 && tolerance.rel == 0 && largest_sum < exact_limit / 2 * unit &&
           largest_element <= exact_below(p) * unit;
  if (exact_)
    largest_entry_ = static_cast<std::int64_t>(
        std::min(most_values, exact_limit / 2 * unit / std::max(largest_sum, unit)));

  in_parallel(p.rows(), p.columns(), [&](std::size_t begin, std::size_t end) {
    Vector row(p.columns());
    for (std::size_t i = begin; i < end; ++i) {
      p.copy_row(i, row.data());
      const RowFacts facts = facts_of(row.data(), row.size(), exact_ ? unit : 1);
      impossible_[i] = !facts.finite || (exact_ && (facts.largest > largest_element || !facts.whole));
      row_mean_[i] = facts.finite ? facts.sum / static_cast<double>(row.size()) : 0;
    }
  });
}

std::vector<double> Freivalds::draw(std::size_t count) {
  Vector r(count);
  for (double& value : r) {
    if (exact_) {
      const auto span = static_cast<std::uint64_t>(2 * largest_entry_ + 1);
      value = static_cast<double>(static_cast<std::int64_t>(below(span, random_)) - largest_entry_);
    } else {
      const double size = 0.5 + 0.5 * static_cast<double>(below(1 << 20, random_)) / (1 << 20);
      value = random_() & 1 ? size : -size;
    }
  }
  return r;
}

SuspectRows Freivalds::suspect_rows(int rounds) {
  std::vector<Vector> r;
  for (int round = 0; round < rounds; ++round) r.push_back(draw(n_.columns()));
  const std::vector<Vector> got = multiply(p_, r, impossible_), expected = multiply(m_, multiply(n_, r));

  SuspectRows rows;
  rows.exact = exact_;
  Vector excess(p_.rows());  // the residual relative to the allowed residual
  for (std::size_t i = 0; i < p_.rows(); ++i) {
    double residual = impossible_[i] ? INFINITY : 0;
    for (int round = 0; round < rounds; ++round)
      residual = std::max(residual, std::fabs(got[round][i] - expected[round][i]));
    const double allowed = exact_ ? 0 : 0.25 * (tolerance_.abs + tolerance_.rel * row_mean_[i]);
    excess[i] = residual == 0 ? 0 : residual / allowed;
    if (residual > allowed) rows.suspects.push_back(i);
    // The permitted errors of a row's elements add up to at most 4 · columns, in units of `allowed`.
    if (excess[i] > 4.0 * static_cast<double>(n_.columns())) rows.certain.push_back(i);
  }
  if (!exact_)
    std::stable_sort(rows.suspects.begin(), rows.suspects.end(),
                     [&](auto a, auto b) { return excess[a] > excess[b]; });
  return rows;
}

std::vector<std::size_t> Freivalds::wrong_columns() {
  Vector l = draw(m_.rows());
  // Rows with NaN or infinity are compared separately, and left out of both sums.
  std::vector<char> wrong(p_.columns());
  std::vector<std::size_t> strange;
  for (std::size_t i = 0; i < p_.rows(); ++i) {
    if (!impossible_[i]) continue;
    l[i] = 0;
    if (strange.size() < 8) strange.push_back(i);
  }
  const auto right = product_rows({m_}, {n_}, strange);
  for (std::size_t s = 0; s < strange.size(); ++s)
    for (std::size_t j = 0; j < p_.columns(); ++j)
      wrong[j] |= outside(p_.at(strange[s], j), p_.rounded(right[s][j]), tolerance_);

  const Vector got = multiply_left(l, p_, impossible_), expected = multiply_left(multiply_left(l, m_), n_);
  const double mean =
      std::accumulate(row_mean_.begin(), row_mean_.end(), 0.0) / static_cast<double>(p_.rows());
  const double allowed = exact_ ? 0 : tolerance_.abs + tolerance_.rel * mean;
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < p_.columns(); ++j)
    if (wrong[j] || std::fabs(got[j] - expected[j]) > allowed) columns.push_back(j);
  return columns;
}

}  // namespace grader
