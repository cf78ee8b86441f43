// Advice on and prefetches of managed memory (cudaMemAdvise, cudaMemPrefetchAsync). No data are moved, because host and
// device share one memory. Advice and prefetches are only stored for cudaMemRangeGetAttribute.
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver_types.h"

namespace cuemu {

/// The advice on a page, or the advice that all pages of a range share.
struct MemoryAdvice {
  static constexpr cudaMemLocation nowhere{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  bool read_mostly = false;
  cudaMemLocation preferred = nowhere;
  cudaMemLocation prefetched = nowhere;  ///< target of the last prefetch
  std::uint32_t accessed_by = 0;         ///< a bit for each device
  bool accessed_by_host = false;
};

/// Records advice for all pages that the range touches. Returns cudaErrorInvalidValue if there is no such advice.
cudaError_t advise(std::uintptr_t begin, std::size_t bytes, cudaMemoryAdvise advice,
                   cudaMemLocation location);
/// Records a prefetch for all pages that the range touches.
void note_prefetch(std::uintptr_t begin, std::size_t bytes, cudaMemLocation to);
/// Returns the advice that all pages of the range share.
MemoryAdvice advice_on(std::uintptr_t begin, std::size_t bytes);
/// Called when the memory is freed.
void forget_advice(std::uintptr_t begin, std::size_t bytes);

}  // namespace cuemu
