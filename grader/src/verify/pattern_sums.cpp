// Hypotheses on a single number that should be the sum of the only input, but lacks terms or counts terms twice.
//
// One wrong number fits many hypotheses by chance. So only a few sums are tried: those over parts that belong
// to a block, a warp or a level of a tree.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "verify/hypotheses.hpp"

namespace grader::hypotheses {
namespace {

using Result = std::optional<Pattern>;

class SumOfInput {
 public:
  explicit SumOfInput(const Evidence& evidence) : e_(evidence), x_(*evidence.inputs[0]), got_(e_.got[0]) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      sum_ += x_[i];
      magnitude_ += std::fabs(x_[i]);
    }
  }

  /// False when the number is another function of the input.
  bool is_sum() const { return e_.near(e_.expected(0, 0), sum_); }

  Result pattern() const {
    // A tree predicts one number. Sums of leading terms predict as many numbers as there are terms, so one of
    // them equals the result by chance far more often.
    for (const auto hypothesis :
         {&SumOfInput::first_term, &SumOfInput::second_term, &SumOfInput::last_term, &SumOfInput::multiple,
          &SumOfInput::off_by_one, &SumOfInput::one_more, &SumOfInput::last_repeated,
          &SumOfInput::first_block_repeated, &SumOfInput::level_missing, &SumOfInput::other_tree,
          &SumOfInput::first_terms, &SumOfInput::last_terms})
      if (auto found = (this->*hypothesis)()) return found;
    return std::nullopt;
  }

 private:
  bool is(double value) const { return e_.near(got_, value); }

  Result first_term() const {
    if (!is(x_[0])) return std::nullopt;
    return Pattern{
        "copied-input",
        "The result is the first number of the input: nothing was added to it, or the sum was stored "
        "elsewhere."};
  }

  Result second_term() const {
    if (!is(x_[1])) return std::nullopt;
    return Pattern{
        "copied-input",
        "The result is the number with the index 1. The tree leaves the sum in element 0: does thread 0 "
        "store it, and no other thread?"};
  }

  Result last_term() const {
    if (!is(x_[x_.size() - 1])) return std::nullopt;
    return Pattern{"last-term-only",
                   "The result is the last number of the input. Is each number assigned instead of added?"};
  }

  Result multiple() const {
    for (const double factor : {2.0, 3.0, 4.0, 8.0, 16.0, 32.0, 0.5, -1.0}) {
      if (!is(factor * sum_)) continue;
      return Pattern{"scaled", fmt::format("The result is {:g} times the right sum. {}", factor,
                                           factor > 1 ? "Is each number added by several threads, or the sum "
                                                        "added to one that was there before?"
                                                      : "Is only a part of the numbers added?")};
    }
    return std::nullopt;
  }

  Result off_by_one() const {
    const struct {
      double term;
      const char* words;
    } ends[] = {{x_[0], "first"}, {x_[x_.size() - 1], "last"}};
    for (const auto& end : ends) {
      if (end.term == 0) continue;
      if (is(sum_ - end.term)) return off_by(end.words, "missing");
      if (is(sum_ + end.term)) return off_by(end.words, "counted twice");
    }
    return std::nullopt;
  }

  static Pattern off_by(const char* which, const char* what) {
    return {"off-by-one-term",
            fmt::format("The {} number of the input is {}: look at the beginning and the end "
                        "of each range of indices.",
                        which, what)};
  }

  Result one_more() const {
    if (!is(sum_ + 1) && !is(sum_ - 1)) return std::nullopt;
    return Pattern{"offset",
                   fmt::format("The result is 1 {} than the right sum. Does the sum begin at 0, and is it "
                               "stored as it is?",
                               is(sum_ + 1) ? "more" : "less")};
  }

  double sum_of_first(std::size_t count) const {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += x_[i];
    return sum;
  }

  /// Hypothesis: threads beyond the end of the input read its last number again.
  Result last_repeated() const {
    const double last = x_[x_.size() - 1];
    for (std::size_t block = 32; block <= 1024; block *= 2) {
      const std::size_t without = (block - x_.size() % block) % block;
      if (last == 0 || without < 2 || !is(sum_ + static_cast<double>(without) * last)) continue;
      return Pattern{
          "off-by-one-term",
          fmt::format("The last number was added {} times: {} numbers fill no whole number of blocks of "
                      "{}. A thread without a number must add 0, and not read the last one again.",
                      without + 1, x_.size(), block)};
    }
    return std::nullopt;
  }

  Result first_block_repeated() const {
    for (std::size_t block = 32; block <= 1024 && block < x_.size(); block *= 2) {
      const std::size_t blocks = (x_.size() + block - 1) / block;
      if (!is(static_cast<double>(blocks) * sum_of_first(block))) continue;
      return Pattern{
          "partial-sum",
          fmt::format("The result is {} times the sum of the first {} numbers, once for each block: is "
                      "blockIdx left out of the index of the number that a thread loads?",
                      blocks, block)};
    }
    return std::nullopt;
  }

  /// Whether a number equals one of the sums of leading terms by chance with a probability of at most one in
  /// fifty.
  bool may_try_all() const { return 50 * static_cast<double>(x_.size()) <= magnitude_; }

  std::size_t step() const { return may_try_all() ? 1 : 32; }

  bool is_of_launch(std::size_t k) const {
    return e_.run.launch &&
           (e_.run.launch->block[0] == k || e_.run.launch->threads() == k || e_.run.launch->blocks() == k);
  }

  /// Added zeros leave no trace, so several counts from k on have the same sum. Returns the count that the
  /// launch explains, or else the count that whole warps explain.
  std::size_t likeliest_count(std::size_t k) const {
    std::size_t last = k;
    while (last + 2 < x_.size() && x_[last] == 0) ++last;
    for (std::size_t i = k; i <= last; ++i)
      if (is_of_launch(i)) return i;
    for (std::size_t i = k; i <= last; ++i)
      if (i % 32 == 0) return i;
    return k;
  }

  Result first_terms() const {
    double sum = 0;
    for (std::size_t first = 1; first + 1 < x_.size(); ++first) {
      sum += x_[first - 1];
      if (first < 2 || first % step() != 0 || !is(sum)) continue;
      const std::size_t k = likeliest_count(first);
      const std::size_t rest = x_.size() - k;
      return Pattern{
          "partial-sum",
          fmt::format("The result is the sum of the first {} of the {} numbers: the last {} {} missing. {}",
                      k, x_.size(), rest, rest == 1 ? "is" : "are", why_only_first(k, rest))};
    }
    return std::nullopt;
  }

  /// Why all but the first k numbers are missing.
  std::string why_only_first(std::size_t k, std::size_t rest) const {
    if (k == 32)
      return "A warp has as many threads: are the sums of the other warps added to that of the first one?";
    const bool of_block = e_.run.launch && e_.run.launch->block[0] == k;
    if (of_block && e_.run.launch->blocks() > 1)
      return "The first block has as many: does a further launch add the sums of all blocks, and does the "
             "last one "
             "write to the array that is copied back?";
    if (of_block)
      return "The block has as many threads: does each of them take further numbers, in a loop, when there "
             "are more "
             "numbers than threads?";
    if (e_.run.launch && e_.run.launch->threads() == k)
      return "The largest launch has as many threads: is there a launch for all n numbers, and is the number "
             "of its blocks rounded up?";
    if (e_.run.launch && e_.run.launch->blocks() == k)
      return "The largest launch has as many blocks: does the next one add the sums of these blocks, and not "
             "the first numbers of the input again?";
    if (e_.run.launch && e_.run.launch->threads() >= x_.size())
      return "There is a thread for each number: is the kernel given the whole n, and do the condition by "
             "which a thread loads its number and that of each level of the tree let all of them through?";
    if (k > rest) return "Does a division that gives a number of blocks or of rounds drop the remainder?";
    return "Are there enough threads, blocks or launches for all of them, and do these get the whole n?";
  }

  Result last_terms() const {
    double sum = 0;
    for (std::size_t k = 1; k + 1 < x_.size(); ++k) {
      sum += x_[x_.size() - k];
      if (k < 2 || (x_.size() - k) % step() != 0 || !is(sum)) continue;
      return Pattern{
          "partial-sum",
          fmt::format("The result is the sum of the last {} of the {} numbers: the first {} are missing. {}",
                      k, x_.size(), x_.size() - k,
                      k == x_.size() % 4
                          ? "These are those that fill no float4: is the round of the loop done in "
                            "which some float4 lie beyond the end?"
                          : "Is a number assigned in each round instead of added, with = instead of "
                            "+= ?")};
    }
    return std::nullopt;
  }

  /// Hypothesis: a level of a tree is skipped, which omits every number whose index has one particular bit set. If
  /// the level's distance is half the numbers or more, only the first numbers remain, and first_terms() explains
  /// their sum.
  Result level_missing() const {
    for (std::size_t distance = 1; 2 * distance < x_.size() && distance <= 1024; distance *= 2) {
      double sum = 0;
      for (std::size_t i = 0; i < x_.size(); ++i) sum += (i & distance) == 0 ? x_[i] : 0;
      if (!is(sum)) continue;
      const std::string which =
          distance == 1 ? "Every second number (1, 3, 5 …) is missing"
                        : fmt::format("Of each {} numbers the last {} are missing", 2 * distance, distance);
      return Pattern{
          "partial-sum",
          fmt::format("{}: the level of the tree that adds at the distance {} did not take place. Does the "
                      "loop over the levels begin and end right, and do enough threads add on that level?",
                      which, distance)};
    }
    return std::nullopt;
  }

  /// The initial sums of the threads of one block: thread t has x[t] + x[t + width] + …
  std::vector<double> partial_sums(std::size_t width) const {
    std::vector<double> partial(width);
    for (std::size_t i = 0; i < x_.size(); ++i) partial[i % width] += x_[i];
    return partial;
  }

  /// Hypothesis: the number is the result of a whole tree over the partial sums of one block, with a typical mistake.
  Result other_tree() const {
    const std::size_t width = e_.run.launch ? e_.run.launch->block[0] : 512;
    if (width < 64 || width > 1024 || (width & (width - 1)) != 0) return std::nullopt;
    const std::vector<double> partial = partial_sums(width);
    double every_second = 0, even_lanes = 0, next = partial[0];
    for (std::size_t i = 0; i < width; ++i) {
      constexpr std::size_t left_out = 0b1010101010;  // the levels 2, 8, 32 …
      every_second += (i & left_out) == 0 ? partial[i] : 0;
      even_lanes += (i & 33u) == 0 ? partial[i] : 0;
    }
    for (std::size_t distance = 1; distance < width; distance *= 2) next += partial[1];
    const struct {
      double sum;
      const char* words;
    } trees[] = {
        {every_second,
         "Every second level of the tree is missing, those with the distances 2, 8, 32 …: is the "
         "distance multiplied by 4 where the next level has twice the distance?"},
        {even_lanes,
         "The level with the distance 1 is missing, within each warp and among the sums of the warps: does "
         "the loop over the distances end at 1?"},
        {next,
         "Each level added element 1 again: on a level, the element to add lies at the level's distance, and "
         "not "
         "always next to it."},
        {mirrored(partial, 0, 0),
         "In the tree of mirror images each element was added to the one before its mirror "
         "image: the partner of element t has the index count - 1 - t."},
        {mirrored(partial, 1, 1),
         "The tree of mirror images ends with two partial sums left: its last level, with the "
         "distance 1, did not take place. Where does the loop over the levels end?"},
        {of_lane_1(partial),
         "The sum of each warp was taken from lane 1. After __shfl_down_sync only lane 0 holds the "
         "sum of its whole warp."},
    };
    for (const auto& tree : trees)
      if (is(tree.sum)) return Pattern{"partial-sum", tree.words};
    return std::nullopt;
  }

  /// Scheme "mirror images": adds to element t its partner at count - back - t, and leaves out `levels_left_out`
  /// levels at the end. Sums are rounded to float, since such a tree may add up large numbers that cancel in the
  /// right tree.
  static double mirrored(std::vector<double> sums, std::size_t back, std::size_t levels_left_out) {
    for (std::size_t count = sums.size(); count >= 2u << levels_left_out; count /= 2)
      for (std::size_t t = 0; t < count / 2; ++t)
        sums[t] = static_cast<float>(sums[t] + sums[(count - back - t) % sums.size()]);
    return sums[0];
  }

  /// At the time when lane 0 of each warp has the sum of its warp, adds up the values of lane 1 of all warps.
  /// A lane without a source lane adds its own value.
  static double of_lane_1(const std::vector<double>& partial) {
    double sum = 0;
    for (std::size_t warp = 0; warp < partial.size(); warp += 32) {
      std::vector<double> lanes(partial.begin() + static_cast<std::ptrdiff_t>(warp),
                                partial.begin() + static_cast<std::ptrdiff_t>(warp + 32));
      for (std::size_t distance = 16; distance >= 1; distance /= 2) {
        const std::vector<double> before = lanes;
        for (std::size_t lane = 0; lane < 32; ++lane)
          lanes[lane] += before[lane + distance < 32 ? lane + distance : lane];
      }
      sum += lanes[1];
    }
    return sum;
  }

  const Evidence& e_;
  const Array& x_;
  const double got_;
  double sum_ = 0, magnitude_ = 0;
};

}  // namespace

std::optional<Pattern> other_sum(const Evidence& evidence) {
  if (evidence.got.size() != 1 || evidence.inputs.size() != 1 || evidence.inputs[0]->size() < 2)
    return std::nullopt;
  const SumOfInput sum(evidence);
  return sum.is_sum() ? sum.pattern() : std::nullopt;
}

}  // namespace grader::hypotheses
