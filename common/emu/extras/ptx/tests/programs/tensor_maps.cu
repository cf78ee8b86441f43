// emucc: -gencode arch=compute_90a,code=sm_90a
// Tensor maps that kernels change: each block makes its own for a matrix of another place, size and pitch, as a product of many
// matrices of different sizes does. By PTX and by cuda::ptx, of a map that the host made and of zeros, in shared and in global
// memory.
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda/ptx>

#include "tensor_support.cuh"

namespace ptx = cuda::ptx;

constexpr int rows = 4, columns = 8, matrices = 3;

/// A matrix whose element (row, column) is 10000 * its number + 100 * row + column.
struct Matrix {
  int* elements;
  int width, height, pitch;  // in elements
};


/// The tile at (x, y) of `count` elements, in its layout in shared memory.
__device__ void fetch(const CUtensorMap* map, int x, int y, int* out, int count) {
  __shared__ alignas(256) int tile[2 * rows * columns];
  __shared__ alignas(8) uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
    const int32_t place[] = {x, y};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, count * sizeof(int));
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, map, place, &full);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = tile[i];
}

// ---- a template, changed in shared memory and copied to global memory, by PTX
__global__ void changed(const __grid_constant__ CUtensorMap like, const Matrix* all, CUtensorMap* maps, int* out) {
  __shared__ alignas(128) CUtensorMap map;
  const Matrix& matrix = all[blockIdx.x];
  CUtensorMap* const mine = maps + blockIdx.x;
  if (threadIdx.x == 0) {
    map = like;
    const uint32_t at = shared_address(&map);
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(at), "l"(matrix.elements) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(at), "r"(matrix.width) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(at), "r"(matrix.height) : "memory");
    asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(at),
                 "l"(matrix.pitch * sizeof(int))
                 : "memory");
  }
  __syncwarp();
  if (threadIdx.x < 32)
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(mine),
                 "r"(shared_address(&map))
                 : "memory");
  __syncthreads();
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(mine) : "memory");
  fetch(mine, 4, 2, out + blockIdx.x * rows * columns, rows * columns);
}

// ---- a map that begins as zeros
__global__ void made(const Matrix* all, CUtensorMap* maps, int* out) {
  __shared__ alignas(128) CUtensorMap map;
  const Matrix& matrix = all[blockIdx.x];
  CUtensorMap* const mine = maps + blockIdx.x;
  reinterpret_cast<int*>(&map)[threadIdx.x] = 0;
  __syncwarp();
  if (threadIdx.x == 0) {
    const auto shared = ptx::space_shared;
    ptx::tensormap_replace_global_address(shared, &map, matrix.elements);
    ptx::tensormap_replace_rank(shared, &map, 1);  // one less than there are
    ptx::tensormap_replace_box_dim(shared, &map, ptx::n32_t<0>(), columns);
    ptx::tensormap_replace_box_dim(shared, &map, ptx::n32_t<1>(), rows);
    ptx::tensormap_replace_global_dim(shared, &map, ptx::n32_t<0>(), matrix.width);
    ptx::tensormap_replace_global_dim(shared, &map, ptx::n32_t<1>(), matrix.height);
    ptx::tensormap_replace_global_stride(shared, &map, ptx::n32_t<0>(), matrix.pitch * sizeof(int));
    ptx::tensormap_replace_element_size(shared, &map, ptx::n32_t<0>(), 1);
    ptx::tensormap_replace_element_size(shared, &map, ptx::n32_t<1>(), 1);
    ptx::tensormap_replace_elemtype(shared, &map, ptx::n32_t<3>());
    ptx::tensormap_replace_interleave_layout(shared, &map, ptx::n32_t<0>());
    ptx::tensormap_replace_swizzle_mode(shared, &map, ptx::n32_t<0>());
    ptx::tensormap_replace_fill_mode(shared, &map, ptx::n32_t<0>());
  }
  __syncwarp();
  ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, mine, &map, ptx::n32_t<128>());
  __syncthreads();
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, mine, ptx::n32_t<128>());
  fetch(mine, 4, 2, out + blockIdx.x * rows * columns, rows * columns);
}

// ---- changed in global memory, for a later kernel
__global__ void change(CUtensorMap* map, int box_rows, int step) {
  asm volatile("tensormap.replace.tile.box_dim.global.b1024.b32 [%0], 1, %1;" ::"l"(map), "r"(box_rows) : "memory");
  asm volatile("tensormap.replace.tile.element_stride.global.b1024.b32 [%0], 1, %1;" ::"l"(map), "r"(step) : "memory");
  asm volatile("tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%0], 1;" ::"l"(map) : "memory");
  ptx::fence_proxy_tensormap_generic(ptx::sem_release, ptx::scope_gpu);
}
__global__ void use(const CUtensorMap* map, int* out) {
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map, ptx::n32_t<128>());
  fetch(map, 0, -8, out, 2 * rows * columns);
}

void show(const char* what, const int* out, int count) {
  printf("%s:\n", what);
  for (int i = 0; i < count; ++i) printf("%6d%c", out[i], i % columns == columns - 1 ? '\n' : ' ');
}

int main() {
  const int sizes[matrices][3] = {{16, 8, 16}, {8, 5, 12}, {10, 3, 20}};
  Matrix* all;
  CUtensorMap* maps;
  int* out;
  CHECK(cudaMallocManaged(&all, matrices * sizeof *all));
  CHECK(cudaMalloc(&maps, matrices * sizeof *maps));
  CHECK(cudaMallocManaged(&out, matrices * rows * columns * sizeof *out));
  for (int m = 0; m < matrices; ++m) {
    all[m] = {nullptr, sizes[m][0], sizes[m][1], sizes[m][2]};
    CHECK(cudaMallocManaged(&all[m].elements, all[m].pitch * all[m].height * sizeof(int)));
    for (int i = 0; i < all[m].pitch * all[m].height; ++i)
      all[m].elements[i] = 10000 * m + 100 * (i / all[m].pitch) + i % all[m].pitch;
  }

  void* encoder;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encoder, 12000, cudaEnableDefault, &found));
  CUtensorMap like;
  const cuuint64_t size[] = {64, 64}, pitch[] = {256};
  const cuuint32_t box[] = {columns, rows}, step[] = {1, 1};
  const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encoder)(
      &like, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, all[0].elements, size, pitch, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  printf("the template: %d\n", result);

  changed<<<matrices, 64>>>(like, all, maps, out);
  CHECK(cudaDeviceSynchronize());
  show("changed", out, matrices * rows * columns);

  CHECK(cudaMemset(maps, 0, matrices * sizeof *maps));
  CHECK(cudaMemset(out, 0, matrices * rows * columns * sizeof *out));
  made<<<matrices, 32>>>(all, maps, out);
  CHECK(cudaDeviceSynchronize());
  show("made", out, matrices * rows * columns);

  change<<<1, 1>>>(maps, 4 * rows, 2);
  use<<<1, 32>>>(maps, out);
  CHECK(cudaDeviceSynchronize());
  show("every second row, swizzled", out, 2 * rows * columns);

  for (int m = 0; m < matrices; ++m) CHECK(cudaFree(all[m].elements));
  CHECK(cudaFree(all));
  CHECK(cudaFree(maps));
  CHECK(cudaFree(out));
}
