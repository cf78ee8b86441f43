// emucc: -lcublasLt -lcublas
// cuBLASLt: products with epilogues, layouts by rows and by columns, batches, and transformations.
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void require(cublasStatus_t status, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::printf("line %d: %s\n", line, cublasLtGetStatusName(status));
  std::exit(1);
}
#define REQUIRE(CALL) require(CALL, __LINE__)

constexpr int m = 32, n = 16, k = 24;  // sizes that suit tensor cores
static double quarter(int i) { return (i * 7 % 17 - 8) / 16.0; }

template <class T>
struct Device {
  std::vector<T> host;
  T* at = nullptr;
  Device(std::size_t count, int seed) : host(count) {
    for (std::size_t i = 0; i < count; ++i) host[i] = T(static_cast<float>(quarter(static_cast<int>(i) + seed)));
    cudaMalloc(&at, count * sizeof(T));
    cudaMemcpy(at, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Device() { cudaFree(at); }
  Device(const Device&) = delete;
  void fetch() { cudaMemcpy(host.data(), at, host.size() * sizeof(T), cudaMemcpyDeviceToHost); }
  double operator[](std::size_t i) const { return static_cast<double>(static_cast<float>(host[i])); }
};

struct Layout {
  cublasLtMatrixLayout_t handle = nullptr;
  Layout(cudaDataType type, int rows, int columns, int leading, int count = 1, std::int64_t offset = 0) {
    REQUIRE(cublasLtMatrixLayoutCreate(&handle, type, rows, columns, leading));
    if (count == 1) return;
    REQUIRE(cublasLtMatrixLayoutSetAttribute(handle, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
    REQUIRE(cublasLtMatrixLayoutSetAttribute(handle, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &offset, sizeof offset));
  }
  ~Layout() { cublasLtMatrixLayoutDestroy(handle); }
  Layout(const Layout&) = delete;
  void by_rows() {
    const std::int32_t order = CUBLASLT_ORDER_ROW;
    REQUIRE(cublasLtMatrixLayoutSetAttribute(handle, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  }
};
struct Operation {
  cublasLtMatmulDesc_t handle = nullptr;
  Operation() { REQUIRE(cublasLtMatmulDescCreate(&handle, CUBLAS_COMPUTE_32F, CUDA_R_32F)); }
  ~Operation() { cublasLtMatmulDescDestroy(handle); }
  Operation(const Operation&) = delete;
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    REQUIRE(cublasLtMatmulDescSetAttribute(handle, attribute, &value, sizeof value));
  }
};

static void run(cublasLtHandle_t lt, const Operation& operation, const void* A, const Layout& a, const void* B, const Layout& b,
                float beta, const void* C, void* D, const Layout& d) {
  cublasLtMatmulPreference_t preference;
  REQUIRE(cublasLtMatmulPreferenceCreate(&preference));
  const std::size_t workspace_bytes = 1 << 20;
  REQUIRE(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                                               sizeof workspace_bytes));
  cublasLtMatmulHeuristicResult_t found;
  int count = 0;
  REQUIRE(cublasLtMatmulAlgoGetHeuristic(lt, operation.handle, a.handle, b.handle, d.handle, d.handle, preference, 1, &found, &count));
  if (count != 1 || found.state != CUBLAS_STATUS_SUCCESS || found.workspaceSize > workspace_bytes) std::printf("no algorithm\n");
  void* workspace = nullptr;
  cudaMalloc(&workspace, workspace_bytes);
  const float alpha = 1.5f;
  REQUIRE(cublasLtMatmul(lt, operation.handle, &alpha, A, a.handle, B, b.handle, &beta, C, d.handle, D, d.handle, &found.algo, workspace,
                         workspace_bytes, nullptr));
  cudaDeviceSynchronize();
  cudaFree(workspace);
  REQUIRE(cublasLtMatmulPreferenceDestroy(preference));
}

static double gelu(double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }

/// D = epilogue(1.5 Aᵀ B − 0.5 C) in halves. Aᵀ is the form that tensor cores prefer.
static void epilogues(cublasLtHandle_t lt) {
  const Device<__half> A(k * m, 0), B(k * n, 5), C(m * n, 9);
  const Device<__half> bias(m, 3);
  const Layout a(CUDA_R_16F, k, m, k), b(CUDA_R_16F, k, n, k), d(CUDA_R_16F, m, n, m);
  struct Case {
    const char* name;
    cublasLtEpilogue_t epilogue;
  };
  for (const Case& one : {Case{"plain", CUBLASLT_EPILOGUE_DEFAULT}, {"bias", CUBLASLT_EPILOGUE_BIAS}, {"relu", CUBLASLT_EPILOGUE_RELU},
                          {"relu, bias", CUBLASLT_EPILOGUE_RELU_BIAS}, {"gelu", CUBLASLT_EPILOGUE_GELU},
                          {"gelu, bias", CUBLASLT_EPILOGUE_GELU_BIAS}, {"relu, mask", CUBLASLT_EPILOGUE_RELU_AUX},
                          {"gelu, input", CUBLASLT_EPILOGUE_GELU_AUX_BIAS}}) {
    Device<__half> D(m * n, 0), aux(m * n, 0);
    // The leading dimension of a mask of bits must be a multiple of 128.
    std::vector<unsigned char> mask(128 / 8 * n);
    unsigned char* device_mask = nullptr;
    cudaMalloc(&device_mask, mask.size());
    cudaMemset(device_mask, 0, mask.size());
    Operation operation;
    operation.set(CUBLASLT_MATMUL_DESC_TRANSA, static_cast<std::int32_t>(CUBLAS_OP_T));
    operation.set(CUBLASLT_MATMUL_DESC_EPILOGUE, one.epilogue);
    const bool has_bias = (one.epilogue & 4) != 0, is_relu = (one.epilogue & 2) != 0, is_gelu = (one.epilogue & 32) != 0;
    const bool has_aux = (one.epilogue & 128) != 0;
    if (has_bias) operation.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(bias.at));
    if (has_aux) {
      operation.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, is_relu ? static_cast<void*>(device_mask) : static_cast<void*>(aux.at));
      operation.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{is_relu ? 128 : m});
    }
    run(lt, operation, A.at, a, B.at, b, -0.5f, C.at, D.at, d);
    D.fetch(), aux.fetch();
    cudaMemcpy(mask.data(), device_mask, mask.size(), cudaMemcpyDeviceToHost);
    int wrong = 0, wrong_aux = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        double x = -0.5 * C[i + j * m];
        for (int p = 0; p < k; ++p) x += 1.5 * A[p + i * k] * B[p + j * k];
        if (has_bias) x += bias[i];
        if (has_aux && is_relu) wrong_aux += ((mask[(i + j * 128) / 8] >> i % 8 & 1) != 0) != (x > 0);
        if (has_aux && is_gelu) wrong_aux += !(std::fabs(aux[i + j * m] - x) <= std::fabs(x) / 1024 + 1e-5);
        const double right = is_relu ? std::max(x, 0.0) : is_gelu ? gelu(x) : x;
        wrong += !(std::fabs(D[i + j * m] - right) <= std::fabs(right) / 1024 + (is_gelu ? 1e-3 : 1e-5));
      }
    std::printf("%-12s %d wrong%s\n", one.name, wrong, !has_aux ? "" : wrong_aux == 0 ? ", kept" : ", not kept");
    cudaFree(device_mask);
  }
}

/// Floats by rows. D is a part of a wider matrix, and C is D.
static void by_rows(cublasLtHandle_t lt) {
  const Device<float> A(m * k, 0), B(k * n, 5);
  Device<float> D(m * 20, 9);
  const std::vector<float> before = D.host;
  Layout a(CUDA_R_32F, m, k, k), b(CUDA_R_32F, k, n, n), d(CUDA_R_32F, m, n, 20);
  a.by_rows(), b.by_rows(), d.by_rows();
  const Operation operation;
  run(lt, operation, A.at, a, B.at, b, 0.25f, D.at, D.at, d);
  D.fetch();
  int wrong = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < 20; ++j) {
      double right = before[i * 20 + j];
      if (j < n) {
        right *= 0.25;
        for (int p = 0; p < k; ++p) right += 1.5 * A[i * k + p] * B[p * n + j];
      }
      wrong += !(std::fabs(D[i * 20 + j] - right) <= 1e-3);  // within TF32's accuracy
    }
  std::printf("by rows: %d wrong\n", wrong);
}

/// Three products with the same B.
static void batch(cublasLtHandle_t lt) {
  constexpr int count = 3;
  const Device<__nv_bfloat16> A(count * m * k, 0), B(k * n, 5);
  Device<float> D(count * m * n, 0);
  const Layout a(CUDA_R_16BF, m, k, m, count, m * k), b(CUDA_R_16BF, k, n, k, count, 0), d(CUDA_R_32F, m, n, m, count, m * n);
  const Operation operation;
  run(lt, operation, A.at, a, B.at, b, 0, D.at, D.at, d);
  D.fetch();
  int wrong = 0;
  for (int one = 0; one < count; ++one)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        double right = 0;
        for (int p = 0; p < k; ++p) right += 1.5 * A[one * m * k + i + p * m] * B[p + j * k];
        wrong += !(std::fabs(D[one * m * n + i + j * m] - right) <= 1e-5);
      }
  std::printf("batch: %d wrong\n", wrong);
}

/// Transforms rows to columns, doubles the values, and adds a transposed matrix.
static void transformation(cublasLtHandle_t lt) {
  const Device<float> A(6 * 4, 0), B(4 * 6, 5);
  Device<float> C(6 * 4, 9);
  Layout a(CUDA_R_32F, 6, 4, 4);
  a.by_rows();
  const Layout b(CUDA_R_32F, 4, 6, 4), c(CUDA_R_32F, 6, 4, 6);
  cublasLtMatrixTransformDesc_t operation;
  REQUIRE(cublasLtMatrixTransformDescCreate(&operation, CUDA_R_32F));
  const std::int32_t transposed = CUBLAS_OP_T;
  REQUIRE(cublasLtMatrixTransformDescSetAttribute(operation, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, &transposed, sizeof transposed));
  const float two = 2, one = 1;
  REQUIRE(cublasLtMatrixTransform(lt, operation, &two, A.at, a.handle, &one, B.at, b.handle, C.at, c.handle, nullptr));
  C.fetch();
  int wrong = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 4; ++j) wrong += C[i + j * 6] != 2 * A[i * 4 + j] + B[j + i * 4];
  std::printf("transformation: %d wrong\n", wrong);
  REQUIRE(cublasLtMatrixTransformDescDestroy(operation));
}

static void attributes() {
  const Layout layout(CUDA_R_16F, 5, 3, 8);
  std::uint64_t rows = 0;
  std::int64_t leading = 0;
  std::int32_t order = -1;
  std::size_t written = 0;
  REQUIRE(cublasLtMatrixLayoutGetAttribute(layout.handle, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof rows, &written));
  REQUIRE(cublasLtMatrixLayoutGetAttribute(layout.handle, CUBLASLT_MATRIX_LAYOUT_LD, &leading, sizeof leading, nullptr));
  REQUIRE(cublasLtMatrixLayoutGetAttribute(layout.handle, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order, nullptr));
  std::printf("rows %d of %d bytes, leading dimension %d, order %d\n", static_cast<int>(rows), static_cast<int>(written),
              static_cast<int>(leading), order);
  std::printf("%s\n", cublasLtGetStatusName(cublasLtMatrixLayoutSetAttribute(layout.handle, CUBLASLT_MATRIX_LAYOUT_ROWS, &order, 2)));
}

int main() {
  cublasLtHandle_t lt;
  REQUIRE(cublasLtCreate(&lt));
  epilogues(lt);
  by_rows(lt);
  batch(lt);
  transformation(lt);
  attributes();
  REQUIRE(cublasLtDestroy(lt));
  return 0;
}
