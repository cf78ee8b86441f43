// storms_gpu.cu: a layer under storms of particles on the GPU, in three versions.
//
// For each storm, on the layer that the previous storms have left:
//
//   1. bombard   layer[k] += energy / sqrt(d)   for each particle, d = |position - k| + 1, where d <= reach
//   2. relax     layer[k] = (copy[k-1] + copy[k] + copy[k+1]) / 3   for 1 <= k <= size - 2, not for the ends
//   3. maximum   the greatest of the cells 1 … size - 2 above both neighbours; of equals the first
//
// Which step runs where, and where the layer is:
//
//        bombard   relax   maximum    layer
//   v1   GPU       CPU     CPU        on the host; copied to the device and back for each storm
//   v2   GPU       GPU     CPU        storms_v2.cu: wrong on purpose
//   v3   GPU       GPU     CPU        on the device; copied to the host for each storm
//   v4   GPU       GPU     GPU        on the device, and nothing but the maximum comes back
//
// Every kernel has one thread for each cell, or for each pair of cells in step 3.
//
// Run it:  grader lab4.1
//          storms 35 --storms test_01 --version v1 --plot
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "storms.h"

#ifndef BLOCK_SIZE
#define BLOCK_SIZE 256  // threads of a block
#endif

static_assert(BLOCK_SIZE >= 32 && BLOCK_SIZE <= 1024, "BLOCK_SIZE must be from 32 to 1024");

// Blocks for n threads, rounded up.
static int blocksFor(int n) {
  return n / BLOCK_SIZE + (n % BLOCK_SIZE != 0);
}

// ------------------------------------------------------------------------------------------------ 1. bombard

// Adds a storm to the layer.   grid: as many threads as cells, or a few more
//   layer       (size), read and written
//   particles   (count), read: all threads go through them in the same order
__global__ void bombardKernel(float* layer, int size, const Particle* particles, int count) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;  // this thread's cell
  if (k >= size) return;                                // the last block has threads without one

  float energy = layer[k];  // in a register: the loop would read and write it `count` times
  for (int i = 0; i < count; ++i) {
    const int distance = abs(particles[i].position - k) + 1;  // at least 1: no thread divides by 0
    if (distance <= particles[i].reach) energy += particles[i].energy / sqrtf(static_cast<float>(distance));
  }
  layer[k] = energy;
}

void bombard(float* layer, int size, Particle* particles, const std::vector<Particle>& storm) {
  if (storm.empty()) return;
  const int count = static_cast<int>(storm.size());
  CUDA_CHECK(cudaMemcpy(particles, storm.data(), sizeof(Particle) * count, cudaMemcpyHostToDevice));
  bombardKernel<<<blocksFor(size), BLOCK_SIZE>>>(layer, size, particles, count);
  CUDA_CHECK_LAUNCH();
}

// v1: the bombardment takes nearly all of the time, so it goes to the GPU first. The CPU does the rest, so
// the layer is copied to the device before each storm, since the CPU has changed it, and back after it.
void stormsV1(const Problem& problem, float* layer, Maximum* maxima) {
  const int size = problem.size;
  const std::size_t bytes = sizeof(float) * size;
  DeviceArray<float> d_layer(size);
  DeviceArray<Particle> d_particles(problem.mostParticles());  // room for the largest storm
  for (std::size_t s = 0; s < problem.storms.size(); ++s) {
    CUDA_CHECK(cudaMemcpy(d_layer, layer, bytes, cudaMemcpyHostToDevice));
    bombard(d_layer, size, d_particles, problem.storms[s]);
    CUDA_CHECK(cudaMemcpy(layer, d_layer, bytes, cudaMemcpyDeviceToHost));  // waits for the kernel
    relaxOnHost(layer, size);
    maxima[s] = maximumOnHost(layer, size);
  }
}

// -------------------------------------------------------------------------------------------------- 2. relax

// layer[k] = 0 for all cells.   grid: as many threads as cells, or a few more
__global__ void initialise(float* layer, int size) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < size) layer[k] = 0;
}

// copy[k] = layer[k] for all cells.   grid: the same
// A separate kernel: the end of a launch is the only barrier for all blocks.
__global__ void copyLayer(float* copy, const float* layer, int size) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < size) copy[k] = layer[k];
}

// Each cell but the two ends becomes the mean of itself and its neighbours.   grid: the same
//   layer   (size), written
//   copy    (size), read: the layer as it was
__global__ void relax(float* layer, const float* copy, int size) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= 1 && k < size - 1) layer[k] = (copy[k - 1] + copy[k] + copy[k + 1]) / 3;
}

// Step 2 on the device.
//   layer   (size), device memory, read and written
//   copy    (size), device memory, for the layer as it was
static void relaxOnDevice(float* layer, float* copy, int size) {
  copyLayer<<<blocksFor(size), BLOCK_SIZE>>>(copy, layer, size);
  CUDA_CHECK_LAUNCH();
  relax<<<blocksFor(size), BLOCK_SIZE>>>(layer, copy, size);  // starts when every block of the copy has ended
  CUDA_CHECK_LAUNCH();
}

// v3: the layer is made on the device and stays there. Only the search for the maximum needs it on the host.
void stormsV3(const Problem& problem, float* layer, Maximum* maxima) {
  const int size = problem.size;
  DeviceArray<float> d_layer(size), d_copy(size);
  DeviceArray<Particle> d_particles(problem.mostParticles());
  initialise<<<blocksFor(size), BLOCK_SIZE>>>(d_layer, size);  // once: storms add up
  CUDA_CHECK_LAUNCH();
  for (std::size_t s = 0; s < problem.storms.size(); ++s) {
    bombard(d_layer, size, d_particles, problem.storms[s]);
    relaxOnDevice(d_layer, d_copy, size);
    CUDA_CHECK(cudaMemcpy(layer, d_layer, sizeof(float) * size, cudaMemcpyDeviceToHost));
    maxima[s] = maximumOnHost(layer, size);
  }
}

// ------------------------------------------------------------------------------------------------ 3. maximum

// Marks the local maxima.   grid: as many threads as cells, or a few more
//   values      (size), written: the cell's energy where it is a local maximum above 0, else 0
//   positions   (size), written: its number there, else 0
// So a cell that is no local maximum looks like the answer "no maximum", {0, 0}.
__global__ void findCandidates(float* values, int* positions, const float* layer, int size) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= size) return;
  const bool inside = k >= 1 && k < size - 1;  // tested first: an end has only one neighbour
  const bool is_maximum = inside && layer[k] > layer[k - 1] && layer[k] > layer[k + 1] && layer[k] > 0;
  values[k] = is_maximum ? layer[k] : 0;
  positions[k] = is_maximum ? k : 0;
}

// One level of a reduction: of elements i and i + half the better one goes to i.
//   grid: `pairs` threads, or a few more
//   values, positions   (half + pairs), read and written
// half is pairs, or pairs + 1 when an odd number of elements is left: then the middle one has no partner and
// stays. Elements below half are read and written by their own thread alone, the others are only read: no two
// threads conflict.
__global__ void reduceOnce(float* values, int* positions, int half, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const float other = values[i + half];
  const int other_position = positions[i + half];
  // Of equal energies the first cell counts, as in a search from left to right.
  const bool better = other > values[i] || (other == values[i] && other_position < positions[i]);
  if (better) {
    values[i] = other;
    positions[i] = other_position;  // the position goes wherever its energy goes
  }
}

// The greatest local maximum of a layer on the device.
//   values, positions   (size), device memory, for the candidates
static Maximum maximumOnDevice(const float* layer, float* values, int* positions, int size) {
  findCandidates<<<blocksFor(size), BLOCK_SIZE>>>(values, positions, layer, size);
  CUDA_CHECK_LAUNCH();
  // 7 candidates: half 4, pairs (0,4) (1,5) (2,6); then half 2, pairs (0,2) (1,3); then half 1, pair (0,1)
  for (int count = size; count > 1;) {
    const int half = (count + 1) / 2, pairs = count - half;
    reduceOnce<<<blocksFor(pairs), BLOCK_SIZE>>>(values, positions, half, pairs);
    CUDA_CHECK_LAUNCH();
    count = half;
  }
  Maximum best;
  CUDA_CHECK(cudaMemcpy(&best.value, values, sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&best.position, positions, sizeof(int), cudaMemcpyDeviceToHost));
  return best;
}

// v4: all three steps on the device. Eight bytes come back for each storm, however large the layer is.
void stormsV4(const Problem& problem, float* /*layer: not needed on the host any more*/, Maximum* maxima) {
  const int size = problem.size;
  DeviceArray<float> d_layer(size), d_copy(size), d_values(size);
  DeviceArray<int> d_positions(size);
  DeviceArray<Particle> d_particles(problem.mostParticles());
  initialise<<<blocksFor(size), BLOCK_SIZE>>>(d_layer, size);
  CUDA_CHECK_LAUNCH();
  for (std::size_t s = 0; s < problem.storms.size(); ++s) {
    bombard(d_layer, size, d_particles, problem.storms[s]);
    relaxOnDevice(d_layer, d_copy, size);
    maxima[s] = maximumOnDevice(d_layer, d_values, d_positions, size);
  }
}

// ------------------------------------------------------------------------------------------------ handing in

// The version that runs when --version names none, and whose time counts. -DVERSION=n tries another one.
const char* handedIn() {
#ifdef VERSION
  constexpr const char* names[] = {"v1", "v2", "v3", "v4"};
  return names[VERSION - 1];
#else
  return "v4";
#endif
}
