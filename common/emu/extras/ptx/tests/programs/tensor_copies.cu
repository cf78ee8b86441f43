// Bulk copies (TMA): tiles of tensors in one to five dimensions with swizzles, edges, steps and reductions;
// plain bulk copies; multicast in a cluster. Each by PTX, by cuda::ptx, and through <cuda/barrier>.
#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

#include "tensor_support.cuh"

namespace ptx = cuda::ptx;
namespace cde = cuda::device::experimental;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void wait(uint64_t* bar, int parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1, 1000;\n"
      "@done bra over;\n"
      "bra again;\n"
      "over:\n"
      "}" ::"r"(shared_address(bar)),
      "r"(parity)
      : "memory");
}

// ---- one tile in its layout in shared memory
template <int Dimensions>
__device__ void load(void* tile, const CUtensorMap* map, const int* c, uint64_t* bar) {
  const uint32_t to = shared_address(tile), at = shared_address(bar);
  if constexpr (Dimensions == 1)
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];" ::"r"(to),
                 "l"(map), "r"(at), "r"(c[0])
                 : "memory");
  if constexpr (Dimensions == 2)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(to),
                 "l"(map), "r"(at), "r"(c[0]), "r"(c[1])
                 : "memory");
  if constexpr (Dimensions == 3)
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(
                     to),
                 "l"(map), "r"(at), "r"(c[0]), "r"(c[1]), "r"(c[2])
                 : "memory");
  if constexpr (Dimensions == 4)
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(to),
        "l"(map), "r"(at), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
        : "memory");
  if constexpr (Dimensions == 5)
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2];" ::"r"(
            to),
        "l"(map), "r"(at), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
        : "memory");
}
struct Place {
  int at[5];
};
template <int Dimensions>
__global__ void fetch(const __grid_constant__ CUtensorMap map, Place place, unsigned bytes, unsigned char* out) {
  __shared__ alignas(1024) unsigned char tile[16384];
  __shared__ alignas(8) uint64_t bar;
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
    init_barrier(&bar, 1);
    expect(&bar, bytes);
    load<Dimensions>(tile, &map, place.at, &bar);
  }
  __syncthreads();
  wait(&bar, 0);
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = tile[i];
}

// ---- stores and reductions of a tile whose elements are 1, 2, 3 …
enum class Way { store, add, max };
template <typename T>
__global__ void put(const __grid_constant__ CUtensorMap map, int x, int y, int elements, Way way) {
  __shared__ alignas(128) T tile[512];
  for (int i = threadIdx.x; i < elements; i += blockDim.x) tile[i] = static_cast<T>(i + 1);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  const uint32_t from = shared_address(tile);
  if (way == Way::store)
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map), "r"(from), "r"(x),
                 "r"(y)
                 : "memory");
  if (way == Way::add)
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map),
                 "r"(from), "r"(x), "r"(y)
                 : "memory");
  if (way == Way::max) {
    const int32_t c[2] = {x, y};
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_max, &map, c, tile);
  }
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// ---- plain bulk copies through <cuda/barrier>: two stages, the sum of all parts
__global__ void stages(const int* in, int parts, int* out) {
  constexpr int size = 256;
  __shared__ alignas(16) int buffer[2][size];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier full[2];
  if (threadIdx.x == 0) {
    init(&full[0], blockDim.x);
    init(&full[1], blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  const auto request = [&](int part) {
    if (threadIdx.x == 0) {
      cuda::memcpy_async(buffer[part % 2], in + part * size, cuda::aligned_size_t<16>(sizeof buffer[0]), full[part % 2]);
      return full[part % 2].arrive();
    }
    return full[part % 2].arrive();
  };
  const auto request_tx = [&](int part) {
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(buffer[part % 2], in + part * size, cuda::aligned_size_t<16>(sizeof buffer[0]), full[part % 2]);
      return cuda::device::barrier_arrive_tx(full[part % 2], 1, sizeof buffer[0]);
    }
    return full[part % 2].arrive();
  };
  int sum = 0;
  auto token = request(0);
  for (int part = 0; part < parts; ++part) {
    full[part % 2].wait(std::move(token));
    __syncthreads();
    if (part + 1 < parts) token = request_tx(part + 1);
    for (int i = threadIdx.x; i < size; i += blockDim.x) sum += buffer[part % 2][i] * (part + 1);
    __syncthreads();
  }
  atomicAdd(out, sum);
}

// ---- a tile is loaded and stored by the functions of CUDA 12.0
__global__ void experimental(const __grid_constant__ CUtensorMap map, int x, int y) {
  __shared__ alignas(128) int tile[8][16];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, x, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < 8 * 16; i += blockDim.x) tile[i / 16][i % 16] += 1000;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, &tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

// ---- plain bulk copies and reductions by cuda::ptx
__global__ void plain(const float* in, float* out, float* sums, int* greatest) {
  __shared__ alignas(16) float data[64];
  __shared__ alignas(16) int numbers[64];
  __shared__ alignas(8) uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  numbers[threadIdx.x] = static_cast<int>(threadIdx.x * (blockIdx.x + 1)) % 50;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, data, in + 64 * blockIdx.x, sizeof data, &bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof data);
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  data[threadIdx.x] *= 2;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 64 * blockIdx.x, data, sizeof data);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sums, data, sizeof data);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_max, greatest, numbers, sizeof numbers);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// ---- clusters: block 0 sends a tile to both; each sends its own numbers to the other
__global__ void __cluster_dims__(2, 1, 1) spread(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(128) int tile[8 * 16];
  __shared__ alignas(16) int mine[16], theirs[16];
  __shared__ alignas(8) uint64_t full, sent, ready;
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    init_barrier(&sent, 1);
    init_barrier(&ready, 2);  // an arrival from each block
    expect(&full, sizeof tile);
    expect(&sent, sizeof theirs);
  }
  if (threadIdx.x < 16) mine[threadIdx.x] = static_cast<int>(rank * 100 + threadIdx.x);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x == 0) {
    if (rank == 0)
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], "
          "[%2], %5;" ::"r"(shared_address(tile)),
          "l"(&map), "r"(shared_address(&full)), "r"(4), "r"(-2), "h"(static_cast<uint16_t>(3))
          : "memory");
    uint32_t there, their_barrier, their_ready;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(theirs)), "r"(rank ^ 1));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(their_barrier) : "r"(shared_address(&sent)), "r"(rank ^ 1));
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(there),
                 "r"(shared_address(mine)), "r"(64), "r"(their_barrier)
                 : "memory");
    for (uint32_t block = 0; block < 2; ++block) {
      asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(their_ready) : "r"(shared_address(&ready)), "r"(block));
      asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(their_ready) : "memory");
    }
  }
  wait(&full, 0);
  wait(&sent, 0);
  wait(&ready, 0);
  int sum = theirs[threadIdx.x % 16];
  for (int i = threadIdx.x; i < 8 * 16; i += blockDim.x) sum += tile[i] * (i + 1);
  atomicAdd(&out[rank], sum);
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// ---- the host's side
PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess) printf("there is no encoder\n"), exit(1);
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
}
struct Shape {
  CUtensorMapDataType type;
  int bytes, rank;
  uint64_t size[5];
  uint32_t box[5], step[5];
};
CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
CUresult encode(CUtensorMap* map, const Shape& shape, void* memory, CUtensorMapSwizzle swizzle) {
  uint64_t strides[4];
  uint64_t pitch = shape.size[0] * shape.bytes;
  for (int d = 1; d < shape.rank; ++d) {
    strides[d - 1] = pitch;
    pitch *= shape.size[d];
  }
  return encoder()(map, shape.type, shape.rank, memory, shape.size, strides, shape.box, shape.step,
                   CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                   fill);
}
unsigned hash(const unsigned char* data, size_t bytes) {
  unsigned result = 2166136261u;
  for (size_t i = 0; i < bytes; ++i) result = (result ^ data[i]) * 16777619u;
  return result;
}

template <int Dimensions>
void show(const char* what, const Shape& shape, unsigned char* memory, CUtensorMapSwizzle swizzle, Place place) {
  CUtensorMap map;
  if (const CUresult result = encode(&map, shape, memory, swizzle)) {
    printf("%s: %d\n", what, result);
    return;
  }
  unsigned bytes = shape.bytes;
  for (int d = 0; d < shape.rank; ++d) bytes *= (shape.box[d] + shape.step[d] - 1) / shape.step[d];
  unsigned char* out;
  CHECK(cudaMallocManaged(&out, bytes));
  fetch<Dimensions><<<1, 128>>>(map, place, bytes, out);
  CHECK(cudaDeviceSynchronize());
  printf("%s: %u bytes %08x, %d %d %d\n", what, bytes, hash(out, bytes), out[0], out[bytes / 2], out[bytes - 1]);
  CHECK(cudaFree(out));
}

template <typename T>
void show_put(const char* what, CUtensorMapDataType type, int x, int y, Way way) {
  constexpr int width = 24, height = 10;
  const Shape shape{type, sizeof(T), 2, {width, height}, {16, 8}, {1, 1}};
  T* memory;
  CHECK(cudaMallocManaged(&memory, width * height * sizeof(T)));
  for (int i = 0; i < width * height; ++i) memory[i] = static_cast<T>(i % 77);
  CUtensorMap map;
  printf("%s: %d,", what, encode(&map, shape, memory, CU_TENSOR_MAP_SWIZZLE_NONE));
  put<T><<<1, 64>>>(map, x, y, 128, way);
  CHECK(cudaDeviceSynchronize());
  double sum = 0;
  for (int i = 0; i < width * height; ++i) sum += static_cast<double>(memory[i]) * (i % 13 + 1);
  printf(" %.0f, %g %g %g\n", sum, static_cast<double>(memory[0]), static_cast<double>(memory[width * 4 + 12]),
         static_cast<double>(memory[width * height - 1]));
  CHECK(cudaFree(memory));
}

int main() {
  constexpr int bytes = 1 << 20;
  unsigned char* memory;
  CHECK(cudaMallocManaged(&memory, bytes));
  for (int i = 0; i < bytes; ++i) memory[i] = static_cast<unsigned char>((i * 2654435761u) >> 24);

  const auto none = CU_TENSOR_MAP_SWIZZLE_NONE;
  const auto floats = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  show<1>("one dimension", {floats, 4, 1, {100}, {64}, {1}}, memory, none, {{20}});
  show<1>("beyond its end", {floats, 4, 1, {100}, {64}, {1}}, memory, none, {{72}});
  show<1>("to its end", {floats, 4, 1, {100}, {64}, {1}}, memory, none, {{36}});
  show<1>("before it", {floats, 4, 1, {100}, {64}, {1}}, memory, none, {{-60}});
  show<1>("behind it", {floats, 4, 1, {64}, {32}, {1}}, memory, none, {{64}});
  show<2>("two", {floats, 4, 2, {60, 50}, {16, 8}, {1, 1}}, memory, none, {{8, 3}});
  show<2>("at a corner", {floats, 4, 2, {60, 50}, {16, 8}, {1, 1}}, memory, none, {{-4, 46}});
  show<2>("at an edge", {floats, 4, 2, {60, 50}, {16, 8}, {1, 1}}, memory, none, {{52, 3}});
  show<2>("outside", {floats, 4, 2, {60, 50}, {16, 8}, {1, 1}}, memory, none, {{0, 50}});
  show<2>("bytes", {CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 2, {64, 64}, {48, 10}, {1, 1}}, memory, none, {{16, 60}});
  show<2>("doubles", {CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8, 2, {20, 20}, {6, 5}, {1, 1}}, memory, none, {{2, 18}});
  show<3>("three", {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, 3, {24, 10, 9}, {16, 4, 5}, {1, 1, 1}}, memory, none, {{16, 7, -1}});
  show<4>("four", {CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 4, {12, 5, 6, 7}, {8, 2, 3, 4}, {1, 1, 1, 1}}, memory, none, {{4, 4, 2, 5}});
  show<5>("five", {CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, 5, {16, 3, 4, 5, 3}, {8, 2, 2, 3, 2}, {1, 1, 1, 1, 1}}, memory, none,
          {{8, 1, 3, 0, 2}});
  show<2>("every second row", {floats, 4, 2, {60, 50}, {16, 9}, {1, 2}}, memory, none, {{4, 1}});

  const auto halves = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  show<2>("swizzle 32", {halves, 2, 2, {64, 64}, {16, 24}, {1, 1}}, memory, CU_TENSOR_MAP_SWIZZLE_32B, {{8, 50}});
  show<2>("swizzle 64", {halves, 2, 2, {64, 64}, {32, 24}, {1, 1}}, memory, CU_TENSOR_MAP_SWIZZLE_64B, {{40, 5}});
  show<2>("swizzle 128", {halves, 2, 2, {64, 64}, {64, 64}, {1, 1}}, memory, CU_TENSOR_MAP_SWIZZLE_128B, {{-8, 4}});
  show<3>("swizzle 128 in three", {halves, 2, 3, {64, 20, 6}, {64, 10, 3}, {1, 1, 1}}, memory, CU_TENSOR_MAP_SWIZZLE_128B,
          {{0, 13, 2}});
  fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  show<2>("filled with NaNs", {floats, 4, 2, {64, 16}, {16, 4}, {1, 1}}, memory, none, {{0, 15}});
  fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  // Arguments that the encoder must refuse.
  show<2>("rows beyond the pattern", {halves, 2, 2, {64, 64}, {32, 8}, {1, 1}}, memory, CU_TENSOR_MAP_SWIZZLE_32B, {{0, 0}});
  show<2>("a box of 257", {CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 2, {512, 512}, {16, 257}, {1, 1}}, memory, none, {{0, 0}});
  show<2>("rows of 20 bytes", {floats, 4, 2, {64, 64}, {5, 4}, {1, 1}}, memory, none, {{0, 0}});
  show<2>("an odd stride", {CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 2, {100, 8}, {16, 4}, {1, 1}}, memory, none, {{0, 0}});
  show<2>("an odd address", {floats, 4, 2, {64, 64}, {4, 4}, {1, 1}}, memory + 4, none, {{0, 0}});
  show<2>("nothing", {floats, 4, 2, {64, 0}, {4, 4}, {1, 1}}, memory, none, {{0, 0}});

  show_put<float>("store", floats, 4, 1, Way::store);
  show_put<float>("store at an edge", floats, 12, 5, Way::store);
  show_put<double>("add doubles", CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 4, 1, Way::add);
  show_put<float>("add at an edge", floats, 16, 5, Way::add);
  show_put<int>("add integers", CU_TENSOR_MAP_DATA_TYPE_INT32, 8, 1, Way::add);
  show_put<int>("greatest", CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 2, Way::max);

  int *numbers, *out;
  float *in, *doubled, *sums;
  CHECK(cudaMallocManaged(&numbers, 4096 * sizeof(int)));
  CHECK(cudaMallocManaged(&out, 4096 * sizeof(int)));
  for (int i = 0; i < 4096; ++i) numbers[i] = i % 37;
  out[0] = 0;
  stages<<<2, 96>>>(numbers, 7, out);
  CHECK(cudaDeviceSynchronize());
  printf("stages %d\n", out[0]);

  CUtensorMap map;
  const Shape table{CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 2, {64, 64}, {16, 8}, {1, 1}};
  printf("table %d\n", encode(&map, table, numbers, none));
  experimental<<<1, 64>>>(map, 52, 60);
  CHECK(cudaDeviceSynchronize());
  long sum = 0;
  for (int i = 0; i < 4096; ++i) sum += static_cast<long>(numbers[i]) * (i % 11);
  printf("experimental %d %d %ld\n", numbers[64 * 60 + 51], numbers[64 * 60 + 52], sum);

  CHECK(cudaMallocManaged(&in, 256 * sizeof(float)));
  CHECK(cudaMallocManaged(&doubled, 256 * sizeof(float)));
  CHECK(cudaMallocManaged(&sums, 64 * sizeof(float)));
  for (int i = 0; i < 256; ++i) in[i] = static_cast<float>(i % 9);
  for (int i = 0; i < 64; ++i) sums[i] = 100, out[i] = 20;
  plain<<<4, 64>>>(in, doubled, sums, out);
  CHECK(cudaDeviceSynchronize());
  printf("plain %g %g %g, %g %g, %d %d\n", doubled[0], doubled[17], doubled[255], sums[0], sums[63], out[1], out[45]);

  out[0] = out[1] = 0;
  spread<<<2, 32>>>(map, out);
  CHECK(cudaDeviceSynchronize());
  printf("spread %d %d\n", out[0], out[1]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
