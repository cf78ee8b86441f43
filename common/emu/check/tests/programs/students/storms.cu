// Energy storms: mistakes seen in students' programs that bombard a layer of cells, smooth it, and search for its
// maximum.
#include <string>
#include <vector>

#include "../pair.cuh"

// Copy and relaxation in one kernel, with only __syncthreads() between them. That orders only the threads of a block,
// but a block's first and last cells have neighbours in other blocks.
// pair: copy_and_relax
// exact: race @copy,@relax copy
// contains: two blocks touch
// hint: blocks run in any order and __syncthreads() does not order them: write to another array than the one that is
__global__ void copy_and_relax(float* layer, float* copy, int n) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  copy[k] = layer[k];  // @copy
  __syncthreads();
  if (k > 0 && k < n - 1) layer[k] = (copy[k - 1] + copy[k] + copy[k + 1]) / 3;  // @relax
}
__global__ void copy_cells(float* copy, const float* layer) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  copy[k] = layer[k];
}
__global__ void relax(float* layer, const float* copy, int n) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k > 0 && k < n - 1) layer[k] = (copy[k - 1] + copy[k] + copy[k + 1]) / 3;
}
PAIR(copy_and_relax) {
  const int n = 256;
  const Zeros<float> layer(n);
  float* copy;
  cudaMalloc(&copy, n * sizeof(float));
  if (wrong) {
    copy_and_relax<<<4, 64>>>(layer, copy, n);
  } else {
    copy_cells<<<4, 64>>>(copy, layer);
    relax<<<4, 64>>>(layer, copy, n);
  }
  cudaDeviceSynchronize();
  cudaFree(copy);
}

// A guard that admits one thread too many.
// pair: guard_one_too_far
// exact: out-of-bounds @cell cells
__global__ void bombard(float* layer, int n, bool wrong) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (wrong ? id > n : id >= n) return;
  layer[id] = 1.0f;  // @cell
}
PAIR(guard_one_too_far) {
  const int n = 100;
  float* cells;
  cudaMalloc(&cells, n * sizeof(float));
  bombard<<<2, 64>>>(cells, n, wrong);
  cudaDeviceSynchronize();
  cudaFree(cells);
}

// Halving in place with the guard `id > half`: thread `half` writes an element that thread 0 reads.
// pair: halving_guard
// exact: race @larger,@larger values * static_cast<int> * 16 + 1)
__global__ void halve(float* values, int half, bool wrong) {
  const int id = threadIdx.x;
  if (wrong ? id > half : id >= half) return;
  values[id] = fmaxf(values[id], values[id + half]);  // @larger
}
PAIR(halving_guard) {
  // The checker also has a list of this type. Both lists come from the same template.
  std::vector<std::string> words;
  for (int i = 0; i < 4; ++i) words.emplace_back(std::string(40, 'a'));
  const Zeros<float> values(2 * static_cast<int>(words.size()) * 16 + 1);
  halve<<<1, 128>>>(values, 64, wrong);
}

// Threads beyond the end of the layer should help to load a tile of particles, but return before that.
// pair: early_return
// exact: barrier @filled -
// exact: uninitialised @use tile
__global__ void tiled(float* layer, const float* particles, int cells, bool wrong) {
  __shared__ float tile[64];
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (wrong && k >= cells) return;
  tile[threadIdx.x] = particles[threadIdx.x];
  __syncthreads();  // @filled
  if (k >= cells) return;
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += tile[i];  // @use
  layer[k] = sum;
}
PAIR(early_return) {
  const Zeros<float> layer(100), particles(64);
  tiled<<<2, 64>>>(layer, particles, 100, wrong);
}

// One thread for each particle, which adds to all cells.
// pair: a_thread_each_particle
// contains: race:
// contains: touch layer[
__global__ void impact(float* layer, int cells, bool wrong) {
  for (int k = 0; k < cells; ++k) {
    if (wrong)
      layer[k] += 1.0f;
    else
      atomicAdd(&layer[k], 1.0f);
  }
}
PAIR(a_thread_each_particle) {
  const Zeros<float> layer(16);
  impact<<<2, 32>>>(layer, 16, wrong);
}
