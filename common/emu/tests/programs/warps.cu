// Shuffles, votes, matches, reductions, masks of whole and part warps.
#include <cstdio>
#define FULL 0xffffffffu
__device__ int out_count;
__global__ void shuffles(int* out) {
  const int lane = threadIdx.x % 32;
  int* const mine = out + lane * 16;
  int i = 0;
  mine[i++] = __shfl_sync(FULL, lane * 10, 5);
  mine[i++] = __shfl_sync(FULL, lane * 10, (lane + 3) % 32);
  mine[i++] = __shfl_sync(FULL, lane, 2, 8);
  mine[i++] = __shfl_sync(FULL, lane, 35);
  mine[i++] = __shfl_up_sync(FULL, lane, 3);
  mine[i++] = __shfl_up_sync(FULL, lane, 3, 8);
  mine[i++] = __shfl_down_sync(FULL, lane, 7);
  mine[i++] = __shfl_down_sync(FULL, lane, 2, 4);
  mine[i++] = __shfl_xor_sync(FULL, lane, 5);
  mine[i++] = __shfl_xor_sync(FULL, lane, 6, 4);
  const long long wide = __shfl_sync(FULL, (1LL << 40) + lane, 31 - lane);
  mine[i++] = static_cast<int>(wide - (1LL << 40));
  mine[i++] = static_cast<int>(__shfl_down_sync(FULL, lane * 0.5, 1) * 2);
  mine[i++] = static_cast<int>(__shfl_xor_sync(FULL, lane * 0.25f, 16) * 4);
  const unsigned odd = 0xaaaaaaaau;
  mine[i++] = lane % 2 ? __shfl_sync(odd, lane, (lane + 2) % 32) : -1;
  mine[i] = i;
}
__global__ void votes(unsigned* out) {
  const int lane = threadIdx.x % 32;
  unsigned* const mine = out + lane * 16;
  int i = 0;
  mine[i++] = __all_sync(FULL, lane < 32);
  mine[i++] = __all_sync(FULL, lane < 31);
  mine[i++] = __any_sync(FULL, lane == 40);
  mine[i++] = __any_sync(FULL, lane == 4);
  mine[i++] = __ballot_sync(FULL, lane % 3 == 0);
  mine[i++] = __match_any_sync(FULL, lane / 5);
  int same;
  mine[i++] = __match_all_sync(FULL, lane / 32, &same);
  mine[i++] = same != 0;
  mine[i++] = __match_all_sync(FULL, lane / 16, &same);
  mine[i++] = same != 0;
  mine[i++] = __reduce_add_sync(FULL, lane);
  mine[i++] = __reduce_min_sync(FULL, lane - 7) + __reduce_max_sync(FULL, static_cast<unsigned>(lane));
  mine[i++] = __reduce_and_sync(FULL, lane | 0x40u) + __reduce_or_sync(FULL, 1u << lane % 8) +
              __reduce_xor_sync(FULL, static_cast<unsigned>(lane));
  if (lane < 12) {
    mine[i] = __ballot_sync(0xfffu, lane & 1) + __reduce_add_sync(0xfffu, 1u);
  } else {
    mine[i] = __ballot_sync(~0xfffu, lane & 2) + __popc(__match_any_sync(~0xfffu, 1.5f));
  }
}
// A sum over a warp in the usual four ways.
__global__ void sums(const int* in, int* out) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int a = in[threadIdx.x], b = a, c = a;
  for (int step = 16; step > 0; step /= 2) a += __shfl_down_sync(FULL, a, step);
#pragma unroll
  for (int step = 1; step < warpSize; step <<= 1) b += __shfl_xor_sync(FULL, b, step);
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(FULL, c, step);
    if (lane >= step) c += other;
  }
  __shared__ volatile int slots[64];
  slots[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    const int other = lane < step ? slots[threadIdx.x + step] : 0;
    __syncwarp();
    if (lane < step) slots[threadIdx.x] = slots[threadIdx.x] + other;
    __syncwarp();
  }
  if (lane == 0) {
    out[warp * 4] = a;
    out[warp * 4 + 2] = slots[threadIdx.x];
  }
  if (lane == 31) {
    out[warp * 4 + 1] = b;
    out[warp * 4 + 3] = c;
  }
}
// The active lanes after divergence, and one atomic for all of them.
__global__ void aggregated(int* out) {
  if (threadIdx.x % 4 == 1) {
    const unsigned active = __activemask();
    const int leader = __ffs(active) - 1;
    int base = 0;
    if (static_cast<int>(threadIdx.x % 32) == leader) base = atomicAdd(out, __popc(active));
    base = __shfl_sync(active, base, leader);
    const int rank = __popc(active & ((1u << threadIdx.x % 32) - 1));
    atomicAdd(out + 1, base + rank);
  }
}
__global__ void part(unsigned* out) {  // the last warp has 8 lanes
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = __ballot_sync(0xff, threadIdx.x & 1) + __activemask();
}
__global__ void counts(int* out, int n) {
  const int i = threadIdx.x;
  const int a = __syncthreads_count(i < n), b = __syncthreads_and(i < 80), c = __syncthreads_or(i == 79),
            d = __syncthreads_or(i == 80);
  if (i == 40) out[0] = a, out[1] = b != 0, out[2] = c != 0, out[3] = d != 0;
}
int main() {
  int *out, host[512];
  cudaMalloc(&out, sizeof host);
  shuffles<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int lane : {0, 1, 7, 30, 31}) {
    printf("lane %d:", lane);
    for (int i = 0; i < 15; ++i) printf(" %d", host[lane * 16 + i]);
    printf("\n");
  }
  votes<<<1, 32>>>((unsigned*)out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int lane : {0, 6, 12, 31}) {
    printf("lane %d:", lane);
    for (int i = 0; i < 14; ++i) printf(" %x", host[lane * 16 + i]);
    printf("\n");
  }
  for (int i = 0; i < 64; ++i) host[i] = i * i % 17;
  cudaMemcpy(out, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(out, out + 64);
  cudaMemcpy(host, out + 64, 8 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i) printf("%d ", host[i]);
  cudaMemset(out, 0, sizeof host);
  aggregated<<<2, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("| %d %d\n", host[0], host[1]);
  part<<<1, 40>>>((unsigned*)out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%x %x\n", host[0], host[7]);
  counts<<<1, 80>>>(out, 33);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %s\n", host[0], host[1], host[2], host[3], cudaGetErrorName(cudaGetLastError()));
}
