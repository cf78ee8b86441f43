// Bodies, pairs and populations: mistakes seen in simulations of many bodies, and in a genetic algorithm.
#include "../pair.cuh"

// A block overwrites positions that other blocks still read.
// pair: positions_advanced
// exact: race @read,@write position
// contains: two blocks touch
__global__ void step(float* next, const float* position, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float force = 0;
  for (int j = 0; j < n; ++j) force += position[j];  // @read
  next[i] = force;                                   // @write
}
PAIR(positions_advanced) {
  const int n = 64;
  float *position, *next;
  cudaMalloc(&position, n * sizeof(float));
  cudaMalloc(&next, n * sizeof(float));
  cudaMemset(position, 0, n * sizeof(float));
  step<<<2, 32>>>(wrong ? position : next, position, n);
  cudaDeviceSynchronize();
  cudaFree(position);
  cudaFree(next);
}

// One thread for each pair of bodies, i < j: two pairs may add to the same body at the same time.
// pair: force_of_a_pair
// exact: race @add,@add force
__global__ void pull(float* force, int n, bool wrong) {
  const int i = threadIdx.x;
  for (int j = i + 1; j < n; ++j) {
    if (wrong)
      force[j] += 1.0f;  // @add
    else
      atomicAdd(&force[j], 1.0f);
  }
}
PAIR(force_of_a_pair) {
  const Zeros<float> force(32);
  pull<<<1, 32>>>(force, 32, wrong);
}

// A tile of bodies is used while slower threads still load it.
// pair: tile_of_bodies
// exact: race @load,@use tile
__global__ void tiles(float* force, const float* body, int n, bool wrong) {
  __shared__ float tile[64];
  float sum = 0;
  for (int first = 0; first < n; first += 64) {
    tile[threadIdx.x] = body[first + threadIdx.x];  // @load
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += tile[i];  // @use
    if (!wrong) __syncthreads();
  }
  force[threadIdx.x] = sum;
}
PAIR(tile_of_bodies) {
  const Zeros<float> force(64), body(128);
  tiles<<<1, 64>>>(force, body, 128, wrong);
}

// Only the blocks of the first row fill the shared data: the code uses the index in the whole grid instead of the
// thread's own index in the block.
// pair: filled_by_the_first_row
// exact: uninitialised @use mutate
__global__ void mutation(int* population, const int* points, bool wrong) {
  __shared__ int mutate[16];
  const int individual = blockIdx.x * blockDim.x + threadIdx.x;
  const int point = blockIdx.y * blockDim.y + threadIdx.y;
  if ((wrong ? point : static_cast<int>(threadIdx.y)) == 0) mutate[threadIdx.x] = points[individual];
  __syncthreads();
  population[point * 32 + individual] = mutate[threadIdx.x];  // @use
}
PAIR(filled_by_the_first_row) {
  const Zeros<int> population(8 * 32), points(32);
  mutation<<<dim3(2, 2), dim3(16, 4)>>>(population, points, wrong);
}
