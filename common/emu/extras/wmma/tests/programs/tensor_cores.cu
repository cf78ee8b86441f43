// wmma in every shape and type, access to elements, and the PTX instructions ldmatrix and mma.sync. Each
// product is compared with a plain one in double. Small integers make all of them exact.
#include <mma.h>

#include <cstdint>
#include <cstdio>

using namespace nvcuda;

template <typename T>
__host__ __device__ double value_of(T x) {
  return static_cast<double>(x);
}
template <>
__host__ __device__ double value_of(half x) {
  return static_cast<double>(__half2float(x));
}
template <>
__host__ __device__ double value_of(__nv_bfloat16 x) {
  return static_cast<double>(__bfloat162float(x));
}

template <typename Element, typename Stored, typename Sum, int M, int N, int K, typename LayoutA,
          typename LayoutB>
__global__ void product(const Stored* a, const Stored* b, const Sum* c, Sum* d, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, Element, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, Element, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc;
  const bool rows = layout == wmma::mem_row_major;
  wmma::load_matrix_sync(fa, a, std::is_same<LayoutA, wmma::row_major>::value ? K + 16 : M + 16);
  wmma::load_matrix_sync(fb, b, std::is_same<LayoutB, wmma::row_major>::value ? N + 16 : K + 16);
  wmma::load_matrix_sync(fc, c, rows ? N + 16 : M + 16, layout);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + fc.x[i];
  wmma::store_matrix_sync(d, fc, rows ? N + 16 : M + 16, layout);
}

template <typename Element, typename Stored, typename Sum, int M, int N, int K, typename LayoutA,
          typename LayoutB>
void check(const char* name, int low) {
  const bool a_rows = std::is_same<LayoutA, wmma::row_major>::value;
  const bool b_rows = std::is_same<LayoutB, wmma::row_major>::value;
  Stored *a, *b;
  Sum *c, *d;
  cudaMallocManaged(&a, 2048 * sizeof *a);
  cudaMallocManaged(&b, 2048 * sizeof *b);
  cudaMallocManaged(&c, 2048 * sizeof *c);
  cudaMallocManaged(&d, 2048 * sizeof *d);
  int wrong = 0;
  double total = 0;
  for (const auto layout : {wmma::mem_row_major, wmma::mem_col_major}) {
    for (int i = 0; i < 2048; ++i) {
      a[i] = static_cast<Stored>(static_cast<float>(i * 7 % 11 + low));
      b[i] = static_cast<Stored>(static_cast<float>(i * 5 % 13 + low));
      c[i] = static_cast<Sum>(static_cast<float>(i % 17));
      d[i] = static_cast<Sum>(0.0f);
    }
    product<Element, Stored, Sum, M, N, K, LayoutA, LayoutB><<<1, 32>>>(a, b, c, d, layout);
    cudaDeviceSynchronize();
    for (int i = 0; i < M; ++i) {
      for (int j = 0; j < N; ++j) {
        const int at = layout == wmma::mem_row_major ? i * (N + 16) + j : j * (M + 16) + i;
        double sum = value_of(c[at]);
        for (int k = 0; k < K; ++k) {
          sum += value_of(a[a_rows ? i * (K + 16) + k : k * (M + 16) + i]) *
                 value_of(b[b_rows ? k * (N + 16) + j : j * (K + 16) + k]);
        }
        wrong += value_of(d[at]) != 2 * sum;
        total += value_of(d[at]) * (i + 1);
      }
    }
  }
  printf("%s %dx%dx%d %c%c: %d wrong, %.0f\n", name, M, N, K, a_rows ? 'r' : 'c', b_rows ? 'r' : 'c', wrong,
         total);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

template <typename Element, typename Stored, typename Sum, int M, int N, int K>
void check_layouts(const char* name, int low) {
  check<Element, Stored, Sum, M, N, K, wmma::row_major, wmma::row_major>(name, low);
  check<Element, Stored, Sum, M, N, K, wmma::row_major, wmma::col_major>(name, low);
  check<Element, Stored, Sum, M, N, K, wmma::col_major, wmma::row_major>(name, low);
  check<Element, Stored, Sum, M, N, K, wmma::col_major, wmma::col_major>(name, low);
}
template <typename Element, typename Sum>
void check_shapes(const char* name, int low) {
  check_layouts<Element, Element, Sum, 16, 16, 16>(name, low);
  check_layouts<Element, Element, Sum, 32, 8, 16>(name, low);
  check_layouts<Element, Element, Sum, 8, 32, 16>(name, low);
}

// d = a b + c with a 16x16 in shared memory through ldmatrix, and mma.sync m16n8k16.
__global__ void with_ptx(const half* a, const half* b, float* d) {
  __shared__ alignas(16) half tile[16 * 16];
  const int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32) tile[i] = a[i];
  __syncwarp();
  uint32_t ra[4], rb[2];
  const uint32_t row = static_cast<uint32_t>(__cvta_generic_to_shared(tile + lane % 16 * 16 + lane / 16 * 8));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
               : "r"(row));
  // b: 16 x 8, row by row; a register holds two rows of one column.
  for (int i = 0; i < 2; ++i) {
    const int k = lane % 4 * 2 + i * 8, n = lane / 4;
    const __half2 pair = __halves2half2(b[k * 8 + n], b[(k + 1) * 8 + n]);
    rb[i] = *reinterpret_cast<const uint32_t*>(&pair);
  }
  float c[4] = {1, 2, 3, 4};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; ++i) d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
}

__global__ void bytes_with_ptx(const int* a, const int* b, int* d) {  // m16n8k32: words of four bytes
  const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  int c[4] = {0, 0, 0, 0};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[g * 8 + t]), "r"(a[(g + 8) * 8 + t]), "r"(a[g * 8 + t + 4]), "r"(a[(g + 8) * 8 + t + 4]),
        "r"(b[g * 8 + t]), "r"(b[g * 8 + t + 4]));
  for (int i = 0; i < 4; ++i) d[(g + i / 2 * 8) * 8 + t * 2 + i % 2] = c[i];
}

int main() {
  check_shapes<half, float>("half-float", -3);
  check_shapes<half, half>("half-half", -2);
  check_shapes<__nv_bfloat16, float>("bf16", -3);
  check_shapes<signed char, int>("s8", -5);
  check_shapes<unsigned char, int>("u8", 3);
  check_layouts<wmma::precision::tf32, float, float, 16, 16, 8>("tf32", -4);
  check_layouts<double, double, double, 8, 8, 4>("double", -4);

  half *a, *b;
  float* d;
  cudaMallocManaged(&a, 256 * sizeof *a);
  cudaMallocManaged(&b, 128 * sizeof *b);
  cudaMallocManaged(&d, 128 * sizeof *d);
  for (int i = 0; i < 256; ++i) a[i] = __float2half(static_cast<float>(i * 3 % 7 - 2));
  for (int i = 0; i < 128; ++i) b[i] = __float2half(static_cast<float>(i * 5 % 9 - 4));
  with_ptx<<<1, 32>>>(a, b, d);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      float sum = static_cast<float>(1 + i / 8 * 2 + j % 2);
      for (int k = 0; k < 16; ++k) sum += __half2float(a[i * 16 + k]) * __half2float(b[k * 8 + j]);
      wrong += d[i * 8 + j] != sum;
    }
  }
  printf("ldmatrix and mma.sync: %d wrong, %g %g\n", wrong, d[0], d[127]);

  int *ia, *ib, *id;
  cudaMallocManaged(&ia, 128 * sizeof *ia);
  cudaMallocManaged(&ib, 64 * sizeof *ib);
  cudaMallocManaged(&id, 128 * sizeof *id);
  for (int i = 0; i < 128; ++i) ia[i] = static_cast<int>(i * 0x01030709u);
  for (int i = 0; i < 64; ++i) ib[i] = static_cast<int>(i * 0x0b050301u + 0x11u);
  bytes_with_ptx<<<1, 32>>>(ia, ib, id);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      int sum = 0;
      for (int k = 0; k < 32; ++k) {
        sum += static_cast<signed char>(ia[i * 8 + k / 4] >> 8 * (k % 4)) *
               static_cast<signed char>(ib[j * 8 + k / 4] >> 8 * (k % 4));
      }
      wrong += id[i * 8 + j] != sum;
    }
  }
  printf("bytes: %d wrong, %d %d\n", wrong, id[0], id[127]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
