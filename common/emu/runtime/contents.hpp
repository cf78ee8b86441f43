// Hashes the bytes that copies move between host and device, so that a grader can trace a result to its kernel. Writes
// lines of kind `content` and `host_visible` to the profile, if LAB_PROFILE_CONTENT=1 is set with LAB_PROFILE.
//
// Hashing takes time; so it runs after the timed part, and only if LAB_PROFILE_CONTENT is set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuemu {

struct CopyPlan;

/// Called when a copy is done: writes a line for each contiguous piece of host memory that the copy used.
void profile_contents(const CopyPlan& plan);

/// Detects whether a kernel changes memory that the host reads without a copy. The object is created before the kernel.
class HostMemoryWatch {
 public:
  HostMemoryWatch();
  /// Called after the kernel. Writes at most one line in the whole run.
  void report() const;

 private:
  struct Range {
    const void* at;
    std::size_t bytes;
    std::uint64_t hash;
  };
  std::vector<Range> ranges_;
  bool unknown_ = false;  ///< there is memory that the watch may not read, since it may be freed
};

}  // namespace cuemu
