// Finds common properties of all pairs of threads in a finding's races. They show where an index is wrong.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "views.hpp"

namespace cuemu::check {

/// Records whether the threads of a race between blocks always have the same threadIdx. If they do, the index
/// ignores the block.
class Twins {
 public:
  void met(bool same_thread, std::uint32_t thread) {
    if (!same_thread) others_ = true;
    if (thread_ && *thread_ != thread) several_ = true;
    thread_ = thread;
  }
  /// Merges the facts of another finding. If its threads are in one block, it counts as a finding of
  /// different threads.
  void add(const Twins& other) {
    if (!thread_ || !other.thread_ || other.others_) others_ = true;
    if (other.several_ || thread_ != other.thread_) several_ = true;
  }
  /// Returns true if only threads with the same threadIdx raced, for several values of threadIdx. With a
  /// single value, one thread of each block may act for its block on one element.
  bool of_several_only() const { return several_ && !others_; }

 private:
  std::optional<std::uint32_t> thread_;  ///< the thread of the last race
  bool several_ = false;                 ///< the races had different values of threadIdx
  bool others_ = false;                  ///< threads with different threadIdx raced with each other, too
};

/// Two threads of one launch that race.
struct RacingThreads {
  std::array<std::uint32_t, 3> first,
      second;  ///< their indices in the grid: blockIdx.x * blockDim.x + threadIdx.x, …
  std::uint32_t first_thread, second_thread;  ///< their linear indices in their blocks
  std::uint32_t first_block, second_block;    ///< the linear indices of their blocks
  bool between_blocks;
  std::uintptr_t address;  ///< the element's address
};

/// The common property of all races of a finding: the axes that their index leaves out, or two neighbouring
/// blocks that overlap.
class Apart {
 public:
  void met(const RacingThreads& pair);
  void add(const Apart& other);
  /// Returns the question about the index; empty if the races have no common property.
  std::string question(const dim3& grid, const dim3& block) const;

 private:
  using Place = std::array<std::uint32_t, 3>;
  void note_element(Place place, std::uintptr_t address);
  void note_elements(const std::map<Place, std::uintptr_t>& elements);

  bool any_ = false;
  std::array<bool, 3> differ_{};   ///< in some race the two threads have different indices on this axis
  std::array<bool, 3> several_{};  ///< the races are at different indices on this axis
  Place place_{};                  ///< the indices of the last race's second thread
  /// The element for each place. A place has the indices on the axes on which the threads don't differ.
  std::map<Place, std::uintptr_t> elements_;
  bool one_element_each_ = true;         ///< no place has two elements
  std::optional<std::int64_t> overlap_;  ///< the distance of the threads of two neighbouring blocks
  bool overlaps_alike_ = true;           ///< the distance is the same in all races
};

}  // namespace cuemu::check
