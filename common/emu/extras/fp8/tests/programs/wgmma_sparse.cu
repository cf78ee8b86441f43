// emucc: -gencode arch=compute_90a,code=sm_90a
// wgmma with a sparse matrix A: two of four elements are stored (one of two for tf32), and metadata says which. Tests all types
// of elements, from shared memory and registers, with both sparsity selectors and all layouts. All numbers are small integers,
// so each order of summing gives the same sum. The reference is the product of the whole matrices.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

struct tf32 {
  float x;
};
template <typename T>
__host__ __device__ T element(float x) {
  if constexpr (std::is_same_v<T, tf32>)
    return tf32{x};
  else
    return static_cast<T>(x);
}

constexpr int rows = 64, columns = 64, steps = 4;
template <typename T>
constexpr int per_step = 32 / static_cast<int>(sizeof(T));  // stored elements of a row of A
template <typename T>
constexpr int stored = steps * per_step<T>;
template <typename T>
constexpr int depth = 2 * stored<T>;
template <typename T>
constexpr int chunk_stored = std::is_same_v<T, tf32> ? 1 : 2;
template <typename T>
constexpr int chunk = 2 * chunk_stored<T>;

// ---- operands in shared memory
enum Major { by_depth, by_rows };
/// The place of an element in a tile of 64 rows (columns of B), `Depth` elements deep. `Width`: the pattern's bytes.
template <typename T, int Width, int Depth>
__device__ int offset_of(Major major, int row, int k) {
  const int size = sizeof(T);
  int at;
  if (major == by_depth)
    at = k * size / Width * rows * Width + row * Width + k * size % Width;
  else
    at = row * size / Width * Depth * Width + k * Width + row * size % Width;
  const int bits = Width == 128 ? 3 : Width == 64 ? 2 : Width == 32 ? 1 : 0;
  return at ^ (at >> 7 & ((1 << bits) - 1)) << 4;
}
/// Returns the descriptor of the part that one step multiplies, `Bytes` of each row.
template <typename T, int Width, int Depth, int Bytes>
__device__ uint64_t descriptor(const void* tile, Major major, int step) {
  const auto field = [](unsigned bytes, int shift) { return static_cast<uint64_t>((bytes & 0x3ffff) >> 4) << shift; };
  unsigned start = static_cast<unsigned>(__cvta_generic_to_shared(tile)), leading = 16, stride = 8 * Width;
  if (major == by_depth) {
    start += step * Bytes / Width * rows * Width + step * Bytes % Width;
    if (Bytes > Width) leading = rows * Width;
  } else {
    start += step * Bytes / static_cast<int>(sizeof(T)) * Width;
    leading = Depth * Width;
    if (Width == 16) {
      leading = 128;
      stride = Depth * 16;
    }
  }
  const uint64_t mode = Width == 128 ? 1 : Width == 64 ? 2 : Width == 32 ? 3 : 0;
  return field(start, 0) | field(leading, 16) | field(stride, 32) | mode << 62;
}

__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void end() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

#define ALL(C)                                                                                                              \
  C(d[0]), C(d[1]), C(d[2]), C(d[3]), C(d[4]), C(d[5]), C(d[6]), C(d[7]), C(d[8]), C(d[9]), C(d[10]), C(d[11]), C(d[12]),   \
      C(d[13]), C(d[14]), C(d[15]), C(d[16]), C(d[17]), C(d[18]), C(d[19]), C(d[20]), C(d[21]), C(d[22]), C(d[23]),         \
      C(d[24]), C(d[25]), C(d[26]), C(d[27]), C(d[28]), C(d[29]), C(d[30]), C(d[31])
#define FLOAT(x) "+f"(x)
#define INTEGER(x) "+r"(x)
#define D_REGISTERS                                                                  \
  " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "         \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
/// Tests A in shared memory, and in registers.
#define PRODUCT(C, TYPES, ...)                                                                                          \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %36, 0;\n"                                                             \
               "wgmma.mma_async.sp.sync.aligned.m64n64" TYPES D_REGISTERS "%32, %33, %34, %35, p" __VA_ARGS__ ";\n}\n"  \
               : ALL(C)                                                                                                 \
               : "l"(a), "l"(b), "r"(meta), "n"(Selector), "r"(accumulate)                                              \
               : "memory")
#define PRODUCT_OF_REGISTERS(C, TYPES, ...)                                                                             \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %39, 0;\n"                                                             \
               "wgmma.mma_async.sp.sync.aligned.m64n64" TYPES D_REGISTERS                                               \
               "{%32, %33, %34, %35}, %36, %37, %38, p" __VA_ARGS__ ";\n}\n"                                            \
               : ALL(C)                                                                                                 \
               : "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "l"(b), "r"(meta), "n"(Selector), "r"(accumulate) \
               : "memory")

template <typename A>
using Sum = std::conditional_t<std::is_integral_v<A>, int, float>;

template <typename A, typename B, int Selector, Major MajorA, Major MajorB>
__device__ void multiply(Sum<A> (&d)[32], uint64_t a, uint64_t b, uint32_t meta, int accumulate) {
  if constexpr (std::is_same_v<A, __half>) {
    if constexpr (MajorA == by_depth && MajorB == by_depth) PRODUCT(FLOAT, "k32.f32.f16.f16", ", 1, 1, 0, 0");
    if constexpr (MajorA == by_rows && MajorB == by_depth) PRODUCT(FLOAT, "k32.f32.f16.f16", ", 1, 1, 1, 0");
    if constexpr (MajorA == by_depth && MajorB == by_rows) PRODUCT(FLOAT, "k32.f32.f16.f16", ", 1, 1, 0, 1");
    if constexpr (MajorA == by_rows && MajorB == by_rows) PRODUCT(FLOAT, "k32.f32.f16.f16", ", 1, 1, 1, 1");
  } else if constexpr (std::is_same_v<A, __nv_bfloat16>) {
    PRODUCT(FLOAT, "k32.f32.bf16.bf16", ", -1, 1, 0, 0");  // -A times B
  } else if constexpr (std::is_same_v<A, tf32>) {
    PRODUCT(FLOAT, "k16.f32.tf32.tf32", ", 1, 1");
  } else if constexpr (std::is_same_v<A, __nv_fp8_e4m3>) {
    PRODUCT(FLOAT, "k64.f32.e4m3.e4m3", ", 1, 1");
  } else if constexpr (std::is_same_v<A, __nv_fp8_e5m2>) {
    PRODUCT(FLOAT, "k64.f32.e5m2.e4m3", ", 1, 1");
  } else if constexpr (std::is_same_v<A, int8_t> && std::is_same_v<B, int8_t>) {
    PRODUCT(INTEGER, "k64.s32.s8.s8");
  } else if constexpr (std::is_same_v<A, int8_t>) {
    PRODUCT(INTEGER, "k64.s32.s8.u8");
  } else {
    PRODUCT(INTEGER, "k64.s32.u8.u8");
  }
}
template <typename A, typename B, int Selector>
__device__ void multiply_registers(Sum<A> (&d)[32], const uint32_t (&words)[4], uint64_t b, uint32_t meta, int accumulate) {
  if constexpr (std::is_same_v<A, __half>)
    PRODUCT_OF_REGISTERS(FLOAT, "k32.f32.f16.f16", ", 1, 1, 0");
  else if constexpr (std::is_same_v<A, __nv_bfloat16>)
    PRODUCT_OF_REGISTERS(FLOAT, "k32.f32.bf16.bf16", ", -1, 1, 0");
  else if constexpr (std::is_same_v<A, tf32>)
    PRODUCT_OF_REGISTERS(FLOAT, "k16.f32.tf32.tf32", ", 1, 1");
  else if constexpr (std::is_same_v<A, __nv_fp8_e4m3>)
    PRODUCT_OF_REGISTERS(FLOAT, "k64.f32.e4m3.e4m3", ", 1, 1");
  else if constexpr (std::is_same_v<A, int8_t>)
    PRODUCT_OF_REGISTERS(INTEGER, "k64.s32.s8.s8");
}

template <typename A, typename B, int Selector, int WidthA, Major MajorA, int WidthB, Major MajorB>
__global__ void product(const A* in_a, const B* in_b, const uint32_t* metadata, Sum<A>* out) {
  __shared__ alignas(1024) unsigned char a[rows * stored<A> * sizeof(A)];
  __shared__ alignas(1024) unsigned char b[columns * depth<B> * sizeof(B)];
  for (int i = threadIdx.x; i < rows * stored<A>; i += blockDim.x) {
    const int row = i / stored<A>, k = i % stored<A>;
    *reinterpret_cast<A*>(a + offset_of<A, WidthA ? WidthA : 16, stored<A>>(MajorA, row, k)) = in_a[i];
  }
  for (int i = threadIdx.x; i < columns * depth<B>; i += blockDim.x) {
    const int column = i / depth<B>, k = i % depth<B>;
    *reinterpret_cast<B*>(b + offset_of<B, WidthB, depth<B>>(MajorB, column, k)) = in_b[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const int lane = threadIdx.x % 32, group = threadIdx.x / 32 * 16 + lane / 4;
  Sum<A> d[32];
  for (auto& x : d) x = 1000;  // the first step overwrites it
  uint32_t words[steps][4], meta[steps];
  for (int step = 0; step < steps; ++step) {
    meta[step] = metadata[step * 128 + threadIdx.x];
    if (WidthA == 0)
      for (int i = 0; i < 4; ++i) {
        constexpr int in_word = 4 / static_cast<int>(sizeof(A));
        const int row = group + i % 2 * 8, k = step * per_step<A> + lane % 4 * in_word + i / 2 * 4 * in_word;
        memcpy(&words[step][i], in_a + row * stored<A> + k, 4);
      }
  }
  begin();
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    const uint64_t of_b = descriptor<B, WidthB, depth<B>, 64>(b, MajorB, step);
    if constexpr (WidthA == 0)
      multiply_registers<A, B, Selector>(d, words[step], of_b, meta[step], step);
    else
      multiply<A, B, Selector, MajorA, MajorB>(d, descriptor<A, WidthA, stored<A>, 32>(a, MajorA, step), of_b, meta[step], step);
  }
  end();
  for (int i = 0; i < 32; ++i) out[(group + i / 2 % 2 * 8) * columns + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// ---- the host's side
/// Returns the stored part of a chunk of a row. Some bits of the chunk's number serve as a random number.
struct Parts {
  int first, second;  // tf32 has no second element
};
template <typename T>
Parts parts_of(int row, int number) {
  const unsigned chance = (static_cast<unsigned>(row) * 977u + static_cast<unsigned>(number) * 331u + 7u) * 2654435761u >> 20;
  if (chunk_stored<T> == 1) return {static_cast<int>(chance % 2), -1};
  constexpr Parts all[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  return all[chance % 6];
}
template <typename T>
unsigned nibble_of(int row, int number) {
  const Parts parts = parts_of<T>(row, number);
  if (chunk_stored<T> == 1) return parts.first == 1 ? 0xe : 0x4;
  return static_cast<unsigned>(parts.first | parts.second << 2);
}
/// The rows of a warp whose metadata a lane has, and the first column.
template <typename T>
uint32_t metadata_of(int step, int thread, int selector) {
  const int lane = thread % 32, first_row = thread / 32 * 16, chunks = 2 * per_step<T> / chunk<T>;
  uint32_t word = 0;
  if (sizeof(T) == 1) {  // each lane: a row, and half of it
    for (int i = 0; i < 8; ++i)
      word |= nibble_of<T>(first_row + lane / 4 + lane % 2 * 8, step * chunks + lane / 2 % 2 * 8 + i) << 4 * i;
    return word;
  }
  if (lane / 2 % 2 != selector) return 0xffff0000u | static_cast<unsigned>(thread);  // it is not read
  for (int i = 0; i < 8; ++i)  // two lanes of four: two rows, and half of them
    word |= nibble_of<T>(first_row + lane / 4 + i / 4 * 8, step * chunks + lane % 2 * 4 + i % 4) << 4 * i;
  return word;
}

template <typename T>
T* allocate(int count) {
  T* result;
  if (cudaMallocManaged(&result, count * sizeof(T)) != cudaSuccess) printf("no memory\n"), exit(1);
  return result;
}
template <typename A, typename B, int Selector, int WidthA, Major MajorA, int WidthB, Major MajorB>
void show(const char* what, int sign = 1) {
  A* const a = allocate<A>(rows * stored<A>);
  B* const b = allocate<B>(columns * depth<B>);
  uint32_t* const metadata = allocate<uint32_t>(steps * 128);
  Sum<A>* const out = allocate<Sum<A>>(rows * columns);
  static int whole_a[rows][256], whole_b[columns][256];
  memset(whole_a, 0, sizeof whole_a);
  for (int row = 0; row < rows; ++row)
    for (int number = 0; number < depth<A> / chunk<A>; ++number) {
      const Parts parts = parts_of<A>(row, number);
      for (int i = 0; i < chunk_stored<A>; ++i) {
        const int k = number * chunk<A> + (i == 0 ? parts.first : parts.second);
        const int x = (row * 3 + k * 5 + number) % 7 - (std::is_same_v<A, uint8_t> ? 0 : 3);
        whole_a[row][k] = x;
        a[row * stored<A> + number * chunk_stored<A> + i] = element<A>(static_cast<float>(x));
      }
    }
  for (int column = 0; column < columns; ++column)
    for (int k = 0; k < depth<B>; ++k) {
      const int x = (column * 5 + k * 3 + k / 7) % 9 - (std::is_same_v<B, uint8_t> ? 0 : 4);
      whole_b[column][k] = x;
      b[column * depth<B> + k] = element<B>(static_cast<float>(x));
    }
  for (int step = 0; step < steps; ++step)
    for (int thread = 0; thread < 128; ++thread) metadata[step * 128 + thread] = metadata_of<A>(step, thread, Selector);
  product<A, B, Selector, WidthA, MajorA, WidthB, MajorB><<<1, 128>>>(a, b, metadata, out);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("%s: %s\n", what, cudaGetErrorString(error)), exit(1);
  int wrong = 0;
  long total = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      int sum = 0;
      for (int k = 0; k < depth<A>; ++k) sum += sign * whole_a[row][k] * whole_b[column][k];
      const int got = static_cast<int>(out[row * columns + column]);
      wrong += got != sum;
      total += static_cast<long>(got) * (row * columns + column);
    }
  printf("%s: %d wrong, %d %d, %ld\n", what, wrong, static_cast<int>(out[0]), static_cast<int>(out[63 * 64 + 62]), total);
  cudaFree(a);
  cudaFree(b);
  cudaFree(metadata);
  cudaFree(out);
}

// ---- sums of halves in 8 columns, plus D; elements of A that are not stored never meet B, which may be infinite
__global__ void sums_of_halves(const uint32_t* metadata, __half* halves, float* floats) {
  __shared__ alignas(128) __half b[8 * 32];
  __shared__ alignas(128) __half infinite[8 * 32];
  const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  for (int i = threadIdx.x; i < 8 * 32; i += blockDim.x) {  // four pieces of 8 columns by 16 bytes
    const int column = i / 32, k = i % 32, at = k / 8 * 64 + column * 8 + k % 8;
    b[at] = __float2half(static_cast<float>((column + 3 * k) % 5 - 2));
    infinite[at] = k % 4 < 2 ? b[at] : __ushort_as_half(k % 4 == 2 ? 0x7c00 : 0xfc00);
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const uint32_t meta = metadata[threadIdx.x];
  uint32_t a[4];
  for (int i = 0; i < 4; ++i) {
    const int row = warp * 16 + group + i % 2 * 8, k = 2 * t + i / 2 * 8;
    const __half2 two = __floats2half2_rn(static_cast<float>((row + k) % 4 - 1), static_cast<float>((row + k + 1) % 4 - 1));
    a[i] = reinterpret_cast<const uint32_t&>(two);
  }
  const auto of = [](const void* tile) {
    return (static_cast<uint64_t>(__cvta_generic_to_shared(tile)) & 0x3ffff) >> 4 | uint64_t{8} << 16 | uint64_t{8} << 32;
  };
  uint32_t h[2] = {0x3c003c00, 0x40004000};  // 1 in the rows above, 2 in those below
  float f[4] = {5, 6, 7, 8};
  begin();
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, %6, %7, 0, 1, 1, 1, 0;"
               : "+r"(h[0]), "+r"(h[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(of(b)), "r"(meta));
  asm volatile(
      "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, %9, 1, 1, 1, -1, 0;"
      : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(of(infinite)), "r"(0x44444444));
  end();
  for (int i = 0; i < 4; ++i) {
    const int at = (warp * 16 + group + i / 2 * 8) * 8 + 2 * t + i % 2;
    halves[at] = __ushort_as_half(static_cast<unsigned short>(h[i / 2] >> 16 * (i % 2)));
    floats[at] = f[i];
  }
}
void show_sums_of_halves() {
  uint32_t* const metadata = allocate<uint32_t>(128);
  __half* const halves = allocate<__half>(64 * 8);
  float* const floats = allocate<float>(64 * 8);
  for (int thread = 0; thread < 128; ++thread) metadata[thread] = metadata_of<__half>(0, thread, 0);
  sums_of_halves<<<1, 128>>>(metadata, halves, floats);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("%s\n", cudaGetErrorString(error)), exit(1);
  int wrong[2] = {};
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 8; ++column) {
      int sum = 0, of_first = 0;
      for (int k = 0; k < 16; ++k) {
        const Parts parts = parts_of<__half>(row, k / 2);
        const auto b = [&](int place) { return (column + 3 * (k / 2 * 4 + place)) % 5 - 2; };
        sum += ((row + k) % 4 - 1) * b(k % 2 ? parts.second : parts.first);
        of_first += ((row + k) % 4 - 1) * b(k % 2);
      }
      const int at = row * 8 + column, i = row % 16 / 8 * 2 + column % 2;
      wrong[0] += __half2float(halves[at]) != static_cast<float>(sum + 1 + row % 16 / 8);
      wrong[1] += floats[at] != static_cast<float>(5 + i - of_first);
    }
  printf("sums of halves: %d wrong, %g; beside infinities: %d wrong, %g\n", wrong[0], __half2float(halves[77]), wrong[1], floats[100]);
  cudaFree(metadata);
  cudaFree(halves);
  cudaFree(floats);
}

int main() {
  show<__half, __half, 0, 16, by_depth, 16, by_depth>("halves");
  show<__half, __half, 1, 16, by_depth, 16, by_depth>("halves, the other lanes");
  show<__half, __half, 0, 32, by_depth, 64, by_depth>("halves, 32 and 64 bytes");
  show<__half, __half, 0, 64, by_depth, 128, by_depth>("halves, 64 and 128 bytes");
  show<__half, __half, 0, 128, by_depth, 32, by_depth>("halves, 128 and 32 bytes");
  show<__half, __half, 1, 128, by_depth, 128, by_depth>("halves, 128 bytes");
  show<__half, __half, 0, 128, by_rows, 128, by_depth>("A transposed, 128 bytes");
  show<__half, __half, 0, 16, by_depth, 16, by_rows>("B transposed");
  show<__half, __half, 0, 128, by_depth, 32, by_rows>("B transposed, 32 bytes");
  show<__half, __half, 0, 64, by_rows, 64, by_rows>("both transposed, 64 bytes");
  show<__half, __half, 1, 16, by_rows, 128, by_rows>("both transposed, 128 bytes of B");
  show<__nv_bfloat16, __nv_bfloat16, 1, 128, by_depth, 128, by_depth>("bfloat16, negative", -1);
  show<tf32, tf32, 0, 128, by_depth, 128, by_depth>("tf32");
  show<tf32, tf32, 1, 16, by_depth, 64, by_depth>("tf32, the other lanes");
  show<__nv_fp8_e4m3, __nv_fp8_e4m3, 0, 128, by_depth, 128, by_depth>("e4m3");
  show<__nv_fp8_e5m2, __nv_fp8_e4m3, 0, 64, by_depth, 16, by_depth>("e5m2 and e4m3");
  show<int8_t, int8_t, 0, 128, by_depth, 128, by_depth>("signed bytes");
  show<uint8_t, uint8_t, 0, 32, by_depth, 32, by_depth>("unsigned bytes");
  show<int8_t, uint8_t, 0, 16, by_depth, 128, by_depth>("signed and unsigned bytes");
  show<__half, __half, 0, 0, by_depth, 128, by_depth>("registers, halves");
  show<__half, __half, 1, 0, by_depth, 16, by_depth>("registers, halves, the other lanes");
  show<__nv_bfloat16, __nv_bfloat16, 0, 0, by_depth, 64, by_depth>("registers, bfloat16", -1);
  show<tf32, tf32, 1, 0, by_depth, 128, by_depth>("registers, tf32");
  show<__nv_fp8_e4m3, __nv_fp8_e4m3, 0, 0, by_depth, 128, by_depth>("registers, e4m3");
  show<int8_t, int8_t, 0, 0, by_depth, 64, by_depth>("registers, signed bytes");
  show_sums_of_halves();
}
