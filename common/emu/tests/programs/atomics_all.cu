// emucc: -std=c++17
// sanitizers: not thread: as everybody writes it, a maximum of floats begins with a plain read beside atomicCAS()
// Every atomic function, in global and shared memory, for every width and scope, and its result.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>

template <class T>
__device__ bool all_integer(T* p) {
  bool ok = true;
  *p = 10;
  ok &= atomicAdd(p, T(5)) == T(10) && *p == T(15);
  ok &= atomicExch(p, T(7)) == T(15) && *p == T(7);
  ok &= atomicMin(p, T(3)) == T(7) && *p == T(3);
  ok &= atomicMin(p, T(9)) == T(3) && *p == T(3);
  ok &= atomicMax(p, T(12)) == T(3) && *p == T(12);
  ok &= atomicAnd(p, T(6)) == T(12) && *p == T(4);
  ok &= atomicOr(p, T(3)) == T(4) && *p == T(7);
  ok &= atomicXor(p, T(5)) == T(7) && *p == T(2);
  ok &= atomicCAS(p, T(2), T(20)) == T(2) && *p == T(20);
  ok &= atomicCAS(p, T(2), T(30)) == T(20) && *p == T(20);
  ok &= atomicAdd_block(p, T(1)) == T(20) && atomicAdd_system(p, T(1)) == T(21);
  ok &= atomicMax_block(p, T(50)) == T(22) && atomicCAS_system(p, T(50), T(8)) == T(50);
  ok &= atomicExch_block(p, T(1)) == T(8) && atomicOr_system(p, T(2)) == T(1) && *p == T(3);
  return ok;
}
template <class T>
__device__ bool all_real(T* p) {
  *p = T(1.5);
  bool ok = atomicAdd(p, T(2)) == T(1.5) && *p == T(3.5);
  ok &= atomicAdd_block(p, T(1)) == T(3.5) && atomicAdd_system(p, T(-0.5)) == T(4.5) && *p == T(4);
  return ok;
}
__device__ bool unsigned_only(unsigned* p) {
  bool ok = true;
  *p = 4;
  ok &= atomicSub(p, 3u) == 4 && *p == 1;
  ok &= atomicInc(p, 2u) == 1 && *p == 2;
  ok &= atomicInc(p, 2u) == 2 && *p == 0;  // wraps
  ok &= atomicDec(p, 5u) == 0 && *p == 5;
  ok &= atomicDec(p, 5u) == 5 && *p == 4;
  *p = 9;
  ok &= atomicDec(p, 5u) == 9 && *p == 5;  // above the bound
  int* const q = reinterpret_cast<int*>(p);
  *q = -1;
  ok &= atomicSub(q, 2) == -1 && atomicMin(q, -7) == -3 && atomicMax(q, 2) == -7 && *q == 2;
  return ok;
}

__global__ void check(int* out, unsigned long long* memory) {
  __shared__ unsigned long long shared[2];
  int i = 0;
  for (unsigned long long* at : {memory, shared}) {
    out[i++] = all_integer(reinterpret_cast<int*>(at));
    out[i++] = all_integer(reinterpret_cast<unsigned*>(at));
    out[i++] = all_integer(at);
    out[i++] = unsigned_only(reinterpret_cast<unsigned*>(at));
    out[i++] = all_real(reinterpret_cast<float*>(at));
    out[i++] = all_real(reinterpret_cast<double*>(at));
    float* const f = reinterpret_cast<float*>(at);
    *f = 2;
    out[i++] = atomicExch(f, 8.f) == 2 && *f == 8;
    long long* const s = reinterpret_cast<long long*>(at);
    *s = -5;
    out[i++] = atomicMin(s, -9LL) == -5 && atomicMax(s, 3LL) == -9 && *s == 3;
    __half* const h = reinterpret_cast<__half*>(at);
    h[0] = h[1] = __float2half(1.f);
    atomicAdd(h, __float2half(0.5f));
    atomicAdd(reinterpret_cast<__half2*>(h), __floats2half2_rn(1.f, 2.f));
    out[i++] = __half2float(h[0]) == 2.5f && __half2float(h[1]) == 3.f;
    unsigned short* const u = reinterpret_cast<unsigned short*>(at);
    *u = 3;
    out[i++] = atomicCAS(u, static_cast<unsigned short>(3), static_cast<unsigned short>(5)) == 3 && *u == 5;
  }
}
__global__ void many(int* sums, float* real, double* real2, unsigned long long* wide, unsigned* wrapped) {
  __shared__ int mine;
  if (threadIdx.x == 0) mine = 0;
  __syncthreads();
  atomicAdd(&mine, 1);
  atomicAdd(real, 0.5f);
  atomicAdd(real2, 0.25);
  atomicAdd(wide, 1ull << 33);
  atomicInc(wrapped, 99u);
  atomicMax(sums + 1, static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x));
  atomicXor(reinterpret_cast<unsigned*>(sums + 2), 1u << threadIdx.x % 32);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sums, mine);
}
// A maximum of floats in the usual form.
__device__ float atomic_max_float(float* address, float value) {
  int* as_int = (int*)address;
  int old = *as_int, assumed;
  do {
    assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}
__global__ void maxima(float* out) {
  atomic_max_float(out, sinf(threadIdx.x + blockIdx.x * 100.f) < 2 ? threadIdx.x * 0.5f : 0.f);
}

int main() {
  int *out, host[20];
  unsigned long long* memory;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&memory, 64);
  check<<<1, 1>>>(out, memory);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int ok : host) printf("%d", ok);
  printf(" %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaMemset(out, 0, sizeof host);
  cudaMemset(memory, 0, 64);
  many<<<20, 96>>>(out, (float*)memory, (double*)(memory + 1), memory + 2, (unsigned*)(memory + 3));
  unsigned long long words[4];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(words, memory, sizeof words, cudaMemcpyDeviceToHost);
  printf("%d %d %d | %g %g %llu %llu\n", host[0], host[1], host[2], *(float*)&words[0], *(double*)&words[1],
         words[2] >> 33, words[3]);
  cudaMemset(memory, 0, 64);
  maxima<<<4, 64>>>((float*)memory);
  float largest;
  cudaMemcpy(&largest, memory, sizeof largest, cudaMemcpyDeviceToHost);
  printf("%g\n", largest);
}
