// storms_v2.cu: version v2, WRONG ON PURPOSE. Read it, and let the checker find its race:
//
//   emucc --check -I $KIT/common/lab/include *.cu *.cpp -o storms-checked
//   ./storms-checked 600 --storms 1x40 --version v2
//
// The relaxation now runs on the GPU, in the obvious way: copy the layer, wait for all threads, take the
// mean of three.
#include "storms.h"

namespace {

constexpr int block = 256;  // threads of a block

// Each cell becomes the mean of itself and its neighbours.   grid: as many threads as cells, or a few more
//   layer, copy   (size), device memory
__global__ void copyAndRelax(float* layer, float* copy, int size) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < size) copy[k] = layer[k];
  __syncthreads();  // all threads have copied: which threads?
  if (k >= 1 && k < size - 1) layer[k] = (copy[k - 1] + copy[k] + copy[k + 1]) / 3;
}

}  // namespace

void stormsV2(const Problem& problem, float* layer, Maximum* maxima) {
  DeviceArray<float> d_layer(problem.size), d_copy(problem.size);
  DeviceArray<Particle> d_particles(problem.mostParticles());
  const std::size_t bytes = sizeof(float) * problem.size;
  CUDA_CHECK(cudaMemcpy(d_layer, layer, bytes, cudaMemcpyHostToDevice));
  for (std::size_t s = 0; s < problem.storms.size(); ++s) {
    bombard(d_layer, problem.size, d_particles, problem.storms[s]);
    copyAndRelax<<<problem.size / block + 1, block>>>(d_layer, d_copy, problem.size);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(layer, d_layer, bytes, cudaMemcpyDeviceToHost));
    maxima[s] = maximumOnHost(layer, problem.size);
  }
}
