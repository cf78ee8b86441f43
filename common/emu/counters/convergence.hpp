// Which lanes of a warp run together: the warp's steps, put together from what each lane did by itself.
//
// The emulation runs the threads of a block one after the other. A GPU runs the lanes of a warp in one step
// as long as they take the same way, the sides of a branch one after the other where they don't, and joins
// them where the sides meet again: at the branch's immediate post-dominator, the first place that every way
// from the branch to the end passes. The ways that the lanes took, from one barrier to the next, make the
// graph in which it is looked for, so nothing is needed of the compiler's.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace cuemu::counters {

/// What a lane did: places in the program, each with the address that was accessed there.
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
/// By lane; lanes outside the mask have empty ones.
using Paths = std::array<const Path*, 32>;

/// A step of a warp.
struct Step {
  std::uint32_t place;
  std::uint32_t lanes;
  const std::array<std::uint32_t, 32>& at;  ///< index of the event in each lane's path
};

/// Who is told.
class Steps {
 public:
  Steps() = default;
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;
  virtual ~Steps() = default;
  virtual void step(const Step&) = 0;
  /// Lanes that ran `place` together go different ways.
  virtual void diverged(std::uint32_t place, std::uint32_t lanes) = 0;
};

/// Replays the paths of the lanes in `lanes`.
void replay(const Paths& paths, std::uint32_t lanes, Steps& steps);

}  // namespace cuemu::counters
