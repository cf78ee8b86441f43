// Hypotheses on matrix products: other operands, operands read in the wrong layout, sums that lack terms.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "verify/hypotheses.hpp"
#include "verify/product.hpp"

namespace grader::hypotheses {
namespace {

using Result = std::optional<Pattern>;

/// The rows to test: at most four rows with wrong elements, evenly spread.
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

/// Whether (nearly) all elements of these rows equal a · b.
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

/// Whether the output is another product of the operands. Tests one row first, since most hypotheses already fail
/// there.
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
       "The first input was read with row and column exchanged: element (row, k) lies at row * width + k of "
       "the "
       "array, and at [row][k] of a tile."},
      {m, nt, "operand-transposed",
       "The second input was read with row and column exchanged: element (k, column) lies at k * width + "
       "column of the array, and at [k][column] of a tile."},
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

/// The first `columns` elements of row `row` of m · n, with the given row strides for m and n. Memory after the end
/// of an array is unknown, and counts as NaN.
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
  // The tested rows are in the middle, where a wrong stride has shifted the reads far. A few columns refute
  // most hypotheses.
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

std::vector<Position> spread(const std::vector<Position>& all, std::size_t limit) {
  std::vector<Position> some;
  const std::size_t step = std::max<std::size_t>(1, (all.size() + limit - 1) / limit);
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

/// The candidates for a tile's side: the sides of the block, if the launch is known, and common sides.
std::vector<std::size_t> tile_sides(const Evidence& e) {
  std::set<std::size_t> sides = {4, 6, 8, 16, 32};
  if (e.run.launch)
    for (const std::size_t side : {e.run.launch->block[0], e.run.launch->block[1]})
      if (side >= 2 && side <= 64) sides.insert(side);
  return {sides.begin(), sides.end()};
}

/// The terms that are summed in each group of `period` terms: every `step`-th from `first` to before `last`.
struct Group {
  std::size_t period, first, last, step = 1;
  bool holds(std::size_t k) const {
    const std::size_t place = k % period;
    return place >= first && place < last && (place - first) % step == 0;
  }
};

/// Counts the tested elements that are sums over only some of the terms 0 … K-1.
class PartialSums {
 public:
  explicit PartialSums(const Evidence& e)
      : e_(e), terms_(e.inputs[0]->columns()), until_(terms_ + 1), from_(terms_ + 1) {
    for (const std::size_t side : tile_sides(e)) {
      if (2 * side > terms_) continue;
      for (std::size_t count = 1; count < side; ++count) {
        groups_.push_back({side, 0, count});
        groups_.push_back({side, count, side});
        if (count > 1 && count < 17) groups_.push_back({side, 0, side, count});
      }
    }
    group_agrees_.resize(groups_.size());
    // Right elements count, too: their missing terms are zero.
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
    if (enough(cut_))
      return Pattern{
          "truncated-integers",
          "The fraction of every sum was cut off again after each term. Is the sum kept in an int?"};
    for (const auto& [side, agree] : edge_repeated_)
      if (enough(agree)) return last_beyond_edge(side);
    for (std::size_t k = 1; k < terms_; ++k)
      if (enough(from_[k])) return without_begin(k);
    for (std::size_t k = terms_ - 1; k > 0; --k)
      if (enough(until_[k])) return without_end(k);
    for (std::size_t i = 0; i < groups_.size(); ++i)
      if (enough(group_agrees_[i])) return of_each_group(groups_[i]);
    return std::nullopt;
  }

 private:
  void test(Position p) {
    ++tested_;
    const double got = e_.got_at(p);
    std::vector<double> prefix(terms_ + 1);
    double even = 0, odd = 0, cut = 0;
    std::vector<double> terms(terms_);
    for (std::size_t k = 0; k < terms_; ++k) {
      const double term = terms[k] = e_.inputs[0]->at(p.row, k) * e_.inputs[1]->at(k, p.column);
      prefix[k + 1] = prefix[k] + term;
      (k % 2 == 0 ? even : odd) += term;
      cut = std::trunc(cut + term);
    }
    const double all = prefix[terms_];
    for (std::size_t k = 1; k < terms_; ++k) {
      until_[k] += e_.near(got, prefix[k]);
      from_[k] += e_.near(got, all - prefix[k]);
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (group_agrees_[i] + 3 < tested_) continue;  // already refuted
      double sum = 0;
      for (std::size_t k = 0; k < terms_; ++k) sum += groups_[i].holds(k) ? terms[k] : 0;
      group_agrees_[i] += e_.near(got, sum);
    }
    for (const std::size_t side : tile_sides(e_)) {
      const std::size_t beyond = (side - terms_ % side) % side;
      if (beyond > 1)
        edge_repeated_[side] += e_.near(got, all + static_cast<double>(beyond) * terms[terms_ - 1]);
    }
    cut_ += e_.near(got, cut);
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
  /// The hypothesis that the last term replaces the terms of a tile beyond the edge.
  Pattern last_beyond_edge(std::size_t side) const {
    return {"off-by-one-term",
            fmt::format(
                "The last term of each sum was counted {} times: {} terms fill no whole number of tiles of "
                "{}. Beyond the edge of the matrices a tile must hold zeros, and not the last elements "
                "again.",
                (side - terms_ % side) % side + 1, terms_, side)};
  }

  Pattern of_each_group(const Group& group) const {
    const std::size_t period = group.period;
    const std::size_t step = group.last == 1 ? period : group.step;
    if (step > 1)
      return {"partial-sum",
              fmt::format(
                  "Of {} terms of the sum only every {} was added, beginning with the first: does the loop "
                  "over k take steps of {}, with one product in each? Unrolled by hand, a step needs as many "
                  "products.",
                  period % step == 0 ? "the" : fmt::format("each {}", period), ordinal(step), step)};
    if (group.first == 0 && group.last + 1 == period)
      return {"partial-sum",
              fmt::format(
                  "Of each {0} terms of the sum, a tile's, the last is missing: does the loop over k within "
                  "a tile run to k < {0}?",
                  period)};
    if (group.first == 1)
      return {"partial-sum",
              fmt::format(
                  "Of each {} terms of the sum, a tile's, the first is missing: does the loop over k within "
                  "a tile begin at 0?",
                  period)};
    if (group.first == 0)
      return {"partial-sum",
              fmt::format(
                  "Of each {0} terms of the sum, a tile's, the last {1} are missing: does the loop over k "
                  "within a tile do all {0}, also where a factor of unrolling does not divide them?",
                  period, period - group.last)};
    return {"partial-sum", fmt::format("Of each {} terms of the sum, a tile's, the first {} are missing: is "
                                       "the sum set to 0 again within "
                                       "a tile, or assigned with = instead of += ?",
                                       period, group.first)};
  }

  Pattern without_begin(std::size_t k) const {
    if (k == 1)
      return {"off-by-one-term", "The first term of each sum is missing: does the loop over k begin at 0?"};
    if (k + 1 == terms_)
      return {"last-term-only",
              "Each element is only the last term of its sum: is the sum assigned with = instead of += ?"};
    if (2 * k < terms_)
      return {"partial-sum",
              fmt::format(
                  "The first {} of the {} terms of each sum are missing: does the loop begin at 0, and the "
                  "loop over the tiles with tile 0?",
                  k, terms_)};
    return {"partial-sum",
            fmt::format(
                "Only the last {} of the {} terms of each sum were added: is the sum set to 0 again inside "
                "the loop over the tiles, or assigned with = instead of += ?",
                terms_ - k, terms_)};
  }
  Pattern without_end(std::size_t k) const {
    if (k + 1 == terms_)
      return {"off-by-one-term",
              "The last term of each sum is missing: does the loop over k run to k < width?"};
    return {"partial-sum",
            fmt::format(
                "Each sum ends after {} of {} terms: does the loop run over all tiles, also over a last one "
                "that is not full? Their number must be rounded up.",
                k, terms_)};
  }

  const Evidence& e_;
  std::size_t terms_, tested_ = 0;
  std::vector<std::size_t> until_;  ///< [k]: elements that are the sum of the terms before k
  std::vector<std::size_t> from_;   ///< [k]: … of the terms from k on
  std::size_t even_ = 0, odd_ = 0, first_twice_ = 0, last_twice_ = 0;
  std::size_t cut_ = 0;  ///< elements whose sum loses its fraction after each term
  std::vector<Group> groups_;
  std::vector<std::size_t> group_agrees_;  ///< for each of groups_
  std::map<std::size_t, std::size_t>
      edge_repeated_;  ///< side of a tile → elements whose last tile repeats the last term
};

/// An index of the product: the row and the column of the result, or the term of the sum.
enum class Index { row, k, column };

const char* words(Index index) {
  return index == Index::row ? "row" : index == Index::k ? "k" : "column";
}

/// The hypotheses that an operand was read at another index, or in another tile.
class OtherPlaces {
 public:
  explicit OtherPlaces(const Evidence& e)
      : e_(e), terms_(e.inputs[0]->columns()), positions_(spread(e.wrong, 48)) {
    // Right elements are tested, too: for them, both places contain the same value.
    const std::vector<Position> right = spread(e.right, 16);
    positions_.insert(positions_.end(), right.begin(), right.end());
  }

  Result pattern() const {
    if (positions_.size() < 8) return std::nullopt;
    for (const bool second : {false, true}) {
      if (auto found = exchanged_indices(second)) return found;
      for (const std::size_t side : tile_sides(e_))
        if (auto found = other_tile(second, side)) return found;
    }
    return std::nullopt;
  }

 private:
  struct Place {
    std::size_t row, column;
  };

  /// Whether nearly all elements are right if an operand (the second, or the first) is read at `place(position, k)`.
  template <class F>
  bool fits(bool second, const F& place) const {
    std::size_t missed = 0;
    bool varied = false;
    const Array &m = *e_.inputs[0], &n = *e_.inputs[1], &changed = second ? n : m;
    for (const Position p : positions_) {
      double sum = 0;
      for (std::size_t k = 0; k < terms_; ++k) {
        const Place at = place(p, k);
        if (at.row >= changed.rows() || at.column >= changed.columns()) continue;  // zero beyond the edge
        sum +=
            second ? m.at(p.row, k) * n.at(at.row, at.column) : m.at(at.row, at.column) * n.at(k, p.column);
      }
      if (!e_.near(e_.got_at(p), sum) && 100 * ++missed > 3 * positions_.size()) return false;
      varied |= e_.got_at(p) != e_.got_at(positions_.front());
    }
    return varied;
  }

  static std::string input(bool second) { return second ? "second" : "first"; }

  Result exchanged_indices(bool second) const {
    const Index right_row = second ? Index::k : Index::row, right_column = second ? Index::column : Index::k;
    for (const Index row : {Index::row, Index::k, Index::column}) {
      for (const Index column : {Index::row, Index::k, Index::column}) {
        if (row == right_row && column == right_column) continue;
        const auto value = [](Index index, Position p, std::size_t k) {
          return index == Index::row ? p.row : index == Index::k ? k : p.column;
        };
        if (!fits(second, [&](Position p, std::size_t k) {
              return Place{value(row, p, k), value(column, p, k)};
            }))
          continue;
        return Pattern{"operand-index",
                       fmt::format("The {} input was read at [{}][{}] instead of [{}][{}].{}", input(second),
                                   words(row), words(column), words(right_row), words(right_column),
                                   which_axis(row == right_row ? column : row, row != right_row))};
      }
    }
    return std::nullopt;
  }

  /// Rows should come from y and columns from x. Names the index that the program used instead.
  std::string which_axis(Index taken, bool for_row) const {
    if (taken == Index::k) return " The loop's k is where it does not belong.";
    const char* const x_or_y = taken == Index::column ? "x" : "y";
    const char* const place = for_row ? "row" : "column";
    if (e_.run.launch && e_.run.launch->shared)
      return fmt::format(
          " Does its {} come from threadIdx.{} in the index by which a tile is fetched or read?", place,
          x_or_y);
    return fmt::format(" Is the result's {} taken for its {}?", words(taken), place);
  }

  Result other_tile(bool second, std::size_t side) const {
    if (side >= terms_) return std::nullopt;
    const std::string which = input(second);
    const auto seen = [&](std::string sentence) { return Pattern{"operand-tile", std::move(sentence)}; };
    // The place of term k is (place.row, k) of the first operand and (k, place.column) of the second: only k changes.
    const auto at_term = [&](const auto& term) {
      return [&, term](Position p, std::size_t k) {
        const std::size_t other = term(p, k / side, k % side);
        return second ? Place{other, p.column} : Place{p.row, other};
      };
    };
    if (fits(second, at_term([](Position, std::size_t t, std::size_t j) { return t + j; })))
      return seen(
          fmt::format("Tile t of the {0} input was fetched from {1} t on, and not from {1} t * {2}: is the "
                      "number of the tile multiplied by BLOCK_SIZE, the size of a tile?",
                      which, second ? "row" : "column", side));
    if (fits(second, at_term([](Position, std::size_t, std::size_t j) { return j; })))
      return seen(
          fmt::format("Every round used the first tile of the {} input again. Does the index of what is "
                      "fetched move on with the round, by {} each time?",
                      which, side));
    if (fits(second, at_term([&](Position p, std::size_t, std::size_t j) {
               return (second ? p.row : p.column) / side * side + j;
             })))
      return seen(
          fmt::format("Every round used the same tile of the {} input, at the place of the block's own tile "
                      "of the result. Is blockIdx taken where the round of the loop, t, belongs?",
                      which));
    if (fits(second, at_term([&](Position, std::size_t t, std::size_t j) {
               return (t == 0 ? 0 : t - 1) * side + j;
             })))
      return seen(
          fmt::format("Each round but the first used the {} input's tile of the round before: is what is "
                      "fetched ahead in round t the tile of round t + 1?",
                      which));
    if (fits(second, at_term([&](Position p, std::size_t t, std::size_t) {
               return t * side + (second ? p.column : p.row) % side;
             })))
      return seen(
          fmt::format("In each tile of the {} input the {} comes from threadIdx.{}, and should come from "
                      "threadIdx.{}: look at the index by which it is fetched.",
                      which, second ? "row" : "column", second ? "x" : "y", second ? "y" : "x"));
    const auto exchanged = [&](Position p, std::size_t k) {
      const std::size_t first = k / side * side, within = k % side;
      return second ? Place{first + p.column % side, p.column / side * side + within}
                    : Place{p.row / side * side + within, first + p.row % side};
    };
    if (fits(second, exchanged))
      return seen(
          fmt::format("Within each tile of {0} × {0} of the {1} input, row and column are exchanged: is it "
                      "filled at [ty][tx], and read at [row][column]?",
                      side, which));
    return std::nullopt;
  }

  const Evidence& e_;
  std::size_t terms_;
  std::vector<Position> positions_;
};

}  // namespace

std::optional<Pattern> other_product(const Evidence& evidence) {
  if (!evidence.is_product()) return std::nullopt;
  if (auto pattern = other_operands(evidence)) return pattern;
  if (auto pattern = elementwise(evidence)) return pattern;
  // A term that is missing everywhere would make more elements wrong.
  if (evidence.wrong_share < 0.1) return std::nullopt;
  if (auto pattern = PartialSums(evidence).pattern()) return pattern;
  if (auto pattern = operand_stride(evidence)) return pattern;
  return OtherPlaces(evidence).pattern();
}

}  // namespace grader::hypotheses
