// Finds the place of the missing barrier between the two accesses of a race, from the source around their
// lines.
#pragma once

#include <string>
#include <vector>

#include "findings.hpp"
#include "loops.hpp"
#include "race_facts.hpp"

namespace cuemu::check {

/// Returns whether a line calls a barrier of the block. The names of warp barriers, shuffles and asynchronous
/// copies contain `sync`, too, but these are no such barriers.
bool has_block_barrier(const Line& line);

/// The place of a missing barrier in the source.
class MissingBarrier {
 public:
  MissingBarrier(const RaceFacts& facts, const Finding& finding);

  /// Returns the kind of barrier that is missing.
  Lack lack() const;

  /// Returns a text such as "a __syncthreads() belongs between lines 4 and 7".
  std::string text() const;

  /// Returns the lines around the place where a barrier must be added. They are the lines of two accesses, or
  /// the last lines of a loop's body; in a loop, text() contains the loop's head. Empty if there are none.
  std::vector<int> lines() const;

  /// Returns the text of the call alone: `__syncthreads()`.
  std::string call() const;

  /// Returns whether both accesses are on one line of a function that is called several times with different
  /// arguments. The accesses may then belong to different calls.
  bool is_of_two_calls() const;
  std::string function() const;

  bool comes_before_next_turn() const;
  /// Returns the line of a loop in which a barrier already separates the iterations, if both accesses are on
  /// one line of the loop (or in one call there). Both accesses then belong to one iteration, and another
  /// barrier would order nothing. Returns 0 if there is no such loop.
  int turn_of_both() const;
  /// Returns whether a loop has no barrier that every iteration reaches. The loop is around both lines, or
  /// around the only call of their function.
  bool loop_is_without() const;

  /// Returns which of the two lines should run second; 0 if this is unknown. Within a block this is the later
  /// line, if no loop leads back from it and all threads run both lines; threads that wait at an mbarrier may
  /// skip one. Between two blocks it is the line after the missing barrier. There the observed order proves
  /// nothing, since a block runs up to its barrier before the next block begins.
  int line_behind() const;

 private:
  /// Returns a text such as "the barrier full".
  std::string barrier() const;
  /// Returns a text such as "arrive at the barrier full after line 4, and wait there for that before line 7".
  std::string meeting() const;

  /// Returns whether a line calls a barrier of the missing kind.
  bool has_barrier(int line) const;
  /// Returns whether a line calls a function of the grid's group: `sync`, or one of its halves.
  bool calls_of_grid(int line, const char* function) const;

  /// The lines of the two halves of the grid's barrier: the arrival and the wait.
  struct Halves {
    int arrive = 0, wait = 0;
    bool known() const { return arrive != 0 && wait != 0; }
  };
  Halves halves_around(int line) const;
  /// Returns a text about the place of a line that is between the two halves of the barrier but should be
  /// outside; empty if there is none.
  std::string out_of_halves() const;

  /// Finds the loops around both accesses of two blocks.
  void find_turns();

  /// Returns whether only one warp reaches the place, because the block has only one warp or an `if` admits
  /// no other.
  bool of_one_warp() const;
  bool is_of_one_warp(const Loop& branch) const;

  bool passed_between() const;

  /// Returns whether an `if` decides only about this line, not about both accesses. An `if` on the block's
  /// index admits all threads of the block.
  bool decides_for(int line, const Loop& branch) const;

  /// Finds a barrier at the right place, inside an `if` on the loop's counter. Other conditions are usually
  /// constant, such as `if (blockDim.x > 512) { … }`. If a condition depends on the thread, the barrier
  /// itself is a finding.
  void find_guarded();
  bool is_guarded_between() const;

  /// Returns the last line of the loops that contain only the first line. The barrier must be after these
  /// loops, and before the loops that contain only the last line.
  int end_of_first() const;
  int begin_of_last() const;
  std::string behind_last() const;
  bool holds_barrier(const Loop& loop) const;

  /// Returns whether the later line is the condition of the loop around both lines, as in `do { … } while
  /// (again)`. No barrier can follow the condition.
  bool ends_in_condition() const;

  /// Finds the function's callers. If some threads return before the later line, the barrier belongs in the caller.
  void find_call();
  const Loop* loop_of_call() const;
  /// Text for a barrier's place, with the lines around that place.
  struct Where {
    std::string text;
    std::vector<int> lines;
  };
  Where place_of_call() const;
  Where place() const;

  bool is_of_block(const Loop& branch) const;

  /// Returns the outermost branch around two lines, inside the loop. The barrier goes after this branch, and
  /// so after all branches in it. Ignores branches for one warp, since only its lanes wait there, and
  /// branches on the block's index, which admit all threads of the block.
  const Loop* branch_around(int first, int last, const Loop* loop) const;

  /// Returns the condition that keeps some threads away from the place.
  std::string condition() const;

  const RaceFacts& facts_;
  const Finding& finding_;
  std::string file_;
  int first_ = 0, last_ = 0;  ///< the lines of both parties; 0: unknown, or not in one function
  std::vector<Loop> loops_, branches_;
  const Loop* loop_ = nullptr;  ///< the innermost loop around both lines
  /// The outermost loop around both lines in which each thread handles a share of the elements; for races
  /// between blocks. Threads run different numbers of its iterations, so it can't contain a barrier. If there
  /// is such a loop, loop_ is the loop around it.
  const Loop* share_ = nullptr;
  std::vector<std::string> grids_;  ///< names of the grid in the source
  int head_ = 0;                    ///< the line of the function's head, unless it is a kernel
  bool in_function_ = false;
  bool around_call_ = false;  ///< the barrier can't be in the function: some threads return before it
  std::vector<int> calls_;    ///< the lines that call the function, if the barrier may belong there
  int call_ = 0;              ///< the only call; 0: there are several
  int guarded_ = 0;           ///< the line of a barrier at the right place, but inside an `if`; 0: none
  int guard_ = 0;             ///< the line of that `if`
};

}  // namespace cuemu::check
