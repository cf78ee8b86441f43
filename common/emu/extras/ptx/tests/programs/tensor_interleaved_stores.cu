// emucc: -gencode arch=compute_90a,code=sm_90a
// Interleaved tensor maps once more: columns of pixels that go on in the next row and the next image of their slice, with corners,
// offsets and steps; stores and reductions of boxes and of columns; maps that kernels change. Each result is compared with one that
// the host makes, and each wait is bounded, so one line reports one map. tensor_interleaved.cu shows the loads of boxes.
#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tensor_support.cuh"

constexpr int capacity = 16384, total = 1 << 17;  // bytes of shared and of global memory
constexpr unsigned char untouched = 0xa5;
struct Place {
  int at[5];
  int offset[3] = {0, 0, 0};
};
enum Act { load, store, add };

// ---- the device's side

template <int Rank, bool Columns>
__device__ void fetch(uint32_t to, const CUtensorMap* map, const Place& place, uint32_t full) {
  const int* const c = place.at;
  const uint16_t o[] = {static_cast<uint16_t>(place.offset[0]), static_cast<uint16_t>(place.offset[1]), static_cast<uint16_t>(place.offset[2])};
#define LOAD(HOW, AT, OFFSETS, ...)                                                                                      \
  asm volatile("cp.async.bulk.tensor." HOW ".mbarrier::complete_tx::bytes [%0], [%1, {" AT "}], [%2]" OFFSETS ";" ::"r"(to), \
               "l"(map), "r"(full), __VA_ARGS__                                                                          \
               : "memory")
  if constexpr (Columns && Rank == 3)
    LOAD("3d.shared::cluster.global.im2col", "%3, %4, %5", ", {%6}", "r"(c[0]), "r"(c[1]), "r"(c[2]), "h"(o[0]));
  else if constexpr (Columns && Rank == 4)
    LOAD("4d.shared::cluster.global.im2col", "%3, %4, %5, %6", ", {%7, %8}", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "h"(o[0]), "h"(o[1]));
  else if constexpr (Columns)
    LOAD("5d.shared::cluster.global.im2col", "%3, %4, %5, %6, %7", ", {%8, %9, %10}", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]),
         "h"(o[0]), "h"(o[1]), "h"(o[2]));
  else if constexpr (Rank == 3)
    LOAD("3d.shared::cluster.global.tile", "%3, %4, %5", "", "r"(c[0]), "r"(c[1]), "r"(c[2]));
  else if constexpr (Rank == 4)
    LOAD("4d.shared::cluster.global.tile", "%3, %4, %5, %6", "", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  else
    LOAD("5d.shared::cluster.global.tile", "%3, %4, %5, %6, %7", "", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]));
}

#define PUT(WHAT, HOW)                                                                                                             \
  if constexpr (Rank == 3)                                                                                                         \
    asm volatile(WHAT ".bulk.tensor.3d.global.shared::cta" HOW ".bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(map), "r"(from),      \
                 "r"(c[0]), "r"(c[1]), "r"(c[2])                                                                                   \
                 : "memory");                                                                                                      \
  else if constexpr (Rank == 4)                                                                                                    \
    asm volatile(WHAT ".bulk.tensor.4d.global.shared::cta" HOW ".bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(map), "r"(from),  \
                 "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])                                                                        \
                 : "memory");                                                                                                      \
  else                                                                                                                             \
    asm volatile(WHAT ".bulk.tensor.5d.global.shared::cta" HOW ".bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(map),         \
                 "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])                                                  \
                 : "memory")
template <int Rank, bool Columns>
__device__ void put(uint32_t from, const CUtensorMap* map, const Place& place, Act act) {
  const int* const c = place.at;
  if constexpr (Columns) {
    if (act == store) {
      PUT("cp.async", ".im2col_no_offs");
    } else {
      PUT("cp.reduce.async", ".add.im2col_no_offs");
    }
  } else {
    if (act == store) {
      PUT("cp.async", ".tile");
    } else {
      PUT("cp.reduce.async", ".add.tile");
    }
  }
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/// The tile in shared memory is `in` at the beginning and `out` at the end.
template <int Rank, bool Columns>
__global__ void copy(const CUtensorMap* map, Place place, Act act, unsigned bytes, const unsigned char* in, unsigned char* out, int* complete) {
  __shared__ alignas(1024) unsigned char tile[capacity];
  __shared__ alignas(8) uint64_t full;
  for (int i = threadIdx.x; i < capacity; i += blockDim.x) tile[i] = in[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
    if (act != load) {
      put<Rank, Columns>(shared_address(tile), map, place, act);
      *complete = 1;
    } else {
      init_barrier(&full, 1);
      expect(&full, bytes);
      fetch<Rank, Columns>(shared_address(tile), map, place, shared_address(&full));
      *complete = arrives(&full);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < capacity; i += blockDim.x) out[i] = tile[i];
}

enum Field { box_of_pixels, box_of_slices, box_of_images, pixels, slices, pitch, step_of_pixels, step_of_slices, layout16, layout32, swizzle_mode, element_type, fill_mode };
/// Changes a field of a map with three dimensions.
__global__ void change(CUtensorMap* map, Field field, unsigned value) {
#define SET(FIELD, NUMBER, WIDTH, CONSTRAINT, VALUE) \
  asm volatile("tensormap.replace.tile." FIELD ".global.b1024." WIDTH " [%0], " NUMBER "%1;" ::"l"(map), CONSTRAINT(VALUE) : "memory")
  if (field == box_of_pixels) SET("box_dim", "0, ", "b32", "r", value);
  if (field == box_of_slices) SET("box_dim", "1, ", "b32", "r", value);
  if (field == box_of_images) SET("box_dim", "2, ", "b32", "r", value);
  if (field == pixels) SET("global_dim", "0, ", "b32", "r", value);
  if (field == slices) SET("global_dim", "1, ", "b32", "r", value);
  if (field == pitch) SET("global_stride", "0, ", "b64", "l", uint64_t{value});
  if (field == step_of_pixels) SET("element_stride", "0, ", "b32", "r", value);
  if (field == step_of_slices) SET("element_stride", "1, ", "b32", "r", value);
#define SET_TO(FIELD, VALUE) asm volatile("tensormap.replace.tile." FIELD ".global.b1024.b32 [%0], " VALUE ";" ::"l"(map) : "memory")
  if (field == layout16) SET_TO("interleave_layout", "1");
  if (field == layout32) SET_TO("interleave_layout", "2");
  if (field == swizzle_mode && value == 0) SET_TO("swizzle_mode", "0");
  if (field == swizzle_mode && value == 3) SET_TO("swizzle_mode", "3");
  if (field == element_type) SET_TO("elemtype", "2");  // integers of 32 bits
  if (field == fill_mode) SET_TO("fill_mode", "1");
}

// ---- the host's side
constexpr auto no_layout = CU_TENSOR_MAP_INTERLEAVE_NONE, by16 = CU_TENSOR_MAP_INTERLEAVE_16B, by32 = CU_TENSOR_MAP_INTERLEAVE_32B;
constexpr auto plain = CU_TENSOR_MAP_SWIZZLE_NONE, swizzle32 = CU_TENSOR_MAP_SWIZZLE_32B, swizzle128 = CU_TENSOR_MAP_SWIZZLE_128B;
constexpr auto halves = CU_TENSOR_MAP_DATA_TYPE_FLOAT16, words = CU_TENSOR_MAP_DATA_TYPE_UINT32;

struct Tensor {
  CUtensorMapInterleave interleave;
  int rank;
  uint64_t size[5];  // a row's pixels, rows, planes, slices, images: the first and the last two in three dimensions
  uint32_t box[5];   // of columns the channels of a pixel, and the pixels
  bool columns = false;
  int lower[3] = {0, 0, 0}, upper[3] = {0, 0, 0};
  uint32_t step[5] = {1, 1, 1, 1, 1};
  CUtensorMapSwizzle swizzle = plain;
  CUtensorMapDataType type = halves;
  long row_bytes = 0, image_bytes = 0;  // used if they differ from the sum of the pixels' bytes
  bool nan = false;

  long piece() const { return interleave == by32 ? 32 : 16; }
  long stride(int d) const {  // bytes
    if (d == rank - 1 && image_bytes != 0) return image_bytes;
    long result = piece();
    for (int i = 0; i < d; ++i) result = i == 0 && row_bytes != 0 ? row_bytes : result * static_cast<long>(size[i]);
    return result;
  }
  CUresult encode(CUtensorMap* map, void* memory) const {
    cuuint64_t strides[4], sizes[5];
    for (int d = 1; d < rank; ++d) strides[d - 1] = static_cast<cuuint64_t>(stride(d));
    for (int d = 0; d < rank; ++d) sizes[d] = size[d];
    if (columns) {
      static const auto make = entry<PFN_cuTensorMapEncodeIm2col_v12000>("cuTensorMapEncodeIm2col");
      return make(map, type, static_cast<cuuint32_t>(rank), memory, sizes, strides, lower, upper, box[0], box[1], step, interleave, swizzle,
                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    }
    static const auto make = entry<PFN_cuTensorMapEncodeTiled_v12000>("cuTensorMapEncodeTiled");
    return make(map, type, static_cast<cuuint32_t>(rank), memory, sizes, strides, box, step, interleave, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  }
  /// The place of each pixel in global memory; -1 for pixels outside the tensor.
  std::vector<long> places(const Place& place) const {
    std::vector<long> result;
    const int slice = rank - 2, image = rank - 1;
    long first[5], last[5], at[5];  // of those that count; after `last` comes `first`
    for (int d = 0; d < rank; ++d) {
      first[d] = columns && d < slice ? lower[d] : place.at[d];
      last[d] = columns ? (d < slice ? static_cast<long>(size[d]) - 1 + upper[d] : d == slice ? place.at[d] : 1 << 20) : place.at[d] + (d == slice ? 0 : static_cast<long>(box[d]) - 1);
      at[d] = place.at[d];
    }
    for (;;) {
      bool inside = true;
      long from = 0;
      for (int d = 0; d < rank; ++d) {
        const long here = at[d] + (columns && d < slice ? place.offset[d] : 0);
        inside = inside && here >= 0 && here < static_cast<long>(size[d]);
        from += here * stride(d);
      }
      result.push_back(inside ? from : -1);
      if (columns && result.size() == box[1]) return result;
      int d = 0;
      for (; d < rank; ++d) {
        at[d] += step[d];
        if (d != slice && at[d] <= last[d]) break;
        at[d] = first[d];
      }
      if (d > image) return result;
    }
  }
};

unsigned hash(const unsigned char* data, size_t bytes) {
  unsigned result = 2166136261u;
  for (size_t i = 0; i < bytes; ++i) result = (result ^ data[i]) * 16777619u;
  return result;
}

unsigned char *memory, *in, *out;
int* complete;
CUtensorMap* map;  // in global memory

/// Copies by the given map, which must be like a map of `tensor`.
template <int Rank, bool Columns>
void copy_by_map(const char* what, Act act, const Tensor& tensor, const Place& place) {
  for (int i = 0; i < total; ++i) memory[i] = act == store ? untouched : static_cast<unsigned char>(static_cast<unsigned>(i) * 2654435761u >> 24);
  for (int i = 0; i < capacity; ++i) in[i] = act == load ? untouched : static_cast<unsigned char>(static_cast<unsigned>(i + 7) * 2246822519u >> 24);
  const std::vector<long> places = tensor.places(place);
  const unsigned bits = tensor.swizzle == plain ? 0 : tensor.swizzle == swizzle32 ? 1 : 3;
  std::vector<unsigned char> tile(in, in + capacity), global(memory, memory + total);
  size_t dense = 0, outside = 0;
  for (const long from : places) {
    outside += from < 0;
    for (long b = 0; b < tensor.piece(); b += 4, dense += 4) {
      unsigned char* const here = tile.data() + (dense ^ (dense >> 7 & ((1u << bits) - 1)) << 4);
      uint32_t x = tensor.nan ? 0x7ff77ff7u : 0, y;
      if (from >= 0) memcpy(&x, global.data() + from + b, 4);
      memcpy(&y, here, 4);
      if (act == load) memcpy(here, &x, 4);
      x = act == add ? x + y : y;
      if (act != load && from >= 0) memcpy(global.data() + from + b, &x, 4);
    }
  }
  *complete = 0;
  copy<Rank, Columns><<<1, 128>>>(map, place, act, static_cast<unsigned>(dense), in, out, complete);
  CHECK(cudaDeviceSynchronize());
  unsigned wrong = 0;
  for (int i = 0; i < capacity; ++i) wrong += out[i] != tile[static_cast<size_t>(i)];
  for (int i = 0; i < total; ++i) wrong += memory[i] != global[static_cast<size_t>(i)];
  printf("%s: %zu pixels, %zu outside, %s, %u wrong, %08x\n", what, places.size(), outside, *complete ? "complete" : "INCOMPLETE", wrong,
         act == load ? hash(out, capacity) : hash(memory, total));
}
template <int Rank, bool Columns = false>
void show(const char* what, Act act, const Tensor& tensor, const Place& place) {
  if (const CUresult result = tensor.encode(map, memory))
    printf("%s: %d\n", what, result);
  else
    copy_by_map<Rank, Columns>(what, act, tensor, place);
}
/// The same, by a map of `made` that a kernel changes to be like a map of `tensor`.
void show_changed(const char* what, const Tensor& made, Field field, unsigned value, const Tensor& tensor, Act act = load) {
  if (const CUresult result = made.encode(map, memory)) printf("%s: %d\n", what, result);
  change<<<1, 1>>>(map, field, value);
  CHECK(cudaDeviceSynchronize());
  copy_by_map<3, false>(what, act, tensor, {{2, 1, 1}});
}

int main() {
  CHECK(cudaMallocManaged(&memory, total));
  CHECK(cudaMallocManaged(&in, capacity));
  CHECK(cudaMallocManaged(&out, capacity));
  CHECK(cudaMallocManaged(&complete, sizeof *complete));
  CHECK(cudaMallocManaged(&map, sizeof *map));

  show<3, true>("to the next images", load, {by16, 3, {12, 6, 5}, {8, 32}, true}, {{5, 1, 1}});
  show<4, true>("to the next rows", load, {by16, 4, {12, 7, 4, 3}, {8, 32}, true}, {{5, 2, 1, 0}});
  show<4, true>("to the next image", load, {by16, 4, {12, 7, 4, 3}, {8, 128}, true}, {{3, 1, 2, 1}});
  show<4, true>("beyond the last image", load, {by16, 4, {12, 7, 4, 3}, {8, 128}, true}, {{3, 1, 2, 2}});
  show<4, true>("corners within the image", load, {by16, 4, {12, 7, 4, 3}, {8, 96}, true, {1, 0}, {-2, -1}}, {{3, 1, 2, 0}});
  show<4, true>("corners outside of it", load, {by16, 4, {12, 7, 4, 3}, {8, 128}, true, {-1, -1}, {1, 1}}, {{-1, -1, 1, 0}});
  show<4, true>("offsets", load, {by16, 4, {12, 7, 4, 3}, {8, 32}, true, {-1, -1}, {-1, -1}}, {{-1, -1, 1, 0}, {2, 1}});
  show<4, true>("every second pixel", load, {by16, 4, {12, 7, 4, 3}, {8, 16}, true, {0, 0}, {0, 0}, {2, 1, 1, 1}}, {{0, 1, 1, 0}});
  show<4, true>("every second row", load, {by16, 4, {12, 7, 4, 3}, {8, 32}, true, {0, 0}, {0, 0}, {1, 2, 1, 1}}, {{0, 1, 1, 0}});
  show<4, true>("every second slice", load, {by16, 4, {12, 7, 4, 3}, {8, 32}, true, {0, 0}, {0, 0}, {1, 1, 2, 1}}, {{0, 1, 1, 0}});
  show<4, true>("every second image", load, {by16, 4, {12, 7, 4, 3}, {8, 64}, true, {0, 0}, {0, 0}, {1, 1, 1, 2}}, {{0, 5, 1, 0}});
  show<4, true>("before the slices", load, {by16, 4, {12, 7, 4, 3}, {8, 16}, true}, {{0, 1, -1, 0}});
  show<4, true>("beyond the slices", load, {by16, 4, {12, 7, 4, 3}, {8, 16}, true}, {{0, 1, 4, 0}});
  show<4, true>("before the images", load, {by16, 4, {12, 7, 4, 3}, {8, 16}, true}, {{0, 1, 1, -1}});
  show<4, true>("beyond the images", load, {by16, 4, {12, 7, 4, 3}, {8, 16}, true}, {{0, 1, 1, 3}});
  show<4, true>("with 32 bytes", load, {by32, 4, {12, 7, 4, 3}, {16, 32}, true, {0, 0}, {0, 0}, {1, 1, 1, 1}, swizzle32}, {{5, 2, 1, 0}});
  show<5, true>("in five dimensions", load, {by16, 5, {6, 5, 4, 3, 2}, {8, 128}, true, {-1, 0, -1}, {-1, -2, 0}}, {{1, 1, -1, 1, 0}, {1, 1, 1}});

  show<3>("stored", store, {by16, 3, {12, 6, 5}, {8, 1, 3}}, {{1, 1, 1}});
  show<3>("stored, a box of four slices", store, {by16, 3, {12, 6, 5}, {8, 4, 3}}, {{1, 1, 1}});
  show<3>("stored beyond the row", store, {by16, 3, {12, 6, 5}, {8, 1, 2}}, {{7, 1, 0}});
  show<3>("stored beyond the images", store, {by16, 3, {12, 6, 5}, {8, 1, 2}}, {{0, 1, 4}});
  show<3>("stored beyond the slices", store, {by16, 3, {12, 6, 5}, {8, 1, 2}}, {{0, 6, 0}});
  show<3>("stored to every second pixel", store, {by16, 3, {12, 6, 5}, {8, 1, 2}, false, {}, {}, {2, 1, 1}}, {{1, 1, 0}});
  show<4>("stored at a corner", store, {by16, 4, {12, 7, 4, 3}, {8, 4, 1, 2}}, {{6, 5, 3, 1}});
  show<4>("stored, swizzle 128", store, {by16, 4, {12, 7, 4, 3}, {8, 4, 1, 2}, false, {}, {}, {1, 1, 1, 1}, swizzle128}, {{1, 1, 1, 1}});
  show<5>("stored in five dimensions", store, {by16, 5, {6, 5, 4, 3, 2}, {8, 3, 2, 1, 2}}, {{1, 1, 1, 1, 0}});
  show<3>("stored, 32 bytes", store, {by32, 3, {12, 6, 5}, {16, 1, 2}, false, {}, {}, {1, 1, 1}, swizzle32}, {{1, 1, 1}});
  show<4, true>("a column stored", store, {by16, 4, {12, 7, 4, 3}, {8, 32}, true}, {{5, 2, 1, 0}});
  show<3, true>("a column of three dimensions stored", store, {by16, 3, {12, 6, 5}, {8, 16}, true}, {{5, 2, 1}});
  show<4, true>("a column within corners stored", store, {by16, 4, {12, 7, 4, 3}, {8, 96}, true, {1, 0}, {-2, -1}}, {{3, 1, 2, 0}});

  show<3>("added", add, {by16, 3, {12, 6, 5}, {8, 1, 3}, false, {}, {}, {1, 1, 1}, plain, words}, {{7, 1, 1}});
  show<4>("added, a box of four slices", add, {by16, 4, {12, 7, 4, 3}, {8, 4, 4, 2}, false, {}, {}, {1, 1, 1, 1}, plain, words}, {{6, 5, 1, 1}});
  show<3>("added, 32 bytes", add, {by32, 3, {12, 6, 5}, {8, 1, 2}, false, {}, {}, {1, 1, 1}, swizzle32, words}, {{1, 1, 1}});
  show<4, true>("a column added", add, {by16, 4, {12, 7, 4, 3}, {8, 32}, true, {}, {}, {1, 1, 1, 1}, plain, words}, {{5, 2, 1, 0}});

  const Tensor like = {by16, 3, {12, 6, 5}, {8, 1, 2}, false, {}, {}, {1, 1, 1}, plain, halves, 256, 1536};
  const auto changed = [&](const auto how) {
    Tensor result = like;
    how(result);
    return result;
  };
  show_changed("a box of three slices", like, box_of_slices, 3, like);
  show_changed("a box of 16 pixels", like, box_of_pixels, 16, changed([](Tensor& x) { x.box[0] = 16; }));
  show_changed("a box of 5 pixels", like, box_of_pixels, 5, changed([](Tensor& x) { x.box[0] = 5; }));
  show_changed("a box of 5 pixels, stored", like, box_of_pixels, 5, changed([](Tensor& x) { x.box[0] = 5; }), store);
  show_changed("a box of 3 images", like, box_of_images, 3, changed([](Tensor& x) { x.box[2] = 3; }));
  show_changed("a row of 5 pixels", like, pixels, 5, changed([](Tensor& x) { x.size[0] = 5; }));
  show_changed("one slice", like, slices, 1, changed([](Tensor& x) { x.size[1] = 1; }));
  show_changed("rows of 384 bytes", like, pitch, 384, changed([](Tensor& x) { x.row_bytes = 384; }));
  show_changed("steps of 2 between pixels", like, step_of_pixels, 2, changed([](Tensor& x) { x.step[0] = 2; }));
  show_changed("steps of 2 between slices", like, step_of_slices, 2, like);
  show_changed("made interleaved", changed([](Tensor& x) { x.interleave = no_layout; }), layout16, 1, like);
  show_changed("made interleaved, with the encoder's step", changed([](Tensor& x) { x.interleave = no_layout, x.step[0] = 2; }), layout16, 1,
               changed([](Tensor& x) { x.step[0] = 2; }));
  show_changed("made interleaved with a swizzle", changed([](Tensor& x) { x.interleave = no_layout, x.swizzle = swizzle32; }), layout16, 1,
               changed([](Tensor& x) { x.swizzle = swizzle32; }));
  const auto wide = [](Tensor& x) { x.row_bytes = 384, x.image_bytes = 2304; };
  show_changed("32 bytes of none", changed([&](Tensor& x) { wide(x), x.interleave = no_layout; }), layout32, 2,
               changed([&](Tensor& x) { wide(x), x.interleave = by32; }));
  show_changed("32 bytes of 16", changed(wide), layout32, 2, changed([&](Tensor& x) { wide(x), x.interleave = by32; }));
  show_changed("16 bytes of 32", changed([&](Tensor& x) { wide(x), x.interleave = by32; }), layout16, 1, changed(wide));
  const auto four_images = [](Tensor& x) { x.box[2] = 4; };
  show_changed("swizzle 128 of none", changed(four_images), swizzle_mode, 3, changed([&](Tensor& x) { four_images(x), x.swizzle = swizzle128; }));
  show_changed("none of swizzle 128", changed([&](Tensor& x) { four_images(x), x.swizzle = swizzle128; }), swizzle_mode, 0, changed(four_images));
  show_changed("integers of halves", like, element_type, 2, like);
  show_changed("filled with NaNs", changed([](Tensor& x) { x.size[0] = 6; }), fill_mode, 1, changed([](Tensor& x) { x.size[0] = 6, x.nan = true; }));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
