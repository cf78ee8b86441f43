// Finds the lanes of a warp that run together: merges the events of all lanes into the warp's steps.
//
// The emulation runs a block's threads one after another. A GPU runs the lanes of a warp in one step while they take
// the same path. It runs the sides of a branch one after another, and joins them at the branch's immediate
// post-dominator: the first place on every path from the branch to the end. The lanes' paths between two barriers form
// the graph for this search, so the compiler does not need to provide one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace cuemu::counters {

/// A lane's event: a place in the program, with the address accessed there.
struct Event {
  static constexpr unsigned place_bits = 17;
  static constexpr std::uint64_t most_places = std::uint64_t{1} << place_bits;

  Event(std::uint32_t place, std::uint64_t address)
      : packed(std::uint64_t{place} << (64 - place_bits) | (address & (~std::uint64_t{0} >> place_bits))) {}
  std::uint32_t place() const { return static_cast<std::uint32_t>(packed >> (64 - place_bits)); }
  std::uint64_t address() const { return packed & (~std::uint64_t{0} >> place_bits); }

  std::uint64_t packed;
};
using Path = std::vector<Event>;
/// One path for each lane, indexed by lane; lanes outside the mask have none.
using Paths = std::array<const Path*, 32>;

struct Step {
  std::uint32_t place;
  std::uint32_t lanes;
  const std::array<std::uint32_t, 32>& at;  ///< index of the event in each lane's path
};

/// Receives the steps.
class Steps {
 public:
  Steps() = default;
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;
  virtual ~Steps() = default;
  virtual void step(const Step&) = 0;
  /// Called when lanes that ran `place` together take different paths.
  virtual void diverged(std::uint32_t place, std::uint32_t lanes) = 0;
};

/// Replays the paths of the lanes in `lanes`.
void replay(const Paths& paths, std::uint32_t lanes, Steps& steps);

}  // namespace cuemu::counters
