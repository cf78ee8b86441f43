// emucc: -gencode arch=compute_90a,code=sm_90a
// wgmma: products of a warpgroup from shared memory in all layouts of descriptors, from registers, and in all
// types of elements. All numbers are small integers, so that each order of summing gives the same sum.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

struct tf32 {
  float x;
};
template <typename T>
__host__ __device__ T element(int x) {
  if constexpr (std::is_same_v<T, tf32>)
    return tf32{static_cast<float>(x)};
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(x);
  else
    return static_cast<T>(static_cast<float>(x));
}
// The matrices: A has 64 × depth elements, and B has depth × 64. Unsigned elements have no sign.
template <typename T>
__host__ __device__ int a_at(int row, int k) {
  return (row * 3 + k * 5) % 7 - (std::is_same_v<T, uint8_t> ? 0 : 3);
}
template <typename T>
__host__ __device__ int b_at(int k, int column) {
  return (column * 5 + k * 3) % 9 - (std::is_same_v<T, uint8_t> ? 0 : 4);
}

// ---- operands in shared memory
enum Major { by_depth, by_rows };
/// The place of an element in a tile of `rows` rows (columns of B), 128 bytes deep. `width`: the pattern's bytes.
template <typename T, int Width>
__device__ int offset_of(Major major, int rows, int row, int k) {
  int at = 0;
  if (major == by_depth) {
    const int byte = k * static_cast<int>(sizeof(T));
    at = byte / Width * rows * Width + row * Width + byte % Width;
  } else {
    const int depth = 128 / static_cast<int>(sizeof(T)), wide = Width / static_cast<int>(sizeof(T));
    at = row / wide * depth * Width + k * Width + row % wide * static_cast<int>(sizeof(T));
  }
  const int bits = Width == 128 ? 3 : Width == 64 ? 2 : Width == 32 ? 1 : 0;
  return at ^ (at >> 7 & ((1 << bits) - 1)) << 4;
}
/// Returns the descriptor of the part that one step multiplies.
template <typename T, int Width>
__device__ uint64_t descriptor(const void* tile, Major major, int rows, int step) {
  const auto field = [](unsigned bytes, int shift) { return static_cast<uint64_t>((bytes & 0x3ffff) >> 4) << shift; };
  const unsigned depth = 128 / sizeof(T), per_step = 32 / sizeof(T);
  unsigned start = static_cast<unsigned>(__cvta_generic_to_shared(tile)), leading = 16, stride = 8 * Width;
  if (major == by_depth) {
    start += step * 32 / Width * rows * Width + step * 32 % Width;
    if (Width == 16) leading = rows * 16;
  } else {
    start += step * per_step * Width;
    leading = depth * Width;
    if (Width == 16) {
      leading = 128;
      stride = depth * 16;
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

#define PRODUCT(TYPES, ...)                                                                              \
  asm volatile(                                                                                          \
      "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"                                                       \
      "wgmma.mma_async.sync.aligned.m64n64" TYPES                                                        \
      " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "              \
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "   \
      "%32, %33, p" __VA_ARGS__ ";\n}\n"                                                                 \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),  \
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),\
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),\
        "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])\
      : "l"(a), "l"(b), "r"(accumulate)                                                                  \
      : "memory")
#define PRODUCT_OF_INTEGERS(TYPES)                                                                       \
  asm volatile(                                                                                          \
      "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"                                                       \
      "wgmma.mma_async.sync.aligned.m64n64k32.s32" TYPES                                                 \
      " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "              \
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "   \
      "%32, %33, p;\n}\n"                                                                                \
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]),  \
        "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]),\
        "+r"(d[16]), "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]),\
        "+r"(d[24]), "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31])\
      : "l"(a), "l"(b), "r"(accumulate)                                                                  \
      : "memory")

template <typename T>
using Sum = std::conditional_t<std::is_integral_v<T>, int, float>;

template <typename T, Major A, Major B>
__device__ void multiply(Sum<T> (&d)[32], uint64_t a, uint64_t b, int accumulate) {
  if constexpr (std::is_same_v<T, __half>) {
    if constexpr (A == by_depth && B == by_depth) PRODUCT("k16.f32.f16.f16", ", 1, 1, 0, 0");
    if constexpr (A == by_rows && B == by_depth) PRODUCT("k16.f32.f16.f16", ", 1, 1, 1, 0");
    if constexpr (A == by_depth && B == by_rows) PRODUCT("k16.f32.f16.f16", ", 1, 1, 0, 1");
    if constexpr (A == by_rows && B == by_rows) PRODUCT("k16.f32.f16.f16", ", 1, 1, 1, 1");
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    if constexpr (B == by_depth) PRODUCT("k16.f32.bf16.bf16", ", 1, -1, 0, 0");  // A times -B
    if constexpr (B == by_rows) PRODUCT("k16.f32.bf16.bf16", ", -1, -1, 0, 1");
  } else if constexpr (std::is_same_v<T, tf32>) {
    PRODUCT("k8.f32.tf32.tf32", ", 1, 1");
  } else if constexpr (std::is_same_v<T, __nv_fp8_e4m3>) {
    PRODUCT("k32.f32.e4m3.e4m3", ", 1, 1");
  } else if constexpr (std::is_same_v<T, __nv_fp8_e5m2>) {
    PRODUCT("k32.f32.e5m2.e5m2", ", 1, 1");
  } else if constexpr (std::is_same_v<T, int8_t>) {
    PRODUCT_OF_INTEGERS(".s8.s8");
  } else {
    PRODUCT_OF_INTEGERS(".u8.u8");
  }
}

template <typename T, int Width, Major A, Major B>
__global__ void product(Sum<T>* out) {
  constexpr int depth = 128 / sizeof(T);
  __shared__ alignas(1024) unsigned char a[64 * 128];
  __shared__ alignas(1024) unsigned char b[64 * 128];
  for (int i = threadIdx.x; i < 64 * depth; i += 128) {
    const int row = i / depth, k = i % depth;
    *reinterpret_cast<T*>(a + offset_of<T, Width>(A, 64, row, k)) = element<T>(a_at<T>(row, k));
    *reinterpret_cast<T*>(b + offset_of<T, Width>(B, 64, row, k)) = element<T>(b_at<T>(k, row));
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  Sum<T> d[32];
  for (auto& x : d) x = 1000;  // the first step overwrites it
  begin();
#pragma unroll
  for (int step = 0; step < 4; ++step)
    multiply<T, A, B>(d, descriptor<T, Width>(a, A, 64, step), descriptor<T, Width>(b, B, 64, step), step);
  end();
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
  for (int i = 0; i < 32; ++i) out[(row + i / 2 % 2 * 8) * 64 + i / 4 * 8 + column + i % 2] = d[i];
}

template <typename T, int Width, Major A, Major B>
void show(const char* what, int sign = 1) {
  Sum<T>* out;
  cudaMallocManaged(&out, 64 * 64 * sizeof *out);
  product<T, Width, A, B><<<1, 128>>>(out);
  if (const cudaError_t error = cudaDeviceSynchronize()) {
    printf("%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
  int wrong = 0;
  long total = 0;
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 64; ++column) {
      int sum = 0;
      for (int k = 0; k < 128 / static_cast<int>(sizeof(T)); ++k) sum += sign * a_at<T>(row, k) * b_at<T>(k, column);
      const int got = static_cast<int>(out[row * 64 + column]);
      wrong += got != sum;
      total += static_cast<long>(got) * (row * 64 + column);
    }
  printf("%s: %d wrong, %g %g, %ld\n", what, wrong, static_cast<double>(out[0]), static_cast<double>(out[63 * 64 + 62]), total);
  cudaFree(out);
}

// ---- A in registers, sums of halves, 8 columns: D = A B + D, and D = A B - D by the sign of D
__global__ void from_registers(__half* halves, float* floats, int* integers) {
  __shared__ alignas(128) __half b[8 * 16];
  __shared__ alignas(128) int8_t c[8 * 32];
  const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  if (threadIdx.x < 128) {  // two pieces of 8 columns by 16 bytes
    const int column = threadIdx.x / 16, k = threadIdx.x % 16;
    b[k / 8 * 64 + column * 8 + k % 8] = __float2half(static_cast<float>(b_at<__half>(k, column)));
    for (int j = k; j < 32; j += 16) c[j / 16 * 128 + column * 16 + j % 16] = static_cast<int8_t>(b_at<int8_t>(j, column));
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  uint32_t a[4], bytes[4];
  for (int i = 0; i < 4; ++i) {
    const int row = warp * 16 + g + i % 2 * 8;
    const __half2 two = __floats2half2_rn(static_cast<float>(a_at<__half>(row, 2 * t + i / 2 * 8)),
                                          static_cast<float>(a_at<__half>(row, 2 * t + 1 + i / 2 * 8)));
    a[i] = reinterpret_cast<const uint32_t&>(two);
    bytes[i] = 0;
    for (int j = 0; j < 4; ++j)
      bytes[i] |= (static_cast<uint32_t>(a_at<int8_t>(row, 4 * t + j + i / 2 * 16)) & 0xff) << 8 * j;
  }
  const auto of = [](const void* tile) {
    return (static_cast<uint64_t>(__cvta_generic_to_shared(tile)) & 0x3ffff) >> 4 | uint64_t{8} << 16 | uint64_t{8} << 32;
  };
  uint32_t h[2] = {0x3c003c00, 0x40004000};  // 1 in the rows above, 2 in those below
  float f[4] = {5, 6, 7, 8};
  int n[4] = {0, 1, 2, 3}, limited[4] = {0x7ffffff8, 0x7ffffff8, -0x7ffffff8, -0x7ffffff8};
  begin();
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, %6, 1, 1, 1, 0;"
               : "+r"(h[0]), "+r"(h[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(of(b)));
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, -1, 1, 0;"
               : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(of(b)));
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1;"
               : "+r"(n[0]), "+r"(n[1]), "+r"(n[2]), "+r"(n[3])
               : "r"(bytes[0]), "r"(bytes[1]), "r"(bytes[2]), "r"(bytes[3]), "l"(of(c)));
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8.satfinite {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1;"
               : "+r"(limited[0]), "+r"(limited[1]), "+r"(limited[2]), "+r"(limited[3])
               : "r"(bytes[0]), "r"(bytes[1]), "r"(bytes[2]), "r"(bytes[3]), "l"(of(c)));
  end();
  for (int i = 0; i < 4; ++i) {
    const int at = (warp * 16 + g + i / 2 * 8) * 8 + 2 * t + i % 2;
    halves[at] = __ushort_as_half(static_cast<unsigned short>(h[i / 2] >> 16 * (i % 2)));
    floats[at] = f[i];
    integers[at] = n[i];
    integers[64 * 8 + at] = limited[i];
  }
}
void show_registers() {
  __half* halves;
  float* floats;
  int* integers;
  cudaMallocManaged(&halves, 64 * 8 * sizeof *halves);
  cudaMallocManaged(&floats, 64 * 8 * sizeof *floats);
  cudaMallocManaged(&integers, 2 * 64 * 8 * sizeof *integers);
  from_registers<<<1, 128>>>(halves, floats, integers);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("%s\n", cudaGetErrorString(error)), exit(1);
  int wrong[4] = {};
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 8; ++column) {
      int sum = 0, integer = 0;
      for (int k = 0; k < 16; ++k) sum += a_at<__half>(row, k) * b_at<__half>(k, column);
      for (int k = 0; k < 32; ++k) integer += a_at<int8_t>(row, k) * b_at<int8_t>(k, column);
      const int at = row * 8 + column, i = row % 16 / 8 * 2 + column % 2;
      wrong[0] += __half2float(halves[at]) != static_cast<float>(sum + 1 + row % 16 / 8);
      wrong[1] += floats[at] != static_cast<float>(5 + i - sum);
      wrong[2] += integers[at] != integer + i;
      const long most = 0x7fffffff, wanted = (i < 2 ? 0x7ffffff8l : -0x7ffffff8l) + integer;
      wrong[3] += integers[64 * 8 + at] != (wanted > most ? most : wanted < -most - 1 ? -most - 1 : wanted);
    }
  printf("from registers: %d %d %d wrong, %g %g %d\n", wrong[0], wrong[1], wrong[2], __half2float(halves[9]), floats[100],
         integers[511]);
  printf("limited sums: %d wrong, %d %d\n", wrong[3], integers[512], integers[1023]);
}

// ---- two warpgroups with different roles and register counts: one fills the tiles, the other multiplies
__global__ void __launch_bounds__(256, 1) roles(float* out) {
  __shared__ alignas(1024) __half a[64 * 64];
  __shared__ alignas(1024) __half b[64 * 64];
  __shared__ alignas(8) uint64_t full, empty;
  const auto at = [](const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); };
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(at(&full)));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(at(&empty)));
  }
  __syncthreads();
  const auto wait = [&](uint64_t* bar, int parity) {
    asm volatile(
        "{\n.reg .pred p;\nL:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra L;\n}" ::"r"(at(bar)),
        "r"(parity)
        : "memory");
  };
  const auto arrive = [&](uint64_t* bar) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(bar)) : "memory");
  };
  constexpr int tiles = 3;
  if (threadIdx.x >= 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    for (int tile = 0; tile < tiles; ++tile) {
      wait(&empty, tile % 2 ^ 1);
      for (int i = threadIdx.x - 128; i < 64 * 64; i += 128) {
        const int place = offset_of<__half, 128>(by_depth, 64, i / 64, i % 64) / 2;
        a[place] = element<__half>(a_at<__half>(i / 64 + tile, i % 64));
        b[place] = element<__half>(b_at<__half>(i % 64, i / 64 - tile + 9));
      }
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      arrive(&full);
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[32] = {};
    for (int tile = 0; tile < tiles; ++tile) {
      wait(&full, tile % 2);
      begin();
#pragma unroll
      for (int step = 0; step < 4; ++step)
        multiply<__half, by_depth, by_depth>(d, descriptor<__half, 128>(a, by_depth, 64, step),
                                             descriptor<__half, 128>(b, by_depth, 64, step), 1);
      end();
      arrive(&empty);
    }
    const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
    for (int i = 0; i < 32; ++i) out[(row + i / 2 % 2 * 8) * 64 + i / 4 * 8 + column + i % 2] = d[i];
  }
}
void show_roles() {
  float* out;
  cudaMallocManaged(&out, 64 * 64 * sizeof *out);
  roles<<<1, 256>>>(out);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("%s\n", cudaGetErrorString(error)), exit(1);
  int wrong = 0;
  for (int i = 0; i < 64 * 64; ++i) {
    int sum = 0;
    for (int tile = 0; tile < 3; ++tile)
      for (int k = 0; k < 64; ++k) sum += a_at<__half>(i / 64 + tile, k) * b_at<__half>(k, i % 64 - tile + 9);
    wrong += out[i] != static_cast<float>(sum);
  }
  printf("roles: %d wrong, %g %g\n", wrong, out[0], out[4095]);
}

int main() {
  show<__half, 16, by_depth, by_depth>("halves");
  show<__half, 32, by_depth, by_depth>("halves, 32 bytes");
  show<__half, 64, by_depth, by_depth>("halves, 64 bytes");
  show<__half, 128, by_depth, by_depth>("halves, 128 bytes");
  show<__half, 16, by_rows, by_rows>("both transposed");
  show<__half, 32, by_rows, by_rows>("both transposed, 32 bytes");
  show<__half, 64, by_rows, by_depth>("A transposed, 64 bytes");
  show<__half, 128, by_depth, by_rows>("B transposed, 128 bytes");
  show<__half, 128, by_rows, by_rows>("both transposed, 128 bytes");
  show<__nv_bfloat16, 128, by_depth, by_depth>("bfloat16, negative", -1);
  show<__nv_bfloat16, 64, by_depth, by_rows>("bfloat16, twice negative", 1);
  show<tf32, 128, by_depth, by_depth>("tf32");
  show<tf32, 16, by_depth, by_depth>("tf32, no pattern");
  show<__nv_fp8_e4m3, 128, by_depth, by_depth>("e4m3");
  show<__nv_fp8_e5m2, 64, by_depth, by_depth>("e5m2");
  show<int8_t, 128, by_depth, by_depth>("signed bytes");
  show<uint8_t, 32, by_depth, by_depth>("unsigned bytes");
  show_registers();
  show_roles();
}
