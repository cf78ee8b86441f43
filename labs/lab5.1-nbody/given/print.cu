// print.cu: the report's way to a file: a kernel that prints. One line for each ball, `frame ball x y z`.
//
// What kernels print goes into a buffer on the device, a FIFO, which the host empties when a kernel is launched or waited
// for. Its size is fixed before the first kernel runs, 1 MiB unless the host asks for another one; when it is full, the
// oldest lines are overwritten, without a message:
//
//     nbody 8192 4 --print | grep -c '^[0-9]'                     fewer lines than 4 · 8192
//     nbody 8192 4 --print --print-fifo 100 | grep -c '^[0-9]'    all of them
#include <lab/check.hpp>

#include <cstdio>

#include "nbody.h"

// grid: as many threads as balls, or a few more
__global__ void printKernel(const lab::Position* positions, int N, int frame) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  printf("%d %d %f %f %f\n", frame, i, positions[i].x, positions[i].y, positions[i].z);
}

void setPrintBuffer(std::size_t bytes) {
  CUDA_CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes));
}

void printFrame(const DeviceBalls& state, int N, int frame) {
  printKernel<<<blocksFor(N), BLOCK_SIZE>>>(state.position, N, frame);
  CUDA_CHECK_LAUNCH();
}
