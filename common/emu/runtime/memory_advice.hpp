// What programs say of managed memory: cudaMemAdvise, and where they prefetch it. Nothing is moved for it here, since
// there is one memory; it is kept because they may ask for it (cudaMemRangeGetAttribute).
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver_types.h"

namespace cuemu {

/// Of a page, or of all pages of a range in common.
struct MemoryAdvice {
  static constexpr cudaMemLocation nowhere{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  bool read_mostly = false;
  cudaMemLocation preferred = nowhere;
  cudaMemLocation prefetched = nowhere;  ///< the last time
  std::uint32_t accessed_by = 0;         ///< a bit for each device
  bool accessed_by_host = false;
};

/// Takes an advice down for all pages that the range touches; cudaErrorInvalidValue if there is no such advice.
cudaError_t advise(std::uintptr_t begin, std::size_t bytes, cudaMemoryAdvise advice,
                   cudaMemLocation location);
/// The same of a prefetch.
void note_prefetch(std::uintptr_t begin, std::size_t bytes, cudaMemLocation to);
/// What holds for all pages that the range touches.
MemoryAdvice advice_on(std::uintptr_t begin, std::size_t bytes);
/// The memory is freed.
void forget_advice(std::uintptr_t begin, std::size_t bytes);

}  // namespace cuemu
