// sanitizers: not thread, which knows no order by volatile and fences
// Threads and blocks that wait for each other through memory: flags, a lock, a last block, a hand-written
// barrier.
#include <cstdio>

__device__ volatile int mailbox, flag;
__global__ void producer_consumer(int* out) {
  if (blockIdx.x == 1) {
    mailbox = 42;
    __threadfence();
    flag = 1;
  } else {
    while (flag == 0) {
    }
    __threadfence();
    *out = mailbox;
  }
}

__device__ int lock_word;
__global__ void locked(int* counter) {
  for (int turn = 0; turn < 3; ++turn) {
    bool done = false;
    while (!done) {
      if (atomicCAS(&lock_word, 0, 1) == 0) {
        __threadfence();
        *(volatile int*)counter = *(volatile int*)counter + 1;
        __threadfence();
        atomicExch(&lock_word, 0);
        done = true;
      }
    }
  }
}

__device__ unsigned finished;
__global__ void last_block(const int* in, int n, int* partial, int* out) {
  __shared__ int sum;
  __shared__ bool is_last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += ((volatile int*)partial)[b];
    *out = total;
  }
}

__device__ unsigned arrived;
__device__ void grid_barrier(unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void ring(int* data) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 4; ++round) {
    const int next = ((volatile int*)data)[(i + 1) % n];
    grid_barrier(gridDim.x * (2 * round + 1));
    data[i] = next;
    grid_barrier(gridDim.x * (2 * round + 2));
  }
}
// Decoupled look-back in its simplest form: each block waits for the previous block.
__device__ unsigned ticket;
__global__ void chain(volatile int* prefix) {
  __shared__ unsigned b;
  if (threadIdx.x == 0) {
    b = atomicAdd(&ticket, 1);
    int before = 0;
    if (b > 0)
      while ((before = prefix[b - 1]) == 0) __nanosleep(20);
    __threadfence_system();
    prefix[b] = before + static_cast<int>(b) + 1;
  }
}
// Warps of one block pass on values through shared memory.
__global__ void warps(int* out) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    while (turn != warp) __threadfence_block();
    *out = *out * 10 + warp;
    __threadfence_block();
    turn = warp + 1;
  }
}

static int read(const int* p) {
  int value = 0;
  cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}
int main() {
  int *data, host[64];
  cudaMalloc(&data, sizeof host);
  producer_consumer<<<2, 1>>>(data);
  printf("mailbox %d\n", read(data));
  cudaMemset(data, 0, sizeof host);
  locked<<<4, 2>>>(data);
  printf("lock %d\n", read(data));
  int *in, n = 1000;
  cudaMallocManaged(&in, n * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i;
  for (int time = 0; time < 2; ++time) {
    last_block<<<7, 64>>>(in, n, data + 1, data);
    printf("last block %d\n", read(data));
  }
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  ring<<<4, 8>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  printf("ring %d %d %d\n", host[0], host[15], host[31]);
  cudaMemset(data, 0, sizeof host);
  chain<<<40, 32>>>(data);
  printf("chain %d\n", read(data + 39));
  cudaMemset(data, 0, sizeof host);
  warps<<<1, 128>>>(data);
  printf("warps %d\n", read(data));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
