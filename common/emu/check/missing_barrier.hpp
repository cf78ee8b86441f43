// Finds where a barrier is missing between the two accesses of a race, from the source of their lines.
#pragma once

#include <string>
#include <vector>

#include "findings.hpp"
#include "loops.hpp"
#include "race_facts.hpp"

namespace cuemu::check {

/// Whether a line calls a barrier of the block. The names of warp barriers, shuffles and asynchronous copies contain
/// `sync`, too.
bool has_block_barrier(const Line& line);

/// The place of a missing barrier in the source.
class MissingBarrier {
 public:
  MissingBarrier(const RaceFacts& facts, const Finding& finding);

  /// The kind of barrier.
  Lack lack() const;

  /// A text such as "a __syncthreads() belongs between lines 4 and 7".
  std::string text() const;

  /// The lines around the place where a barrier must be added: those of two accesses, or those of the end of a loop's
  /// body, for which text() gives the loop's head. Empty if there are none.
  std::vector<int> lines() const;

  /// The text of the call alone: `__syncthreads()`.
  std::string call() const;

  /// Whether both accesses are on one line of a function that is called again with other arguments, so that they may
  /// belong to different calls.
  bool is_of_two_calls() const;
  std::string function() const;

  bool comes_before_next_turn() const;
  /// For two accesses on one line of a loop, or of one call in the loop, whose iterations a barrier already
  /// separates: the line of that loop. Both accesses then belong to one iteration, and another barrier would order
  /// nothing. 0 if there is no such loop.
  int turn_of_both() const;
  /// Whether a loop around both lines, or around the only call of their function, has no barrier that every iteration
  /// reaches.
  bool loop_is_without() const;

  /// The line that should run after the other line. Within a block this is the later line, if no loop leads back from
  /// it and all threads run both lines (threads that meet at an mbarrier may skip one); otherwise 0. Between two
  /// blocks it is the line after the missing barrier. There the order of the accesses proves nothing, since a block
  /// runs up to its barrier before the next block begins.
  int line_behind() const;

 private:
  /// A text such as "the barrier full".
  std::string barrier() const;
  /// A text such as "arrive at the barrier full after line 4, and wait there for that before line 7".
  std::string meeting() const;

  /// Whether a line calls a barrier of the missing kind.
  bool has_barrier(int line) const;
  /// Whether a line calls a function of the grid's group: `sync`, or one of its halves.
  bool calls_of_grid(int line, const char* function) const;

  /// The lines of the two halves of the grid's barrier.
  struct Halves {
    int arrive = 0, wait = 0;
    bool known() const { return arrive != 0 && wait != 0; }
  };
  Halves halves_around(int line) const;
  /// A text about a line between the halves and the line's right place; empty if there is none.
  std::string out_of_halves() const;

  /// Finds the loops around both accesses of two blocks.
  void find_turns();

  /// Whether no other warp reaches the place, since the block has only one warp, or an `if` admits no other warp.
  bool of_one_warp() const;
  bool is_of_one_warp(const Loop& branch) const;

  bool passed_between() const;

  /// Whether an `if` decides about one line only, not about both accesses. An `if` about the block admits all of its
  /// threads.
  bool decides_for(int line, const Loop& branch) const;

  /// Finds a barrier at the right place that is inside an `if` on the loop's counter. Other conditions are usually
  /// always or never true, such as `if (blockDim.x > 512) { … }`. If the condition depends on the thread, the barrier
  /// itself is a finding.
  void find_guarded();
  bool is_guarded_between() const;

  /// The range for the barrier begins after the loops that contain only the first line, and ends before those that
  /// contain only the last.
  int end_of_first() const;
  int begin_of_last() const;
  std::string behind_last() const;
  bool holds_barrier(const Loop& loop) const;

  /// Whether the later line is the condition of the loop around both lines, `do { … } while (again)`, which no
  /// barrier can follow.
  bool ends_in_condition() const;

  /// Finds the function's callers. If some threads return before the later line, the barrier belongs in the caller.
  void find_call();
  const Loop* loop_of_call() const;
  /// A place for a barrier in words, with the lines around it.
  struct Where {
    std::string text;
    std::vector<int> lines;
  };
  Where place_of_call() const;
  Where place() const;

  bool is_of_block(const Loop& branch) const;

  /// The outermost branch around two lines, inside the loop. If that branch is ended, the branches inside it end,
  /// too. Branches for one warp, where only its lanes meet, and branches about the block, which admit all of its
  /// threads, are left out.
  const Loop* branch_around(int first, int last, const Loop* loop) const;

  /// The condition that keeps some threads away from the place.
  std::string condition() const;

  const RaceFacts& facts_;
  const Finding& finding_;
  std::string file_;
  int first_ = 0, last_ = 0;  ///< the lines of both parties; 0: unknown, or not in one function
  std::vector<Loop> loops_, branches_;
  const Loop* loop_ = nullptr;  ///< the innermost loop around both
  /// The outermost loop around both lines in which each thread takes a share of the elements; for races between
  /// blocks. Threads run this loop different numbers of times, so it can't contain a barrier. Then loop_ is the loop
  /// around this loop.
  const Loop* share_ = nullptr;
  std::vector<std::string> grids_;  ///< names of the grid in the source
  int head_ = 0;                    ///< the line of the function's head, unless it is a kernel
  bool in_function_ = false;
  bool around_call_ = false;  ///< the barrier can't be in the function: some threads return before it
  std::vector<int> calls_;    ///< the lines that call the function, if needed
  int call_ = 0;              ///< the only call; 0: there are several
  int guarded_ = 0;           ///< the line of a barrier at the right place, in an `if`; 0: none
  int guard_ = 0;             ///< the line of that `if`
};

}  // namespace cuemu::check
