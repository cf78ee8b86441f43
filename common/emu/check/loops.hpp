// The loops of a source file, as its text shows them, and in which turn of one a block is: told by the
// barriers that it has passed in the loop, so that no loop has to be counted while a kernel runs.
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

/// The branches of all `if`s in the same form, those behind an `else` too. Not of `if constexpr`, which all
/// threads take.
std::vector<Loop> branches_in(const std::vector<std::string>& lines);

/// The innermost one whose body holds both lines; null where none does.
const Loop* innermost(const std::vector<Loop>& all, int first, int last);

/// Does a condition at one line decide whether threads come to the other one, or how often? It is that of a loop or an
/// `if` around that line, or of an `if` that leaves such a loop.
bool decides_about(const std::vector<std::string>& lines, int condition, int line);

/// Does a thread that comes to `first` come to the later line as well, while others may come there alone? `first` is in a branch
/// or a loop that ends before the other line, in the same function, and nothing leads past that line. False where it is not
/// known.
bool is_on_the_way(const std::vector<std::string>& lines, int first, int later);

/// Does a text have this word, not as a part of a longer one?
bool has_word(const std::string& text, const std::string& word);

/// Does a function of the device begin in these lines?
bool begins_function_in(const std::vector<std::string>& lines, int first, int last);

/// Of a line in a function that kernels call, whose callers are not seen there: the line of the function's head. 0: it
/// stands in none.
int head_of_device_function(const std::vector<std::string>& lines, int line);

/// The name that a line of a function's head declares: "sum" of `__device__ float sum(const float* p)`.
std::string declared_name(const std::string& head);

/// A text up to a comment in it that goes to the line's end.
std::string without_comment(const std::string& text);

/// Is a path, as debug information has it, that of the file as the compiler was given it?
bool is_same_file(const std::string& path, const std::string& given);

/// How often a block has come to each of its barriers.
class BarrierCounts {
 public:
  void clear() { counts_.clear(); }
  void passed(const char* file, int line);
  /// "in the 2nd iteration of the loop at line 39": the turn in which a block does what stands at `line`. Empty in
  /// the first turn, outside of loops, and where no barrier tells.
  /// @param loops of the file
  std::string turn_at(const std::vector<Loop>& loops, const std::string& file, int line) const;

  /// Has the block passed a barrier that stands between two lines?
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
