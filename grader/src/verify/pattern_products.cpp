// Hypotheses on matrix products: other operands, operands read the wrong way, sums that lack terms.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "verify/hypotheses.hpp"
#include "verify/product.hpp"

namespace grader::hypotheses {
namespace {

using Result = std::optional<Pattern>;

/// Rows to test on: of wrong elements, at most four, evenly spread.
std::vector<std::size_t> test_rows(const Evidence& e) {
  std::set<std::size_t> all;
  for (const Position p : e.wrong) all.insert(p.row);
  const std::vector<std::size_t> rows(all.begin(), all.end());
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, rows.size()); ++i)
    chosen.push_back(rows[i * rows.size() / 4]);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// Whether (nearly) all elements of these rows are those of a · b.
bool rows_are(const Evidence& e, Factor a, Factor b, const std::vector<std::size_t>& rows) {
  const auto values = product_rows(a, b, rows);
  std::size_t agree = 0, varied = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t j = 0; j < e.columns; ++j) {
      agree += e.near(e.got.at(rows[r], j), values[r][j]);
      varied += e.got.at(rows[r], j) != e.got.at(rows[0], 0);
    }
  }
  return varied > 0 && static_cast<double>(agree) >= 0.97 * static_cast<double>(rows.size() * e.columns);
}

/// The output is another product of the operands. Tested on one row first: most hypotheses end there.
bool is_other_product(const Evidence& e, Factor a, Factor b) {
  if (a.rows() != e.rows || b.columns() != e.columns || a.columns() != b.rows()) return false;
  const std::vector<std::size_t> rows = test_rows(e);
  if (rows.size() * e.columns < 4) return false;
  return rows_are(e, a, b, {rows[rows.size() / 2]}) && rows_are(e, a, b, rows);
}

Result other_operands(const Evidence& e) {
  const Factor m{*e.inputs[0]}, n{*e.inputs[1]}, mt{*e.inputs[0], true}, nt{*e.inputs[1], true};
  struct Other {
    Factor a, b;
    const char* name;
    const char* explanation;
  };
  const Other others[] = {
      {nt, mt, "transposed",
       "The output is the transpose of the right result: rows and columns are exchanged. Does x give the "
       "column and y the row, in "
       "the indices and in the store?"},
      {n, m, "swapped-inputs",
       "The output is the product of the inputs in the other order. Are the arguments of the kernel, or the "
       "copies to the device, "
       "swapped? A matrix product does not commute."},
      {m, m, "same-operand-twice",
       "The output is the first input multiplied by itself. Is the first input read, copied or passed in "
       "place of the second?"},
      {n, n, "same-operand-twice",
       "The output is the second input multiplied by itself. Is the second input read, copied or passed in "
       "place of the first?"},
      {mt, n, "operand-transposed",
       "The first input was read with row and column exchanged: element (row, k) lies at row * width + k."},
      {m, nt, "operand-transposed",
       "The second input was read with row and column exchanged: element (k, column) lies at k * width + "
       "column."},
      {mt, nt, "operand-transposed",
       "Both inputs were read with row and column exchanged: element (row, column) lies at row * width + "
       "column."},
      {nt, m, "operand-transposed",
       "The inputs are swapped, and one was read with row and column exchanged: element (row, column) lies "
       "at row * width + column."},
  };
  for (const Other& other : others)
    if (is_other_product(e, other.a, other.b)) return Pattern{other.name, other.explanation};
  return std::nullopt;
}

/// The first `columns` elements of row `row` of m · n where one of them is read as if its rows were `stride`
/// elements long. What lies behind the end of an array is unknown: then NaN.
std::vector<double> strided_row(const Array& m, std::size_t m_stride, const Array& n, std::size_t n_stride,
                                std::size_t row, std::size_t columns) {
  std::vector<double> sums(columns);
  for (std::size_t k = 0; k < m.columns(); ++k) {
    const std::size_t m_at = row * m_stride + k, n_begin = k * n_stride;
    const double factor = m_at < m.size() ? m[m_at] : NAN;
    for (std::size_t j = 0; j < columns; ++j)
      sums[j] += n_begin + j < n.size() ? factor * n[n_begin + j] : NAN;
  }
  return sums;
}

/// An operand was read with a wrong row length.
Result operand_stride(const Evidence& e) {
  const Array &m = *e.inputs[0], &n = *e.inputs[1];
  const std::vector<std::size_t> rows = test_rows(e);
  const auto fits = [&](std::size_t m_stride, std::size_t n_stride, std::size_t row, std::size_t columns) {
    const std::vector<double> sums = strided_row(m, m_stride, n, n_stride, row, columns);
    std::size_t known = 0, agree = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      known += !std::isnan(sums[j]);
      agree += e.near(e.got.at(row, j), sums[j]);
    }
    return known >= 4 && 2 * known >= columns && 100 * agree >= 97 * known;
  };
  // Rows in the middle, where wrong lengths have moved far. A few columns tell most hypotheses off.
  const auto all_fit = [&](std::size_t m_stride, std::size_t n_stride) {
    return rows.size() > 1 &&
           fits(m_stride, n_stride, rows[rows.size() / 2], std::min<std::size_t>(e.columns, 16)) &&
           fits(m_stride, n_stride, rows[rows.size() / 2], e.columns) &&
           fits(m_stride, n_stride, rows[1], e.columns);
  };
  const auto seen = [](const char* which, std::size_t stride, std::size_t length) {
    return Pattern{
        "operand-stride",
        fmt::format(
            "The {} input was read as if its rows were {} elements long, but they have {}: is the row "
            "multiplied by the width of the matrix, and not by that of a block?",
            which, stride, length)};
  };
  for (const std::ptrdiff_t off : {-1, 1}) {
    const std::size_t m_stride = m.columns() + static_cast<std::size_t>(off),
                      n_stride = n.columns() + static_cast<std::size_t>(off);
    if (all_fit(m_stride, n.columns())) return seen("first", m_stride, m.columns());
    if (all_fit(m.columns(), n_stride)) return seen("second", n_stride, n.columns());
  }
  for (const std::size_t block : {8u, 16u, 32u}) {
    if (block < m.columns() && all_fit(block, n.columns())) return seen("first", block, m.columns());
    if (block < n.columns() && all_fit(m.columns(), block)) return seen("second", block, n.columns());
  }
  return std::nullopt;
}

Result elementwise(const Evidence& e) {
  const Array &m = *e.inputs[0], &n = *e.inputs[1];
  if (m.shape() != n.shape() || m.shape() != e.got.shape()) return std::nullopt;
  const bool product = predicts(e, [&](Position p) { return m.at(p.row, p.column) * n.at(p.row, p.column); });
  if (!product && !predicts(e, [&](Position p) { return m.at(p.row, p.column) + n.at(p.row, p.column); }))
    return std::nullopt;
  return Pattern{
      "elementwise",
      fmt::format("Each element is the {} of the two input elements at its place. An element of a matrix "
                  "product is a sum over a row of the first and a column of the second input.",
                  product ? "product" : "sum")};
}

/// How many of the tested elements are sums over only some of the terms 0 … K-1.
class PartialSums {
 public:
  explicit PartialSums(const Evidence& e)
      : e_(e), terms_(e.inputs[0]->columns()), until_(terms_ + 1), from_(terms_ + 1) {
    // Right elements count too: they are right because the terms that they lack are zero.
    for (const Position p : spread(e.wrong, 64)) test(p);
    for (const Position p : spread(e.right, 32)) test(p);
  }

  Result pattern() const {
    if (tested_ < 4) return std::nullopt;
    if (enough(even_) || enough(odd_))
      return Pattern{"partial-sum",
                     "Only every other term of the sum was added: does the loop over k step by 1?"};
    if (enough(first_twice_)) return twice("first");
    if (enough(last_twice_)) return twice("last");
    for (std::size_t k = 1; k < terms_; ++k)
      if (enough(from_[k])) return without_begin(k);
    for (std::size_t k = terms_ - 1; k > 0; --k)
      if (enough(until_[k])) return without_end(k);
    return std::nullopt;
  }

 private:
  static std::vector<Position> spread(const std::vector<Position>& all, std::size_t limit) {
    std::vector<Position> some;
    const std::size_t step = std::max<std::size_t>(1, (all.size() + limit - 1) / limit);
    for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
    return some;
  }

  void test(Position p) {
    ++tested_;
    const double got = e_.got_at(p);
    std::vector<double> prefix(terms_ + 1);
    double even = 0, odd = 0;
    for (std::size_t k = 0; k < terms_; ++k) {
      const double term = e_.inputs[0]->at(p.row, k) * e_.inputs[1]->at(k, p.column);
      prefix[k + 1] = prefix[k] + term;
      (k % 2 == 0 ? even : odd) += term;
    }
    const double all = prefix[terms_];
    for (std::size_t k = 1; k < terms_; ++k) {
      until_[k] += e_.near(got, prefix[k]);
      from_[k] += e_.near(got, all - prefix[k]);
    }
    even_ += e_.near(got, even);
    odd_ += e_.near(got, odd);
    first_twice_ += e_.near(got, all + prefix[1]);
    last_twice_ += e_.near(got, all + (all - prefix[terms_ - 1]));
  }

  bool enough(std::size_t agree) const {
    return static_cast<double>(agree) >= 0.97 * static_cast<double>(tested_);
  }

  static Pattern twice(const char* which) {
    return {
        "off-by-one-term",
        fmt::format("The {} term of each sum was added twice: does the sum begin at 0, and the loop at the "
                    "next term?",
                    which)};
  }
  Pattern without_begin(std::size_t k) const {
    if (k == 1)
      return {"off-by-one-term", "The first term of each sum is missing: does the loop over k begin at 0?"};
    if (k + 1 == terms_)
      return {"last-term-only",
              "Each element is only the last term of its sum: is the sum assigned with = instead of += ?"};
    return {"partial-sum",
            fmt::format(
                "The first {} of the {} terms of each sum are missing: is the sum cleared inside the loop "
                "over the tiles, or assigned with = instead of += ?",
                k, terms_)};
  }
  Pattern without_end(std::size_t k) const {
    if (k + 1 == terms_)
      return {"off-by-one-term",
              "The last term of each sum is missing: does the loop over k run to k < width?"};
    return {"partial-sum",
            fmt::format(
                "Each sum ends after {} of {} terms: does the loop run over all terms, and over all tiles?",
                k, terms_)};
  }

  const Evidence& e_;
  std::size_t terms_, tested_ = 0;
  std::vector<std::size_t> until_;  ///< [k]: elements that are the sum of the terms before k
  std::vector<std::size_t> from_;   ///< [k]: … of the terms from k on
  std::size_t even_ = 0, odd_ = 0, first_twice_ = 0, last_twice_ = 0;
};

}  // namespace

std::optional<Pattern> other_product(const Evidence& evidence) {
  if (!evidence.is_product()) return std::nullopt;
  if (auto pattern = other_operands(evidence)) return pattern;
  if (auto pattern = elementwise(evidence)) return pattern;
  // A term that is missing everywhere shows at more places.
  if (evidence.wrong_share < 0.1) return std::nullopt;
  if (auto pattern = PartialSums(evidence).pattern()) return pattern;
  return operand_stride(evidence);
}

}  // namespace grader::hypotheses
