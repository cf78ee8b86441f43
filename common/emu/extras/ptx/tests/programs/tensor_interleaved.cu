// emucc: -gencode arch=compute_90a,code=sm_90a
// Interleaved tensor maps: channels lie in slices of 16 or 32 bytes (NC/8HWC8, NC/16HWC16), so the first dimension is a row's
// pixels, the last but one the slices, of which a box has one, and the last the images. Loads of boxes in three to five
// dimensions, at all edges, with steps, swizzles and both ways of filling; columns of pixels; what the encoders do not take.
// Each tile is compared with one that the host makes, and each wait is bounded, so one line reports one map.
#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tensor_support.cuh"

constexpr int capacity = 16384;
constexpr unsigned char untouched = 0xa5;
struct Place {
  int at[5];
};

// ---- the device's side

template <int Rank, bool Columns>
__device__ void load(void* tile, const CUtensorMap* map, const Place& place, uint64_t* bar) {
  const uint32_t to = shared_address(tile), full = shared_address(bar);
  const int* const c = place.at;
  const uint16_t none = 0;
#define LOAD(HOW, AT, OFFSETS, ...)                                                                                      \
  asm volatile("cp.async.bulk.tensor." HOW ".mbarrier::complete_tx::bytes [%0], [%1, {" AT "}], [%2]" OFFSETS ";" ::"r"(to), \
               "l"(map), "r"(full), __VA_ARGS__                                                                          \
               : "memory")
  if constexpr (Columns && Rank == 3)
    LOAD("3d.shared::cluster.global.im2col", "%3, %4, %5", ", {%6}", "r"(c[0]), "r"(c[1]), "r"(c[2]), "h"(none));
  else if constexpr (Columns)
    LOAD("4d.shared::cluster.global.im2col", "%3, %4, %5, %6", ", {%7, %7}", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "h"(none));
  else if constexpr (Rank == 3)
    LOAD("3d.shared::cluster.global.tile", "%3, %4, %5", "", "r"(c[0]), "r"(c[1]), "r"(c[2]));
  else if constexpr (Rank == 4)
    LOAD("4d.shared::cluster.global.tile", "%3, %4, %5, %6", "", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  else
    LOAD("5d.shared::cluster.global.tile", "%3, %4, %5, %6, %7", "", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]));
}

template <int Rank, bool Columns>
__global__ void fetch(const __grid_constant__ CUtensorMap map, Place place, unsigned bytes, unsigned char* out, int* complete) {
  __shared__ alignas(1024) unsigned char tile[capacity];
  __shared__ alignas(8) uint64_t full;
  for (int i = threadIdx.x; i < capacity; i += blockDim.x) tile[i] = untouched;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    expect(&full, bytes);
    load<Rank, Columns>(tile, &map, place, &full);
    *complete = arrives(&full);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < capacity; i += blockDim.x) out[i] = tile[i];
}

// ---- the host's side
constexpr auto by16 = CU_TENSOR_MAP_INTERLEAVE_16B, by32 = CU_TENSOR_MAP_INTERLEAVE_32B;
constexpr auto plain = CU_TENSOR_MAP_SWIZZLE_NONE, swizzle32 = CU_TENSOR_MAP_SWIZZLE_32B, swizzle64 = CU_TENSOR_MAP_SWIZZLE_64B,
               swizzle128 = CU_TENSOR_MAP_SWIZZLE_128B;
constexpr auto halves = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;

struct Tensor {
  CUtensorMapInterleave interleave;
  int rank;
  uint64_t size[5];  // a row's pixels, rows, planes, slices, images: the first and the last two in three dimensions
  uint32_t box[5];
  CUtensorMapSwizzle swizzle = plain;
  CUtensorMapDataType type = halves;
  uint32_t step[5] = {1, 1, 1, 1, 1};
  unsigned pixels = 0;  // of a column; box[0] is then the channels of a pixel
  bool nan = false;
  uint64_t padding = 0;  // bytes after each row

  unsigned piece() const { return interleave == by32 ? 32 : 16; }
  uint64_t stride(int d) const {  // bytes
    uint64_t result = piece();
    for (int i = 0; i < d; ++i) result = result * size[i] + (i == 0 ? padding : 0);
    return result;
  }
  unsigned count(int d) const {
    if (pixels != 0) return d == 0 ? pixels : 1;
    return d == rank - 2 ? 1 : (box[d] + step[d] - 1) / step[d];
  }
  unsigned bytes() const {
    unsigned result = piece();
    for (int d = 0; d < rank; ++d) result *= count(d);
    return result;
  }
  CUresult encode(CUtensorMap* map, void* memory) const {
    cuuint64_t strides[4];
    for (int d = 1; d < rank; ++d) strides[d - 1] = stride(d);
    const auto fill = nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    const int corner[3] = {0, 0, 0};
    cuuint64_t sizes[5];
    for (int d = 0; d < rank; ++d) sizes[d] = size[d];
    if (pixels != 0) {
      static const auto columns = entry<PFN_cuTensorMapEncodeIm2col_v12000>("cuTensorMapEncodeIm2col");
      return columns(map, type, static_cast<cuuint32_t>(rank), memory, sizes, strides, corner, corner, box[0], pixels, step, interleave,
                     swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
    }
    static const auto boxes = entry<PFN_cuTensorMapEncodeTiled_v12000>("cuTensorMapEncodeTiled");
    return boxes(map, type, static_cast<cuuint32_t>(rank), memory, sizes, strides, box, step, interleave, swizzle,
                 CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  }
  /// The tile at `place`, in its layout in shared memory.
  std::vector<unsigned char> wanted(const Place& place, const unsigned char* memory) const {
    std::vector<unsigned char> result(capacity, untouched);
    const unsigned bits = swizzle == plain ? 0 : swizzle == swizzle32 ? 1 : swizzle == swizzle64 ? 2 : 3;
    unsigned pixel = 0, i[5] = {};
    const auto n = [&](int d) { return d < rank ? count(d) : 1u; };
    for (i[4] = 0; i[4] < n(4); ++i[4])
      for (i[3] = 0; i[3] < n(3); ++i[3])
        for (i[2] = 0; i[2] < n(2); ++i[2])
          for (i[1] = 0; i[1] < n(1); ++i[1])
            for (i[0] = 0; i[0] < n(0); ++i[0], ++pixel) {
              bool inside = true;
              long from = 0;
              for (int d = 0; d < rank; ++d) {
                const long at = place.at[d] + static_cast<long>(i[d] * step[d]);
                inside = inside && at >= 0 && at < static_cast<long>(size[d]);
                from += at * static_cast<long>(stride(d));
              }
              for (unsigned b = 0; b < piece(); ++b) {
                const unsigned dense = pixel * piece() + b, to = dense ^ (dense >> 7 & ((1u << bits) - 1)) << 4;
                result[to] = inside ? memory[from + b] : !nan ? 0 : b % 2 ? 0x7f : 0xf7;
              }
            }
    return result;
  }
};

unsigned hash(const unsigned char* data, size_t bytes) {
  unsigned result = 2166136261u;
  for (size_t i = 0; i < bytes; ++i) result = (result ^ data[i]) * 16777619u;
  return result;
}

unsigned char *memory, *out;
int* complete;

template <int Rank, bool Columns = false>
void show(const char* what, const Tensor& tensor, const Place& place) {
  CUtensorMap map;
  if (const CUresult result = tensor.encode(&map, memory)) {
    printf("%s: %d\n", what, result);
    return;
  }
  *complete = 0;
  fetch<Rank, Columns><<<1, 128>>>(map, place, tensor.bytes(), out, complete);
  CHECK(cudaDeviceSynchronize());
  const std::vector<unsigned char> right = tensor.wanted(place, memory);
  unsigned wrong = 0, last = 0, zeros = 0;
  for (unsigned i = 0; i < capacity; ++i) {
    wrong += out[i] != right[i];
    if (out[i] != untouched) last = i + 1;
  }
  for (unsigned i = 0; i < last; ++i) zeros += out[i] == 0;
  printf("%s: %u bytes, %s, to %u, %u wrong, %u zeros, %08x\n", what, tensor.bytes(), *complete ? "complete" : "INCOMPLETE", last, wrong,
         zeros, hash(out, capacity));
}

void show_mistake(const char* what, const Tensor& tensor, int shift = 0) {
  CUtensorMap map;
  printf("%s: %d\n", what, tensor.encode(&map, memory + shift));
}

int main() {
  constexpr int bytes = 1 << 17;
  CHECK(cudaMallocManaged(&memory, bytes));
  CHECK(cudaMallocManaged(&out, capacity));
  CHECK(cudaMallocManaged(&complete, sizeof *complete));
  for (int i = 0; i < bytes; ++i) {
    const unsigned x = static_cast<unsigned>(i) * 2654435761u >> 24;
    memory[i] = static_cast<unsigned char>(x == untouched ? 1 : x);
  }

  show<3>("three dimensions", {by16, 3, {12, 6, 5}, {8, 1, 3}}, {{0, 0, 0}});
  show<3>("elsewhere", {by16, 3, {12, 6, 5}, {8, 1, 2}}, {{3, 2, 1}});
  show<3>("an odd pixel", {by16, 3, {12, 6, 5}, {8, 1, 1}}, {{1, 5, 4}});
  show<3>("rows with a margin", {by16, 3, {12, 6, 5}, {8, 1, 3}, plain, halves, {1, 1, 1}, 0, false, 64}, {{2, 1, 1}});
  show<3>("before the row", {by16, 3, {12, 6, 5}, {16, 1, 2}}, {{-5, 1, 0}});
  show<3>("beyond the row", {by16, 3, {12, 6, 5}, {8, 1, 2}}, {{7, 1, 0}});
  show<3>("before the images", {by16, 3, {12, 6, 5}, {8, 1, 3}}, {{0, 1, -1}});
  show<3>("beyond the images", {by16, 3, {12, 6, 5}, {8, 1, 3}}, {{0, 1, 3}});
  show<3>("before the slices", {by16, 3, {12, 6, 5}, {8, 1, 2}}, {{0, -1, 0}});
  show<3>("beyond the slices", {by16, 3, {12, 6, 5}, {8, 1, 2}}, {{0, 6, 0}});
  show<3>("a box of four slices", {by16, 3, {12, 6, 5}, {8, 4, 3}}, {{0, 1, 0}});
  show<3>("a box of 16 slices", {by16, 3, {12, 20, 5}, {8, 16, 3}}, {{0, 1, 0}});
  show<3>("every second pixel", {by16, 3, {40, 6, 5}, {16, 1, 2}, plain, halves, {2, 1, 1}}, {{3, 1, 1}});
  show<3>("every third pixel", {by16, 3, {40, 6, 5}, {16, 1, 2}, plain, halves, {3, 1, 1}}, {{30, 1, 1}});
  show<3>("every second slice", {by16, 3, {12, 6, 5}, {8, 4, 2}, plain, halves, {1, 2, 1}}, {{0, 1, 1}});
  show<3>("every second image", {by16, 3, {12, 6, 9}, {8, 1, 5}, plain, halves, {1, 1, 2}}, {{0, 1, 2}});
  show<4>("four dimensions", {by16, 4, {12, 7, 4, 3}, {8, 4, 1, 2}}, {{0, 0, 0, 0}});
  show<4>("at a corner", {by16, 4, {12, 7, 4, 3}, {8, 4, 1, 2}}, {{6, 5, 3, 2}});
  show<4>("at the other corner", {by16, 4, {12, 7, 4, 3}, {8, 4, 1, 2}}, {{-3, -1, 2, -1}});
  show<4>("every second pixel of every third row", {by16, 4, {40, 9, 4, 3}, {16, 7, 1, 2}, plain, halves, {2, 3, 1, 1}}, {{5, 1, 1, 0}});
  show<5>("five dimensions", {by16, 5, {10, 5, 4, 3, 3}, {8, 3, 2, 1, 2}}, {{1, 1, 1, 1, 1}});
  show<5>("at a corner of five", {by16, 5, {10, 5, 4, 3, 3}, {8, 3, 2, 2, 2}}, {{4, 3, -1, 2, 2}});
  show<3>("swizzle 32", {by16, 3, {40, 6, 5}, {32, 1, 4}, swizzle32}, {{3, 1, 0}});
  show<3>("swizzle 64", {by16, 3, {40, 6, 5}, {32, 1, 4}, swizzle64}, {{3, 1, 0}});
  show<3>("swizzle 128", {by16, 3, {40, 6, 5}, {32, 1, 4}, swizzle128}, {{3, 1, 0}});
  show<4>("swizzle 128 of short rows", {by16, 4, {40, 9, 4, 3}, {8, 6, 1, 3}, swizzle128}, {{35, 4, 1, 0}});
  show<3>("32 bytes", {by32, 3, {12, 6, 5}, {16, 1, 3}, swizzle32}, {{0, 0, 0}});
  show<3>("32 bytes elsewhere", {by32, 3, {20, 6, 5}, {16, 1, 3}, swizzle32}, {{7, 2, 1}});
  show<4>("32 bytes in four", {by32, 4, {12, 7, 4, 3}, {8, 4, 1, 2}, swizzle32}, {{-2, 5, 1, 1}});
  show<5>("32 bytes in five", {by32, 5, {10, 5, 4, 3, 3}, {8, 3, 2, 1, 2}, swizzle32}, {{3, 3, 1, 1, 1}});
  show<3>("32 bytes without a swizzle", {by32, 3, {20, 6, 5}, {16, 1, 3}}, {{7, 2, 1}});
  show<3>("32 bytes, every second pixel", {by32, 3, {40, 6, 5}, {16, 1, 2}, swizzle32, halves, {2, 1, 1}}, {{5, 1, 1}});
  show<3>("bytes", {by16, 3, {40, 6, 5}, {16, 1, 2}, plain, CU_TENSOR_MAP_DATA_TYPE_UINT8}, {{3, 1, 1}});
  show<3>("integers", {by16, 3, {40, 6, 5}, {4, 1, 2}, plain, CU_TENSOR_MAP_DATA_TYPE_INT32}, {{3, 1, 1}});
  show<3>("doubles", {by16, 3, {40, 6, 5}, {6, 1, 2}, plain, CU_TENSOR_MAP_DATA_TYPE_FLOAT64}, {{3, 1, 1}});
  show<3>("filled with NaNs", {by16, 3, {12, 6, 5}, {8, 1, 3}, plain, halves, {1, 1, 1}, 0, true}, {{7, 1, 3}});
  show<4>("bfloat16, filled with NaNs", {by32, 4, {12, 7, 4, 3}, {8, 4, 1, 2}, swizzle32, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, {1, 1, 1, 1}, 0, true},
          {{-2, 5, 1, 1}});

  show<3, true>("a column of three dimensions", {by16, 3, {40, 6, 5}, {8}, plain, halves, {1, 1, 1}, 16}, {{3, 2, 1}});
  show<4, true>("a column", {by16, 4, {40, 6, 5, 3}, {8}, plain, halves, {1, 1, 1, 1}, 16}, {{0, 0, 0, 0}});
  show<4, true>("a column elsewhere", {by16, 4, {40, 6, 5, 3}, {8}, plain, halves, {1, 1, 1, 1}, 16}, {{9, 4, 3, 1}});
  show<4, true>("a column of 16 channels", {by16, 4, {40, 6, 5, 3}, {16}, plain, halves, {1, 1, 1, 1}, 16}, {{9, 4, 3, 1}});
  show<4, true>("a column to the row's end", {by16, 4, {40, 6, 5, 3}, {8}, plain, halves, {1, 1, 1, 1}, 32}, {{8, 4, 3, 1}});
  show<4, true>("a column with 32 bytes", {by32, 4, {40, 6, 5, 3}, {16}, swizzle32, halves, {1, 1, 1, 1}, 16}, {{9, 4, 3, 1}});

  // Arguments that the encoders must refuse.
  show_mistake("right", {by16, 3, {12, 6, 5}, {8, 1, 3}});
  show_mistake("two dimensions", {by16, 2, {12, 6}, {8, 1}});
  show_mistake("one pixel", {by16, 3, {12, 6, 5}, {1, 1, 3}});
  show_mistake("two pixels", {by16, 3, {12, 6, 5}, {2, 1, 3}});
  show_mistake("four pixels", {by16, 3, {12, 6, 5}, {4, 1, 3}});
  show_mistake("257 pixels", {by16, 3, {512, 6, 5}, {264, 1, 3}});
  show_mistake("257 slices", {by16, 3, {12, 512, 5}, {8, 257, 3}});
  show_mistake("no slice", {by16, 3, {12, 6, 5}, {8, 0, 3}});
  show_mistake("a step of 9", {by16, 3, {40, 6, 5}, {16, 1, 3}, plain, halves, {9, 1, 1}});
  show_mistake("a step of 0", {by16, 3, {40, 6, 5}, {16, 1, 3}, plain, halves, {0, 1, 1}});
  show_mistake("an address of 8", {by16, 3, {12, 6, 5}, {8, 1, 3}}, 8);
  show_mistake("an address of 16", {by16, 3, {12, 6, 5}, {8, 1, 3}}, 16);
  show_mistake("32 bytes at an address of 16", {by32, 3, {12, 6, 5}, {16, 1, 3}, swizzle32}, 16);
  show_mistake("32 bytes at an address of 32", {by32, 3, {12, 6, 5}, {16, 1, 3}, swizzle32}, 32);
  show_mistake("32 bytes, odd strides", {by32, 3, {12, 6, 5}, {16, 1, 3}, swizzle32, halves, {1, 1, 1}, 0, false, 16});
  show_mistake("16 bytes, odd strides", {by16, 3, {12, 6, 5}, {8, 1, 3}, plain, halves, {1, 1, 1}, 0, false, 16});
  show_mistake("16 bytes, strides of 8", {by16, 3, {12, 6, 5}, {8, 1, 3}, plain, halves, {1, 1, 1}, 0, false, 8});
  show_mistake("integers filled with NaNs", {by16, 3, {12, 6, 5}, {4, 1, 3}, plain, CU_TENSOR_MAP_DATA_TYPE_INT32, {1, 1, 1}, 0, true});
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
