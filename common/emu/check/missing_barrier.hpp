// Where a barrier is missing between the two accesses of a race: the source of their lines shows it.
#pragma once

#include <string>
#include <vector>

#include "findings.hpp"
#include "loops.hpp"
#include "race_facts.hpp"

namespace cuemu::check {

/// Does a line call a barrier of the block? Those of a warp, its shuffles and asynchronous copies have `sync` in their names too.
bool has_block_barrier(const Line& line);

/// Where a barrier is missing, as the source shows it.
class MissingBarrier {
 public:
  MissingBarrier(const RaceFacts& facts, const Finding& finding);

  /// Which one it is.
  Lack lack() const;

  /// "a __syncthreads() belongs between lines 4 and 7"
  std::string text() const;

  /// The call alone: `__syncthreads()`.
  std::string call() const;

  /// One line of a function that is called again, with other arguments: the two accesses may be of different calls.
  bool is_of_two_calls() const;
  std::string function() const;

  bool comes_before_next_turn() const;
  /// The loop whose iterations a barrier keeps apart already, where both accesses are of one line in it, or of one call: both
  /// belong to the same iteration then, and a barrier more orders nothing. Its line; 0: there is none.
  int turn_of_both() const;
  /// Is there a loop around both, and no barrier in it that each turn comes to?
  bool loop_is_without() const;

  /// The line that is meant to come behind the other one: the later one, where nothing leads back from there, and where
  /// all threads take both, which those who meet at an mbarrier may not. Otherwise 0. Of two blocks it is the one behind the
  /// barrier that is missing: one block runs up to its barrier before the next one begins, so who was first tells nothing.
  int line_behind() const;

 private:
  /// "the barrier full"
  std::string barrier() const;
  /// "arrive at the barrier full after line 4, and wait there for that before line 7"
  std::string meeting() const;

  /// Does a line call a barrier of the kind that is missing?
  bool has_barrier(int line) const;
  /// Does it call a function of the grid's: `sync`, or a half of it?
  bool calls_of_grid(int line, const char* function) const;

  /// The halves of the grid's barrier, by their lines.
  struct Halves {
    int arrive = 0, wait = 0;
    bool known() const { return arrive != 0 && wait != 0; }
  };
  Halves halves_around(int line) const;
  /// What is between the halves, and where it belongs; empty: nothing is.
  std::string out_of_halves() const;

  /// Finds the loops around both of two blocks.
  void find_turns();

  /// No other warp comes to the place: it is the only one of its block, or an `if` lets no other in.
  bool of_one_warp() const;
  bool is_of_one_warp(const Loop& branch) const;

  bool passed_between() const;

  /// Does an `if` decide for a line alone, and not for both accesses? One that asks for the block lets all of its threads in.
  bool decides_for(int line, const Loop& branch) const;

  /// The barrier that stands at the place where one is missing, in an `if` that asks for the turn of the loop. Others are mostly
  /// taken always or never, `if (blockDim.x > 512) { … }`; and what asks for the thread is told of the barrier itself.
  void find_guarded();
  bool is_guarded_between() const;

  /// Where the barrier stands: behind the loops and in front of those that hold only one of the lines.
  int end_of_first() const;
  int begin_of_last() const;
  std::string behind_last() const;
  bool holds_barrier(const Loop& loop) const;

  /// The later line is the condition of the loop around both, `do { … } while (again)`: no barrier goes behind it.
  bool ends_in_condition() const;

  /// Who calls the function. Where some threads leave it in front of the later line, the barrier belongs there.
  void find_call();
  const Loop* loop_of_call() const;
  std::string place_of_call() const;

  std::string place() const;

  bool is_of_block(const Loop& branch) const;

  /// The outermost branch around two lines, inside of the loop: whoever ends it has ended those in it. Not one that lets one
  /// warp in, where its lanes alone meet, nor one that asks for the block and not for the thread: no part of a block
  /// is kept away by that.
  const Loop* branch_around(int first, int last, const Loop* loop) const;

  /// What keeps some threads away from there.
  std::string condition() const;

  const RaceFacts& facts_;
  const Finding& finding_;
  std::string file_;
  int first_ = 0, last_ = 0;  ///< the lines of both parties; 0: not known, or not of one function
  std::vector<Loop> loops_, branches_;
  const Loop* loop_ = nullptr;  ///< the innermost one around both
  /// Of two blocks, the outermost loop around both in which each thread takes its share of the elements: not all take it equally
  /// often, so no barrier has its place in it. loop_ is around it then.
  const Loop* share_ = nullptr;
  std::vector<std::string> grids_;  ///< what the source calls the grid
  int head_ = 0;                    ///< the line of the function's head, where it is none of a kernel
  bool in_function_ = false;
  bool around_call_ = false;  ///< a barrier has no place in the function: some threads return before it
  std::vector<int> calls_;    ///< the lines that call the function, where that is asked for
  int call_ = 0;              ///< the only one of them; 0: there are several
  int guarded_ = 0;           ///< the line of a barrier at the right place, in an `if`; 0: there is none
  int guard_ = 0;             ///< the line of that `if`
};

}  // namespace cuemu::check
