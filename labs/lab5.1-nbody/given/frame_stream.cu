// frame_stream.cu: the streams, events and buffers of FrameStream, whose work is done in dump.cu.
#include <lab/check.hpp>
#include <lab/frames.hpp>

#include "nbody.h"

FrameStream::FrameStream(lab::FramesWriter& file, int N, float low, float scale)
    : file_(file),
      N_(N),
      low_(low),
      scale_(scale),
      bytes_(3 * sizeof(std::uint16_t) * static_cast<std::size_t>(N)) {
  // The default stream waits for all other streams of the program, and they for it, unless they are made like this.
  CUDA_CHECK(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking));
  CUDA_CHECK(cudaEventCreateWithFlags(&packed_, cudaEventDisableTiming));
  for (Slot& slot : slots_) {
    CUDA_CHECK(cudaMalloc(&slot.packed, bytes_));
    CUDA_CHECK(
        cudaMallocHost(&slot.host, bytes_));  // pinned: a copy from or to other memory is not asynchronous
    CUDA_CHECK(cudaEventCreateWithFlags(&slot.copied, cudaEventDisableTiming));
  }
}

FrameStream::~FrameStream() {
  cudaStreamSynchronize(copies_);  // a failure here could only repeat an earlier one
  for (Slot& slot : slots_) {
    cudaFree(slot.packed);
    cudaFreeHost(slot.host);
    cudaEventDestroy(slot.copied);
  }
  cudaEventDestroy(packed_);
  cudaStreamDestroy(copies_);
}
