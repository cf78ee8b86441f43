// cuBLAS: handles, settings, statuses, and copies of vectors and matrices.
#include <cstdio>
#include <new>
#include <utility>

#include "cublas.hpp"

namespace cuemu::cublas {

bool is_present() {
  return library::is_present(library_file, "cuBLAS", "libopenblas0");
}

void* openblas_function(const std::string& name) {
  return library::find_function(library_file, name);
}

cublasStatus_t check(cublasHandle_t handle, std::initializer_list<bool> valid) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool all = std::all_of(valid.begin(), valid.end(), [](bool one) { return one; });
  return all ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

namespace {
/// Returns the first invalid parameter of a product, by its number in BLAS (the handle does not count); 0:
/// all are valid.
int wrong_parameter(cublasOperation_t transa, cublasOperation_t transb, Size m, Size n, Size k, Size lda,
                    Size ldb, Size ldc) {
  const std::pair<int, bool> parameters[] = {{1, is_plain(transa)},
                                             {2, is_plain(transb)},
                                             {3, m >= 0},
                                             {4, n >= 0},
                                             {5, k >= 0},
                                             {8, is_leading_of(transa, lda, m, k)},
                                             {10, is_leading_of(transb, ldb, k, n)},
                                             {13, is_leading(ldc, m)}};
  for (const auto& [number, valid] : parameters)
    if (!valid) return number;
  return 0;
}
}  // namespace

cublasStatus_t check_product(cublasHandle_t handle, const char* routine, cublasOperation_t transa,
                             cublasOperation_t transb, Size m, Size n, Size k, const void* alpha, Size lda,
                             Size ldb, const void* beta, Size ldc) {
  const int wrong = wrong_parameter(transa, transb, m, n, k, lda, ldb, ldc);
  if (handle != nullptr && wrong != 0)
    std::printf(" ** On entry to %s  parameter number %d had an illegal value\n", routine, wrong);
  return check(handle, {wrong == 0, alpha != nullptr, beta != nullptr});
}

cublasStatus_t check_products(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                              Size m, Size n, Size k, const void* alpha, Size lda, Size ldb, const void* beta,
                              Size ldc, Size count) {
  return check(handle, {wrong_parameter(transa, transb, m, n, k, lda, ldb, ldc) == 0, count >= 0,
                        alpha != nullptr, beta != nullptr});
}

namespace {
cublasStatus_t status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUBLAS_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
      return CUBLAS_STATUS_ALLOC_FAILED;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}
}  // namespace

cublasStatus_t submit(cublasHandle_t handle, Uses uses, std::function<void()> work,
                      std::function<Uses()> more_uses) {
  return status_of(library::submit(handle->stream, {std::move(uses), std::move(more_uses), std::move(work)}));
}

cublasStatus_t wait(cublasHandle_t handle) {
  return status_of(cudaStreamSynchronize(handle->stream));
}

namespace {

/// Reads or writes a setting of a handle.
template <class T>
cublasStatus_t read(cublasHandle_t handle, T* to, T cublasContext::*setting) {
  if (const cublasStatus_t status = check(handle, {to != nullptr}); status != CUBLAS_STATUS_SUCCESS)
    return status;
  *to = handle->*setting;
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t write(cublasHandle_t handle, T value, T cublasContext::*setting, bool valid = true) {
  if (const cublasStatus_t status = check(handle, {valid}); status != CUBLAS_STATUS_SUCCESS) return status;
  handle->*setting = value;
  return CUBLAS_STATUS_SUCCESS;
}

struct Status {
  cublasStatus_t status;
  const char* name;
  const char* text;
};
constexpr Status statuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the architecture"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the functionality requested is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR",
     "the functionality requested requires some license and an error was detected when trying to check the "
     "current "
     "licensing"},
};
const Status* find(cublasStatus_t status) {
  const auto* const found = std::find_if(std::begin(statuses), std::end(statuses),
                                         [=](const Status& one) { return one.status == status; });
  return found != std::end(statuses) ? found : nullptr;
}

cublasStatus_t copied(cudaError_t error) {
  return error == cudaSuccess             ? CUBLAS_STATUS_SUCCESS
         : error == cudaErrorInvalidValue ? CUBLAS_STATUS_MAPPING_ERROR
                                          : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// Copies columns of `rows` elements. Waits for the copy, unless the caller gives a stream.
cublasStatus_t copy_matrix(Size rows, Size columns, Size element, const void* from, Size lda, void* to,
                           Size ldb, cudaMemcpyKind kind, const cudaStream_t* stream) {
  if (!are_sizes({rows, columns}) || element <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const std::size_t to_pitch = bytes(ldb * element), from_pitch = bytes(lda * element);
  const std::size_t width = bytes(rows * element), height = bytes(columns);
  return copied(stream != nullptr
                    ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, *stream)
                    : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind));
}

cublasStatus_t SetVector(Size n, Size element, const void* x, Size incx, void* y, Size incy) {
  return copy_matrix(1, n, element, x, incx, y, incy, cudaMemcpyHostToDevice, nullptr);
}
cublasStatus_t GetVector(Size n, Size element, const void* x, Size incx, void* y, Size incy) {
  return copy_matrix(1, n, element, x, incx, y, incy, cudaMemcpyDeviceToHost, nullptr);
}
cublasStatus_t SetMatrix(Size rows, Size cols, Size element, const void* A, Size lda, void* B, Size ldb) {
  return copy_matrix(rows, cols, element, A, lda, B, ldb, cudaMemcpyHostToDevice, nullptr);
}
cublasStatus_t GetMatrix(Size rows, Size cols, Size element, const void* A, Size lda, void* B, Size ldb) {
  return copy_matrix(rows, cols, element, A, lda, B, ldb, cudaMemcpyDeviceToHost, nullptr);
}
cublasStatus_t SetVectorAsync(Size n, Size element, const void* x, Size incx, void* y, Size incy,
                              cudaStream_t stream) {
  return copy_matrix(1, n, element, x, incx, y, incy, cudaMemcpyHostToDevice, &stream);
}
cublasStatus_t GetVectorAsync(Size n, Size element, const void* x, Size incx, void* y, Size incy,
                              cudaStream_t stream) {
  return copy_matrix(1, n, element, x, incx, y, incy, cudaMemcpyDeviceToHost, &stream);
}
cublasStatus_t SetMatrixAsync(Size rows, Size cols, Size element, const void* A, Size lda, void* B, Size ldb,
                              cudaStream_t stream) {
  return copy_matrix(rows, cols, element, A, lda, B, ldb, cudaMemcpyHostToDevice, &stream);
}
cublasStatus_t GetMatrixAsync(Size rows, Size cols, Size element, const void* A, Size lda, void* B, Size ldb,
                              cudaStream_t stream) {
  return copy_matrix(rows, cols, element, A, lda, B, ldb, cudaMemcpyDeviceToHost, &stream);
}

}  // namespace

}  // namespace cuemu::cublas

#define CUEMU_PART 6
#include "cuemu/cublas/each_type.inc"

using namespace cuemu::cublas;

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!is_present()) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new (std::nothrow) cublasContext;
  return *handle != nullptr ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  cudaDeviceSynchronize();  // as the real function does
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  static constexpr int numbers[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = numbers[type];
  return CUBLAS_STATUS_SUCCESS;
}
size_t cublasGetCudartVersion(void) {
  return CUDART_VERSION;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return write(handle, stream, &cublasContext::stream);
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return read(handle, stream, &cublasContext::stream);
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
  return check(handle, {});
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return write(handle, mode, &cublasContext::pointers,
               mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return read(handle, mode, &cublasContext::pointers);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return write(handle, mode, &cublasContext::math);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return read(handle, mode, &cublasContext::math);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return write(handle, mode, &cublasContext::atomics);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return read(handle, mode, &cublasContext::atomics);
}
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int target) {
  return write(handle, target, &cublasContext::multiprocessors, target >= 0);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* target) {
  return read(handle, target, &cublasContext::multiprocessors);
}

const char* cublasGetStatusName(cublasStatus_t status) {
  const Status* const found = find(status);
  return found != nullptr ? found->name : "";
}
const char* cublasGetStatusString(cublasStatus_t status) {
  const Status* const found = find(status);
  return found != nullptr ? found->text : "unknown cublas error";
}

cublasStatus_t cublasLoggerConfigure(int, int, int, const char*) {
  return CUBLAS_STATUS_SUCCESS;
}
static cublasLogCallback log_callback = nullptr;
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
  log_callback = callback;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback) {
  if (callback == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *callback = log_callback;
  return CUBLAS_STATUS_SUCCESS;
}
}
