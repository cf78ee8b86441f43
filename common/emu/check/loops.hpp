// Finds the loops of a source file in its text, and the current iteration of a block. The iteration follows
// from the number of barriers that the block has passed in the loop, so a running kernel counts no
// iterations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuemu::check {

/// A `for`, `while` or `do`, or an `if` or `else`.
struct Loop {
  int line = 0;             ///< the line of its keyword
  int first = 0, last = 0;  ///< lines of its body
  bool holds(int at) const { return first <= at && at <= last; }
};

/// All loops of a text, in the order of their keywords' lines.
std::vector<Loop> loops_in(const std::vector<std::string>& lines);

/// All branches of `if`s, including `else`, in the same form. `if constexpr` is left out, since all threads
/// take the same branch.
std::vector<Loop> branches_in(const std::vector<std::string>& lines);

/// The innermost loop whose body contains both lines; null if there is none.
const Loop* innermost(const std::vector<Loop>& all, int first, int last);

/// Whether the condition at a line decides if threads reach the other line, or how many times. Such a
/// condition belongs to a loop or an `if` around the other line, or to an `if` that leaves such a loop.
bool decides_about(const std::vector<std::string>& lines, int condition, int line);

/// The condition of an `if` that decides which threads reach a line.
struct Guard {
  std::string condition;        ///< "x < w && y < h"; empty: none
  std::size_t comparisons = 0;  ///< the number of comparisons by `<` or `>`
  bool known() const { return !condition.empty(); }
};
/// The guard of an access: the innermost `if` around it, or an earlier `if` that returns. Only conditions
/// that compare by `<` or `>` count.
/// @param column the column of the access, from 1: an `if` on the same line counts only if it is left of this
/// column; 0: it counts anywhere on the line
Guard guard_of(const std::vector<std::string>& lines, int line, int column);

/// Whether every thread that reaches `first` also reaches the line `later`, which other threads may reach,
/// too. `first` must be in a branch or a loop that ends before `later`, in the same function, and no jump may
/// skip `later`. False if this is unknown.
bool is_on_the_way(const std::vector<std::string>& lines, int first, int later);

/// Whether a text contains this word, other than as a part of a longer word.
bool has_word(const std::string& text, const std::string& word);

/// Whether a device function begins in these lines.
bool begins_function_in(const std::vector<std::string>& lines, int first, int last);

/// For a line in a function that kernels call: the line of that function's head. 0 for any other line.
int head_of_device_function(const std::vector<std::string>& lines, int line);

/// The name that a function's head declares: "sum" for `__device__ float sum(const float* p)`.
std::string declared_name(const std::string& head);

/// The text before a `//` comment.
std::string without_comment(const std::string& text);

/// Whether a path in debug information names the file that was given to the compiler.
bool is_same_file(const std::string& path, const std::string& given);

/// Counts how many times a block has reached each of its barriers.
class BarrierCounts {
 public:
  void clear() { counts_.clear(); }
  void passed(const char* file, int line);
  /// The iteration in which a block executes `line`: "in the 2nd iteration of the loop at line 39". Empty in the
  /// first iteration, outside loops, and if no barrier shows the iteration.
  /// @param loops the loops of the file
  std::string turn_at(const std::vector<Loop>& loops, const std::string& file, int line) const;

  /// Whether the block has passed a barrier between two lines.
  bool passed_between(const std::string& file, int first, int last) const;

 private:
  struct Count {
    const char* file;
    int line;
    std::uint32_t count;
  };
  std::vector<Count> counts_;
};

}  // namespace cuemu::check
