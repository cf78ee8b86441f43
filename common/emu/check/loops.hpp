// The loops of a source file, found in its text, and a block's current iteration. The barriers that the block has
// passed in the loop give the iteration, so no loop is counted while a kernel runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuemu::check {

/// A `for`, `while` or `do`; or an `if` or `else`.
struct Loop {
  int line = 0;             ///< of its keyword
  int first = 0, last = 0;  ///< lines of its body
  bool holds(int at) const { return first <= at && at <= last; }
};

/// All loops of a text, by the line of their keywords.
std::vector<Loop> loops_in(const std::vector<std::string>& lines);

/// The branches of all `if`s, including `else`, in the same form. Without `if constexpr`, which all threads take.
std::vector<Loop> branches_in(const std::vector<std::string>& lines);

/// The innermost loop whose body holds both lines; null: none.
const Loop* innermost(const std::vector<Loop>& all, int first, int last);

/// Whether the condition at a line decides if threads reach the other line, or how often. It does so in a loop or an
/// `if` around that line, or in an `if` that leaves such a loop.
bool decides_about(const std::vector<std::string>& lines, int condition, int line);

/// The condition of an `if` that lets threads reach a line.
struct Guard {
  std::string condition;        ///< "x < w && y < h"; empty: none
  std::size_t comparisons = 0;  ///< by `<` or `>`
  bool known() const { return !condition.empty(); }
};
/// The guard of an access: an `if` around it, the innermost one first, or before it one that returns. Its condition
/// compares by `<` or `>`.
/// @param column of the access, from 1: an `if` of the same line counts before it; 0: anywhere in the line
Guard guard_of(const std::vector<std::string>& lines, int line, int column);

/// Whether every thread that reaches `first` also reaches the later line, which others may reach alone. `first` is in a
/// branch or a loop that ends before the later line, in the same function, and no jump skips that line. False if
/// unknown.
bool is_on_the_way(const std::vector<std::string>& lines, int first, int later);

/// Whether a text contains this word, not as part of a longer one.
bool has_word(const std::string& text, const std::string& word);

/// Whether a device function begins in these lines.
bool begins_function_in(const std::vector<std::string>& lines, int first, int last);

/// For a line in a function that kernels call: the line of the function's head. 0: the line is in none.
int head_of_device_function(const std::vector<std::string>& lines, int line);

/// The name declared by a function's head: "sum" for `__device__ float sum(const float* p)`.
std::string declared_name(const std::string& head);

/// The text before a `//` comment.
std::string without_comment(const std::string& text);

/// Whether a path of debug information names the file given to the compiler.
bool is_same_file(const std::string& path, const std::string& given);

/// Counts how often a block has reached each of its barriers.
class BarrierCounts {
 public:
  void clear() { counts_.clear(); }
  void passed(const char* file, int line);
  /// "in the 2nd iteration of the loop at line 39": the iteration in which a block executes `line`. Empty in the first
  /// iteration, outside loops, and if no barrier shows it.
  /// @param loops of the file
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
