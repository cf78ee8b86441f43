// Hypotheses on the places of the wrong elements, which show a grid or a guard that is off by some elements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "verify/hypotheses.hpp"

namespace grader::hypotheses {
namespace {

using Result = std::optional<Pattern>;

/// How well a region covers the wrong elements.
struct Coverage {
  double recall = 0;     ///< share of the wrong elements that lie inside
  double precision = 0;  ///< share of the elements inside that are wrong
  bool proper = false;   ///< right elements lie outside
};

template <class Inside>
Coverage coverage(const Evidence& e, const Inside& inside) {
  std::size_t wrong_inside = 0, right_inside = 0;
  for (const Position p : e.wrong) wrong_inside += inside(p);
  for (const Position p : e.right) right_inside += inside(p);
  // Wrong and right elements are sampled at different rates.
  const double wrong_weight = e.wrong_share / static_cast<double>(e.wrong.size());
  const double right_weight = e.right.empty() ? 0 : (1 - e.wrong_share) / static_cast<double>(e.right.size());
  const double wrong = static_cast<double>(wrong_inside) * wrong_weight;
  const double all = wrong + static_cast<double>(right_inside) * right_weight;
  return {static_cast<double>(wrong_inside) / static_cast<double>(e.wrong.size()), all > 0 ? wrong / all : 0,
          right_inside < e.right.size()};
}

/// Whether the wrong elements are in the region and (nearly) fill it. Some of the region's elements may be right by
/// chance.
template <class Inside>
bool fills(const Evidence& e, const Inside& inside, double precision = 0.6) {
  const Coverage c = coverage(e, inside);
  return c.proper && c.recall >= 0.99 && c.precision >= precision;
}

/// The first and the last set bit.
struct Span {
  std::size_t first = 0, last = 0;
};

Span span(const std::vector<bool>& bits) {
  Span s;
  s.first = static_cast<std::size_t>(std::find(bits.begin(), bits.end(), true) - bits.begin());
  s.last = bits.size() - 1;
  while (s.last > s.first && !bits[s.last]) --s.last;
  return s;
}

/// Every b-th index.
struct Residue {
  std::size_t period = 0, index = 0;
  bool contains(std::size_t i) const { return period != 0 && i % period == index; }
};

/// The residue class that contains all set bits, if all its bits are set and it has at least two.
std::optional<Residue> residue(const std::vector<bool>& bits) {
  std::size_t period = 0, first = bits.size(), count = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (!bits[i]) continue;
    if (first == bits.size()) first = i;
    period = std::gcd(period, i - first);
    ++count;
  }
  if (period < 2 || first >= period) return std::nullopt;
  const std::size_t members = (bits.size() - 1 - first) / period + 1;
  if (count < 2 || 10 * count < 6 * members) return std::nullopt;
  return Residue{period, first};
}

/// "every 16th column (the last of each 16)"
std::string residue_words(const Residue& r, const char* what) {
  const std::string place = r.index + 1 == r.period ? fmt::format("the last of each {}", r.period)
                            : r.index == 0          ? fmt::format("the first of each {}", r.period)
                                           : fmt::format("number {} of each {}, from 0", r.index, r.period);
  return fmt::format("every {} {} ({})", ordinal(r.period), what, place);
}

Pattern block_edges(const std::string& where, const Evidence& e) {
  return {"block-edges",
          fmt::format("Only {} {} wrong.{} Look at what a thread at that place of its block does: is a guard "
                      "or a loop bound off by one, or does it need a neighbour from another block?",
                      where, where.find(" and ") == std::string::npos ? "is" : "are", content_words(e))};
}

/// The message for a region with wrong results: a missing block would have left the region untouched.
constexpr const char* wrote_wrong_values =
    "Threads wrote there, but not the right values: compute the first wrong element by hand, and compare "
    "what "
    "its thread reads.";

/// Why everything from element `first` of an axis on is untouched; `what` names its rows or columns.
std::string why_left_blank(const Evidence& e, int axis, std::size_t first, std::size_t all,
                           const char* what) {
  const char* const name = axis == 0 ? "x" : "y";
  if (!e.run.launch)
    return fmt::format(
        " Are enough blocks launched in {0}, their number rounded up: (n + block - 1) / block? Then look at "
        "the "
        "condition that guards the store, and at how a thread finds its {1}.",
        name, what);
  const Launch& launch = *e.run.launch;
  const std::string seen =
      fmt::format("in {} the launch has {} block{} of {} threads", name, launch.grid[axis],
                  launch.grid[axis] == 1 ? "" : "s", launch.block[axis]);
  // If the grid was rounded down, less than a block is missing. If more is missing, each thread may have several
  // elements.
  if (launch.threads(axis) == first && all - first < launch.block[axis])
    return fmt::format(
        " Too few blocks: {}, {} in all, for {} {}s. Round the number of blocks up: (n + block - "
        "1) / block.",
        seen, first, all, what);
  if (launch.threads(axis) < all)
    return fmt::format(
        " No thread stored anything there: {}. How many {}s does each block compute, and where do "
        "they begin?",
        seen, what);
  if (first + 1 == all)
    return fmt::format(
        " There are enough threads ({}), so look at the condition that guards the store: does it leave out "
        "the last {}?",
        seen, what);
  return fmt::format(
      " There are enough threads ({0}), so look at the {1} that a thread computes, blockIdx.{2} * "
      "blockDim.{2} + threadIdx.{2}, and at the condition that guards the store.",
      seen, what, name);
}

/// Whether the `right` elements of `all` in one dimension are whole blocks. A block has 4 to 32 threads in a
/// direction, and less than one block is missing.
bool lacks_last_block(std::size_t right, std::size_t all) {
  for (std::size_t block = 4; block <= 32; ++block)
    if (right % block == 0 && all - right < block) return true;
  return false;
}

/// Whether one block may have `columns` × `rows` threads: whole warps, at most 1024.
bool is_block_share(std::size_t rows, std::size_t columns) {
  return rows >= 4 && columns >= 4 && rows * columns <= 1024 && rows * columns % 32 == 0;
}

/// A bit for each element of one row, or of one column, which is set if the element is wrong.
std::vector<bool> wrong_of_row(const Evidence& e, std::size_t row) {
  std::vector<bool> bits(e.columns);
  for (std::size_t j = 0; j < e.columns; ++j) bits[j] = e.wrong_at({row, j});
  return bits;
}

std::vector<bool> wrong_of_column(const Evidence& e, std::size_t column) {
  std::vector<bool> bits(e.rows);
  const std::vector<double> right = e.expected_column(column);
  for (std::size_t i = 0; i < e.rows; ++i)
    bits[i] = outside(e.got.at(i, column), e.got.rounded(right[i]), e.tolerance);
  return bits;
}

/// Whether any placement of this many wrong elements would look like a region. For example, two of 2×2
/// elements are always a row, a column or a diagonal, whatever the cause.
bool lies_anywhere(const Evidence& e) {
  constexpr double fewest_ways = 8;
  const auto all = static_cast<double>(e.rows * e.columns);
  const double wrong = std::round(e.wrong_share * all), fewer = std::min(wrong, all - wrong);
  double ways = 1;  // all! / (fewer! (all - fewer)!)
  for (double i = 0; i < fewer && ways < fewest_ways; ++i) ways *= (all - i) / (i + 1);
  return ways < fewest_ways;
}

/// Whether enough elements are outside of a box. A box around nearly all elements proves nothing, since the elements
/// outside may be right by luck.
bool leaves_enough_out(std::size_t inside, std::size_t all) {
  return all - inside >= std::max<std::size_t>(1, all / 20);
}

// -- One dimension: arrays of one row or one column.

/// Why all elements from element `first` of an array on are wrong.
std::string why_tail(const Evidence& e, std::size_t first, std::size_t all) {
  if (e.run.launch) {
    const Launch& launch = *e.run.launch;
    const std::size_t threads = launch.threads(0), block = launch.block[0];
    // If the grid was rounded down, less than a block is missing. Results that depend on neighbours are wrong a
    // little earlier.
    if (launch.threads(1) == 1 && threads < all && all - threads < block && first <= threads &&
        threads - first < block)
      return fmt::format(
          "The launch has {} block{} of {} threads, {} in all, for {} elements: round the number of blocks "
          "up, "
          "(n + block - 1) / block.",
          launch.grid[0], launch.grid[0] == 1 ? "" : "s", block, threads, all);
  }
  return left_blank(e) ? "Are enough threads launched? The number of blocks must be rounded up: (n + block - "
                         "1) / block."
                       : wrote_wrong_values;
}

Result linear(const Evidence& e) {
  const std::vector<bool>& bits = e.rows == 1 ? e.column_wrong : e.row_wrong;
  const auto place = [&](Position p) { return e.rows == 1 ? p.column : p.row; };
  const Span wrong = span(bits);
  const std::size_t last = bits.size() - 1;
  // A few right elements at the beginning are chance if there are more right elements among the wrong ones.
  const auto right_among = static_cast<std::size_t>(
      std::count(bits.begin() + static_cast<std::ptrdiff_t>(wrong.first), bits.end(), false));
  const bool is_luck = wrong.first < 8 && right_among >= wrong.first;
  if (wrong.last == last && wrong.first > 0 && !is_luck &&
      fills(e, [&](Position p) { return place(p) >= wrong.first; })) {
    const bool one_block = wrong.first <= 1024 && wrong.first % 32 == 0 && 2 * wrong.first <= bits.size();
    if (one_block)
      return Pattern{"only-first-block", fmt::format("Only the first {} elements are right, as many as one "
                                                     "block may have threads.{} Is only one block "
                                                     "launched, or blockIdx left out of the index?",
                                                     wrong.first, content_words(e))};
    return Pattern{"tail", fmt::format("Everything is wrong from element {} to the end.{} {}", wrong.first,
                                       content_words(e), why_tail(e, wrong.first, bits.size()))};
  }
  if (const auto r = residue(bits); r && fills(e, [&](Position p) { return r->contains(place(p)); }))
    return block_edges(residue_words(*r, "element"), e);
  if (wrong.last > wrong.first && leaves_enough_out(wrong.last - wrong.first + 1, bits.size()) &&
      fills(
          e, [&](Position p) { return place(p) >= wrong.first && place(p) <= wrong.last; }, 0.8))
    return Pattern{
        "box", fmt::format("All wrong elements lie from {} to {}.{} Which blocks and threads compute these?",
                           wrong.first, wrong.last, content_words(e))};
  return std::nullopt;
}

// -- Two dimensions.

/// All elements from a place in the middle of a row to the end of memory are wrong.
Result tail(const Evidence& e) {
  const std::size_t row = span(e.row_wrong).first;
  const std::size_t column = span(wrong_of_row(e, row)).first;
  const std::size_t begin = row * e.columns + column;
  if (column < 2 || column >= e.columns) return std::nullopt;
  if (!fills(
          e, [&](Position p) { return p.row * e.columns + p.column >= begin; }, 0.8))
    return std::nullopt;
  // If columns are wrong only in the last rows, this is not a tail.
  if (row + 1 < e.rows && !wrong_of_row(e, row + 1)[0]) return std::nullopt;
  return Pattern{"tail", fmt::format("Everything is wrong from element [{}, {}] to the end in memory.{} {}",
                                     row, column, content_words(e),
                                     left_blank(e) ? "Are enough threads launched, and enough bytes copied?"
                                                   : wrote_wrong_values)};
}

/// In each `period` of rows or columns only the first `count` contain results, because a block's threads reach only
/// these.
Result blank_in_groups(const Evidence& e) {
  if (!left_blank(e)) return std::nullopt;
  for (const bool of_rows : {true, false}) {
    const std::vector<bool> line = of_rows ? wrong_of_column(e, 0) : wrong_of_row(e, 0);
    const std::size_t count = span(line).first;
    std::size_t period = count;
    while (period < line.size() && line[period]) ++period;
    if (count == 0 || period + count > line.size()) continue;  // a single group is not a period
    if (!fills(
            e, [&](Position p) { return (of_rows ? p.row : p.column) % period >= count; }, 0.9))
      continue;
    const int axis = of_rows ? 1 : 0;
    const char* const what = of_rows ? "row" : "column";
    const bool of_block = e.run.launch && e.run.launch->block[axis] == count;
    return Pattern{
        "blank-in-groups",
        fmt::format("Of each {0} {1}s only the first {2} were written{3}. Is blockIdx.{4} multiplied by "
                    "what a block computes ({5}), and does each thread store all of its elements?",
                    period, what, count, of_block ? ", as many as a block has threads" : "",
                    of_rows ? "y" : "x",
                    of_block ? fmt::format("BLOCK_SIZE, not {}, if a thread has one {}", period, what)
                             : fmt::format("its {}s", what))};
  }
  return std::nullopt;
}

/// The first columns were overwritten by threads beyond the right edge, because the next row begins there in
/// memory.
Result beyond_the_edge(const Evidence& e) {
  if (!e.run.launch || e.run.launch->threads(0) <= e.columns) return std::nullopt;
  const std::size_t outside = e.run.launch->threads(0) - e.columns;
  if (outside >= e.columns || span(e.column_wrong).last + 1 != outside) return std::nullopt;
  if (!fills(e, [&](Position p) { return p.column < outside; })) return std::nullopt;
  return Pattern{
      "beyond-the-edge",
      fmt::format("The first {0} columns are wrong, as many as the launch has threads to the right of the "
                  "array ({1} for {2} columns): where their row ends in memory, the next one begins. The "
                  "condition that guards the store must look at the column too: col < n.",
                  outside, e.run.launch->threads(0), e.columns)};
}

/// Returns "Every row from 3 on is wrong." if (nearly) all elements of these rows are wrong, and otherwise a
/// weaker sentence that is true.
template <class Inside>
std::string band_words(const Evidence& e, const Inside& inside, const std::string& what,
                       const std::string& place, bool one) {
  if (coverage(e, inside).precision < 0.97)
    return fmt::format("All wrong elements lie in {}{} {}.", one ? "" : "the ", one ? what : what + "s",
                       place);
  return one ? fmt::format("All of {} {} is wrong, and nothing else.", what, place)
             : fmt::format("Every {} {} is wrong.", what, place);
}

Result bands(const Evidence& e) {
  const Span rows = span(e.row_wrong), columns = span(e.column_wrong);
  const std::string content = content_words(e);
  const bool blank = left_blank(e);
  const std::string values = std::string(" ") + wrote_wrong_values;
  for (const bool of_rows : {true, false}) {
    const Span wrong = of_rows ? rows : columns;
    const std::size_t all = of_rows ? e.rows : e.columns;
    const char* const what = of_rows ? "row" : "column";
    const auto inside = [&](Position p) { return (of_rows ? p.row : p.column) >= wrong.first; };
    if (wrong.first == 0 || wrong.last != all - 1 || !fills(e, inside)) continue;
    return Pattern{of_rows ? "rows-from" : "columns-from",
                   band_words(e, inside, what, fmt::format("from {} on", wrong.first), false) + content +
                       (blank ? why_left_blank(e, of_rows ? 1 : 0, wrong.first, all, what) : values)};
  }
  for (const bool of_rows : {true, false}) {
    const Span wrong = of_rows ? rows : columns;
    const std::size_t all = of_rows ? e.rows : e.columns;
    const char* const what = of_rows ? "row" : "column";
    const auto inside = [&](Position p) { return (of_rows ? p.row : p.column) <= wrong.last; };
    if (wrong.first != 0 || wrong.last == all - 1 || !fills(e, inside)) continue;
    const bool one = wrong.last == 0;
    const std::string place = one ? "0" : fmt::format("up to {}", wrong.last);
    return Pattern{of_rows ? "rows-until" : "columns-until",
                   band_words(e, inside, what, place, one) + content +
                       (blank ? fmt::format(" Does the {} index begin at 0?", what) : values)};
  }
  return std::nullopt;
}

/// Only a rectangle at the beginning was written, and the launch explains this.
Result corner_of_launch(const Evidence& e, std::size_t rows, std::size_t columns,
                        const std::string& content) {
  const Launch& launch = *e.run.launch;
  const std::string grid = extent_words(launch.grid), block = extent_words(launch.block);
  if (launch.threads(0) == columns && launch.threads(1) == rows) {
    if (launch.blocks() == 1)
      return Pattern{
          "only-first-block",
          fmt::format("Only the first {} rows and {} columns were written.{} The launch has one block of "
                      "{} threads only: how many blocks does a grid need for {} × {} elements?",
                      rows, columns, content, block, e.columns, e.rows)};
    // If more than a block is missing, threads may have several elements each.
    if (e.columns - columns >= launch.block[0] || e.rows - rows >= launch.block[1]) return std::nullopt;
    return Pattern{
        "edges-from",
        fmt::format(
            "Every row from {} on and every column from {} on is wrong.{} Too few blocks: the launch has {} "
            "of {} threads. Their number must be rounded up in x and in y: (n + block - 1) / block.",
            rows, columns, content, grid, block)};
  }
  if (launch.threads(0) < e.columns || launch.threads(1) < e.rows) return std::nullopt;
  if (rows + 1 == e.rows && columns + 1 == e.columns)
    return Pattern{
        "edges-from",
        fmt::format("The last row and the last column are wrong.{} The launch has threads for them ({} "
                    "blocks of {}): does the condition that guards the store leave them out?",
                    content, grid, block)};
  if (is_block_share(rows, columns) && launch.block[0] == columns && launch.block[1] == rows)
    return Pattern{
        "only-first-block",
        fmt::format("Only the first {} rows and {} columns were written, the share of one block.{} The "
                    "launch has {} blocks: is blockIdx left out of an index?",
                    rows, columns, content, grid)};
  return Pattern{"edges-from",
                 fmt::format("Every row from {} on and every column from {} on is wrong.{} The launch has "
                             "threads for them ({} blocks of {}): look at the row and the column that a "
                             "thread computes, and at the condition that guards the store.",
                             rows, columns, content, grid, block)};
}

/// Only a rectangle at the beginning of rows and columns is right. Its size may be chance unless it is the size of a
/// block, or of all blocks except the last.
Result corner(const Evidence& e) {
  const std::vector<bool> top = wrong_of_row(e, 0), left = wrong_of_column(e, 0);
  const std::size_t columns = span(top).first, rows = span(left).first;
  if (columns == 0 || rows == 0 || columns >= e.columns || rows >= e.rows) return std::nullopt;
  if (!fills(
          e, [&](Position p) { return p.row >= rows || p.column >= columns; }, 0.8))
    return std::nullopt;
  const std::string content = content_words(e);
  if (left_blank(e) && e.run.launch) return corner_of_launch(e, rows, columns, content);
  if (left_blank(e) && lacks_last_block(rows, e.rows) && lacks_last_block(columns, e.columns))
    return Pattern{"edges-from",
                   fmt::format("Every row from {} on and every column from {} on is wrong.{} Is the number "
                               "of blocks rounded up in x and in y, (n + block - 1) / block? And does the "
                               "condition that guards the store let the last row and column through?",
                               rows, columns, content)};
  const bool of_block =
      !e.run.launch || (e.run.launch->block[0] == columns && e.run.launch->block[1] == rows);
  if (of_block && is_block_share(rows, columns))
    return Pattern{
        "only-first-block",
        fmt::format("Only the first {} rows and {} columns are right, as one block of {} × {} "
                    "threads computes them.{} Is {}blockIdx left out of an index?",
                    rows, columns, columns, rows, content,
                    e.run.launch && e.run.launch->blocks() > 1 ? "" : "only one block launched, or ")};
  return std::nullopt;
}

Result periodic(const Evidence& e) {
  if (const auto r = residue(e.column_wrong);
      r && fills(
               e, [&](Position p) { return r->contains(p.column); }, 0.8))
    return block_edges(residue_words(*r, "column"), e);
  if (const auto r = residue(e.row_wrong); r && fills(
                                                    e, [&](Position p) { return r->contains(p.row); }, 0.8))
    return block_edges(residue_words(*r, "row"), e);
  // The first two rows and columns are tested. At least one of them is not an edge itself, and so shows the period.
  for (const std::size_t line : {std::size_t{0}, std::size_t{1}}) {
    if (line >= e.rows || line >= e.columns) return std::nullopt;
    const auto across = residue(wrong_of_row(e, line)), down = residue(wrong_of_column(e, line));
    if (!across || !down) continue;
    if (fills(
            e, [&](Position p) { return across->contains(p.column) || down->contains(p.row); }, 0.8))
      return block_edges(residue_words(*across, "column") + " and " + residue_words(*down, "row"), e);
  }
  return std::nullopt;
}

/// Whether the whole diagonal is right, and nearly no other element.
bool only_diagonal(const Evidence& e) {
  if (e.rows < 4) return false;
  const auto on_diagonal = [](Position p) { return p.row == p.column; };
  return std::none_of(e.wrong.begin(), e.wrong.end(), on_diagonal) &&
         std::any_of(e.right.begin(), e.right.end(), on_diagonal) &&
         fills(
             e, [&](Position p) { return !on_diagonal(p); }, 0.8);
}

Result diagonals(const Evidence& e) {
  const std::string content = content_words(e);
  for (const std::size_t parity : {0u, 1u})
    if (fills(
            e, [&](Position p) { return (p.row + p.column) % 2 == parity; }, 0.8))
      return Pattern{
          "checkerboard",
          "Every other element is wrong, as on a checkerboard." + content +
              " Do threads of odd and even index take different branches, or store to the same place?"};
  if (e.rows != e.columns) return std::nullopt;
  if (only_diagonal(e))
    return Pattern{"diagonal-only",
                   "Only the diagonal is right, where the row is the column." + content +
                       " Are row and column exchanged in the index of one array? Element (row, k) lies at "
                       "row * width + k, and element (k, column) at k * width + column."};
  if (e.wrong.size() < 4) return std::nullopt;  // fewer elements may be on one side by chance
  const auto on = [](Position p) { return p.row == p.column; };
  const auto above = [](Position p) { return p.row < p.column; };
  const auto below = [](Position p) { return p.row > p.column; };
  // A wrong guard for a triangle often admits or omits a few more elements.
  const auto words = [&](const auto& inside, const char* place) {
    return fmt::format("{} wrong elements lie {} the diagonal.{}",
                       coverage(e, inside).recall < 1 ? "Nearly all" : "All", place, content);
  };
  if (fills(e, on))
    return Pattern{"diagonal", words(on, "on") + " What is different for a thread whose row is its column?"};
  if (fills(e, above))
    return Pattern{"upper-triangle",
                   words(above, "above") + " Is a guard or an index map right for one triangle only?"};
  if (fills(e, below))
    return Pattern{"lower-triangle",
                   words(below, "below") + " Is a guard or an index map right for one triangle only?"};
  return std::nullopt;
}

Result box(const Evidence& e) {
  const Span rows = span(e.row_wrong), columns = span(e.column_wrong);
  if (rows.first == rows.last && columns.first == columns.last) return std::nullopt;
  const auto inside = [&](Position p) {
    return p.row >= rows.first && p.row <= rows.last && p.column >= columns.first && p.column <= columns.last;
  };
  const std::size_t elements = (rows.last - rows.first + 1) * (columns.last - columns.first + 1);
  if (!leaves_enough_out(elements, e.rows * e.columns) || !fills(e, inside, 0.8)) return std::nullopt;
  return Pattern{
      "box",
      fmt::format(
          "All wrong elements lie in rows {} to {} and columns {} to {}.{} Which blocks and threads compute "
          "these?",
          rows.first, rows.last, columns.first, columns.last, content_words(e))};
}

}  // namespace

std::optional<Pattern> region(const Evidence& evidence) {
  if (evidence.right.empty() || lies_anywhere(evidence)) return std::nullopt;
  if (evidence.rows == 1 || evidence.columns == 1) return linear(evidence);
  for (const auto hypothesis :
       {blank_in_groups, tail, beyond_the_edge, bands, corner, periodic, diagonals, box})
    if (auto pattern = hypothesis(evidence)) return pattern;
  return std::nullopt;
}

}  // namespace grader::hypotheses
