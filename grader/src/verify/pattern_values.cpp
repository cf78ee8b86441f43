// Hypotheses that the array is another result, which is derived from the expected result: multiplied, shifted,
// reversed, stored elsewhere …
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "verify/hypotheses.hpp"

namespace grader::hypotheses {
namespace {

using Result = std::optional<Pattern>;

/// The right value at a position in memory; NaN outside the array.
double expected_flat(const Evidence& e, std::ptrdiff_t i) {
  if (i < 0 || i >= static_cast<std::ptrdiff_t>(e.got.size())) return NAN;
  const auto at = static_cast<std::size_t>(i);
  return e.expected(at / e.columns, at % e.columns);
}

Result copied_input(const Evidence& e) {
  for (std::size_t k = 0; k < e.inputs.size(); ++k) {
    const Array& input = *e.inputs[k];
    if (input.size() != e.got.size()) continue;
    if (predicts(e, [&](Position p) { return input[flat(e, p)]; }))
      return Pattern{
          "copied-input",
          fmt::format(
              "The output is input {} itself. Was the wrong array copied back, or the input stored in "
              "place of the result?",
              k + 1)};
  }
  return std::nullopt;
}

Result transposed(const Evidence& e) {
  if (!e.everything_known() || e.rows < 2 || e.columns < 2) return std::nullopt;
  // Element (i, j) of the right result is at element (j, i). For r × c arrays, memory contains a c × r array.
  const auto prediction = [&](Position p) {
    const std::size_t i = flat(e, p);
    return e.expected(i % e.rows, i / e.rows);
  };
  if (!predicts(e, prediction)) return std::nullopt;
  return Pattern{"transposed",
                 "The output is the transpose of the right result: rows and columns are exchanged. Does x "
                 "give the column and y the "
                 "row, in the indices and in the store?"};
}

Result scaled(const Evidence& e) {
  const auto nonzero =
      std::find_if(e.wrong.begin(), e.wrong.end(), [&](Position p) { return e.expected_at(p) != 0; });
  if (nonzero == e.wrong.end()) return std::nullopt;
  double factor = e.got_at(*nonzero) / e.expected_at(*nonzero);
  if (std::fabs(factor - std::round(factor)) < 1e-5) factor = std::round(factor);  // real data are rounded
  if (!std::isfinite(factor) || std::fabs(factor - 1) < 1e-3) return std::nullopt;
  if (!predicts(e, [&](Position p) { return factor * e.expected_at(p); })) return std::nullopt;
  const std::string seen = factor == 2 ? "The output is twice the right result. "
                           : factor == -1
                               ? "The output has the opposite sign. "
                               : fmt::format("The output is {:.6g} times the right result. ", factor);
  const char* cause =
      factor == -1 ? "Is a difference taken the wrong way round?"
      : factor >= 16 && std::exp2(std::round(std::log2(factor))) == factor
          ? "Is each term added several times, by an inner loop that runs too often, or is a scaling by a "
            "power of two not undone?"
      : factor > 1
          ? "Is each term added several times: by an inner loop that runs too often, or by a kernel that is "
            "launched again without clearing its sum?"
          : "Is only a part of the terms added, or a division too many?";
  return Pattern{"scaled", seen + cause};
}

Result offset(const Evidence& e) {
  const Position p0 = e.wrong.front();
  const double difference = e.got_at(p0) - e.expected_at(p0);
  if (!std::isfinite(difference)) return std::nullopt;
  if (!predicts(e, [&](Position p) { return e.expected_at(p) + difference; }, {0.97, 0.9, 0.6, 4, true}))
    return std::nullopt;
  return Pattern{"offset", fmt::format("Every element is off by the same {}. Does the sum begin at 0?",
                                       e.got.text_of(difference))};
}

std::string step_words(std::ptrdiff_t steps, const char* one, const char* forward, const char* back) {
  return fmt::format("{} {}{} {}", std::abs(steps), one, std::abs(steps) == 1 ? "" : "s",
                     steps > 0 ? forward : back);
}

Result shifted(const Evidence& e) {
  const std::ptrdiff_t reach = e.everything_known() ? 2 : 1;
  const auto fits = [&](std::ptrdiff_t down, std::ptrdiff_t across) {
    return predicts(e, [&](Position p) {
      const auto row = static_cast<std::ptrdiff_t>(p.row) + down,
                 column = static_cast<std::ptrdiff_t>(p.column) + across;
      const bool inside = row >= 0 && column >= 0 && row < static_cast<std::ptrdiff_t>(e.rows) &&
                          column < static_cast<std::ptrdiff_t>(e.columns);
      return inside ? e.expected(static_cast<std::size_t>(row), static_cast<std::size_t>(column)) : NAN;
    });
  };
  for (std::ptrdiff_t distance = 1; distance <= 2 * reach; ++distance) {
    for (std::ptrdiff_t down = -reach; down <= reach; ++down) {
      const std::ptrdiff_t rest = distance - std::abs(down);
      if (rest < 0 || rest > reach || std::abs(down) >= static_cast<std::ptrdiff_t>(e.rows)) continue;
      for (const std::ptrdiff_t across : {rest, -rest}) {
        if (!fits(down, across)) continue;
        std::string where = down == 0 ? "" : step_words(down, "row", "further down", "further up");
        if (across != 0)
          where +=
              fmt::format("{}{}", where.empty() ? "" : " and ",
                          step_words(across, e.rows == 1 ? "element" : "column", "further on", "before"));
        return Pattern{
            "shifted",
            fmt::format("Each element holds the value that belongs {}. Is an index off by one, or a "
                        "block's first element computed with the wrong block size?",
                        where)};
      }
    }
  }
  return std::nullopt;
}

/// Hypothesis: the array is shifted in memory, so that values wrap from one row to the next.
Result shifted_in_memory(const Evidence& e) {
  if (e.rows < 2) return std::nullopt;
  for (const std::ptrdiff_t steps : {1, -1, 2, -2}) {
    if (!predicts(
            e, [&](Position p) { return expected_flat(e, static_cast<std::ptrdiff_t>(flat(e, p)) + steps); }))
      continue;
    return Pattern{
        "shifted",
        fmt::format("Each element holds the value that belongs {} in memory. Is the pointer or the "
                    "index off by one?",
                    step_words(steps, "element", "further on", "before"))};
  }
  return std::nullopt;
}

Result reversed(const Evidence& e) {
  const std::size_t last_row = e.rows - 1, last_column = e.columns - 1;
  const auto seen = [](const std::string& what) {
    return Pattern{"reversed",
                   what + " in reverse order. Is an index counted from the end, as in n - 1 - i?"};
  };
  if (predicts(e, [&](Position p) { return e.expected(p.row, last_column - p.column); }))
    return seen(e.rows == 1 ? "The elements are" : "The elements of each row are");
  if (e.rows == 1) return std::nullopt;
  if (predicts(e, [&](Position p) { return e.expected(last_row - p.row, p.column); }))
    return seen("The rows are");
  if (predicts(e, [&](Position p) { return e.expected(last_row - p.row, last_column - p.column); }))
    return seen("All elements are");
  return std::nullopt;
}

/// Hypothesis: `M[col * n + k]` was read instead of `M[row * n + k]`, so each thread computes an element of the
/// diagonal.
Result repeated_diagonal(const Evidence& e) {
  if (e.rows != e.columns || e.rows < 4) return std::nullopt;
  const auto seen = [](const char* what, const char* used, const char* instead) {
    return Pattern{"diagonal-only",
                   fmt::format("Only the diagonal is right: {} holds its element of the diagonal everywhere. "
                               "An index uses {} where {} belongs.",
                               what, used, instead)};
  };
  if (predicts(e, [&](Position p) { return e.expected(p.column, p.column); }))
    return seen("each column", "the column", "the row");
  if (predicts(e, [&](Position p) { return e.expected(p.row, p.row); }))
    return seen("each row", "the row", "the column");
  return std::nullopt;
}

bool row_equals(const Evidence& e, std::size_t got_row, std::size_t expected_row) {
  for (std::size_t j = 0; j < e.columns; ++j)
    if (!e.near(e.got.at(got_row, j), e.expected(expected_row, j))) return false;
  return true;
}

/// The rows of `e.wrong`, without duplicates: at most `limit` rows, evenly spread.
std::vector<std::size_t> wrong_rows(const Evidence& e, std::size_t limit) {
  std::set<std::size_t> all;
  for (const Position p : e.wrong) all.insert(p.row);
  std::vector<std::size_t> rows(all.begin(), all.end()), chosen;
  const std::size_t step = (rows.size() + limit - 1) / limit;
  for (std::size_t i = 0; i < rows.size(); i += step) chosen.push_back(rows[i]);
  return chosen;
}

Result swapped_rows(const Evidence& e) {
  if (!e.everything_known() || e.rows < 2 || e.columns < 2) return std::nullopt;
  const std::vector<std::size_t> rows = wrong_rows(e, 16);
  std::size_t found = 0, missed = 0, example = 0, source = 0;
  for (const std::size_t row : rows) {
    std::size_t other = 0;
    while (other < e.rows && (other == row || !row_equals(e, row, other))) ++other;
    if (other == e.rows) {
      if (++missed > rows.size() / 10) return std::nullopt;
    } else if (found++ == 0) {
      example = row, source = other;
    }
  }
  if (found < 2) return std::nullopt;
  return Pattern{
      "swapped-rows",
      fmt::format("The wrong rows are right rows at other places: row {} holds row {}. Does each thread "
                  "store to the row that it computed?",
                  example, source)};
}

/// Hypothesis: element (i, j) was stored at i · stride + j. If the stride is shorter than a row, rows overwrite parts
/// of earlier rows.
Result row_stride(const Evidence& e) {
  if (e.rows < 2 || e.columns < 2) return std::nullopt;
  std::set<std::size_t> strides = {e.columns - 1, e.columns + 1};
  if (e.everything_known()) {  // the other hypotheses read rows that are far away
    strides.insert({e.rows, e.columns / 2, 2 * e.columns});
    for (std::size_t block = 2; block <= 1024; block *= 2) strides.insert(block);
  }
  for (const std::size_t stride : strides) {
    if (stride == 0 || stride == e.columns) continue;
    const auto fit = [&](Position p) {
      const std::size_t i = flat(e, p);
      const std::size_t last = std::min(i / stride, e.rows - 1);
      const std::size_t first = i < e.columns ? 0 : (i - e.columns) / stride + 1;
      if (first > last || i - last * stride >= e.columns) return Fit::unknown;  // no thread stores there
      bool all_known = true;
      for (std::size_t row = first; row <= last; ++row) {
        const double right = e.expected(row, i - row * stride);
        if (e.near(e.got_at(p), right)) return Fit::yes;
        all_known &= !std::isnan(right);
      }
      if (!all_known) return Fit::unknown;
      return Fit::no;
    };
    if (!holds(e, fit, {0.97, 0.9, 0.02, 4, true})) continue;
    return Pattern{
        "row-stride",
        fmt::format("Rows lie {} elements apart in memory instead of {}. Is the row multiplied by the row "
                    "length of the array, and not by that of a block or of another array?",
                    stride, e.columns)};
  }
  return std::nullopt;
}

/// Hypothesis: a sum was never cleared. The emulation runs threads one after another, so the sum continues from the
/// previous thread.
Result accumulated(const Evidence& e) {
  const Demand most = {0.8, 0, 0.6, 8, true};  // the chain breaks at block boundaries
  const auto seen = Pattern{"accumulated-garbage",
                            "Each element is the right value plus the element before it: the sum goes on "
                            "from what was left of another "
                            "thread. Each thread must set it to 0 before it adds."};
  if (predicts(
          e,
          [&](Position p) { return p.column == 0 ? NAN : e.expected_at(p) + e.got.at(p.row, p.column - 1); },
          most))
    return seen;
  if (predicts(
          e, [&](Position p) { return p.row == 0 ? NAN : e.expected_at(p) + e.got.at(p.row - 1, p.column); },
          most))
    return seen;
  return std::nullopt;
}

/// Hypothesis: the array is a permutation of the right values. Compares both as multisets.
Result permuted(const Evidence& e) {
  if (!e.everything_known() || e.got.size() > (1u << 22) || e.wrong.size() < 4) return std::nullopt;
  std::vector<double> got, expected;
  for (std::size_t i = 0; i < e.got.size(); ++i) {
    got.push_back(e.got[i]);
    expected.push_back(expected_flat(e, static_cast<std::ptrdiff_t>(i)));
    if (std::isnan(got.back())) return std::nullopt;
  }
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  if (got != expected) return std::nullopt;
  return Pattern{
      "permuted",
      "The output holds the right values at wrong places. Does each thread store to the index of the element "
      "that it computed?"};
}

Result truncated(const Evidence& e) {
  const bool fractions = std::any_of(e.wrong.begin(), e.wrong.end(), [&](Position p) {
    return e.expected_at(p) != std::nearbyint(e.expected_at(p));
  });
  if (!fractions) return std::nullopt;
  const Demand one_value = {0.97, 0.9, 0.6, 4, false};  // small numbers may all become 0
  const bool cut = predicts(
      e, [&](Position p) { return std::trunc(e.expected_at(p)); }, one_value);
  if (!cut && !predicts(
                  e, [&](Position p) { return std::nearbyint(e.expected_at(p)); }, one_value))
    return std::nullopt;
  return Pattern{
      "truncated-integers",
      fmt::format(
          "The output is the right result {} to whole numbers. Is a value kept in an int, or divided by one?",
          cut ? "cut off" : "rounded")};
}

Result wrapped(const Evidence& e) {
  for (const int bits : {8, 16, 32}) {
    const double range = std::ldexp(1.0, bits);
    for (const bool is_signed : {false, true}) {
      const double low = is_signed ? -range / 2 : 0, high = low + range;
      const auto wrap = [&](Position p) {
        const double value = std::trunc(e.expected_at(p));
        return value - range * std::floor((value - low) / range);
      };
      const auto clamp = [&](Position p) { return std::clamp(e.expected_at(p), low, high - 1); };
      const bool wraps = predicts(e, wrap);
      if (!wraps && !predicts(e, clamp, {0.97, 0.9, 0.6, 4, false})) continue;
      return Pattern{
          "wrapped-integers",
          fmt::format("The output is the right result {} the range of {} {}-bit integers. Is a value kept in "
                      "too small an integer type?",
                      wraps ? "wrapped around at" : "cut to", is_signed ? "signed" : "unsigned", bits)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Pattern> nearly_right(const Evidence& e) {
  double worst = 0;
  std::size_t near = 0, fractions = 0;
  for (const Position p : e.wrong) {
    const double expected = e.expected_at(p);
    const double error = std::fabs(e.got_at(p) - expected) / std::fabs(expected);
    fractions += expected != std::nearbyint(expected);
    if (!(error <= 1e-2)) continue;
    ++near;
    worst = std::max(worst, error);
  }
  const bool real = e.tolerance.abs != 0 || e.tolerance.rel != 0 || 2 * fractions > e.wrong.size();
  if (!real || near * 100 < e.wrong.size() * 97) return std::nullopt;
  return Pattern{
      "imprecise",
      fmt::format(
          "All wrong elements are near the right ones, off by at most {:.2g} of their value. Is a value kept "
          "in a smaller type, a fast but inexact function used, or a very long sum taken in one go?{}",
          worst, e.tolerance.why.empty() ? "" : " The tolerance is smaller: " + e.tolerance.why)};
}

std::optional<Pattern> other_result(const Evidence& evidence) {
  for (const auto hypothesis :
       {copied_input, transposed, repeated_diagonal, scaled, offset, shifted, shifted_in_memory, reversed,
        row_stride, swapped_rows, accumulated, truncated, wrapped, permuted})
    if (auto pattern = hypothesis(evidence)) return pattern;
  return std::nullopt;
}

}  // namespace grader::hypotheses
