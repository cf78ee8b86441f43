// sanitizers: not thread, which knows no order by volatile, and under which no thread is interrupted
// Threads that wait in loops for other threads: of their block, of other blocks, of another kernel, and of
// the host.
#include <cstdio>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

__global__ void within_block(int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  // Each warp waits for the next one, so the threads that run first wait longest.
  const int warp = threadIdx.x / 32;
  const int warps = blockDim.x / 32;
  double sum = 0;
  if (threadIdx.x % 32 == 0) {
    while (flag != warps - 1 - warp) sum += 0.5;  // the wait must not change this state
    __threadfence_block();
    flag = warps - warp;
  }
  __syncwarp();
  out[threadIdx.x] = warp + (sum < 0 ? 1 : 0);
}

// A hand-written barrier of the whole grid. All blocks must run at once.
__global__ void between_blocks(volatile int* arrived, int* out, int rounds) {
  for (int round = 1; round <= rounds; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd((int*)arrived, 1);
      while (*arrived < round * (int)gridDim.x) {
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] += *arrived >= round * (int)gridDim.x;
  }
}

__global__ void pass_ball(volatile int* ball, int mine, int turns) {
  for (int turn = 0; turn < turns; ++turn) {
    while (*ball != mine) {
    }
    __threadfence_system();
    *ball = 1 - mine;
  }
}

// The same barrier by atomic functions alone.
__global__ void throw_ball(int* ball, int mine, int turns) {
  for (int turn = 0; turn < turns; ++turn)
    while (atomicCAS(ball, mine, 1 - mine) != mine) {
    }
}

__global__ void answer_host(volatile int* question, volatile int* answer) {
  while (*question == 0) {
  }
  *answer = *question * 2;
}

// Each block sums its part, then waits for the sum of the previous block: a chained scan.
__global__ void chained_scan(const int* in, int* out, volatile int* ready, volatile int* sums) {
  __shared__ int before;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int k = 0; k < (int)blockDim.x; ++k) sum += in[blockIdx.x * blockDim.x + k];
    if (blockIdx.x > 0) {
      while (ready[blockIdx.x - 1] == 0) {
      }
      __threadfence();
    }
    before = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
    sums[blockIdx.x] = before + sum;
    __threadfence();
    ready[blockIdx.x] = 1;
  }
  __syncthreads();
  int sum = before;
  for (int k = blockIdx.x * blockDim.x; k <= i; ++k) sum += in[k];
  out[i] = sum;
}

int main() {
  int* out;
  CHECK(cudaMallocManaged(&out, 4096 * sizeof(int)));

  within_block<<<1, 256>>>(out);
  CHECK(cudaDeviceSynchronize());
  int sum = 0;
  for (int i = 0; i < 256; ++i) sum += out[i];
  printf("within a block: %d\n", sum);

  constexpr int blocks = 100, rounds = 5;
  int* arrived;
  CHECK(cudaMalloc(&arrived, sizeof(int)));
  CHECK(cudaMemset(arrived, 0, sizeof(int)));
  for (int i = 0; i < blocks; ++i) out[i] = 0;
  between_blocks<<<blocks, 64>>>(arrived, out, rounds);
  CHECK(cudaDeviceSynchronize());
  sum = 0;
  for (int i = 0; i < blocks; ++i) sum += out[i];
  printf("between blocks: %d of %d\n", sum, blocks * rounds);

  cudaStream_t streams[2];
  int* ball;
  CHECK(cudaMalloc(&ball, sizeof(int)));
  CHECK(cudaMemset(ball, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    pass_ball<<<1, 1, 0, streams[i]>>>(ball, i, 20);
  }
  CHECK(cudaDeviceSynchronize());
  int at = -1;
  CHECK(cudaMemcpy(&at, ball, sizeof(int), cudaMemcpyDeviceToHost));
  printf("between kernels: the ball is with %d\n", at);

  for (int i = 0; i < 2; ++i) throw_ball<<<1, 1, 0, streams[i]>>>(ball, i, 20);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&at, ball, sizeof(int), cudaMemcpyDeviceToHost));
  printf("by atomic functions: the ball is with %d\n", at);

  volatile int* mail;
  int* device_mail;
  CHECK(cudaHostAlloc((void**)&mail, 2 * sizeof(int), cudaHostAllocMapped));
  mail[0] = mail[1] = 0;
  CHECK(cudaHostGetDevicePointer((void**)&device_mail, (void*)mail, 0));
  answer_host<<<1, 1>>>(device_mail, device_mail + 1);
  CHECK(cudaStreamQuery(0) == cudaErrorNotReady ? cudaSuccess : cudaErrorUnknown);
  mail[0] = 21;
  while (mail[1] == 0) {
  }
  printf("from the host: %d\n", mail[1]);
  CHECK(cudaDeviceSynchronize());

  constexpr int parts = 64, n = parts * 64;
  int *in, *ready, *sums;
  CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&ready, parts * sizeof(int)));
  CHECK(cudaMalloc(&sums, parts * sizeof(int)));
  CHECK(cudaMemset(ready, 0, parts * sizeof(int)));
  for (int i = 0; i < n; ++i) in[i] = i % 7;
  chained_scan<<<parts, 64>>>(in, out, ready, sums);
  CHECK(cudaDeviceSynchronize());
  int expected = 0, wrong = 0;
  for (int i = 0; i < n; ++i) {
    expected += i % 7;
    wrong += out[i] != expected;
  }
  printf("chained scan: last %d, wrong %d\n", out[n - 1], wrong);
  return 0;
}
