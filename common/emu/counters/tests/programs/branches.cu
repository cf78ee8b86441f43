// Divergent branches, and which lanes make a request together. Warps of 32 lanes, one unless it says more.
#include <cstdio>

//# by_lane divergent_branches=1 global_stores=1
__global__ void by_lane(int* out) {
  if (threadIdx.x % 2 == 1) out[threadIdx.x] = 1;
}
// Whole warps take one side or the other. Two warps.
//# by_warp divergent_branches=0 global_stores=1 warps=2
__global__ void by_warp(int* out) {
  if (threadIdx.x < 32) out[threadIdx.x] = 1;
}
// Both sides store: two requests of 16 lanes.
//# both_sides divergent_branches=1 global_stores=2
__global__ void both_sides(int* out, int* other) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = 1;
  else
    other[threadIdx.x + 3] = 2;
}
// They meet again after the branch: one request of all lanes.
//# meets_again divergent_branches=1 global_stores=2
__global__ void meets_again(int* out, int* other) {
  if (threadIdx.x < 8) other[threadIdx.x] = 2;
  out[threadIdx.x] = 1;
}
//# nested divergent_branches=2 global_stores=3
__global__ void nested(int* out) {
  if (threadIdx.x < 16) {
    if (threadIdx.x < 8)
      out[threadIdx.x] = 1;
    else
      out[threadIdx.x + 32] = 2;
  }
  out[threadIdx.x + 64] = 3;
}
// Lanes leave the loop after 0, 1, 2 and 3 iterations: three times some continue and others don't.
//# uneven_loop divergent_branches=3 global_loads=3 global_stores=1
__global__ void uneven_loop(int* out, const int* in) {
  int sum = 0;
  for (int i = 0; i < threadIdx.x % 4; ++i) sum += in[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}
// The halves of the warp alternate: four requests, although no lane makes more than two.
//# taking_turns divergent_branches=4 global_stores=4 global_store_sectors=16
__global__ void taking_turns(int* out, int turns) {
  for (int i = 0; i < turns; ++i)
    if (threadIdx.x % 2 == i % 2) out[i * 32 + threadIdx.x] = i;
}
// A loop whose length does not depend on the lane.
//# even_loop divergent_branches=0 global_stores=5
__global__ void even_loop(int* out, int turns) {
  for (int i = 0; i < turns; ++i) out[i * 32 + threadIdx.x] = i;
}
// Half of the lanes return; the rest continue.
//# early_return divergent_branches=1 global_stores=2 global_store_sectors=4 barriers=1 warp_barriers=1
__global__ void early_return(int* out) {
  if (threadIdx.x >= 16) return;
  out[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x + 32] = 2;
}
// Called from both sides: each side runs the function separately.
__device__ __noinline__ void store(int* at, int value) {
  *at = value;
}
//# called_twice divergent_branches=1 global_stores=2
__global__ void called_twice(int* out) {
  if (threadIdx.x < 16)
    store(out + threadIdx.x, 1);
  else
    store(out + threadIdx.x + 32, 2);
}
// `break` in different iterations, from 1 to 4: the lanes leave in four groups.
//# leaving divergent_branches=3 global_loads=4
__global__ void leaving(int* out, const int* in) {
  int i = 0;
  while (true) {
    const int value = in[i * 32];
    ++i;
    if (value + i > threadIdx.x / 8) break;
  }
  out[threadIdx.x] = i;
}
// The last warp has 8 lanes, none of which diverges.
//# short_warp divergent_branches=0 global_stores=2 global_store_sectors=5 warps=2
__global__ void short_warp(int* out) {
  out[threadIdx.x] = 1;
}

// All 32 lanes use one counter; four; one each; then floats, and a maximum that few lanes raise.
//# one_counter atomics=1 shared_atomics=0 atomic_turns=31
__global__ void one_counter(int* out) {
  atomicAdd(out, 1);
}
//# four_counters atomics=1 atomic_turns=7
__global__ void four_counters(int* out) {
  atomicAdd(out + threadIdx.x % 4, 1);
}
//# own_counters atomics=1 atomic_turns=0
__global__ void own_counters(int* out) {
  atomicAdd(out + threadIdx.x, 1);
}
//# float_counter atomics=1 atomic_turns=31 global_loads=0
__global__ void float_counter(float* out) {
  atomicAdd(out, 1.0f);
}
//# maximum atomics=1 atomic_turns=31 divergent_branches=0
__global__ void maximum(int* out) {
  atomicMax(out, 31 - static_cast<int>(threadIdx.x));
}
//# swapped atomics=1 atomic_turns=31
__global__ void swapped(int* out) {
  atomicCAS(out, 77, 1);
}
//# in_shared atomics=1 shared_atomics=1 atomic_turns=1 global_loads=1 shared_loads=1 barriers=2
__global__ void in_shared(int* out, const int* in) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[(threadIdx.x + in[threadIdx.x]) % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}
// Three blocks that wait five times.
//# waits barriers=15 warp_barriers=30 blocks=3 warps=6
__global__ void waits(int* out) {
  for (int i = 0; i < 5; ++i) __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
  int *out, *in;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  cudaMemset(in, 0, 4096);
  cudaMemset(out, 0, 4096);
  by_lane<<<1, 32>>>(out);
  by_warp<<<1, 64>>>(out);
  both_sides<<<1, 32>>>(out, out + 64);
  meets_again<<<1, 32>>>(out, out + 64);
  nested<<<1, 32>>>(out);
  uneven_loop<<<1, 32>>>(out, in);
  taking_turns<<<1, 32>>>(out, 4);
  even_loop<<<1, 32>>>(out, 5);
  early_return<<<1, 32>>>(out);
  called_twice<<<1, 32>>>(out);
  leaving<<<1, 32>>>(out, in);
  short_warp<<<1, 40>>>(out);
  one_counter<<<1, 32>>>(out);
  four_counters<<<1, 32>>>(out);
  own_counters<<<1, 32>>>(out);
  float_counter<<<1, 32>>>(reinterpret_cast<float*>(out));
  maximum<<<1, 32>>>(out);
  swapped<<<1, 32>>>(out);
  in_shared<<<1, 32>>>(out, in);
  waits<<<3, 64>>>(out);
  cudaDeviceSynchronize();
  std::printf("done\n");
  cudaFree(in);
  cudaFree(out);
}
