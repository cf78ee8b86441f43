// The kernels, as students write them. The macro BENCH_NAMESPACE gives each build of this file a separate namespace.
#include <cooperative_groups.h>

#include "kernels.hpp"

namespace cg = cooperative_groups;

namespace BENCH_NAMESPACE {

constexpr int tile = 16;
constexpr int block = 256;

namespace {

__global__ void naive_kernel(const float* a, const float* b, float* c, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

__global__ void tiled_kernel(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile][tile];
  __shared__ float bs[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;
  float sum = 0.0f;
  for (int m = 0; m < n; m += tile) {
    as[ty][tx] = a[row * n + m + tx];
    bs[ty][tx] = b[(m + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void tree_kernel(const float* in, float* sums) {
  __shared__ float s[block];
  const unsigned tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = s[0];
}

__global__ void shuffle_kernel(const float* in, float* sums) {
  __shared__ float s[block / 32];
  float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < block / 32 ? s[threadIdx.x] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  }
}

/// The reduction tree of tree_kernel, as a function that kernels call.
__device__ float tree_of_block(float value) {
  __shared__ float s[block];
  const unsigned tid = threadIdx.x;
  s[tid] = value;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) s[tid] += s[tid + stride];
    __syncthreads();
  }
  return s[0];
}

__global__ void called_kernel(const float* in, float* sums) {
  const float sum = tree_of_block(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// The reduction tree with its stride in shared memory.
__global__ void decided_kernel(const float* in, float* sums) {
  __shared__ float s[block];
  __shared__ unsigned stride;
  const unsigned tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  if (tid == 0) stride = block / 2;
  __syncthreads();
  while (stride > 0) {
    if (tid < stride) s[tid] += s[tid + stride];
    __syncthreads();
    if (tid == 0) stride /= 2;
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = s[0];
}

/// The reduction tree whose loop has a separate counter in each thread, so no compiler can know that all threads end
/// the loop together.
__global__ void own_kernel(const float* in, float* sums) {
  __shared__ float s[block];
  const unsigned tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned other = tid + block / 2; other > tid; other = tid + (other - tid) / 2) {
    if (other < 2 * (other - tid)) s[tid] += s[other];
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = s[0];
}

/// The reduction tree whose loop continues as long as at least one thread has something to add.
__global__ void voted_kernel(const float* in, float* sums) {
  __shared__ float s[block];
  const unsigned tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  unsigned stride = block / 2;
  while (__syncthreads_or(tid < stride)) {
    if (tid < stride) s[tid] += s[tid + stride];
    stride /= 2;
  }
  if (tid == 0) sums[blockIdx.x] = s[0];
}

/// Does the work of shuffle_kernel with cooperative groups.
template <class Group>
__device__ float sum_of_group(const Group& group, float value) {
  for (int offset = group.size() / 2; offset > 0; offset /= 2) value += group.shfl_down(value, offset);
  return value;
}

__global__ void groups_kernel(const float* in, float* sums) {
  __shared__ float s[block / 32];
  const cg::thread_block all = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(all);
  float sum = sum_of_group(warp, in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (warp.thread_rank() == 0) s[warp.meta_group_rank()] = sum;
  cg::sync(all);
  if (warp.meta_group_rank() == 0) {
    sum = sum_of_group(warp, warp.thread_rank() < block / 32 ? s[warp.thread_rank()] : 0.0f);
    if (warp.thread_rank() == 0) sums[blockIdx.x] = sum;
  }
}

/// Does the work of shuffle_kernel, but only the lanes that have a warp's sum add these sums in the last step.
__global__ void divergent_kernel(const float* in, float* sums) {
  __shared__ float s[block / 32];
  const unsigned lane = threadIdx.x % 32;
  float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < block / 32) {
    sum = s[lane];
    for (int offset = block / 64; offset > 0; offset /= 2) sum += __shfl_down_sync(0xff, sum, offset);
    if (lane == 0) sums[blockIdx.x] = sum;
  }
}

__global__ void addition_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[in[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], s[threadIdx.x]);
}

__global__ void tiny_kernel(float* data) {
  data[threadIdx.x] += 1.0f;
}

__global__ void parent_kernel(float* data) {
  if (threadIdx.x == 0) tiny_kernel<<<1, 32>>>(data + 32 * blockIdx.x);
}

}  // namespace

void naive_product(const float* a, const float* b, float* c, int n) {
  naive_kernel<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c, n);
  cudaDeviceSynchronize();
}

void tiled_product(const float* a, const float* b, float* c, int n) {
  tiled_kernel<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c, n);
  cudaDeviceSynchronize();
}

void tree_reduction(const float* in, float* sums, int n) {
  tree_kernel<<<n / block, block>>>(in, sums);
  cudaDeviceSynchronize();
}

void shuffle_reduction(const float* in, float* sums, int n) {
  shuffle_kernel<<<n / block, block>>>(in, sums);
  cudaDeviceSynchronize();
}

void called_reduction(const float* in, float* sums, int n) {
  called_kernel<<<n / block, block>>>(in, sums);
  cudaDeviceSynchronize();
}

void decided_reduction(const float* in, float* sums, int n) {
  decided_kernel<<<n / block, block>>>(in, sums);
  cudaDeviceSynchronize();
}
void own_reduction(const float* in, float* sums, int n) {
  own_kernel<<<n / block, block>>>(in, sums);
  cudaDeviceSynchronize();
}

void voted_reduction(const float* in, float* sums, int n) {
  voted_kernel<<<n / block, block>>>(in, sums);
  cudaDeviceSynchronize();
}

void groups_reduction(const float* in, float* sums, int n) {
  groups_kernel<<<n / block, block>>>(in, sums);
  cudaDeviceSynchronize();
}

void divergent_reduction(const float* in, float* sums, int n) {
  divergent_kernel<<<n / block, block>>>(in, sums);
  cudaDeviceSynchronize();
}

void vector_addition(const float* a, const float* b, float* c, int n) {
  addition_kernel<<<n / block, block>>>(a, b, c, n);
  cudaDeviceSynchronize();
}

void histogram(const unsigned char* in, unsigned* counts, int n) {
  cudaMemset(counts, 0, 256 * sizeof(unsigned));
  histogram_kernel<<<256, block>>>(in, counts, n);
  cudaDeviceSynchronize();
}

void tiny_launches(float* data, int launches) {
  for (int i = 0; i < launches; ++i) tiny_kernel<<<1, 32>>>(data);
  cudaDeviceSynchronize();
}

void nested_launches(float* data, int parents) {
  parent_kernel<<<parents, 32>>>(data);
  cudaDeviceSynchronize();
}

}  // namespace BENCH_NAMESPACE
