// emucc: -gencode arch=compute_90a,code=sm_90a
// Tensor maps of images (im2col): columns of pixels in three to five dimensions, with borders, offsets,
// steps, swizzles and both kinds of fill; stores, reductions, multicast, and a convolution. Each result is
// compared with a list of all places of the filter's corner, in the order in which the hardware visits them.
#include <cuda.h>
#include <cudaTypedefs.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include "tensor_support.cuh"

// ---- the device's side
__device__ void wait(uint64_t* bar, int parity) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(
          shared_address(bar)),
      "r"(parity)
      : "memory");
}

struct Place {
  int at[5];           // channel, width, height, depth, image: as many as the map has
  uint16_t offset[3] = {};  // of width, height and depth
};
template <int Rank>
__device__ void load(void* tile, const CUtensorMap* map, const Place& place, uint64_t* bar) {
  const uint32_t to = shared_address(tile), full = shared_address(bar);
  const int* const c = place.at;
  const uint16_t* const o = place.offset;
  if constexpr (Rank == 3)
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2], {%6};" ::"r"(to),
        "l"(map), "r"(full), "r"(c[0]), "r"(c[1]), "r"(c[2]), "h"(o[0])
        : "memory");
  if constexpr (Rank == 4)
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(to),
        "l"(map), "r"(full), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "h"(o[0]), "h"(o[1])
        : "memory");
  if constexpr (Rank == 5)
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%3, %4, %5, %6, %7}], [%2], {%8, %9, %10};" ::"r"(to),
        "l"(map), "r"(full), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "h"(o[0]), "h"(o[1]), "h"(o[2])
        : "memory");
}
template <int Rank>
__global__ void fetch(const __grid_constant__ CUtensorMap map, Place place, unsigned bytes, unsigned char* out) {
  __shared__ alignas(1024) unsigned char tile[32768];
  __shared__ alignas(8) uint64_t full;
  if (threadIdx.x == 0) {
    if (Rank == 4)
      asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [%0, {%1, %2, %3, %4}], {%5, %6};" ::"l"(&map), "r"(place.at[0]),
                   "r"(place.at[1]), "r"(place.at[2]), "r"(place.at[3]), "h"(place.offset[0]), "h"(place.offset[1])
                   : "memory");
    init_barrier(&full, 1);
    expect(&full, bytes);
    load<Rank>(tile, &map, place, &full);
  }
  __syncthreads();
  wait(&full, 0);
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = tile[i];
}

enum class Way { store, add, least };
template <int Rank, typename T>
__global__ void put(const __grid_constant__ CUtensorMap map, Place place, int elements, Way way) {
  __shared__ alignas(1024) T tile[2048];
  for (int i = threadIdx.x; i < elements; i += blockDim.x) tile[i] = static_cast<T>(i % 500 + 1);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  const uint32_t from = shared_address(tile);
  const int* const c = place.at;
#define PUT_3D(INSTRUCTION) \
  asm volatile(INSTRUCTION ".bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(&map), "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]) : "memory")
#define PUT_4D(INSTRUCTION)                                                                                             \
  asm volatile(INSTRUCTION ".bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(&map), "r"(from), "r"(c[0]), "r"(c[1]),    \
               "r"(c[2]), "r"(c[3])                                                                                     \
               : "memory")
#define PUT_5D(INSTRUCTION)                                                                                             \
  asm volatile(INSTRUCTION ".bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(&map), "r"(from), "r"(c[0]), "r"(c[1]), \
               "r"(c[2]), "r"(c[3]), "r"(c[4])                                                                          \
               : "memory")
  if constexpr (Rank == 3) {
    if (way == Way::store) PUT_3D("cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs");
    if (way == Way::add) PUT_3D("cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs");
  } else if constexpr (Rank == 4) {
    if (way == Way::store) PUT_4D("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs");
    if (way == Way::add) PUT_4D("cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs");
    if (way == Way::least) PUT_4D("cp.reduce.async.bulk.tensor.4d.global.shared::cta.min.im2col_no_offs");
  } else {
    if (way == Way::store) PUT_5D("cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs");
  }
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// ---- a cluster: one block loads for both
__global__ void __cluster_dims__(2, 1, 1) spread(const __grid_constant__ CUtensorMap map, Place place, unsigned bytes,
                                                 unsigned char* out) {
  __shared__ alignas(128) unsigned char tile[8192];
  __shared__ alignas(8) uint64_t full;
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    expect(&full, bytes);
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x == 0 && rank == 0)
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8}, %9;" ::"r"(shared_address(tile)),
        "l"(&map), "r"(shared_address(&full)), "r"(place.at[0]), "r"(place.at[1]), "r"(place.at[2]), "r"(place.at[3]),
        "h"(place.offset[0]), "h"(place.offset[1]), "h"(static_cast<uint16_t>(3))
        : "memory");
  wait(&full, 0);
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) out[rank * bytes + i] = tile[i];
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// ---- a convolution: a block computes 32 output pixels; 16 channels in, 8 out, 3 by 3, stride 2, border 1
constexpr int images = 3, height = 9, width = 11, channels = 16, out_height = 5, out_width = 6, features = 8, filter = 3, column = 32;
__global__ void convolve(const __grid_constant__ CUtensorMap map, const int* weights, int* out) {
  __shared__ alignas(128) int pixels[column][channels];
  __shared__ alignas(8) uint64_t full;
  const int first = blockIdx.x * column, pixel = threadIdx.x / features, feature = threadIdx.x % features;
  if (threadIdx.x == 0) init_barrier(&full, 1);
  __syncthreads();
  const Place corner{{0, first % out_width * 2 - 1, first / out_width % out_height * 2 - 1, first / out_width / out_height, 0}, {0, 0, 0}};
  int sum = 0;
  for (int tap = 0; tap < filter * filter; ++tap) {
    if (threadIdx.x == 0) {
      Place place = corner;
      place.offset[0] = static_cast<uint16_t>(tap % filter);
      place.offset[1] = static_cast<uint16_t>(tap / filter);
      expect(&full, sizeof pixels);
      load<4>(pixels, &map, place, &full);
    }
    wait(&full, tap % 2);
    for (int c = 0; c < channels; ++c) sum += pixels[pixel][c] * weights[(tap * channels + c) * features + feature];
    __syncthreads();
  }
  if (first + pixel < images * out_height * out_width) out[(first + pixel) * features + feature] = sum;
}

// ---- the host's side
struct Images {
  CUtensorMapDataType type;
  int bytes;  // of an element
  int rank;
  uint64_t size[5];
  int lower[3], upper[3];
  unsigned channels, pixels;
  unsigned step[5] = {1, 1, 1, 1, 1};
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  bool nan = false;

  unsigned row() const { return channels * static_cast<unsigned>(bytes); }
  uint64_t total() const {
    uint64_t result = static_cast<uint64_t>(bytes);
    for (int d = 0; d < rank; ++d) result *= size[d];
    return result;
  }
  CUresult encode(CUtensorMap* map, void* memory, uint64_t padding = 0) const {
    uint64_t strides[4], pitch = size[0] * static_cast<uint64_t>(bytes) + padding;
    for (int d = 1; d < rank; ++d) {
      strides[d - 1] = pitch;
      pitch *= size[d];
    }
    static const auto function = entry<PFN_cuTensorMapEncodeIm2col_v12000>("cuTensorMapEncodeIm2col");
    return function(map, type, static_cast<cuuint32_t>(rank), memory, size, strides, lower, upper, channels, pixels, step,
                    CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                    nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  }
  /// The source of each byte of the column at `place`; -1 for bytes outside.
  std::vector<long> sources(const Place& place) const {
    // All places of the filter's corner from there on. Those after the last image are outside.
    std::vector<std::array<long, 4>> corners;
    const long last = static_cast<long>(size[rank - 1]) + 1024 * static_cast<long>(step[rank - 1]);
    bool begins[3] = {true, true, true};  // the first row begins at the place, the first plane, the first image
    const auto from = [&](int d) {
      const bool here = begins[d];
      begins[d] = false;
      return rank - 2 <= d ? 0L : here ? place.at[d + 1] : static_cast<long>(lower[d]);
    };
    const auto to = [&](int d) { return rank - 2 > d ? static_cast<long>(size[d + 1]) + upper[d] : 1L; };
    const auto by = [&](int d) { return rank - 2 > d ? static_cast<long>(step[d + 1]) : 1L; };
    for (long n = place.at[rank - 1]; n < last; n += static_cast<long>(step[rank - 1]))
      for (long z = from(2); z < to(2); z += by(2))
        for (long y = from(1); y < to(1); y += by(1))
          for (long x = from(0); x < to(0); x += by(0)) corners.push_back({x, y, z, n});
    std::vector<long> result(static_cast<size_t>(row()) * pixels, -1);
    for (unsigned pixel = 0; pixel < pixels; ++pixel) {
      long index = 0;
      bool inside = true;
      for (int d = rank - 1; d >= 1; --d) {
        const long at = d == rank - 1 ? corners[pixel][3] : corners[pixel][d - 1] + place.offset[d - 1];
        inside = inside && at >= 0 && at < static_cast<long>(size[d]);
        index = index * static_cast<long>(size[d]) + at;
      }
      for (unsigned c = 0; c < channels && inside; ++c) {
        const long channel = place.at[0] + static_cast<long>(c);
        if (channel < 0 || channel >= static_cast<long>(size[0])) continue;
        for (int b = 0; b < bytes; ++b)
          result[(pixel * channels + c) * bytes + b] = (index * static_cast<long>(size[0]) + channel) * bytes + b;
      }
    }
    return result;
  }
  /// The place of a byte of the column in shared memory.
  unsigned shared_place(unsigned byte) const {
    if (swizzle == CU_TENSOR_MAP_SWIZZLE_NONE) return byte;
    const unsigned bits = swizzle == CU_TENSOR_MAP_SWIZZLE_32B ? 1 : swizzle == CU_TENSOR_MAP_SWIZZLE_64B ? 2 : 3;
    const unsigned at = byte / row() * (16u << bits) + byte % row();
    return at ^ (at >> 7 & ((1u << bits) - 1)) << 4;
  }
};

unsigned hash(const unsigned char* data, size_t bytes) {
  unsigned result = 2166136261u;
  for (size_t i = 0; i < bytes; ++i) result = (result ^ data[i]) * 16777619u;
  return result;
}
unsigned char* allocate(uint64_t bytes, unsigned seed) {
  unsigned char* memory;
  CHECK(cudaMallocManaged(&memory, bytes));
  for (uint64_t i = 0; i < bytes; ++i) memory[i] = static_cast<unsigned char>((i + seed) * 2654435761u >> 24);
  return memory;
}
std::vector<unsigned char> wanted(const Images& shape, const Place& place, const unsigned char* memory) {
  const std::vector<long> sources = shape.sources(place);
  std::vector<unsigned char> result(sources.size());
  for (unsigned i = 0; i < sources.size(); ++i) {
    const unsigned char fill = !shape.nan ? 0 : i % 2 ? 0x7f : 0xf7;
    result[shape.shared_place(i)] = sources[i] >= 0 ? memory[sources[i]] : fill;
  }
  return result;
}

template <int Rank>
void show(const char* what, const Images& shape, const Place& place) {
  unsigned char* const memory = allocate(shape.total(), 1);
  CUtensorMap map;
  if (const CUresult result = shape.encode(&map, memory)) {
    printf("%s: %d\n", what, result);
    CHECK(cudaFree(memory));
    return;
  }
  const unsigned bytes = shape.row() * shape.pixels;
  unsigned char* out;
  CHECK(cudaMallocManaged(&out, bytes));
  fetch<Rank><<<1, 128>>>(map, place, bytes, out);
  CHECK(cudaDeviceSynchronize());
  const std::vector<unsigned char> right = wanted(shape, place, memory);
  unsigned wrong = 0, zeros = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    wrong += out[i] != right[i];
    zeros += right[i] == 0;
  }
  printf("%s: %u bytes, %u wrong, %u zeros, %08x\n", what, bytes, wrong, zeros, hash(out, bytes));
  CHECK(cudaFree(out));
  CHECK(cudaFree(memory));
}

template <int Rank, typename T>
void show_put(const char* what, const Images& shape, const Place& place, Way way) {
  const uint64_t count = shape.total() / sizeof(T);
  T* memory;
  CHECK(cudaMallocManaged(&memory, shape.total()));
  for (uint64_t i = 0; i < count; ++i) memory[i] = static_cast<T>(i % 300);
  std::vector<T> right(memory, memory + count);
  const std::vector<long> sources = shape.sources(place);
  for (size_t i = 0; i < sources.size(); i += sizeof(T)) {
    if (sources[i] < 0) continue;
    T& there = right[sources[i] / sizeof(T)];
    const T x = static_cast<T>(i / sizeof(T) % 500 + 1);
    there = way == Way::store ? x : way == Way::add ? static_cast<T>(there + x) : x < there ? x : there;
  }
  CUtensorMap map;
  printf("%s: %d,", what, shape.encode(&map, memory));
  put<Rank, T><<<1, 64>>>(map, place, static_cast<int>(shape.channels * shape.pixels), way);
  CHECK(cudaDeviceSynchronize());
  unsigned wrong = 0;
  double sum = 0;
  for (uint64_t i = 0; i < count; ++i) {
    wrong += memory[i] != right[i];
    sum += static_cast<double>(memory[i]) * static_cast<double>(i % 13 + 1);
  }
  printf(" %u wrong, %.0f\n", wrong, sum);
  CHECK(cudaFree(memory));
}

void show_spread() {
  const Images shape{CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 4, {20, 6, 5, 4}, {-1, 0}, {0, -1}, 16, 64};
  const Place place{{4, 2, 1, 1}, {1, 1}};
  const unsigned bytes = shape.row() * shape.pixels;
  unsigned char *const memory = allocate(shape.total(), 7), *out;
  CHECK(cudaMallocManaged(&out, 2 * bytes));
  CUtensorMap map;
  printf("multicast: %d,", shape.encode(&map, memory));
  spread<<<2, 64>>>(map, place, bytes, out);
  CHECK(cudaDeviceSynchronize());
  const std::vector<unsigned char> right = wanted(shape, place, memory);
  printf(" %d %d\n", memcmp(out, right.data(), bytes) == 0, memcmp(out + bytes, right.data(), bytes) == 0);
  CHECK(cudaFree(out));
  CHECK(cudaFree(memory));
}

void show_convolution() {
  constexpr int pixels = images * out_height * out_width, blocks = (pixels + column - 1) / column;
  int *in, *weights, *out;
  CHECK(cudaMallocManaged(&in, images * height * width * channels * sizeof *in));
  CHECK(cudaMallocManaged(&weights, filter * filter * channels * features * sizeof *weights));
  CHECK(cudaMallocManaged(&out, pixels * features * sizeof *out));
  for (int i = 0; i < images * height * width * channels; ++i) in[i] = i * 7 % 23 - 11;
  for (int i = 0; i < filter * filter * channels * features; ++i) weights[i] = i * 5 % 17 - 8;
  const Images shape{CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 4, {channels, width, height, images}, {-1, -1}, {-1, -1}, channels, column,
                     {1, 2, 2, 1, 1}};
  CUtensorMap map;
  printf("convolution: %d,", shape.encode(&map, in));
  convolve<<<blocks, column * features>>>(map, weights, out);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  long total = 0;
  for (int i = 0; i < pixels * features; ++i) {
    const int feature = i % features, x = i / features % out_width, y = i / features / out_width % out_height;
    const int image = i / features / out_width / out_height;
    int sum = 0;
    for (int r = 0; r < filter; ++r)
      for (int s = 0; s < filter; ++s)
        for (int c = 0; c < channels; ++c) {
          const int h = 2 * y - 1 + r, w = 2 * x - 1 + s;
          if (h < 0 || h >= height || w < 0 || w >= width) continue;
          sum += in[((image * height + h) * width + w) * channels + c] * weights[((r * filter + s) * channels + c) * features + feature];
        }
    wrong += out[i] != sum;
    total += static_cast<long>(out[i]) * (i % 19 + 1);
  }
  printf(" %d wrong, %ld\n", wrong, total);
  CHECK(cudaFree(in));
  CHECK(cudaFree(weights));
  CHECK(cudaFree(out));
}

void show_mistakes() {
  alignas(64) CUtensorMap map;
  unsigned char* const memory = allocate(1 << 16, 0);
  const auto halves = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  const auto show = [&](const char* what, const Images& shape, int shift = 0, uint64_t padding = 0) {
    printf("%s: %d\n", what, shape.encode(&map, memory + shift, padding));
  };
  show("right", {halves, 2, 4, {64, 9, 14, 4}, {-1, -1}, {-1, -1}, 8, 64});
  show("two dimensions", {halves, 2, 2, {64, 9}, {}, {}, 8, 64});
  show("257 channels", {CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 3, {512, 9, 4}, {0}, {0}, 272, 4});
  show("256 channels", {CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 3, {512, 9, 4}, {0}, {0}, 256, 4});
  show("1025 pixels", {halves, 2, 3, {64, 9, 4}, {0}, {0}, 8, 1025});
  show("1024 pixels", {halves, 2, 3, {64, 9, 4}, {0}, {0}, 8, 1024});
  show("a corner at -32768", {halves, 2, 3, {64, 9, 4}, {-32768}, {0}, 8, 8});
  show("a corner at 32767", {halves, 2, 3, {64, 9, 4}, {0}, {32767}, 8, 8});
  show("a corner at 32768", {halves, 2, 3, {64, 9, 4}, {0}, {32768}, 8, 8});
  show("a corner at -128", {halves, 2, 4, {64, 9, 14, 4}, {0, -128}, {0, 0}, 8, 8});
  show("a corner at -129", {halves, 2, 4, {64, 9, 14, 4}, {0, -129}, {0, 0}, 8, 8});
  show("a corner at 128", {halves, 2, 4, {64, 9, 14, 4}, {0, 0}, {128, 0}, 8, 8});
  show("a corner at -16", {halves, 2, 5, {64, 9, 14, 4, 2}, {0, 0, -16}, {0, 0, 15}, 8, 8});
  show("a corner at -17", {halves, 2, 5, {64, 9, 14, 4, 2}, {0, 0, -17}, {0, 0, 0}, 8, 8});
  show("a corner at 16", {halves, 2, 5, {64, 9, 14, 4, 2}, {0, 0, 0}, {0, 16, 0}, 8, 8});
  show("an empty box", {halves, 2, 3, {64, 9, 4}, {0}, {-9}, 8, 8});
  show("a box of one", {halves, 2, 3, {64, 9, 4}, {0}, {-8}, 8, 8});
  show("a step of 9", {halves, 2, 3, {64, 9, 4}, {0}, {0}, 8, 8, {1, 9, 1}});
  show("a step of 0", {halves, 2, 3, {64, 9, 4}, {0}, {0}, 8, 8, {1, 0, 1}});
  show("pixels beyond the pattern", {halves, 2, 3, {64, 9, 4}, {0}, {0}, 32, 8, {1, 1, 1}, CU_TENSOR_MAP_SWIZZLE_32B});
  show("integers filled with NaNs", {CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 3, {64, 9, 4}, {0}, {0}, 8, 8, {1, 1, 1}, CU_TENSOR_MAP_SWIZZLE_NONE, true});
  show("an odd address", {halves, 2, 3, {64, 9, 4}, {0}, {0}, 8, 8}, 2);
  show("an odd stride", {halves, 2, 3, {64, 9, 4}, {0}, {0}, 8, 8}, 0, 2);
  show("nothing", {halves, 2, 3, {64, 9, 0}, {0}, {0}, 8, 8});
  CHECK(cudaFree(memory));
}

int main() {
  const auto halves = CU_TENSOR_MAP_DATA_TYPE_FLOAT16, floats = CU_TENSOR_MAP_DATA_TYPE_FLOAT32, doubles = CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  const auto bytes = CU_TENSOR_MAP_DATA_TYPE_UINT8;
  const auto none = CU_TENSOR_MAP_SWIZZLE_NONE;
  show<3>("three dimensions", {floats, 4, 3, {16, 20, 5}, {0}, {0}, 8, 32}, {{4, 3, 1}, {0}});
  show<3>("a border", {floats, 4, 3, {16, 20, 5}, {-2}, {1}, 8, 48}, {{0, -2, 0}, {0}});
  show<3>("an offset", {floats, 4, 3, {16, 20, 5}, {-2}, {-3}, 8, 48}, {{8, 5, 1}, {4}});
  show<3>("a great offset", {bytes, 1, 3, {32, 3000, 2}, {-700}, {-2400}, 16, 100}, {{0, -650, 0}, {1500}});
  show<3>("every third pixel", {floats, 4, 3, {16, 20, 5}, {-1}, {-1}, 8, 40, {1, 3, 1}}, {{0, 8, 0}, {1}});
  show<3>("beyond the last image", {floats, 4, 3, {16, 20, 5}, {0}, {0}, 8, 64}, {{0, 10, 3}, {0}});
  show<3>("behind the last image", {floats, 4, 3, {16, 20, 5}, {0}, {0}, 8, 64}, {{0, 0, 5}, {0}});
  show<4>("four dimensions", {halves, 2, 4, {64, 9, 14, 6}, {-1, -1}, {-1, -1}, 8, 64}, {{0, 7, 7, 4}, {0, 0}});
  show<4>("to the end of a filter", {halves, 2, 4, {64, 9, 14, 6}, {0, 0}, {-2, -2}, 8, 64}, {{0, 6, 7, 4}, {2, 2}});
  show<4>("each dimension another border", {halves, 2, 4, {64, 9, 14, 6}, {-3, -1}, {2, -4}, 16, 100}, {{16, -2, 8, 2}, {1, 3}});
  show<4>("every second", {halves, 2, 4, {64, 8, 14, 64}, {-1, -1}, {-1, -1}, 16, 32, {1, 2, 2, 1}}, {{0, 5, 7, 5}, {1, 1}});
  show<4>("steps of 3 and 2", {halves, 2, 4, {64, 8, 14, 6}, {-1, -2}, {1, 0}, 16, 64, {1, 3, 2, 1}}, {{32, 5, 4, 1}, {2, 1}});
  show<4>("every second image", {halves, 2, 4, {16, 4, 3, 6}, {-1, 0}, {0, -1}, 16, 36, {1, 1, 1, 2}}, {{0, 1, 0, 1}, {1, 0}});
  show<4>("a start between the steps", {halves, 2, 4, {16, 9, 7, 4}, {-1, 0}, {0, 0}, 16, 48, {1, 3, 2, 1}}, {{0, 3, 1, 0}, {0, 0}});
  show<4>("channels beyond the end", {halves, 2, 4, {40, 5, 5, 3}, {-1, -1}, {0, 0}, 32, 40}, {{24, -1, 2, 0}, {1, 0}});
  show<4>("channels before the beginning", {halves, 2, 4, {40, 5, 5, 3}, {-1, -1}, {0, 0}, 32, 40}, {{-8, 0, -1, 1}, {0, 1}});
  show<4>("1024 pixels", {halves, 2, 4, {16, 31, 17, 3}, {-1, 0}, {0, 1}, 16, 1024}, {{0, 4, 3, 0}, {0, 1}});
  show<4>("doubles", {doubles, 8, 4, {6, 5, 5, 3}, {0, 0}, {-1, -1}, 4, 30}, {{2, 1, 1, 0}, {1, 1}});
  show<4>("bytes", {bytes, 1, 4, {48, 5, 5, 3}, {0, 0}, {-1, -1}, 32, 30}, {{16, 1, 1, 0}, {1, 0}});
  show<4>("filled with NaNs", {halves, 2, 4, {40, 5, 5, 3}, {-1, -1}, {1, 1}, 32, 60, {1, 1, 1, 1}, none, true}, {{16, -1, -1, 1}, {0, 0}});
  show<4>("floats filled with NaNs", {floats, 4, 4, {8, 5, 5, 3}, {-1, -1}, {1, 1}, 8, 60, {1, 1, 1, 1}, none, true}, {{0, -1, -1, 2}, {0, 0}});
  show<4>("swizzle 32", {halves, 2, 4, {64, 7, 7, 3}, {-1, -1}, {-1, -1}, 16, 64, {1, 1, 1, 1}, CU_TENSOR_MAP_SWIZZLE_32B}, {{16, 2, 1, 0}, {1, 2}});
  show<4>("swizzle 64", {halves, 2, 4, {64, 7, 7, 3}, {-1, -1}, {-1, -1}, 32, 64, {1, 1, 1, 1}, CU_TENSOR_MAP_SWIZZLE_64B}, {{32, 2, 1, 0}, {2, 0}});
  show<4>("swizzle 128", {halves, 2, 4, {64, 7, 7, 3}, {-1, -1}, {-1, -1}, 64, 128, {1, 1, 1, 1}, CU_TENSOR_MAP_SWIZZLE_128B}, {{0, 2, 1, 0}, {2, 1}});
  show<5>("five dimensions", {halves, 2, 5, {16, 5, 4, 6, 3}, {-1, 0, -1}, {0, 1, -1}, 8, 200}, {{8, 2, 3, 2, 1}, {1, 0, 2}});
  show<5>("five with steps", {halves, 2, 5, {16, 7, 6, 6, 3}, {-1, -2, -3}, {0, 1, 2}, 8, 60, {1, 2, 3, 4, 1}}, {{0, 3, 1, 1, 0}, {1, 2, 3}});

  show_put<3, float>("store", {floats, 4, 3, {16, 20, 5}, {0}, {0}, 8, 40}, {{4, 7, 1}}, Way::store);
  show_put<3, float>("store inside of a border", {floats, 4, 3, {16, 20, 5}, {2}, {-3}, 8, 40}, {{4, 7, 1}}, Way::store);
  show_put<4, int>("store in four", {CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 4, {12, 6, 5, 4}, {0, 0}, {0, 0}, 8, 100}, {{4, 3, 2, 1}}, Way::store);
  show_put<4, int>("store every second", {CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 4, {12, 6, 5, 4}, {0, 0}, {0, 0}, 8, 30, {1, 2, 2, 1}},
                   {{4, 2, 2, 1}}, Way::store);
  show_put<5, int>("store in five", {CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 5, {8, 6, 5, 4, 2}, {1, 0, 1}, {0, -1, 0}, 8, 90}, {{0, 3, 2, 1, 0}},
                   Way::store);
  show_put<3, float>("add floats", {floats, 4, 3, {16, 20, 5}, {0}, {0}, 8, 64}, {{8, 7, 2}}, Way::add);
  show_put<4, int>("add integers", {CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 4, {12, 6, 5, 4}, {0, 1}, {-1, 0}, 8, 64}, {{0, 3, 2, 1}}, Way::add);
  show_put<4, int>("least", {CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 4, {12, 6, 5, 4}, {0, 0}, {0, 0}, 12, 64}, {{0, 3, 2, 1}}, Way::least);

  show_spread();
  show_convolution();
  show_mistakes();
}
