// cuda::barrier, cuda::pipeline, cuda::latch and semaphores:
// split arrival, dropping out, stages of copies, producers and consumers.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <utility>

namespace cg = cooperative_groups;

#pragma nv_diag_suppress static_var_with_dynamic_init

// Each phase sums the values that all threads wrote in the previous phase.
__global__ void phases(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int values[64];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  values[threadIdx.x] = threadIdx.x;
  for (int phase = 0; phase < 3; ++phase) {
    auto token = barrier.arrive();
    const int own = phase * 1000;  // work that needs no other thread
    barrier.wait(std::move(token));
    const int neighbour = values[(threadIdx.x + 1) % 64];
    barrier.arrive_and_wait();
    values[threadIdx.x] = neighbour + own;
  }
  block.sync();
  if (threadIdx.x % 2 == 1) {
    barrier.arrive_and_drop();
  } else {
    barrier.arrive_and_wait();
    values[threadIdx.x] += 7;
    barrier.arrive_and_wait();  // only half of the threads
    out[threadIdx.x / 2] = values[(threadIdx.x + 2) % 64];
  }
}

__global__ void copy_with_barrier(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ alignas(16) int tile[256];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof(int) * 256), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[255 - threadIdx.x] + tile[128 - threadIdx.x];
}

// Two stages in flight: the sum of all batches.
__global__ void staged(const int* in, int batches, int* out) {
  constexpr int stages = 2;
  __shared__ int buffer[stages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0, fetched = 0;
  for (int batch = 0; batch < batches; ++batch) {
    for (; fetched < batches && fetched < batch + stages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[fetched % stages], in + fetched * 64, sizeof(int) * 64, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += buffer[batch % stages][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// The first warp fills the buffer, and the second warp sums it.
__global__ void producers_and_consumers(const int* in, int batches, int* out) {
  constexpr int stages = 3;
  __shared__ int buffer[stages][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  const bool fills = threadIdx.x < 32;
  const auto role = fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  int sum = 0;
  for (int batch = 0; batch < batches; ++batch) {
    if (fills) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[batch % stages][threadIdx.x], in + batch * 32 + threadIdx.x, sizeof(int),
                         pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += buffer[batch % stages][63 - threadIdx.x];
      pipe.consumer_release();
    }
  }
  if (!fills) out[threadIdx.x - 32] = sum;
}

__global__ void primitives(const int4* in, int4* out) {
  __shared__ int4 tile[2][32];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[0][threadIdx.x], in + threadIdx.x, cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  pipe.consumer_release();
  __pipeline_memcpy_async(&tile[1][threadIdx.x], in + 32 + threadIdx.x, 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int4 a = tile[0][31 - threadIdx.x], b = tile[1][31 - threadIdx.x];
  out[threadIdx.x] = make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ cuda::binary_semaphore<cuda::thread_scope_device> lock{1};
__device__ int counter;

__global__ void semaphores_and_latch(int* out) {
  __shared__ cuda::latch<cuda::thread_scope_block>* latch;
  __shared__ alignas(cuda::latch<cuda::thread_scope_block>) unsigned char memory[sizeof *latch];
  if (threadIdx.x == 0) latch = new (memory) cuda::latch<cuda::thread_scope_block>(blockDim.x);
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    lock.acquire();
    counter = counter + 1;
    lock.release();
  }
  latch->arrive_and_wait();
  if (threadIdx.x == 0) {
    lock.acquire();
    out[blockIdx.x] = counter >= 4;
    lock.release();
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 4096 * sizeof(int));
  cudaMallocManaged(&out, 4096 * sizeof(int));
  for (int i = 0; i < 4096; ++i) in[i] = i * 7 % 101;

  phases<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("phases %d %d %d\n", out[0], out[15], out[31]);
  copy_with_barrier<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  printf("copied %d %d %d\n", out[0], out[64], out[127]);
  staged<<<1, 64>>>(in, 9, out);
  cudaDeviceSynchronize();
  printf("staged %d %d %d\n", out[0], out[31], out[63]);
  producers_and_consumers<<<1, 64>>>(in, 20, out);
  cudaDeviceSynchronize();
  printf("roles %d %d %d\n", out[0], out[15], out[31]);
  primitives<<<1, 32>>>(reinterpret_cast<int4*>(in), reinterpret_cast<int4*>(out));
  cudaDeviceSynchronize();
  printf("primitives %d %d %d %d\n", out[0], out[1], out[2], out[3]);
  semaphores_and_latch<<<3, 128>>>(out);
  cudaDeviceSynchronize();
  int total;
  cudaMemcpyFromSymbol(&total, counter, sizeof total);
  printf("locked %d, seen %d %d %d\n", total, out[0], out[1], out[2]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
