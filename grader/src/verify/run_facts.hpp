/// @file
/// Facts from the profile of a run about how its output was made.
///
/// If elements are missing, the launch distinguishes a grid that is too small from a guard or an index that omits
/// them.
#pragma once
#include <functional>
#include <optional>

#include "model/profile.hpp"

namespace grader {

/// The grid and the block of a launch.
struct Launch {
  std::size_t grid[3] = {1, 1, 1};
  std::size_t block[3] = {1, 1, 1};
  bool shared = false;  ///< whether its blocks have shared memory

  std::size_t threads(int axis) const { return grid[axis] * block[axis]; }  ///< in direction 0, 1 or 2
  std::size_t threads() const { return threads(0) * threads(1) * threads(2); }
  std::size_t blocks() const { return grid[0] * grid[1] * grid[2]; }
};

struct RunFacts {
  std::optional<Launch>
      launch;  ///< the launch with the most threads, of equal ones the longest; no value: unknown or no
               ///< kernel
  bool no_kernel = false;  ///< whether it is proved that no kernel ran: there is a profile without a kernel
  bool marked_memory = false;  ///< whether fresh memory has marks that arithmetic preserves (emulation)
  /// Whether the profile proves that each input was completely copied to the device. If the function is empty, this
  /// is unknown. It is called only when needed, since it reads all inputs.
  std::function<bool()> inputs_copied;
};

RunFacts run_facts(const Profile& profile);

/// The number of threads of a launch, which may exceed 64 bits.
double threads_of(const Activity& launch);

/// The numbers as "3 × 2" or "3 × 2 × 4": at least `least` of them, and all up to the last that is not 1.
std::string extent_words(const std::size_t (&extent)[3], int least = 2);

}  // namespace grader
