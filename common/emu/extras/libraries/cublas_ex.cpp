// cuBLAS: functions whose arguments name the types of their operands, and products of halves.
#include "cublas_types.hpp"

#include <cstring>

namespace cuemu::cublas {

Arithmetic arithmetic_of(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c,
                         cudaDataType& scale) {
  const auto is = [&](cudaDataType ab, cudaDataType result) { return a == ab && b == ab && c == result; };
  const auto is_fp8 = [](cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; };
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      scale = CUDA_R_16F;
      return is(CUDA_R_16F, CUDA_R_16F) ? Arithmetic::floats : Arithmetic::none;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      scale = CUDA_R_32I;
      return is(CUDA_R_8I, CUDA_R_32I) ? Arithmetic::integers : Arithmetic::none;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      scale = a == CUDA_C_64F ? CUDA_C_64F : CUDA_R_64F;
      return is(CUDA_R_64F, CUDA_R_64F)   ? Arithmetic::doubles
             : is(CUDA_C_64F, CUDA_C_64F) ? Arithmetic::complex_doubles
                                          : Arithmetic::none;
    default:
      break;
  }
  scale = a == CUDA_C_32F ? CUDA_C_32F : CUDA_R_32F;
  if (is(CUDA_C_32F, CUDA_C_32F)) return Arithmetic::complex_floats;
  const bool halves = is(CUDA_R_16F, CUDA_R_16F) || is(CUDA_R_16BF, CUDA_R_16BF);
  const bool widens = is(CUDA_R_16F, CUDA_R_32F) || is(CUDA_R_16BF, CUDA_R_32F) ||
                      is(CUDA_R_8I, CUDA_R_32F) || is(CUDA_R_32F, CUDA_R_32F);
  const bool bytes =
      is_fp8(a) && is_fp8(b) && (is_fp8(c) || c == CUDA_R_16F || c == CUDA_R_16BF || c == CUDA_R_32F);
  return halves || widens || bytes ? Arithmetic::floats : Arithmetic::none;
}

NamedScalar named_scalar(const void* at, cudaDataType type, bool on_device) {
  NamedScalar scalar;
  scalar.type = type;
  if (on_device)
    scalar.device = at;
  else
    std::memcpy(scalar.value, at, element_bytes(type));
  return scalar;
}
void use(Uses& uses, const char* name, const NamedScalar& scalar) {
  if (scalar.device != nullptr)
    uses.matrix(name, scalar.device, element_bytes(scalar.type), 1, 1, 1, Access::reads);
}

namespace {

constexpr cublasStatus_t ok = CUBLAS_STATUS_SUCCESS;

/// One operand of each problem. It is given by an array of pointers in device memory, or by a stride in
/// elements.
template <class P>
struct Operand {
  const char* name;
  P const* array;
  P first;
  Size stride;
  cudaDataType type;
  Size leading;
  Size rows = 0, columns = 0;
  Access access = Access::reads;
  P at(Size i) const {
    using Byte = std::conditional_t<std::is_const_v<std::remove_pointer_t<P>>, const char*, char*>;
    return array != nullptr ? array[i]
                            : static_cast<Byte>(first) + i * stride * static_cast<Size>(element_bytes(type));
  }
  void add(Uses& uses, Size i) const {
    uses.matrix(name, at(i), element_bytes(type), bytes(rows), bytes(columns), bytes(leading), access);
  }
  Layout layout() const { return {type, 1, leading}; }
};

/// @param alpha, beta in the type of the computation's factors
cublasStatus_t products(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m,
                        Size n, Size k, const void* alpha, Operand<const void*> A, Operand<const void*> B,
                        const void* beta, Operand<void*> C, Size count, cublasComputeType_t compute) {
  const bool plain_a = transa == CUBLAS_OP_N, plain_b = transb == CUBLAS_OP_N;
  if (const auto status = check_products(handle, transa, transb, m, n, k, alpha, A.leading, B.leading, beta,
                                         C.leading, count);
      status != ok)
    return status;
  cudaDataType scale{};
  const Arithmetic arithmetic = arithmetic_of(compute, A.type, B.type, C.type, scale);
  if (arithmetic == Arithmetic::none) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (m == 0 || n == 0 || count == 0) return ok;
  const bool on_device = handle->pointers == CUBLAS_POINTER_MODE_DEVICE;
  const NamedScalar factor = named_scalar(alpha, scale, on_device);
  const NamedScalar old = named_scalar(beta, scale, on_device);
  A.rows = plain_a ? m : k, A.columns = plain_a ? k : m;
  B.rows = plain_b ? k : n, B.columns = plain_b ? n : k;
  C.rows = m, C.columns = n, C.access = old.is_surely_zero() ? Access::writes : Access::updates;
  Uses uses;
  use(uses, "alpha", factor);
  use(uses, "beta", old);
  const auto add = [&](const auto& operand) {
    if (operand.array != nullptr)
      uses.vector(operand.name, operand.array, sizeof(void*), bytes(count), 1, Access::reads);
    else
      for (Size i = 0; i < (operand.stride == 0 ? 1 : count); ++i) operand.add(uses, i);
  };
  add(A), add(B), add(C);
  const auto behind = [=] {
    Uses more;
    for (Size i = 0; i < count; ++i) {
      if (A.array != nullptr) A.add(more, i);
      if (B.array != nullptr) B.add(more, i);
      if (C.array != nullptr) C.add(more, i);
    }
    return more;
  };
  const auto work = [=] {
    visit_arithmetic(arithmetic, [&](auto number) {
      using N = decltype(number);
      const N by = factor.get<N>(), keep = old.get<N>();
      for (Size i = 0; i < count; ++i) {
        const std::vector<N> left = dense<N>(A.at(i), A.layout(), transa, m, k);
        const std::vector<N> right = dense<N>(B.at(i), B.layout(), transb, k, n);
        std::vector<N> result = product(m, n, k, left, right);
        for (N& one : result) one *= by;
        if (keep != N(0)) {
          const std::vector<N> before = dense<N>(C.at(i), C.layout(), CUBLAS_OP_N, m, n);
          for (std::size_t at = 0; at < result.size(); ++at) result[at] += keep * before[at];
        }
        store(result, C.at(i), C.layout(), m, n);
      }
    });
  };
  return submit(handle, uses, work, behind);
}

cublasStatus_t GemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m,
                      Size n, Size k, const void* alpha, const void* A, cudaDataType a_type, Size lda,
                      const void* B, cudaDataType b_type, Size ldb, const void* beta, void* C,
                      cudaDataType c_type, Size ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return products(handle, transa, transb, m, n, k, alpha, {"A", nullptr, A, 0, a_type, lda},
                  {"B", nullptr, B, 0, b_type, ldb}, beta, {"C", nullptr, C, 0, c_type, ldc}, 1, compute);
}
cublasStatus_t GemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                             Size m, Size n, Size k, const void* alpha, const void* const* A,
                             cudaDataType a_type, Size lda, const void* const* B, cudaDataType b_type,
                             Size ldb, const void* beta, void* const* C, cudaDataType c_type, Size ldc,
                             Size count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (A == nullptr || B == nullptr || C == nullptr) return check(handle, {count == 0});
  return products(handle, transa, transb, m, n, k, alpha, {"A", A, nullptr, 0, a_type, lda},
                  {"B", B, nullptr, 0, b_type, ldb}, beta, {"C", C, nullptr, 0, c_type, ldc}, count, compute);
}
cublasStatus_t GemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                    Size m, Size n, Size k, const void* alpha, const void* A,
                                    cudaDataType a_type, Size lda, long long stride_a, const void* B,
                                    cudaDataType b_type, Size ldb, long long stride_b, const void* beta,
                                    void* C, cudaDataType c_type, Size ldc, long long stride_c, Size count,
                                    cublasComputeType_t compute, cublasGemmAlgo_t) {
  return products(handle, transa, transb, m, n, k, alpha, {"A", nullptr, A, stride_a, a_type, lda},
                  {"B", nullptr, B, stride_b, b_type, ldb}, beta, {"C", nullptr, C, stride_c, c_type, ldc},
                  count, compute);
}
cublasStatus_t SgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m,
                       Size n, Size k, const float* alpha, const void* A, cudaDataType a_type, Size lda,
                       const void* B, cudaDataType b_type, Size ldb, const float* beta, void* C,
                       cudaDataType c_type, Size ldc) {
  return GemmEx(handle, transa, transb, m, n, k, alpha, A, a_type, lda, B, b_type, ldb, beta, C, c_type, ldc,
                CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t CgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m,
                       Size n, Size k, const cuComplex* alpha, const void* A, cudaDataType a_type, Size lda,
                       const void* B, cudaDataType b_type, Size ldb, const cuComplex* beta, void* C,
                       cudaDataType c_type, Size ldc) {
  return GemmEx(handle, transa, transb, m, n, k, alpha, A, a_type, lda, B, b_type, ldb, beta, C, c_type, ldc,
                CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t Hgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m,
                     Size n, Size k, const __half* alpha, const __half* A, Size lda, const __half* B,
                     Size ldb, const __half* beta, __half* C, Size ldc) {
  return GemmEx(handle, transa, transb, m, n, k, alpha, A, CUDA_R_16F, lda, B, CUDA_R_16F, ldb, beta, C,
                CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
/// Multiplies groups of equal problems. alpha and beta are numbers of the computation's type.
template <class I>
cublasStatus_t GemmGroupedBatchedEx(cublasHandle_t handle, const cublasOperation_t* transa,
                                    const cublasOperation_t* transb, const I* m, const I* n, const I* k,
                                    const void* alpha, const void* const* A, cudaDataType a_type,
                                    const I* lda, const void* const* B, cudaDataType b_type, const I* ldb,
                                    const void* beta, void* const* C, cudaDataType c_type, const I* ldc,
                                    I groups, const I* sizes, cublasComputeType_t compute) {
  const bool wide = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool narrow = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
  const bool complex = a_type == CUDA_C_32F || a_type == CUDA_C_64F;
  const Size scalar_bytes = (wide ? 8 : narrow ? 2 : 4) * (complex ? 2 : 1);
  if (groups > 0 && (transa == nullptr || transb == nullptr || m == nullptr || n == nullptr || k == nullptr ||
                     alpha == nullptr || A == nullptr || lda == nullptr || B == nullptr || ldb == nullptr ||
                     beta == nullptr || C == nullptr || ldc == nullptr || sizes == nullptr))
    return CUBLAS_STATUS_INVALID_VALUE;
  Size first = 0;
  for (I g = 0; g < groups; first += sizes[g++])
    if (const auto status =
            GemmBatchedEx(handle, transa[g], transb[g], m[g], n[g], k[g],
                          static_cast<const char*>(alpha) + g * scalar_bytes, A + first, a_type, lda[g],
                          B + first, b_type, ldb[g], static_cast<const char*>(beta) + g * scalar_bytes,
                          C + first, c_type, ldc[g], sizes[g], compute, CUBLAS_GEMM_DEFAULT);
        status != CUBLAS_STATUS_SUCCESS)
      return status;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t HgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Size m,
                            Size n, Size k, const __half* alpha, const __half* const* A, Size lda,
                            const __half* const* B, Size ldb, const __half* beta, __half* const* C, Size ldc,
                            Size count) {
  return GemmBatchedEx(handle, transa, transb, m, n, k, alpha, reinterpret_cast<const void* const*>(A),
                       CUDA_R_16F, lda, reinterpret_cast<const void* const*>(B), CUDA_R_16F, ldb, beta,
                       reinterpret_cast<void* const*>(C), CUDA_R_16F, ldc, count, CUBLAS_COMPUTE_16F,
                       CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t HgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                   Size m, Size n, Size k, const __half* alpha, const __half* A, Size lda,
                                   long long stride_a, const __half* B, Size ldb, long long stride_b,
                                   const __half* beta, __half* C, Size ldc, long long stride_c, Size count) {
  return GemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, CUDA_R_16F, lda, stride_a, B,
                              CUDA_R_16F, ldb, stride_b, beta, C, CUDA_R_16F, ldc, stride_c, count,
                              CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

/// Returns the arithmetic for the execution type of a vector function.
Arithmetic arithmetic_of(cudaDataType execution) {
  switch (execution) {
    case CUDA_R_32F:
      return Arithmetic::floats;
    case CUDA_R_64F:
      return Arithmetic::doubles;
    case CUDA_C_32F:
      return Arithmetic::complex_floats;
    case CUDA_C_64F:
      return Arithmetic::complex_doubles;
    default:
      return Arithmetic::none;
  }
}

/// A vector; an argument names the type of its elements.
struct NamedVector {
  void* at;
  cudaDataType type;
  Size n, step;
  void* element(Size i) const {
    return static_cast<char*>(at) +
           (step < 0 ? i - n + 1 : i) * step * static_cast<Size>(element_bytes(type));
  }
  template <class N>
  N read(Size i) const {
    return read_number<N>(type, element(i));
  }
  template <class N>
  void write(Size i, N number) const {
    write_number(type, element(i), number);
  }
  void use(Uses& uses, const char* name, Access access) const {
    uses.vector(name, at, element_bytes(type), bytes(n), step, access);
  }
};
NamedVector vector_of(const void* at, cudaDataType type, Size n, Size step) {
  return {const_cast<void*>(at), type, n, step};
}

/// A result in the host's or the device's memory; an argument names its type.
template <class Compute>
cublasStatus_t named_result(cublasHandle_t handle, Uses uses, void* result, cudaDataType type,
                            Arithmetic arithmetic, Compute compute) {
  const auto into = [=](void* at) {
    visit_arithmetic(arithmetic, [&](auto number) { write_number(type, at, compute(number)); });
  };
  if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE) {
    uses.storage("result", result, element_bytes(type), Access::writes);
    return submit(handle, uses, [=] { into(result); });
  }
  struct Bytes {
    alignas(16) unsigned char value[16];
  };
  const auto kept = std::make_shared<Bytes>();
  if (const auto status = submit(handle, uses, [=] { into(kept->value); }); status != ok) return status;
  const auto status = wait(handle);
  if (status == ok) std::memcpy(result, kept->value, element_bytes(type));
  return status;
}

cublasStatus_t Nrm2Ex(cublasHandle_t handle, Size n, const void* x, cudaDataType x_type, Size incx,
                      void* result, cudaDataType result_type, cudaDataType execution) {
  if (const auto status = check(handle, {result != nullptr}); status != ok) return status;
  const Arithmetic arithmetic = arithmetic_of(execution);
  if (arithmetic == Arithmetic::none || element_bytes(x_type) == 0 || element_bytes(result_type) == 0)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const NamedVector vector = vector_of(x, x_type, incx > 0 ? std::max<Size>(n, 0) : 0, incx);
  Uses uses;
  vector.use(uses, "x", Access::reads);
  return named_result(handle, uses, result, result_type, arithmetic, [=](auto number) {
    double squares = 0;  // wider than the elements, so that it neither overflows nor underflows
    for (Size i = 0; i < vector.n; ++i) squares += std::norm(vector.read<std::complex<double>>(i));
    return decltype(number)(std::sqrt(squares));
  });
}

cublasStatus_t DotEx(cublasHandle_t handle, Size n, const void* x, cudaDataType x_type, Size incx,
                     const void* y, cudaDataType y_type, Size incy, void* result, cudaDataType result_type,
                     cudaDataType execution) {
  if (const auto status = check(handle, {result != nullptr}); status != ok) return status;
  const Arithmetic arithmetic = arithmetic_of(execution);
  if (arithmetic == Arithmetic::none || element_bytes(x_type) == 0 || element_bytes(y_type) == 0)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const NamedVector left = vector_of(x, x_type, std::max<Size>(n, 0), incx);
  const NamedVector right = vector_of(y, y_type, left.n, incy);
  Uses uses;
  left.use(uses, "x", Access::reads);
  right.use(uses, "y", Access::reads);
  return named_result(handle, uses, result, result_type, arithmetic, [=](auto number) {
    auto sum = number;
    for (Size i = 0; i < left.n; ++i) sum += left.read<decltype(number)>(i) * right.read<decltype(number)>(i);
    return sum;
  });
}

cublasStatus_t AxpyEx(cublasHandle_t handle, Size n, const void* alpha, cudaDataType alpha_type,
                      const void* x, cudaDataType x_type, Size incx, void* y, cudaDataType y_type, Size incy,
                      cudaDataType execution) {
  if (const auto status = check(handle, {alpha != nullptr}); status != ok) return status;
  const Arithmetic arithmetic = arithmetic_of(execution);
  if (arithmetic == Arithmetic::none || element_bytes(x_type) == 0 || element_bytes(y_type) == 0)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (n <= 0) return ok;
  const NamedScalar factor = named_scalar(alpha, alpha_type, handle->pointers == CUBLAS_POINTER_MODE_DEVICE);
  const NamedVector from = vector_of(x, x_type, n, incx), to = vector_of(y, y_type, n, incy);
  Uses uses;
  from.use(uses, "x", Access::reads);
  to.use(uses, "y", Access::updates);
  use(uses, "alpha", factor);
  return submit(handle, uses, [=] {
    visit_arithmetic(arithmetic, [&](auto number) {
      using N = decltype(number);
      const N by = factor.get<N>();
      for (Size i = 0; i < n; ++i) to.write(i, to.read<N>(i) + by * from.read<N>(i));
    });
  });
}

cublasStatus_t ScalEx(cublasHandle_t handle, Size n, const void* alpha, cudaDataType alpha_type, void* x,
                      cudaDataType x_type, Size incx, cudaDataType execution) {
  if (const auto status = check(handle, {alpha != nullptr}); status != ok) return status;
  const Arithmetic arithmetic = arithmetic_of(execution);
  if (arithmetic == Arithmetic::none || element_bytes(x_type) == 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (n <= 0 || incx <= 0) return ok;
  const NamedScalar factor = named_scalar(alpha, alpha_type, handle->pointers == CUBLAS_POINTER_MODE_DEVICE);
  const NamedVector vector = vector_of(x, x_type, n, incx);
  Uses uses;
  vector.use(uses, "x", Access::updates);
  use(uses, "alpha", factor);
  return submit(handle, uses, [=] {
    visit_arithmetic(arithmetic, [&](auto number) {
      using N = decltype(number);
      const N by = factor.get<N>();
      for (Size i = 0; i < n; ++i) vector.write(i, by * vector.read<N>(i));
    });
  });
}

}  // namespace

}  // namespace cuemu::cublas

#define CUEMU_PART 5
#include "cuemu/cublas/each_type.inc"
