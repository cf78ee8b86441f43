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

  // ---- part 1: the energy of one cell (six lines) -----------------------------------------------------------------
  // Add every particle of the storm to the cell k.
  //   a. Begin with the present energy of the cell, in a local variable: storms add up.
  //   b. For each particle: how far is it from k? Count from 1, so that no thread divides by 0.
  //   c. Within its reach the cell gets energy / sqrtf(distance), beyond it nothing.
  //   d. Store the sum.
  (void)layer, (void)particles, (void)count;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 ----------------------------------------------------------------------------------------------
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
    // ---- part 2: one storm, the layer there and back (five lines) -------------------------------------------------
    // Storm number s: bombard on the device, relax and search on the host.
    //   a. Which layer does the device hold after the CPU has relaxed the layer of the previous storm? Copy
    //      what it needs.
    //   b. bombard() does the storm on d_layer; d_particles is room for its particles.
    //   c. Copy the layer back, relax it with relaxOnHost(), and search it with maximumOnHost().
    (void)layer, (void)maxima, (void)bytes, (void)&d_layer, (void)&d_particles;  // until they are used: no warning
    LAB_TODO(2);
    // ---- end of part 2 --------------------------------------------------------------------------------------------
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
  // ---- part 3: the mean of three (one line) -----------------------------------------------------------------------
  // Which cells have two neighbours? Read the neighbours as they were.
  (void)layer, (void)copy, (void)size, (void)k;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 ----------------------------------------------------------------------------------------------
}

// Step 2 on the device.
//   layer   (size), device memory, read and written
//   copy    (size), device memory, for the layer as it was
static void relaxOnDevice(float* layer, float* copy, int size) {
  // ---- part 3: the copy and the relaxation, one after the other (four lines) --------------------------------------
  // Launch both kernels. Why is this right, although storms_v2.cu is wrong?
  (void)layer, (void)copy, (void)size;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 ----------------------------------------------------------------------------------------------
}

// v3: the layer is made on the device and stays there. Only the search for the maximum needs it on the host.
void stormsV3(const Problem& problem, float* layer, Maximum* maxima) {
  const int size = problem.size;
  DeviceArray<float> d_layer(size), d_copy(size);
  DeviceArray<Particle> d_particles(problem.mostParticles());
  // ---- part 3: the layer on the device, and one storm (six lines) -------------------------------------------------
  //   a. The layer begins with zeros, on the device: launch initialise(). How often, and where?
  //   b. For each storm: bombard, relax, copy the layer to the host, search it there. What need not be copied any more?
  (void)layer, (void)maxima, (void)size, (void)&d_layer, (void)&d_copy, (void)&d_particles;  // until they are used
  LAB_TODO(3);
  // ---- end of part 3 ----------------------------------------------------------------------------------------------
}

// ------------------------------------------------------------------------------------------------ 3. maximum

// Marks the local maxima.   grid: as many threads as cells, or a few more
//   values      (size), written: the cell's energy where it is a local maximum above 0, else 0
//   positions   (size), written: its number there, else 0
// So a cell that is no local maximum looks like the answer "no maximum", {0, 0}.
__global__ void findCandidates(float* values, int* positions, const float* layer, int size) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= size) return;
  // ---- part 4: is cell k a candidate? (four lines) ----------------------------------------------------------------
  // Is it greater than both neighbours, and above 0? The two ends are no candidates: ask that first.
  // A candidate writes its energy and its number, every other cell 0 and 0.
  (void)values, (void)positions, (void)layer;  // until they are used: no warning
  LAB_TODO(4);
  // ---- end of part 4 ----------------------------------------------------------------------------------------------
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
  // ---- part 5: the better one of two (eight lines) ----------------------------------------------------------------
  // Compare elements i and i + half. When the second one is greater, its energy and its position both go to element i.
  // Which of them wins when they are equal, so that the smallest position is left at the end?
  (void)values, (void)positions, (void)half;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 ----------------------------------------------------------------------------------------------
}

// The greatest local maximum of a layer on the device.
//   values, positions   (size), device memory, for the candidates
static Maximum maximumOnDevice(const float* layer, float* values, int* positions, int size) {
  findCandidates<<<blocksFor(size), BLOCK_SIZE>>>(values, positions, layer, size);
  CUDA_CHECK_LAUNCH();
  // ---- part 5: one level after the other (six lines) --------------------------------------------------------------
  // Launch reduceOnce() until one element is left. With 7 elements: half is 4, and the pairs are (0,4) (1,5) (2,6);
  // element 3 stays as it is. Then half is 2, pairs (0,2) (1,3); then half is 1, pair (0,1).
  // An odd number has a half that is rounded up, so that no element is left out.
  (void)reduceOnce;  // until it is used: no warning
  LAB_TODO(5);
  // ---- end of part 5 ----------------------------------------------------------------------------------------------
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
  // ---- part 6: the version that is handed in (one line) -----------------------------------------------------------
  // Which of your versions passes Ref1? The handout says how to find out.
  LAB_TODO(6);
  return "v1";
  // ---- end of part 6 ----------------------------------------------------------------------------------------------
#endif
}
