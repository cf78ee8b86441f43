// emucc: -gencode arch=compute_90a,code=sm_90a
// mma.sync of 8-bit reals, summed in float and in halves; of bits, counted if both (.and.popc) or one of two
// (.xor.popc) are set; of bytes whose sums saturate instead of wrapping; of 4-bit numbers; and of doubles.
// Also shapes of 8 rows, and movmatrix. Each product is compared with a plain one.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

constexpr int rows = 16, columns = 8;

#define FLOATS "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define INTEGERS "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define HALVES "+r"(d[0]), "+r"(d[1])
#define FOUR_SUMS_AND_SHORT " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
#define FOUR_SUMS_AND_LONG " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
#define TWO_SUMS_AND_SHORT " {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
#define TWO_SUMS_AND_LONG " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
#define SHORT_OPERANDS "r"(a[0]), "r"(a[1]), "r"(b[0])
#define LONG_OPERANDS "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])

enum Product { e4m3_e5m2, e5m2_e4m3, e4m3_halves, e5m2_halves, bits_and, bits_xor, bytes, limited_bytes, nibbles };
template <Product P>
using Register = std::conditional_t<P <= e5m2_e4m3, float, uint32_t>;

/// `Words` words of each row of A and each column of B.
template <Product P, int Words>
__device__ void multiply(Register<P> (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
#define BOTH(P_, SHORT, LONG, TYPES, SUMS, NUMBER)                                                         \
  if constexpr (P == P_ && Words == 4) asm volatile("mma.sync.aligned.m16n8" SHORT ".row.col" TYPES         \
                                                    NUMBER##_SUMS_AND_SHORT : SUMS : SHORT_OPERANDS);       \
  if constexpr (P == P_ && Words == 8) asm volatile("mma.sync.aligned.m16n8" LONG ".row.col" TYPES          \
                                                    NUMBER##_SUMS_AND_LONG : SUMS : LONG_OPERANDS)
  BOTH(e4m3_e5m2, "k16", "k32", ".f32.e4m3.e5m2.f32", FLOATS, FOUR);
  BOTH(e5m2_e4m3, "k16", "k32", ".f32.e5m2.e4m3.f32", FLOATS, FOUR);
  BOTH(e4m3_halves, "k16", "k32", ".f16.e4m3.e4m3.f16", HALVES, TWO);
  BOTH(e5m2_halves, "k16", "k32", ".f16.e5m2.e5m2.f16", HALVES, TWO);
  BOTH(bits_and, "k128", "k256", ".s32.b1.b1.s32.and.popc", INTEGERS, FOUR);
  BOTH(bits_xor, "k128", "k256", ".s32.b1.b1.s32.xor.popc", INTEGERS, FOUR);
  BOTH(bytes, "k16", "k32", ".s32.s8.u8.s32", INTEGERS, FOUR);
  BOTH(limited_bytes, "k16", "k32", ".satfinite.s32.s8.u8.s32", INTEGERS, FOUR);
  BOTH(nibbles, "k32", "k64", ".s32.s4.u4.s32", INTEGERS, FOUR);
#undef BOTH
}

/// Computes D = A B + C. Row g in a register of D is at [g][2 t], row g + 8 below; halves are in pairs.
template <Product P, int Words>
__global__ void product(const uint32_t* in_a, const uint32_t* in_b, const uint32_t* c, uint32_t* out) {
  const int lane = threadIdx.x, group = lane / 4, t = lane % 4;
  constexpr bool halves = P == e4m3_halves || P == e5m2_halves;
  uint32_t a[4] = {}, b[2] = {};
  for (int i = 0; i < Words / 2; ++i) a[i] = in_a[(group + i % 2 * 8) * Words + t + i / 2 * 4];
  for (int i = 0; i < Words / 4; ++i) b[i] = in_b[group * Words + t + i * 4];
  const auto at = [&](int i) {
    return halves ? (group + i * 8) * (columns / 2) + t : (group + i / 2 * 8) * columns + 2 * t + i % 2;
  };
  Register<P> d[4] = {};
  for (int i = 0; i < (halves ? 2 : 4); ++i) memcpy(&d[i], c + at(i), 4);
  multiply<P, Words>(d, a, b);
  for (int i = 0; i < (halves ? 2 : 4); ++i) memcpy(out + at(i), &d[i], 4);
}

// ---- the host's side
uint32_t* allocate(int count) {
  uint32_t* result;
  if (cudaMallocManaged(&result, count * sizeof(uint32_t)) != cudaSuccess) printf("no memory\n"), exit(1);
  return result;
}
int bits_in(uint32_t word) {
  int count = 0;
  for (; word != 0; word &= word - 1) ++count;
  return count;
}
/// The dot product of eight signed and eight unsigned numbers.
int product_of_nibbles(uint32_t x, uint32_t y) {
  int sum = 0;
  for (int j = 0; j < 32; j += 4) sum += (static_cast<int>(x >> j & 15) - (x >> j & 8 ? 16 : 0)) * static_cast<int>(y >> j & 15);
  return sum;
}
/// Bytes that `encode` makes of small numbers.
template <typename Encode>
void fill(uint32_t* words, int count, int factor, Encode encode) {
  for (int i = 0; i < count; ++i) {
    uint8_t all[4];
    for (int j = 0; j < 4; ++j) all[j] = encode((i * 4 + j) * factor % 23 % 9 - 4);
    memcpy(&words[i], all, 4);
  }
}
template <typename T>
uint8_t encode_real(int x) {
  return T(static_cast<float>(x)).__x;
}
template <typename T>
float decode_real(uint8_t bits) {
  T real;
  real.__x = bits;
  return static_cast<float>(real);
}
uint8_t encode_byte(int x) { return static_cast<uint8_t>(x); }
int signed_byte(uint8_t bits) { return static_cast<int8_t>(bits); }
int unsigned_byte(uint8_t bits) { return bits; }

/// `first`: the initial value of C. `of_a`, `of_b`: the numbers that bytes represent; null for bits.
template <Product P, int Words, typename OfA, typename OfB>
void show(const char* what, const uint32_t* a, const uint32_t* b, int first, OfA of_a, OfB of_b) {
  constexpr bool halves = P == e4m3_halves || P == e5m2_halves, reals = P <= e5m2_halves;
  uint32_t *const c = allocate(rows * columns), *const out = allocate(rows * columns);
  const auto put = [&](int at, int x) {
    const float real = static_cast<float>(x);
    const __half half = __float2half(real);
    if (halves)
      memcpy(reinterpret_cast<char*>(c) + 2 * at, &half, 2);
    else if (reals)
      memcpy(c + at, &real, 4);
    else
      c[at] = static_cast<uint32_t>(x);
  };
  const auto got_at = [&](int at) {
    float real;
    __half half;
    if (halves) return memcpy(&half, reinterpret_cast<char*>(out) + 2 * at, 2), static_cast<int>(__half2float(half));
    if (reals) return memcpy(&real, out + at, 4), static_cast<int>(real);
    return static_cast<int>(out[at]);
  };
  const auto of_c = [&](int at) { return first + at % 5; };
  for (int i = 0; i < rows * columns; ++i) put(i, of_c(i));
  product<P, Words><<<1, 32>>>(a, b, c, out);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("%s: %s\n", what, cudaGetErrorString(error)), exit(1);
  int wrong = 0;
  long long total = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int at = row * columns + column;
      long long sum = of_c(at);
      for (int i = 0; i < Words; ++i) {
        const uint32_t x = a[row * Words + i], y = b[column * Words + i];
        if (P == bits_and || P == bits_xor) {
          sum += bits_in(P == bits_and ? x & y : x ^ y);
        } else if (P == nibbles) {
          sum += product_of_nibbles(x, y);
        } else {
          for (int j = 0; j < 32; j += 8)
            sum += static_cast<long long>(of_a(static_cast<uint8_t>(x >> j)) * of_b(static_cast<uint8_t>(y >> j)));
        }
      }
      if (P == limited_bytes) sum = sum > 0x7fffffff ? 0x7fffffff : sum < -0x7fffffffll - 1 ? -0x7fffffffll - 1 : sum;
      const int got = got_at(at);
      wrong += got != static_cast<int>(static_cast<uint32_t>(sum));
      total += static_cast<long long>(got) * (at + 1);
    }
  printf("%s, %d words: %d wrong, %lld\n", what, Words, wrong, total);
  cudaFree(c), cudaFree(out);
}
template <Product P, int Words, typename A, typename B>
void show_reals(const char* what) {
  uint32_t *const a = allocate(rows * Words), *const b = allocate(columns * Words);
  fill(a, rows * Words, 5, encode_real<A>);
  fill(b, columns * Words, 7, encode_real<B>);
  show<P, Words>(what, a, b, -2, decode_real<A>, decode_real<B>);
  cudaFree(a), cudaFree(b);
}
template <Product P, int Words>
void show_bytes(const char* what, int first) {
  uint32_t *const a = allocate(rows * Words), *const b = allocate(columns * Words);
  fill(a, rows * Words, 5, encode_byte);
  fill(b, columns * Words, 7, [](int x) { return encode_byte(x + 4); });
  show<P, Words>(what, a, b, first, signed_byte, unsigned_byte);
  cudaFree(a), cudaFree(b);
}
template <Product P, int Words>
void show_bits(const char* what) {
  uint32_t *const a = allocate(rows * Words), *const b = allocate(columns * Words);
  uint32_t chance = 12345;
  const auto next = [&] { return chance = chance * 1664525u + 1013904223u, chance ^ chance >> 15; };
  for (int i = 0; i < rows * Words; ++i) a[i] = next();
  for (int i = 0; i < columns * Words; ++i) b[i] = next() | next() << 7;
  show<P, Words>(what, a, b, -2, signed_byte, signed_byte);
  cudaFree(a), cudaFree(b);
}

// ---- shapes of 8 rows; each lane has one word of each matrix
template <Product P>
__global__ void product_of_eight(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* out) {
  uint32_t d[2] = {c[threadIdx.x * 2], c[threadIdx.x * 2 + 1]};  // row g, columns 2 t and 2 t + 1
  const uint32_t x = a[threadIdx.x], y = b[threadIdx.x];
#define EIGHT(P_, TYPES)                                                                                  \
  if constexpr (P == P_) asm volatile("mma.sync.aligned.m8n8" TYPES " {%0, %1}, {%2}, {%3}, {%0, %1};"    \
                                      : "+r"(d[0]), "+r"(d[1]) : "r"(x), "r"(y))
  EIGHT(bytes, "k16.row.col.s32.s8.u8.s32");
  EIGHT(limited_bytes, "k16.row.col.satfinite.s32.s8.u8.s32");
  EIGHT(bits_and, "k128.row.col.s32.b1.b1.s32.and.popc");
  EIGHT(bits_xor, "k128.row.col.s32.b1.b1.s32.xor.popc");
  EIGHT(nibbles, "k32.row.col.s32.s4.u4.s32");
#undef EIGHT
  out[threadIdx.x * 2] = d[0];
  out[threadIdx.x * 2 + 1] = d[1];
}
template <Product P>
void show_eight(const char* what, int first) {
  uint32_t *const a = allocate(32), *const b = allocate(32), *const c = allocate(64), *const out = allocate(64);
  for (int i = 0; i < 64; ++i) c[i] = static_cast<uint32_t>(first + i % 5);
  for (int i = 0; i < 32; ++i) a[i] = i * 0x9e3779b9u + 0x01f31507u, b[i] = i * 0x85ebca6bu ^ 0x3c0713e9u;
  product_of_eight<P><<<1, 32>>>(a, b, c, out);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("%s: %s\n", what, cudaGetErrorString(error)), exit(1);
  int wrong = 0;
  long long total = 0;
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      const int at = row * 8 + column;
      long long sum = static_cast<int>(c[at]);
      for (int i = 0; i < 4; ++i) {
        const uint32_t x = a[row * 4 + i], y = b[column * 4 + i];
        if (P == bits_and || P == bits_xor) sum += bits_in(P == bits_and ? x & y : x ^ y);
        if (P == nibbles) sum += product_of_nibbles(x, y);
        for (int j = 0; j < 32 && (P == bytes || P == limited_bytes); j += 8)
          sum += signed_byte(static_cast<uint8_t>(x >> j)) * unsigned_byte(static_cast<uint8_t>(y >> j));
      }
      if (P == limited_bytes && sum > 0x7fffffff) sum = 0x7fffffff;
      const int got = static_cast<int>(out[at]);
      wrong += got != static_cast<int>(static_cast<uint32_t>(sum));
      total += static_cast<long long>(got) * (at + 1);
    }
  printf("8 rows, %s: %d wrong, %lld\n", what, wrong, total);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(out);
}

// ---- doubles
template <int M, int K>
__global__ void product_of_doubles(const double* in_a, const double* in_b, double* out) {
  const int lane = threadIdx.x, group = lane / 4, t = lane % 4;
  double a[8] = {}, b[4] = {}, d[4];
  constexpr int eights = M / 8;
  for (int i = 0; i < K / 4 * eights; ++i) a[i] = in_a[(group + i % eights * 8) * K + t + i / eights * 4];
  for (int i = 0; i < K / 4; ++i) b[i] = in_b[group * K + t + i * 4];
  for (int i = 0; i < 4; ++i) d[i] = i + 1;
#define DOUBLES "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
  if constexpr (M == 8)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a[0]), "d"(b[0]));
  if constexpr (M == 16 && K == 4)
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : DOUBLES
                 : "d"(a[0]), "d"(a[1]), "d"(b[0]));
  if constexpr (K == 8)
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : DOUBLES
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
  if constexpr (K == 16)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64.rn {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
        "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : DOUBLES
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
          "d"(b[2]), "d"(b[3]));
#undef DOUBLES
  for (int i = 0; i < 2 * eights; ++i) out[(group + i / 2 * 8) * columns + 2 * t + i % 2] = d[i];
}
template <int M, int K>
void show_doubles() {
  double *a, *b, *out;
  cudaMallocManaged(&a, M * K * sizeof *a);
  cudaMallocManaged(&b, columns * K * sizeof *b);
  cudaMallocManaged(&out, M * columns * sizeof *out);
  for (int i = 0; i < M * K; ++i) a[i] = i * 7 % 23 - 11 + 0.25;
  for (int i = 0; i < columns * K; ++i) b[i] = i * 5 % 19 - 9 + 0.5;
  product_of_doubles<M, K><<<1, 32>>>(a, b, out);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("doubles: %s\n", cudaGetErrorString(error)), exit(1);
  int wrong = 0;
  double total = 0;
  for (int row = 0; row < M; ++row)
    for (int column = 0; column < columns; ++column) {
      double sum = 1 + row / 8 * 2 + column % 2;
      for (int k = 0; k < K; ++k) sum += a[row * K + k] * b[column * K + k];
      wrong += out[row * columns + column] != sum;
      total += out[row * columns + column] * (row * columns + column + 1);
    }
  printf("doubles, %d rows, %d deep: %d wrong, %.3f\n", M, K, wrong, total);
  cudaFree(a), cudaFree(b), cudaFree(out);
}

// ---- movmatrix: lane 4 r + i has the elements 2 i and 2 i + 1 of row r
__global__ void transpose(uint32_t* out) {
  const uint32_t lane = threadIdx.x, mine = (lane * 2 + 1) << 16 | lane * 2;
  uint32_t other;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(other) : "r"(mine));
  out[lane] = other;
}
void show_transpose() {
  uint32_t* const out = allocate(32);
  transpose<<<1, 32>>>(out);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("movmatrix: %s\n", cudaGetErrorString(error)), exit(1);
  int wrong = 0;
  for (uint32_t row = 0; row < 8; ++row)
    for (uint32_t column = 0; column < 8; ++column)
      wrong += (out[row * 4 + column / 2] >> 16 * (column % 2) & 0xffff) != column * 8 + row;
  printf("movmatrix: %d wrong, %u %u\n", wrong, out[1], out[30]);
  cudaFree(out);
}

int main() {
  show_reals<e4m3_e5m2, 4, __nv_fp8_e4m3, __nv_fp8_e5m2>("e4m3 and e5m2");
  show_reals<e4m3_e5m2, 8, __nv_fp8_e4m3, __nv_fp8_e5m2>("e4m3 and e5m2");
  show_reals<e5m2_e4m3, 4, __nv_fp8_e5m2, __nv_fp8_e4m3>("e5m2 and e4m3");
  show_reals<e5m2_e4m3, 8, __nv_fp8_e5m2, __nv_fp8_e4m3>("e5m2 and e4m3");
  show_reals<e4m3_halves, 4, __nv_fp8_e4m3, __nv_fp8_e4m3>("e4m3, sums of halves");
  show_reals<e4m3_halves, 8, __nv_fp8_e4m3, __nv_fp8_e4m3>("e4m3, sums of halves");
  show_reals<e5m2_halves, 4, __nv_fp8_e5m2, __nv_fp8_e5m2>("e5m2, sums of halves");
  show_reals<e5m2_halves, 8, __nv_fp8_e5m2, __nv_fp8_e5m2>("e5m2, sums of halves");
  show_bits<bits_and, 4>("bits in both");
  show_bits<bits_and, 8>("bits in both");
  show_bits<bits_xor, 4>("bits in one of two");
  show_bits<bits_xor, 8>("bits in one of two");
  show_bits<nibbles, 4>("numbers of 4 bits");
  show_bits<nibbles, 8>("numbers of 4 bits");
  show_bytes<bytes, 4>("sums that wrap", 0x7ffffffa);
  show_bytes<bytes, 8>("sums that wrap", 0x7ffffffa);
  show_bytes<limited_bytes, 4>("limited sums", 0x7ffffffa);
  show_bytes<limited_bytes, 8>("limited sums", 0x7ffffffa);
  show_bytes<limited_bytes, 8>("limited sums", -0x7fffffff - 1);
  show_eight<bytes>("sums that wrap", 0x7fffff00);
  show_eight<limited_bytes>("limited sums", 0x7fffff00);
  show_eight<bits_and>("bits in both", 3);
  show_eight<bits_xor>("bits in one of two", 3);
  show_eight<nibbles>("numbers of 4 bits", 3);
  show_doubles<8, 4>();
  show_doubles<16, 4>();
  show_doubles<16, 8>();
  show_doubles<16, 16>();
  show_transpose();
}
