// emucc: -gencode arch=compute_90a,code=sm_90a
// wgmma of matrices of bits (.b1, .and.popc): each element of D counts the bits that are set in a row of A and in a column of B.
// With 8, 24 and 64 columns, A in registers and in shared memory, and all patterns of shared memory, which hold bytes of bits as
// they hold bytes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int rows = 64, steps = 4, step_bytes = 32, row_bytes = steps * step_bytes, words = row_bytes / 4;

/// The place of a byte in a tile of `Rows` rows. `Width`: bytes of the pattern.
template <int Width, int Rows>
__device__ int offset_of(int row, int byte) {
  const int at = byte / Width * Rows * Width + row * Width + byte % Width;
  const int bits = Width == 128 ? 3 : Width == 64 ? 2 : Width == 32 ? 1 : 0;
  return at ^ (at >> 7 & ((1 << bits) - 1)) << 4;
}
/// The descriptor of the 32 bytes of each row that a step multiplies.
template <int Width, int Rows>
__device__ uint64_t descriptor(const void* tile, int step) {
  const auto field = [](unsigned bytes, int shift) { return static_cast<uint64_t>((bytes & 0x3ffff) >> 4) << shift; };
  const int byte = step * step_bytes;
  const unsigned start = static_cast<unsigned>(__cvta_generic_to_shared(tile)) + byte / Width * Rows * Width + byte % Width;
  const uint64_t mode = Width == 128 ? 1 : Width == 64 ? 2 : Width == 32 ? 3 : 0;
  return field(start, 0) | field(Width == 16 ? Rows * Width : 16, 16) | field(8 * Width, 32) | mode << 62;
}

__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void end() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

#define D4(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define PRODUCT(N, D, A, B, P)                                                                          \
  "{\n.reg .pred p;\nsetp.ne.b32 p, " P ", 0;\n"                                                        \
  "wgmma.mma_async.sync.aligned.m64n" N "k256.s32.b1.b1.and.popc {" D "}, " A ", " B ", p;\n}\n"

template <int N>
__device__ void multiply(int (&d)[N / 2], uint64_t a, uint64_t b, int adds) {
  if constexpr (N == 8)
    asm volatile(PRODUCT("8", "%0, %1, %2, %3", "%4", "%5", "%6") : D4(0) : "l"(a), "l"(b), "r"(adds) : "memory");
  else if constexpr (N == 24)
    asm volatile(PRODUCT("24", "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11", "%12", "%13", "%14")
                 : D4(0), D4(4), D4(8)
                 : "l"(a), "l"(b), "r"(adds)
                 : "memory");
  else
    asm volatile(PRODUCT("64",
                        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31",
                        "%32", "%33", "%34")
                 : D4(0), D4(4), D4(8), D4(12), D4(16), D4(20), D4(24), D4(28)
                 : "l"(a), "l"(b), "r"(adds)
                 : "memory");
}
template <int N>
__device__ void multiply_registers(int (&d)[N / 2], const uint32_t (&a)[4], uint64_t b, int adds) {
  if constexpr (N == 8)
    asm volatile(PRODUCT("8", "%0, %1, %2, %3", "{%4, %5, %6, %7}", "%8", "%9")
                 : D4(0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds)
                 : "memory");
  else if constexpr (N == 24)
    asm volatile(PRODUCT("24", "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11", "{%12, %13, %14, %15}", "%16", "%17")
                 : D4(0), D4(4), D4(8)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds)
                 : "memory");
  else
    asm volatile(PRODUCT("64",
                        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31",
                        "{%32, %33, %34, %35}", "%36", "%37")
                 : D4(0), D4(4), D4(8), D4(12), D4(16), D4(20), D4(24), D4(28)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds)
                 : "memory");
}

/// `WidthA` 0: A is in registers. With `adds`, the first step adds to the old D.
template <int N, int WidthA, int WidthB>
__global__ void product(const uint32_t* in_a, const uint32_t* in_b, int adds, int* out) {
  __shared__ alignas(1024) unsigned char a[rows * row_bytes];
  __shared__ alignas(1024) unsigned char b[N * row_bytes];
  for (int i = threadIdx.x; i < rows * words; i += blockDim.x)
    *reinterpret_cast<uint32_t*>(a + offset_of<WidthA ? WidthA : 16, rows>(i / words, i % words * 4)) = in_a[i];
  for (int i = threadIdx.x; i < N * words; i += blockDim.x)
    *reinterpret_cast<uint32_t*>(b + offset_of<WidthB, N>(i / words, i % words * 4)) = in_b[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const int lane = threadIdx.x % 32, group = threadIdx.x / 32 * 16 + lane / 4, t = lane % 4;
  uint32_t registers[steps][4];
  for (int step = 0; step < steps; ++step)
    for (int i = 0; i < 4; ++i)  // rows g and g + 8; words t and t + 4 of the eight
      registers[step][i] = in_a[(group + i % 2 * 8) * words + step * 8 + t + i / 2 * 4];
  int d[N / 2];
  for (auto& x : d) x = 1000;
  begin();
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    const uint64_t of_b = descriptor<WidthB, N>(b, step);
    if constexpr (WidthA == 0)
      multiply_registers<N>(d, registers[step], of_b, adds || step != 0);
    else
      multiply<N>(d, descriptor<WidthA, rows>(a, step), of_b, adds || step != 0);
  }
  end();
  for (int i = 0; i < N / 2; ++i) out[(group + i / 2 % 2 * 8) * N + i / 4 * 8 + t * 2 + i % 2] = d[i];
}

template <typename T>
T* allocate(int count) {
  T* result;
  if (cudaMallocManaged(&result, count * sizeof(T)) != cudaSuccess) printf("no memory\n"), exit(1);
  return result;
}
int bits_in(uint32_t word) {
  int count = 0;
  for (; word != 0; word &= word - 1) ++count;
  return count;
}
template <int N, int WidthA, int WidthB>
void show(const char* what, int adds = 0) {
  uint32_t *const a = allocate<uint32_t>(rows * words), *const b = allocate<uint32_t>(N * words);
  int* const out = allocate<int>(rows * N);
  uint32_t chance = 12345;
  const auto next = [&] { return chance = chance * 1664525u + 1013904223u, chance ^ chance >> 15; };
  for (int i = 0; i < rows * words; ++i) a[i] = next();
  for (int i = 0; i < N * words; ++i) b[i] = next() | next() << 7;
  product<N, WidthA, WidthB><<<1, 128>>>(a, b, adds, out);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("%s: %s\n", what, cudaGetErrorString(error)), exit(1);
  int wrong = 0;
  long total = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < N; ++column) {
      int sum = adds ? 1000 : 0;
      for (int i = 0; i < words; ++i) sum += bits_in(a[row * words + i] & b[column * words + i]);
      wrong += out[row * N + column] != sum;
      total += static_cast<long>(out[row * N + column]) * (row * N + column + 1);
    }
  printf("%s: %d wrong, %d %d, %ld\n", what, wrong, out[0], out[rows * N - 1], total);
  cudaFree(a), cudaFree(b), cudaFree(out);
}

int main() {
  show<8, 16, 16>("8 columns");
  show<8, 32, 64>("8 columns, 32 and 64 bytes");
  show<24, 64, 128>("24 columns, 64 and 128 bytes");
  show<24, 128, 32>("24 columns, 128 and 32 bytes, added", 1);
  show<64, 16, 128>("64 columns, 128 bytes of B");
  show<64, 128, 128>("64 columns, 128 bytes, added", 1);
  show<8, 0, 16>("registers, 8 columns");
  show<24, 0, 64>("registers, 24 columns, 64 bytes, added", 1);
  show<64, 0, 128>("registers, 64 columns, 128 bytes");
}
