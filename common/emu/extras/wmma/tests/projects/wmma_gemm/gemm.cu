// D = alpha * A * B + beta * C with tensor cores: half and bfloat16 inputs, float accumulation; int8 as well.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;

const int WMMA_M = 16;
const int WMMA_N = 16;
const int WMMA_K = 16;

// Performs an MxNxK GEMM assuming: matrices are packed, M, N and K are multiples of 16. Each warp makes one 16x16 tile.
template <typename T>
__global__ void wmma_example(const T *a, const T *b, const float *c, float *d, int M, int N, int K, float alpha, float beta) {
   int lda = M;
   int ldb = K;
   int ldc = M;
   // Tile using a 2D grid
   int warpM = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
   int warpN = (blockIdx.y * blockDim.y + threadIdx.y);
   // Declare the fragments
   wmma::fragment<wmma::matrix_a, WMMA_M, WMMA_N, WMMA_K, T, wmma::col_major> a_frag;
   wmma::fragment<wmma::matrix_b, WMMA_M, WMMA_N, WMMA_K, T, wmma::col_major> b_frag;
   wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> acc_frag;
   wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> c_frag;
   wmma::fill_fragment(acc_frag, 0.0f);
   // Loop over k
   for (int i = 0; i < K; i += WMMA_K) {
      int aRow = warpM * WMMA_M;
      int aCol = i;
      int bRow = i;
      int bCol = warpN * WMMA_N;
      // Bounds checking
      if (aRow < M && aCol < K && bRow < K && bCol < N) {
         wmma::load_matrix_sync(a_frag, a + aRow + aCol * lda, lda);
         wmma::load_matrix_sync(b_frag, b + bRow + bCol * ldb, ldb);
         wmma::mma_sync(acc_frag, a_frag, b_frag, acc_frag);
      }
   }
   // Load in the current value of c, scale it by beta, and add this our result scaled by alpha
   int cRow = warpM * WMMA_M;
   int cCol = warpN * WMMA_N;
   if (cRow < M && cCol < N) {
      wmma::load_matrix_sync(c_frag, c + cRow + cCol * ldc, ldc, wmma::mem_col_major);
      for (int i = 0; i < c_frag.num_elements; i++) {
         c_frag.x[i] = alpha * acc_frag.x[i] + beta * c_frag.x[i];
      }
      wmma::store_matrix_sync(d + cRow + cCol * ldc, c_frag, ldc, wmma::mem_col_major);
   }
}

// Also transposes a tile: it is loaded by columns and stored by rows.
__global__ void wmma_int8(const signed char *a, const signed char *b, int *d, int n) {
   __shared__ int tile[16 * 16];
   wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
   wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> fb;
   wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc;
   wmma::fill_fragment(acc, 0);
   for (int k = 0; k < n; k += 16) {
      wmma::load_matrix_sync(fa, a + blockIdx.y * 16 * n + k, n);
      wmma::load_matrix_sync(fb, b + k * n + blockIdx.x * 16, n);
      wmma::mma_sync(acc, fa, fb, acc);
   }
   wmma::store_matrix_sync(tile, acc, 16, wmma::mem_row_major);
   __syncwarp();
   for (int i = threadIdx.x; i < 256; i += 32) {
      const int row = i / 16, column = i % 16;
      d[(blockIdx.x * 16 + row) * n + blockIdx.y * 16 + column] = tile[column * 16 + row];
   }
}

template <typename T>
static bool run(const char *name, int M, int N, int K) {
   std::vector<T> a(M * K), b(K * N);
   std::vector<float> c(M * N), d(M * N);
   for (int i = 0; i < M * K; i++) a[i] = T((float)(i * 7 % 13 - 6) * 0.25f);
   for (int i = 0; i < K * N; i++) b[i] = T((float)(i * 5 % 11 - 5) * 0.5f);
   for (int i = 0; i < M * N; i++) c[i] = i % 3;
   T *da, *db;
   float *dc, *dd;
   cudaMalloc(&da, a.size() * sizeof(T));
   cudaMalloc(&db, b.size() * sizeof(T));
   cudaMalloc(&dc, c.size() * sizeof(float));
   cudaMalloc(&dd, d.size() * sizeof(float));
   cudaMemcpy(da, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
   cudaMemcpy(db, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
   cudaMemcpy(dc, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
   // blockDim.x must be a multple of warpSize: 128x4 means we have 16 warps and a block computes a 64x64 output tile
   dim3 blockDim(128, 4);
   dim3 gridDim((M + (WMMA_M * blockDim.x / 32 - 1)) / (WMMA_M * blockDim.x / 32), (N + WMMA_N * blockDim.y - 1) / (WMMA_N * blockDim.y));
   wmma_example<T><<<gridDim, blockDim>>>(da, db, dc, dd, M, N, K, 2.0f, 0.5f);
   cudaError_t e = cudaDeviceSynchronize();
   cudaMemcpy(d.data(), dd, d.size() * sizeof(float), cudaMemcpyDeviceToHost);
   int wrong = 0;
   for (int j = 0; j < N; j++)
      for (int i = 0; i < M; i++) {
         double sum = 0;
         for (int k = 0; k < K; k++) sum += (double)(float)a[i + k * M] * (double)(float)b[k + j * K];
         if (std::fabs(2.0 * sum + 0.5 * c[i + j * M] - d[i + j * M]) > 1e-3) wrong++;
      }
   printf("%s %dx%dx%d: %d wrong (%s)\n", name, M, N, K, wrong, cudaGetErrorString(e));
   cudaFree(da); cudaFree(db); cudaFree(dc); cudaFree(dd);
   return wrong == 0;
}

int main() {
   bool ok = run<half>("half", 64, 48, 80);
   ok &= run<__nv_bfloat16>("bfloat16", 80, 64, 32);
   const int n = 48;
   std::vector<signed char> a(n * n), b(n * n);
   std::vector<int> d(n * n);
   for (int i = 0; i < n * n; i++) { a[i] = (signed char)(i * 29 % 255 - 127); b[i] = (signed char)(i * 53 % 251 - 125); }
   signed char *da, *db;
   int *dd, wrong = 0;
   cudaMalloc(&da, n * n);
   cudaMalloc(&db, n * n);
   cudaMalloc(&dd, n * n * sizeof(int));
   cudaMemcpy(da, a.data(), n * n, cudaMemcpyHostToDevice);
   cudaMemcpy(db, b.data(), n * n, cudaMemcpyHostToDevice);
   wmma_int8<<<dim3(n / 16, n / 16), 32>>>(da, db, dd, n);
   cudaMemcpy(d.data(), dd, n * n * sizeof(int), cudaMemcpyDeviceToHost);
   for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
         int sum = 0;
         for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
         wrong += d[j * n + i] != sum;
      }
   printf("int8 transposed product: %d wrong\n", wrong);
   return !(ok && wrong == 0);
}
