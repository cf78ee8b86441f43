// Accesses of other widths than 4 bytes to shared memory: half a warp at a time for 8 bytes, a quarter
// for 16.
#include <cstdio>

#define WIDTH_KERNEL(NAME, TYPE, INDEX) \
  __global__ void NAME(TYPE* out) {     \
    __shared__ TYPE s[64];              \
    const int t = threadIdx.x;          \
    s[t] = out[t];                      \
    __syncthreads();                    \
    out[t] = s[INDEX];                  \
  }
// Four lanes in each word.
//# bytes shared_loads=1 shared_load_wavefronts=1 shared_load_conflicts=0 global_load_sectors=1
WIDTH_KERNEL(bytes, unsigned char, t)
//# shorts shared_load_wavefronts=1 shared_load_conflicts=0 global_load_sectors=2
WIDTH_KERNEL(shorts, short, t)
//# doubles shared_loads=1 shared_load_wavefronts=2 shared_load_conflicts=0 global_load_sectors=8
//# doubles@gtx280 shared_load_wavefronts=4 shared_load_conflicts=2
WIDTH_KERNEL(doubles, double, t)
// 16 lanes, 4 words apart: lanes 0 and 8 meet in bank 0.
//# doubles_apart shared_load_wavefronts=4 shared_load_conflicts=2
WIDTH_KERNEL(doubles_apart, double, 2 * t)
//# pairs shared_loads=1 shared_load_wavefronts=2 shared_load_conflicts=0 global_loads=1 global_load_sectors=8
WIDTH_KERNEL(pairs, float2, t)
//# fours shared_loads=1 shared_load_wavefronts=4 shared_load_conflicts=0 global_loads=1
//# fours global_load_sectors=16
WIDTH_KERNEL(fours, float4, t)
// 8 lanes, 8 words apart: lanes 0 and 4 meet.
//# fours_apart shared_load_wavefronts=8 shared_load_conflicts=4
WIDTH_KERNEL(fours_apart, float4, 2 * t)
// Three accesses of 4 bytes, 3 words apart: an odd stride.
//# threes shared_loads=3 shared_load_wavefronts=3 shared_load_conflicts=0 global_loads=3
//# threes global_load_sectors=36
WIDTH_KERNEL(threes, float3, t)

// A vector is loaded as a whole, even if its members are used separately.
//# members global_loads=1 global_load_sectors=16 global_stores=1 global_store_sectors=4
__global__ void members(float* out, const float4* in) {
  const float4 v = in[threadIdx.x];
  out[threadIdx.x] = v.x + v.y * v.z - v.w;
}

template <class T>
void run(void (*kernel)(T*), void* memory) {
  kernel<<<1, 32>>>(static_cast<T*>(memory));
}

int main() {
  void* memory;
  cudaMalloc(&memory, 4096);
  cudaMemset(memory, 0, 4096);
  run(bytes, memory);
  run(shorts, memory);
  run(doubles, memory);
  run(doubles_apart, memory);
  run(pairs, memory);
  run(fours, memory);
  run(fours_apart, memory);
  run(threes, memory);
  members<<<1, 32>>>(static_cast<float*>(memory), static_cast<float4*>(memory) + 64);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(error));
  cudaFree(memory);
}
