// The C form of asynchronous copies: __pipeline_memcpy_async, __pipeline_commit, __pipeline_wait_prior.
#pragma once
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "cuda_runtime.h"
#include "cuemu/async_copy.hpp"

/// Copies 4, 8 or 16 bytes; the last `zeros` of them are set to zero.
inline void __pipeline_memcpy_async(void* const destination, const void* const source, const size_t bytes,
                                    const size_t zeros = 0) {
  ::cuemu::detail::copy_in_batch(destination, source, bytes, zeros);
}
/// The first function ends a batch of copies; the second waits for all batches except the latest `prior` batches.
inline void __pipeline_commit() {
  ::cuemu::detail::commit_batch();
}
inline void __pipeline_wait_prior(const size_t prior) {
  ::cuemu::detail::wait_for_batches(prior);
}
