// emucc: -lcublas
// Ways to call cuBLAS: types given by arguments, locations of scalars, streams and graphs, copies, statuses.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void require(cublasStatus_t status, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::printf("line %d: %s\n", line, cublasGetStatusName(status));
  std::exit(1);
}
#define REQUIRE(CALL) require(CALL, __LINE__)

template <class T>
T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <class T>
std::vector<T> to_host(const T* device, std::size_t count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

constexpr int m = 16, n = 8, k = 24;

/// Quarters from −2 to 2. They are exact in all types except integers, whose values are four times as large.
static double quarter(int i) { return (i * 7 % 17 - 8) / 4.0; }

template <class T> double value(T x) { return static_cast<double>(static_cast<float>(x)); }

/// Computes C = alpha A B + beta C in the given types.
/// @param rounding of the result, relative
template <class AB, class C, class Scale>
void product(cublasHandle_t handle, const char* name, cudaDataType ab, cudaDataType c, cublasComputeType_t compute, Scale alpha,
             Scale beta, double scale, double rounding) {
  std::vector<AB> A(m * k), B(k * n);
  std::vector<C> before(m * n);
  for (int i = 0; i < m * k; ++i) A[i] = AB(static_cast<float>(scale * quarter(i)));
  for (int i = 0; i < k * n; ++i) B[i] = AB(static_cast<float>(scale * quarter(i + 5)));
  for (int i = 0; i < m * n; ++i) before[i] = C(static_cast<float>(scale * quarter(i + 11)));
  AB *a = to_device(A), *b = to_device(B);
  C* out = to_device(before);
  REQUIRE(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, ab, m, b, ab, k, &beta, out, c, m, compute,
                       CUBLAS_GEMM_DEFAULT));
  const auto got = to_host(out, m * n);
  int wrong = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0, size = 0;
      for (int p = 0; p < k; ++p) {
        sum += value(A[i + p * m]) * value(B[p + j * k]);
        size += std::fabs(value(A[i + p * m]) * value(B[p + j * k]));
      }
      const double right = value(alpha) * sum + value(beta) * value(before[i + j * m]);
      // Products of quarters and their sums are exact in float. So only the result is rounded.
      if (!(std::fabs(value(got[i + j * m]) - right) <= rounding * (std::fabs(right) + size))) ++wrong;
    }
  std::printf("%-22s %d wrong\n", name, wrong);
  cudaFree(a), cudaFree(b), cudaFree(out);
}

static void types(cublasHandle_t h) {
  constexpr double half_rounding = 1.0 / 1024, bf16_rounding = 1.0 / 128;
  product<__half, __half, float>(h, "half in float", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 1.5f, -0.5f, 1, half_rounding);
  product<__half, float, float>(h, "half to float", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1.5f, -0.5f, 1, 1e-6);
  product<__half, __half, __half>(h, "half in half", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, __half(1.5f), __half(-0.5f), 1,
                                  8 * half_rounding);
  product<__nv_bfloat16, __nv_bfloat16, float>(h, "bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 1.5f, 0.5f, 1,
                                               bf16_rounding);
  product<__nv_bfloat16, float, float>(h, "bfloat16 to float", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1.5f, 0.5f, 1, 1e-6);
  product<std::int8_t, std::int32_t, std::int32_t>(h, "int8 to int32", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 1, 0, 4, 0);
  product<float, float, float>(h, "float", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1.5f, -0.5f, 1, 1e-6);
  product<float, float, float>(h, "float as TF32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 1.5f, -0.5f, 1, 1e-3);

  // Older programs give the computation as a data type. Also vectors of halves, computed in float.
  std::vector<__half> x(50), y(50);
  double dot = 0, squares = 0;
  for (int i = 0; i < 50; ++i) {
    x[i] = __half(static_cast<float>(quarter(i)));
    y[i] = __half(static_cast<float>(quarter(3 * i)));
    dot += quarter(i) * quarter(3 * i);
    squares += quarter(i) * quarter(i);
  }
  __half *dx = to_device(x), *dy = to_device(y);
  const float one = 1, two = 2, zero = 0;
  __half sum, norm;
  REQUIRE(cublasDotEx(h, 50, dx, CUDA_R_16F, 1, dy, CUDA_R_16F, 1, &sum, CUDA_R_16F, CUDA_R_32F));
  REQUIRE(cublasNrm2Ex(h, 50, dx, CUDA_R_16F, 1, &norm, CUDA_R_16F, CUDA_R_32F));
  std::printf("dot of halves %s, norm %s\n", std::fabs(value(sum) - dot) <= std::fabs(dot) / 1024 ? "right" : "wrong",
              std::fabs(value(norm) - std::sqrt(squares)) <= std::sqrt(squares) / 1024 ? "right" : "wrong");
  REQUIRE(cublasAxpyEx(h, 50, &two, CUDA_R_32F, dx, CUDA_R_16F, 1, dy, CUDA_R_16F, 1, CUDA_R_32F));
  REQUIRE(cublasScalEx(h, 50, &two, CUDA_R_32F, dx, CUDA_R_16F, 1, CUDA_R_32F));
  const auto scaled = to_host(dx, 50), added = to_host(dy, 50);
  int wrong = 0;
  for (int i = 0; i < 50; ++i)
    wrong += value(scaled[i]) != 2 * quarter(i) || value(added[i]) != quarter(3 * i) + 2 * quarter(i);
  std::printf("axpy and scal of halves: %d wrong\n", wrong);
  __half* square = dx;
  REQUIRE(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, dy, CUDA_R_16F, 4, dy, CUDA_R_16F, 4, &zero, square, CUDA_R_16F, 4,
                       CUDA_R_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
  float first = 0;
  for (int p = 0; p < 4; ++p) first += static_cast<float>(value(added[4 * p]) * value(added[p]));
  std::printf("older form: %s\n", value(to_host(square, 1)[0]) == first ? "right" : "wrong");
  cudaFree(dx), cudaFree(dy);
}

/// Fills an array after some time.
__global__ void fill_late(float* out, int count, float with, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = with;
}
__global__ void add_one(float* out, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] += 1;
}

static void places(cublasHandle_t h) {
  // Scalars and results are on the device, so no call waits.
  constexpr int count = 100;
  std::vector<float> ones(count, 1.0f);
  float *x = to_device(ones), *y = to_device(ones), *scalars = to_device(std::vector<float>{3, 0});
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  REQUIRE(cublasSetStream(h, stream));
  cudaStream_t kept = nullptr;
  REQUIRE(cublasGetStream(h, &kept));
  cublasPointerMode_t mode;
  REQUIRE(cublasGetPointerMode(h, &mode));
  std::printf("stream kept: %d, pointer mode %d\n", kept == stream, mode);
  REQUIRE(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
  // Kernels before and after it in the stream: 2 fills x, y += 3 x, y += 1, and the sum of y.
  fill_late<<<1, 32, 0, stream>>>(x, count, 2, 20000000);
  REQUIRE(cublasSaxpy(h, count, scalars, x, 1, y, 1));
  add_one<<<1, 32, 0, stream>>>(y, count);
  REQUIRE(cublasSasum(h, count, y, 1, scalars + 1));
  cudaStreamSynchronize(stream);
  std::printf("in the stream's order: %g\n", to_host(scalars, 2)[1]);

  // In a graph: captured without running, then run twice.
  REQUIRE(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
  cudaMemset(y, 0, count * sizeof(float));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  const float half = 0.5f;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  REQUIRE(cublasSaxpy(h, count, &half, x, 1, y, 1));
  add_one<<<1, 32, 0, stream>>>(y, count);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  std::printf("captured: %g", to_host(y, 1)[0]);
  for (int run = 0; run < 2; ++run) {
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    std::printf(", run: %g", to_host(y, 1)[0]);
  }
  std::printf("\n");
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  REQUIRE(cublasSetStream(h, nullptr));
  cudaStreamDestroy(stream);
  cudaFree(x), cudaFree(y), cudaFree(scalars);
}

static void copies() {
  // Columns of 3 rows, out of 5 on the host into 4 on the device; and every second element of a vector.
  std::vector<float> matrix(5 * 3), back(5 * 3, -1.0f), vector(8), spread(8, -1.0f);
  for (int i = 0; i < 15; ++i) matrix[i] = static_cast<float>(i);
  for (int i = 0; i < 8; ++i) vector[i] = static_cast<float>(i);
  float* device = nullptr;
  cudaMalloc(&device, 64 * sizeof(float));
  REQUIRE(cublasSetMatrix(3, 3, sizeof(float), matrix.data(), 5, device, 4));
  REQUIRE(cublasGetMatrix(3, 3, sizeof(float), device, 4, back.data(), 5));
  for (int i = 0; i < 15; ++i) std::printf("%g ", back[i]);
  REQUIRE(cublasSetVector(4, sizeof(float), vector.data(), 2, device, 3));
  REQUIRE(cublasGetVector(4, sizeof(float), device, 3, spread.data(), 1));
  std::printf("| ");
  for (int i = 0; i < 8; ++i) std::printf("%g ", spread[i]);
  std::printf("\n%s\n", cublasGetStatusName(cublasSetMatrix(3, 3, 0, matrix.data(), 5, device, 4)));
  cudaFree(device);
}

static void statuses(cublasHandle_t h) {
  float* x = nullptr;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  const float one = 1;
  const auto told = [](const char* what, cublasStatus_t status) {
    std::printf("%-20s %d %s\n", what, static_cast<int>(status), cublasGetStatusName(status));
  };
  told("all right", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 2, x + 8, 2, &one, x + 16, 2));
  told("nothing to do", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 0, 2, 2, &one, x, 2, x + 8, 2, &one, x + 16, 2));
  told("a negative size", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, -1, 2, 2, &one, x, 2, x + 8, 2, &one, x + 16, 2));
  told("leading dimension", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 2, 2, &one, x, 2, x + 8, 2, &one, x + 16, 4));
  told("of its transpose", cublasSgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, 4, 2, 2, &one, x, 2, x + 8, 2, &one, x + 16, 4));
  told("no handle", cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 2, x + 8, 2, &one, x + 16, 2));
  told("no such product", cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, CUDA_R_32F, 2, x + 8, CUDA_R_16F, 2, &one,
                                       x + 16, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  REQUIRE(cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH));
  cublasMath_t math;
  REQUIRE(cublasGetMathMode(h, &math));
  REQUIRE(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH));
  std::printf("math mode %d; %s\n", math, cublasGetStatusString(CUBLAS_STATUS_SUCCESS));
  cudaFree(x);
}

int main() {
  cublasHandle_t handle;
  REQUIRE(cublasCreate(&handle));
  types(handle);
  places(handle);
  copies();
  statuses(handle);
  REQUIRE(cublasDestroy(handle));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
