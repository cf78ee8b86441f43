#include "racing_threads.hpp"

#include <utility>

#include "naming.hpp"

namespace cuemu::check {

void Apart::met(const RacingThreads& pair) {
  const bool apart = pair.first_block != pair.second_block;
  const std::int64_t ahead = std::int64_t{pair.first_thread} - pair.second_thread;
  const bool neighbours =
      pair.first_block + 1 == pair.second_block || pair.second_block + 1 == pair.first_block;
  const std::int64_t overlap = pair.first_block < pair.second_block ? ahead : -ahead;
  if (!apart || !neighbours || (overlap_ && *overlap_ != overlap)) overlaps_alike_ = false;
  overlap_ = overlap;
  bool is_new = false;  // an axis on which no threads differed before
  for (std::size_t axis = 0; axis < place_.size(); ++axis) {
    if (pair.first[axis] != pair.second[axis] && !std::exchange(differ_[axis], true)) is_new = true;
    if (any_ && place_[axis] != pair.second[axis]) several_[axis] = true;
  }
  place_ = pair.second;
  any_ = true;
  if (is_new) note_elements(std::exchange(elements_, {}));  // by the axes on which threads don't differ now
  note_element(pair.second, pair.address);
}

void Apart::note_elements(const std::map<Place, std::uintptr_t>& elements) {
  for (const auto& [place, address] : elements) note_element(place, address);
}

void Apart::note_element(Place place, std::uintptr_t address) {
  constexpr std::size_t most = 4096;
  for (std::size_t axis = 0; axis < place.size(); ++axis)
    if (differ_[axis]) place[axis] = 0;
  if (const auto found = elements_.find(place); found != elements_.end())
    one_element_each_ = one_element_each_ && found->second == address;
  else if (elements_.size() < most)
    elements_[place] = address;
}

void Apart::add(const Apart& other) {
  if (!other.any_) return;
  if (!any_) {
    *this = other;
    return;
  }
  if (!other.overlaps_alike_ || overlap_ != other.overlap_) overlaps_alike_ = false;
  for (std::size_t axis = 0; axis < place_.size(); ++axis) {
    if (other.differ_[axis]) differ_[axis] = true;
    if (other.several_[axis] || place_[axis] != other.place_[axis]) several_[axis] = true;
  }
  one_element_each_ = one_element_each_ && other.one_element_each_;
  note_elements(std::exchange(elements_, {}));
  note_elements(other.elements_);
}

std::string Apart::question(const dim3& grid, const dim3& block) const {
  std::string axes;
  bool of_several = false;
  for (std::size_t axis = 0; axis < place_.size(); ++axis) {
    if (differ_[axis]) axes += std::string(axes.empty() ? "" : " and ") + "xyz"[axis];
    of_several |= !differ_[axis] && several_[axis];
  }
  if (!axes.empty() && of_several && one_element_each_)
    return "threads that differ only in " + axes + " meet at one element: does its index lack " + axes + "?";
  const std::uint64_t threads = volume(block);
  const bool in_a_row = grid.y == 1 && grid.z == 1;
  if (!overlaps_alike_ || !in_a_row || !overlap_ || *overlap_ <= 0 || !several_[0]) return "";
  const bool flat = block.y == 1 && block.z == 1;
  return "thread " + std::to_string(*overlap_) +
         " of a block has the element of thread 0 of the next one, and a "
         "block has " +
         std::to_string(threads) + " threads: does the index multiply blockIdx.x by all of them, " +
         (flat           ? "blockDim.x"
          : block.z == 1 ? "blockDim.x * blockDim.y"
                         : "blockDim.x * blockDim.y * blockDim.z") +
         "?";
}

}  // namespace cuemu::check
