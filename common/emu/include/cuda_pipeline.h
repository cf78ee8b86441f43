// Asynchronous copies into shared memory, with functions and with a class.
#pragma once
#define _CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"

namespace nvcuda::experimental {

/// The pipeline of one thread.
class pipeline {
 public:
  pipeline() = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  size_t commit() {
    __pipeline_commit();
    return batches_++;
  }
  void commit_and_wait() { wait(commit()); }
  void wait(const size_t batch) { __pipeline_wait_prior(batches_ - batch - 1); }
  template <unsigned Prior>
  void wait_prior() {
    __pipeline_wait_prior(Prior);
  }

 private:
  size_t batches_ = 0;
};

template <typename Value>
inline void memcpy_async(Value& destination, const Value& source, pipeline&) {
  ::cuemu::detail::copy_in_batch(&destination, &source, sizeof(Value));
}

}  // namespace nvcuda::experimental
