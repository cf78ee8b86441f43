// techniques.cu: the code of techniques.md, as a program that tests itself. Build it with nvcc or emucc, and run it.
//
//   a      (n, width) row-major, device memory: thread t works on column t, so that neighbouring threads read
//          neighbouring elements
//   sums   (width), device memory, written
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

// Unchanged: an addition, and for each one a comparison, an increment of i and a jump.
__global__ void columnSums(float* sums, const float* a, int n, int width) {
  const int t = threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum += a[i * width + t];
  sums[t] = sum;
}

// Unrolled by 2, for even n only: for odd n the last iteration would read a row beyond the array.
__global__ void columnSumsEven(float* sums, const float* a, int n, int width) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += 2) {
    sum += a[i * width + t];
    sum += a[(i + 1) * width + t];
  }
  sums[t] = sum;
}

// Unrolled by 2, for any n: for odd n one element remains.
__global__ void columnSumsAny(float* sums, const float* a, int n, int width) {
  const int t = threadIdx.x;
  float sum = 0;
  int i = 0;
  for (; i + 1 < n; i += 2) {
    sum += a[i * width + t];
    sum += a[(i + 1) * width + t];
  }
  if (i < n) sum += a[i * width + t];
  sums[t] = sum;
}

// Unrolled by any factor: the compiler generates the remainder, of up to `factor` - 1 elements.
template <int factor>
__global__ void columnSumsBy(float* sums, const float* a, int n, int width) {
  const int t = threadIdx.x;
  float sum = 0;
#pragma unroll factor
  for (int i = 0; i < n; ++i) sum += a[i * width + t];
  sums[t] = sum;
}

// Four independent sums: no addition waits for the previous one. The additions are in another order, so their
// rounding differs.
__global__ void columnSumsBeside(float* sums, const float* a, int n, int width) {
  const int t = threadIdx.x;
  float part[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 3 < n; i += 4) {
#pragma unroll
    for (int j = 0; j < 4; ++j) part[j] += a[(i + j) * width + t];
  }
  for (; i < n; ++i) part[0] += a[i * width + t];
  sums[t] = (part[0] + part[1]) + (part[2] + part[3]);
}

// Prefetching: the load for the next iteration begins before this iteration's value is used.
__global__ void columnSumsAhead(float* sums, const float* a, int n, int width) {
  const int t = threadIdx.x;
  float sum = 0;
  float next = n > 0 ? a[t] : 0;
  for (int i = 0; i < n; ++i) {
    const float now = next;
    if (i + 1 < n) next = a[(i + 1) * width + t];
    sum += now;
  }
  sums[t] = sum;
}

// The sum of all products u[k] * v[i], of which there are n * m. Three loads and a store for each:
__global__ void productsInMemory(float* sum, const float* u, const float* v, int n, int m) {
  *sum = 0;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < m; ++i) *sum += u[k] * v[i];
  }
}

// The sum in a register: two loads for each product, and one store at the end.
__global__ void productsInRegister(float* sum, const float* u, const float* v, int n, int m) {
  float mine = 0;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < m; ++i) mine += u[k] * v[i];
  }
  *sum = mine;
}

// The factor that is constant in the inner loop is in a register too: n + n * m loads.
__global__ void productsWithFactor(float* sum, const float* u, const float* v, int n, int m) {
  float mine = 0;
  for (int k = 0; k < n; ++k) {
    const float factor = u[k];
    for (int i = 0; i < m; ++i) mine += factor * v[i];
  }
  *sum = mine;
}

// Working size: each thread adds up `work` columns, with one factor for all of them.
//   weights   (n), device memory; a column's sum is that of weights[i] * a[i][column]
template <int work>
__global__ void weightedSums(float* sums, const float* weights, const float* a, int n, int width) {
  const int t = threadIdx.x;
  float sum[work] = {};
  for (int i = 0; i < n; ++i) {
    const float weight = weights[i];  // one load for `work` multiplications
#pragma unroll
    for (int w = 0; w < work; ++w) sum[w] += weight * a[i * width + w * blockDim.x + t];
  }
#pragma unroll
  for (int w = 0; w < work; ++w) sums[w * blockDim.x + t] = sum[w];
}

// Manual spilling: a rarely needed value is kept in shared memory, where it takes no register.
__global__ void columnSumsSpilled(float* sums, const float* a, int n, int width) {
  __shared__ int spilled[1024];
  spilled[threadIdx.x] = threadIdx.x;  // each thread has its own element: no barrier is needed
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i * width + threadIdx.x];
  sums[spilled[threadIdx.x]] = sum;
}

// ---- the test --------------------------------------------------------------------------------------------

namespace {

constexpr int width = 64, most_rows = 9;

template <typename T>
T* onDevice(const std::vector<T>& from) {
  T* to = nullptr;
  cudaMalloc(&to, from.size() * sizeof(T));
  cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}

// Compares, and leaves NaN in d_sums, so that no kernel profits from another's results.
bool agree(const char* what, int n, float* d_sums, const std::vector<float>& expected) {
  std::vector<float> got(expected.size());
  const cudaError_t error =
      cudaMemcpy(got.data(), d_sums, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemset(d_sums, 0xff, got.size() * sizeof(float));
  if (error == cudaSuccess && got == expected) return true;
  std::printf("%s, n = %d: wrong (%s)\n", what, n, cudaGetErrorString(error));
  return false;
}

}  // namespace

int main() {
  std::vector<float> a(most_rows * width), weights(most_rows);
  for (int i = 0; i < most_rows; ++i) {
    weights[i] = static_cast<float>(i % 5 - 2);
    for (int t = 0; t < width; ++t) a[i * width + t] = static_cast<float>((7 * i + 3 * t) % 11);
  }
  float* const d_a = onDevice(a);
  float* const d_weights = onDevice(weights);
  float* const d_sums = onDevice(std::vector<float>(width));
  bool right = true;
  for (int n = 0; n <= most_rows; ++n) {  // even and odd, none, fewer than a factor and more
    std::vector<float> plain(width), weighted(width);
    for (int i = 0; i < n; ++i) {
      for (int t = 0; t < width; ++t) {
        plain[t] += a[i * width + t];
        weighted[t] += weights[i] * a[i * width + t];
      }
    }
    columnSums<<<1, width>>>(d_sums, d_a, n, width);
    right &= agree("columnSums", n, d_sums, plain);
    if (n % 2 == 0) {
      columnSumsEven<<<1, width>>>(d_sums, d_a, n, width);
      right &= agree("columnSumsEven", n, d_sums, plain);
    }
    columnSumsAny<<<1, width>>>(d_sums, d_a, n, width);
    right &= agree("columnSumsAny", n, d_sums, plain);
    columnSumsBy<4><<<1, width>>>(d_sums, d_a, n, width);
    right &= agree("columnSumsBy<4>", n, d_sums, plain);
    columnSumsBeside<<<1, width>>>(d_sums, d_a, n, width);
    right &= agree("columnSumsBeside", n, d_sums, plain);
    columnSumsAhead<<<1, width>>>(d_sums, d_a, n, width);
    right &= agree("columnSumsAhead", n, d_sums, plain);
    columnSumsSpilled<<<1, width>>>(d_sums, d_a, n, width);
    right &= agree("columnSumsSpilled", n, d_sums, plain);
    weightedSums<4><<<1, width / 4>>>(d_sums, d_weights, d_a, n, width);
    right &= agree("weightedSums<4>", n, d_sums, weighted);
  }

  constexpr int n = 4, m = 6;  // the page counts the loads of these
  std::vector<float> sum(1);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < m; ++i) sum[0] += weights[k] * a[i];
  }
  productsInMemory<<<1, 1>>>(d_sums, d_weights, d_a, n, m);
  right &= agree("productsInMemory", n, d_sums, sum);
  productsInRegister<<<1, 1>>>(d_sums, d_weights, d_a, n, m);
  right &= agree("productsInRegister", n, d_sums, sum);
  productsWithFactor<<<1, 1>>>(d_sums, d_weights, d_a, n, m);
  right &= agree("productsWithFactor", n, d_sums, sum);

  for (float* const pointer : {d_a, d_weights, d_sums}) cudaFree(pointer);
  std::printf("%s\n", right ? "All right." : "Something is wrong.");
  return right ? 0 : 1;
}
