// What came back from the device, and what went there, for who has to tell where a result came from
// (LAB_PROFILE_CONTENT=1 beside LAB_PROFILE): lines of kind `content` and `host_visible` in the profile.
//
// Hashing takes time, so it stands behind what is timed on the device, and is left out where nobody asks for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuemu {

struct CopyPlan;

/// Called when a copy is done: a line for each piece of the host's memory that holds its bytes without a gap.
void profile_contents(const CopyPlan& plan);

/// Around a kernel: did it change memory that the host reads without a copy?
class HostMemoryWatch {
 public:
  HostMemoryWatch();
  /// Behind the kernel. Tells it once, and then never again.
  void tell() const;

 private:
  struct Range {
    const void* at;
    std::size_t bytes;
    std::uint64_t hash;
  };
  std::vector<Range> ranges_;
  bool unknown_ = false;  ///< there is memory that we may not read: the program may have given it back
};

}  // namespace cuemu
