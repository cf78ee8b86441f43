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
  // ---- part 1: the bombardment of one cell ------------------------------------------------------------------------
  // Each thread adds all particles to its cell, as the formula at the top says. storms.h says what a Particle holds.
  (void)layer, (void)size, (void)particles, (void)count;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 ----------------------------------------------------------------------------------------------
}

void bombard(float* layer, int size, Particle* particles, const std::vector<Particle>& storm) {
  if (storm.empty()) return;
  const int count = static_cast<int>(storm.size());
  CUDA_CHECK(cudaMemcpy(particles, storm.data(), sizeof(Particle) * count, cudaMemcpyHostToDevice));
  // ---- part 1: the launch -----------------------------------------------------------------------------------------
  // A thread for each cell.
  (void)layer, (void)size;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 ----------------------------------------------------------------------------------------------
}

// v1: the bombardment takes nearly all of the time, so it goes to the GPU first. The CPU does the rest, so
// the layer is copied to the device before each storm, since the CPU has changed it, and back after it.
void stormsV1(const Problem& problem, float* layer, Maximum* maxima) {
  // ---- part 2: version v1 -----------------------------------------------------------------------------------------
  // The table at the top says which step runs where. On the host: relaxOnHost() and maximumOnHost() of storms.h.
  // DeviceArray<float> d_layer(size) is memory on the device, and frees itself.
  (void)problem, (void)layer, (void)maxima;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 ----------------------------------------------------------------------------------------------
}

// -------------------------------------------------------------------------------------------------- 2. relax

// layer[k] = 0 for all cells.   grid: as many threads as cells, or a few more
__global__ void initialise(float* layer, int size) {
  // ---- part 3: the kernel initialise ------------------------------------------------------------------------------
  // One cell for each thread; the description is above.
  (void)layer, (void)size;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 ----------------------------------------------------------------------------------------------
}

// copy[k] = layer[k] for all cells.   grid: the same
// A separate kernel: the end of a launch is the only barrier for all blocks.
__global__ void copyLayer(float* copy, const float* layer, int size) {
  // ---- part 3: the kernel copyLayer -------------------------------------------------------------------------------
  // One cell for each thread; the description is above.
  (void)copy, (void)layer, (void)size;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 ----------------------------------------------------------------------------------------------
}

// Each cell but the two ends becomes the mean of itself and its neighbours.   grid: the same
//   layer   (size), written
//   copy    (size), read: the layer as it was
__global__ void relax(float* layer, const float* copy, int size) {
  // ---- part 3: the kernel relax -----------------------------------------------------------------------------------
  // One cell for each thread; the description is above.
  (void)layer, (void)copy, (void)size;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 ----------------------------------------------------------------------------------------------
}

// Step 2 on the device.
//   layer   (size), device memory, read and written
//   copy    (size), device memory, for the layer as it was
static void relaxOnDevice(float* layer, float* copy, int size) {
  // ---- part 3: the copy and the relaxation ------------------------------------------------------------------------
  // Not as storms_v2.cu does it.
  (void)layer, (void)copy, (void)size;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 ----------------------------------------------------------------------------------------------
}

// v3: the layer is made on the device and stays there. Only the search for the maximum needs it on the host.
void stormsV3(const Problem& problem, float* layer, Maximum* maxima) {
  // ---- part 3: version v3 -----------------------------------------------------------------------------------------
  // The layer begins on the device and stays there; the host gets a copy after each storm, and searches it.
  (void)relaxOnDevice, (void)problem, (void)layer, (void)maxima;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 ----------------------------------------------------------------------------------------------
}

// ------------------------------------------------------------------------------------------------ 3. maximum

// Marks the local maxima.   grid: as many threads as cells, or a few more
//   values      (size), written: the cell's energy where it is a local maximum above 0, else 0
//   positions   (size), written: its number there, else 0
// So a cell that is no local maximum looks like the answer "no maximum", {0, 0}.
__global__ void findCandidates(float* values, int* positions, const float* layer, int size) {
  // ---- part 4: the kernel findCandidates --------------------------------------------------------------------------
  // Every cell writes its element of both arrays, whether it is a candidate or not.
  (void)values, (void)positions, (void)layer, (void)size;  // until they are used: no warning
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
  // ---- part 5: the kernel reduceOnce ------------------------------------------------------------------------------
  // Whose element does a thread write? No other thread of the launch may read that element.
  (void)values, (void)positions, (void)half, (void)pairs;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 ----------------------------------------------------------------------------------------------
}

// The greatest local maximum of a layer on the device.
//   values, positions   (size), device memory, for the candidates
static Maximum maximumOnDevice(const float* layer, float* values, int* positions, int size) {
  // ---- part 5: the search on the device ---------------------------------------------------------------------------
  // Candidates, then one launch for each level of the reduction, for any size; then the one that is left comes back.
  (void)layer, (void)values, (void)positions, (void)size;  // until they are used: no warning
  LAB_TODO(5);
  return {0, 0};
  // ---- end of part 5 ----------------------------------------------------------------------------------------------
}

// v4: all three steps on the device. Eight bytes come back for each storm, however large the layer is.
void stormsV4(const Problem& problem, float* /*layer: not needed on the host any more*/, Maximum* maxima) {
  // ---- part 5: version v4 -----------------------------------------------------------------------------------------
  // As v3, but with maximumOnDevice().
  (void)maximumOnDevice, (void)problem, (void)maxima;  // until they are used: no warning
  LAB_TODO(5);
  // ---- end of part 5 ----------------------------------------------------------------------------------------------
}

// ------------------------------------------------------------------------------------------------ handing in

// The version that runs when --version names none, and whose time counts. -DVERSION=n tries another one.
const char* handedIn() {
#ifdef VERSION
  constexpr const char* names[] = {"v1", "v2", "v3", "v4"};
  return names[VERSION - 1];
#else
  // ---- part 6: the version that is handed in ----------------------------------------------------------------------
  // Which of your versions passes Ref1? The handout says how to find out.
  LAB_TODO(6);
  return "v1";
  // ---- end of part 6 ----------------------------------------------------------------------------------------------
#endif
}
