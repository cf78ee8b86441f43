// mma.sp: a warp multiplies a sparse matrix A of 16 rows by 8 columns of B. Two of four elements of A are
// stored (one of two for tf32). Tests all shapes and types of Hopper, with each sparsity selector, with
// ordered metadata, and with metadata that gives the later element first. All numbers are small integers, so
// each order of summing gives the same sum. The reference is the product of the whole matrices.
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
/// Two 4-bit numbers, stored together. For A: a number and its double; for B: a number and that + 3.
struct SignedPair {
  uint8_t x;
};
struct UnsignedPair {
  uint8_t x;
};
template <typename T>
__host__ __device__ T element(float x) {
  const int n = static_cast<int>(x);
  if constexpr (std::is_same_v<T, tf32>)
    return tf32{x};
  else if constexpr (std::is_same_v<T, SignedPair>)
    return T{static_cast<uint8_t>((2 * n & 15) << 4 | (n & 15))};
  else if constexpr (std::is_same_v<T, UnsignedPair>)
    return T{static_cast<uint8_t>((n + 3) << 4 | n)};
  else
    return static_cast<T>(x);
}

constexpr int rows = 16, columns = 8;
template <typename T>
constexpr int in_word = 4 / static_cast<int>(sizeof(T));  // elements in a register
template <typename T>
constexpr int chunk_stored = std::is_same_v<T, tf32> ? 1 : 2;
template <typename T>
constexpr int chunk = 2 * chunk_stored<T>;
/// The number of lanes, out of four, that have the metadata of their rows.
template <typename T, int K>
constexpr int tellers = K / chunk<T> / 4;

// ---- the instructions
#define FLOATS "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define INTEGERS "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define HALVES "+r"(d[0]), "+r"(d[1])
#define FOUR_SUMS_AND_SHORT " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, %9;"
#define FOUR_SUMS_AND_LONG " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, %13;"
#define TWO_SUMS_AND_SHORT " {%0, %1}, {%2, %3}, {%4, %5}, {%0, %1}, %6, %7;"
#define TWO_SUMS_AND_LONG " {%0, %1}, {%2, %3, %4, %5}, {%6, %7, %8, %9}, {%0, %1}, %10, %11;"
#define SHORT_OPERANDS "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(meta), "n"(Selector)
#define LONG_OPERANDS                                                                                           \
  "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(meta), "n"(Selector)
#define MULTIPLY(TYPES, SUMS, REGISTERS, OPERANDS)                                                                      \
  do {                                                                                                                  \
    if constexpr (Ordered)                                                                                              \
      asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8" TYPES REGISTERS : SUMS : OPERANDS);                    \
    else                                                                                                                \
      asm volatile("mma.sp.sync.aligned.m16n8" TYPES REGISTERS : SUMS : OPERANDS);                                      \
  } while (0)

/// Sums as registers contain them: halves in pairs.
template <typename Sum>
using Register = std::conditional_t<std::is_same_v<Sum, __half>, uint32_t, Sum>;

template <typename A, typename B, typename Sum, int K, int Selector, bool Ordered>
__device__ void multiply(Register<Sum> (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[4], uint32_t meta) {
  if constexpr (std::is_same_v<A, __half> && std::is_same_v<Sum, __half>) {
    if constexpr (K == 16) MULTIPLY("k16.row.col.f16.f16.f16.f16", HALVES, TWO_SUMS_AND_SHORT, SHORT_OPERANDS);
    if constexpr (K == 32) MULTIPLY("k32.row.col.f16.f16.f16.f16", HALVES, TWO_SUMS_AND_LONG, LONG_OPERANDS);
  } else if constexpr (std::is_same_v<A, __half>) {
    if constexpr (K == 16) MULTIPLY("k16.row.col.f32.f16.f16.f32", FLOATS, FOUR_SUMS_AND_SHORT, SHORT_OPERANDS);
    if constexpr (K == 32) MULTIPLY("k32.row.col.f32.f16.f16.f32", FLOATS, FOUR_SUMS_AND_LONG, LONG_OPERANDS);
  } else if constexpr (std::is_same_v<A, __nv_bfloat16>) {
    if constexpr (K == 16) MULTIPLY("k16.row.col.f32.bf16.bf16.f32", FLOATS, FOUR_SUMS_AND_SHORT, SHORT_OPERANDS);
    if constexpr (K == 32) MULTIPLY("k32.row.col.f32.bf16.bf16.f32", FLOATS, FOUR_SUMS_AND_LONG, LONG_OPERANDS);
  } else if constexpr (std::is_same_v<A, tf32>) {
    if constexpr (K == 8) MULTIPLY("k8.row.col.f32.tf32.tf32.f32", FLOATS, FOUR_SUMS_AND_SHORT, SHORT_OPERANDS);
    if constexpr (K == 16) MULTIPLY("k16.row.col.f32.tf32.tf32.f32", FLOATS, FOUR_SUMS_AND_LONG, LONG_OPERANDS);
  } else if constexpr (std::is_same_v<A, __nv_fp8_e4m3> && std::is_same_v<B, __nv_fp8_e4m3>) {
    MULTIPLY("k64.row.col.f32.e4m3.e4m3.f32", FLOATS, FOUR_SUMS_AND_LONG, LONG_OPERANDS);
  } else if constexpr (std::is_same_v<A, __nv_fp8_e5m2>) {
    MULTIPLY("k64.row.col.f32.e5m2.e4m3.f32", FLOATS, FOUR_SUMS_AND_LONG, LONG_OPERANDS);
  } else if constexpr (std::is_same_v<A, SignedPair>) {
    if constexpr (K == 32) MULTIPLY("k64.row.col.s32.s4.u4.s32", INTEGERS, FOUR_SUMS_AND_SHORT, SHORT_OPERANDS);
    if constexpr (K == 64) MULTIPLY("k128.row.col.s32.s4.u4.s32", INTEGERS, FOUR_SUMS_AND_LONG, LONG_OPERANDS);
  } else if constexpr (std::is_same_v<A, int8_t> && std::is_same_v<B, int8_t>) {
    if constexpr (K == 32) MULTIPLY("k32.row.col.s32.s8.s8.s32", INTEGERS, FOUR_SUMS_AND_SHORT, SHORT_OPERANDS);
    if constexpr (K == 64) MULTIPLY("k64.row.col.s32.s8.s8.s32", INTEGERS, FOUR_SUMS_AND_LONG, LONG_OPERANDS);
  } else if constexpr (std::is_same_v<A, int8_t>) {
    if constexpr (K == 32) MULTIPLY("k32.row.col.s32.s8.u8.s32", INTEGERS, FOUR_SUMS_AND_SHORT, SHORT_OPERANDS);
    if constexpr (K == 64) MULTIPLY("k64.row.col.s32.s8.u8.s32", INTEGERS, FOUR_SUMS_AND_LONG, LONG_OPERANDS);
  } else if constexpr (std::is_same_v<B, int8_t>) {
    if constexpr (K == 32)
      MULTIPLY("k32.row.col.satfinite.s32.u8.s8.s32", INTEGERS, FOUR_SUMS_AND_SHORT, SHORT_OPERANDS);
  } else {
    if constexpr (K == 32) MULTIPLY("k32.row.col.s32.u8.u8.s32", INTEGERS, FOUR_SUMS_AND_SHORT, SHORT_OPERANDS);
    if constexpr (K == 64) MULTIPLY("k64.row.col.s32.u8.u8.s32", INTEGERS, FOUR_SUMS_AND_LONG, LONG_OPERANDS);
  }
}

/// Computes D = A B + C. A row of A has K elements (pairs for 4 bits). A, C and D are stored by rows, B by columns.
template <typename A, typename B, typename Sum, int K, int Selector, bool Ordered>
__global__ void product(const A* in_a, const B* in_b, const Sum* c, const uint32_t* metadata, Sum* out) {
  constexpr int e = in_word<A>, stored = K / 2;
  const int lane = threadIdx.x, group = lane / 4, t = lane % 4;
  uint32_t a[4] = {}, b[4] = {};
  for (int i = 0; i < stored / (2 * e); ++i)
    memcpy(&a[i], in_a + (group + i % 2 * 8) * stored + e * t + i / 2 * 4 * e, 4);
  for (int i = 0; i < K / (4 * e); ++i) memcpy(&b[i], in_b + group * K + e * t + i * 4 * e, 4);
  const auto at = [&](int i) { return (group + i / 2 * 8) * columns + 2 * t + i % 2; };
  Register<Sum> d[4];
  if constexpr (std::is_same_v<Sum, __half>)
    for (int i = 0; i < 2; ++i) memcpy(&d[i], c + at(2 * i), 4);
  else
    for (int i = 0; i < 4; ++i) d[i] = c[at(i)];
  multiply<A, B, Sum, K, Selector, Ordered>(d, a, b, metadata[lane]);
  if constexpr (std::is_same_v<Sum, __half>)
    for (int i = 0; i < 2; ++i) memcpy(out + at(2 * i), &d[i], 4);
  else
    for (int i = 0; i < 4; ++i) out[at(i)] = d[i];
}

// ---- the host's side
/// Returns the stored part of a chunk of a row, pseudo-randomly. In a free order, the later element may be first.
struct Parts {
  int first, second;  // tf32 has no second element
};
template <typename T>
Parts parts_of(int row, int number, bool ordered) {
  const unsigned chance = (static_cast<unsigned>(row) * 977u + static_cast<unsigned>(number) * 331u + 7u) * 2654435761u >> 20;
  if (chunk_stored<T> == 1) return {static_cast<int>(chance % 2), -1};
  constexpr Parts all[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  const Parts parts = all[chance % 6];
  return ordered || chance / 6 % 2 == 0 ? parts : Parts{parts.second, parts.first};
}
template <typename T>
unsigned nibble_of(int row, int number, bool ordered) {
  const Parts parts = parts_of<T>(row, number, ordered);
  if (chunk_stored<T> == 1) return parts.first == 1 ? 0xe : 0x4;
  return static_cast<unsigned>(parts.first | parts.second << 2);
}
template <typename T, int K>
uint32_t metadata_of(int lane, int selector, bool ordered) {
  const int mine = lane % 4 - selector * tellers<T, K>;  // the lane's index among those that supply metadata
  if (mine < 0 || mine >= tellers<T, K>) return 0xffff0000u | static_cast<unsigned>(lane);  // it is not read
  uint32_t word = 0;
  for (int i = 0; i < 8; ++i) {
    // Bytes: eight chunks of one row, the upper one in the first and the third lane. Else four chunks of both rows.
    const int row = lane / 4 + (sizeof(T) == 1 ? mine % 2 : i / 4) * 8;
    const int number = sizeof(T) == 1 ? mine / 2 * 8 + i : mine * 4 + i % 4;
    word |= nibble_of<T>(row, number, ordered) << 4 * i;
  }
  return word;
}

template <typename T>
T* allocate(int count) {
  T* result;
  if (cudaMallocManaged(&result, count * sizeof(T)) != cudaSuccess) printf("no memory\n"), exit(1);
  return result;
}
/// `Ordered` selects the instruction that requires ordered metadata. `big`: the initial value of C.
template <typename A, typename B, typename Sum, int K, int Selector, bool Ordered>
void show(const char* what, bool is_ordered = Ordered, int big = 0) {
  constexpr int stored = K / 2;
  A* const a = allocate<A>(rows * stored);
  B* const b = allocate<B>(columns * K);
  Sum *const c = allocate<Sum>(rows * columns), *const out = allocate<Sum>(rows * columns);
  uint32_t* const metadata = allocate<uint32_t>(32);
  static int whole_a[rows][K], whole_b[columns][K];
  memset(whole_a, 0, sizeof whole_a);
  for (int row = 0; row < rows; ++row)
    for (int number = 0; number < K / chunk<A>; ++number) {
      const Parts parts = parts_of<A>(row, number, is_ordered);
      for (int i = 0; i < chunk_stored<A>; ++i) {
        const int k = number * chunk<A> + (i == 0 ? parts.first : parts.second);
        const int x = (row * 3 + k * 5 + number) % 7 - (std::is_same_v<A, uint8_t> ? 0 : 3);
        whole_a[row][k] = x;
        a[row * stored + number * chunk_stored<A> + i] = element<A>(static_cast<float>(x));
      }
    }
  for (int column = 0; column < columns; ++column)
    for (int k = 0; k < K; ++k) {
      const int x = (column * 5 + k * 3 + k / 7) % 9 - (std::is_same_v<B, uint8_t> || std::is_same_v<B, UnsignedPair> ? 0 : 4);
      whole_b[column][k] = x;
      b[column * K + k] = element<B>(static_cast<float>(x));
    }
  const auto first = [&](int i) { return big != 0 ? big : i % 11 - 5; };
  for (int i = 0; i < rows * columns; ++i) {
    if constexpr (std::is_same_v<Sum, int>)
      c[i] = first(i);
    else
      c[i] = element<Sum>(static_cast<float>(first(i)));
  }
  for (int lane = 0; lane < 32; ++lane) metadata[lane] = metadata_of<A, K>(lane, Selector, is_ordered);
  product<A, B, Sum, K, Selector, Ordered><<<1, 32>>>(a, b, c, metadata, out);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("%s: %s\n", what, cudaGetErrorString(error)), exit(1);
  int wrong = 0;
  long long total = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int at = row * columns + column;
      long long sum = first(at);
      for (int k = 0; k < K; ++k) {
        const int x = whole_a[row][k], y = whole_b[column][k];
        sum += x * y + (std::is_same_v<A, SignedPair> ? 2 * x * (y + 3) : 0);
      }
      if (sum > 0x7fffffff) sum = 0x7fffffff;  // only if C begins there
      long long got;
      if constexpr (std::is_same_v<Sum, int>)
        got = out[at];
      else
        got = static_cast<long long>(static_cast<float>(out[at]));
      wrong += got != sum;
      total += got * (at + 1);
    }
  printf("%s k%d, selector %d%s: %d wrong, %lld\n", what, K, Selector,
         Ordered ? ", ordered metadata" : is_ordered ? "" : ", any order", wrong, total);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(out), cudaFree(metadata);
}
/// All selectors, with ordered and unordered metadata, and the instruction that requires ordered metadata.
template <typename A, typename B, typename Sum, int K, int Selector = 0>
void show_selectors(const char* what) {
  show<A, B, Sum, K, Selector, false>(what, true);
  if (chunk_stored<A> == 2) show<A, B, Sum, K, Selector, false>(what, false);
  show<A, B, Sum, K, Selector, true>(what);
  if constexpr ((Selector + 2) * tellers<A, K> <= 4) show_selectors<A, B, Sum, K, Selector + 1>(what);
}

// ---- elements of A that are not stored are not multiplied by B, which may be infinite there
__global__ void beside_infinities(float* out) {
  const int lane = threadIdx.x;
  const __half2 ones = __float2half2_rn(1);
  const uint32_t one = reinterpret_cast<const uint32_t&>(ones), infinite = 0xfc007c00;  // two of them
  const uint32_t b = lane % 2 == 0 ? one : infinite;  // B's rows 2 t and 2 t + 1
  float d[4] = {1, 2, 3, 4};
  asm volatile(
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5, %5}, {%0, %1, %2, %3}, %6, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(one), "r"(b), "r"(0x44444444));
  for (int i = 0; i < 4; ++i) out[lane * 4 + i] = d[i];
}
void show_infinities() {
  float* const out = allocate<float>(128);
  beside_infinities<<<1, 32>>>(out);
  if (const cudaError_t error = cudaDeviceSynchronize()) printf("%s\n", cudaGetErrorString(error)), exit(1);
  int wrong = 0;
  for (int i = 0; i < 128; ++i) wrong += out[i] != static_cast<float>(8 + 1 + i % 4);
  printf("beside infinities: %d wrong, %g\n", wrong, out[5]);
  cudaFree(out);
}

int main() {
  show_selectors<__half, __half, float, 16>("halves");
  show_selectors<__half, __half, float, 32>("halves");
  show_selectors<__half, __half, __half, 16>("sums of halves");
  show_selectors<__half, __half, __half, 32>("sums of halves");
  show_selectors<__nv_bfloat16, __nv_bfloat16, float, 16>("bfloat16");
  show_selectors<__nv_bfloat16, __nv_bfloat16, float, 32>("bfloat16");
  show_selectors<tf32, tf32, float, 8>("tf32");
  show_selectors<tf32, tf32, float, 16>("tf32");
  show_selectors<int8_t, int8_t, int, 32>("signed bytes");
  show_selectors<int8_t, int8_t, int, 64>("signed bytes");
  show_selectors<uint8_t, uint8_t, int, 32>("unsigned bytes");
  show_selectors<uint8_t, uint8_t, int, 64>("unsigned bytes");
  show_selectors<int8_t, uint8_t, int, 32>("signed and unsigned bytes");
  show_selectors<int8_t, uint8_t, int, 64>("signed and unsigned bytes");
  show<uint8_t, int8_t, int, 32, 1, true>("limited sums of unsigned and signed bytes", true, 0x7ffffff0);
  show_selectors<SignedPair, UnsignedPair, int, 32>("signed and unsigned pairs of 4 bits");
  show_selectors<SignedPair, UnsignedPair, int, 64>("signed and unsigned pairs of 4 bits");
  show_selectors<__nv_fp8_e4m3, __nv_fp8_e4m3, float, 64>("e4m3");
  show_selectors<__nv_fp8_e5m2, __nv_fp8_e4m3, float, 64>("e5m2 and e4m3");
  show_infinities();
}
