// cuBLASLt: products of matrices that descriptions describe, with epilogues (bias, ReLU, GELU and their
// derivatives); and transformations between layouts.
//
// All matrices are converted to dense column-major form, in the type of the computation. OpenBLAS multiplies
// them. D is rounded once, after the epilogue. GELU has the form with tanh, as in the real library.
#include <cmath>
#include <cstring>
#include <map>
#include <new>

#include "cublasLt.h"
#include "cublas_types.hpp"

namespace cuemu::cublas {

namespace {

constexpr cublasStatus_t ok = CUBLAS_STATUS_SUCCESS;

/// The attributes of a description by their numbers, each with its size.
class Attributes {
 public:
  template <class T>
  void declare(int attribute, T value) {
    Slot& slot = slots_[attribute];
    slot.bytes = sizeof(T);
    std::memcpy(slot.value, &value, sizeof(T));
  }
  template <class T>
  T get(int attribute) const {
    T value{};
    std::memcpy(&value, slots_.at(attribute).value, sizeof(T));
    return value;
  }
  cublasStatus_t set(int attribute, const void* from, std::size_t bytes) {
    const auto found = slots_.find(attribute);
    if (found == slots_.end() || from == nullptr || bytes != found->second.bytes)
      return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(found->second.value, from, bytes);
    return ok;
  }
  cublasStatus_t read(int attribute, void* to, std::size_t bytes, std::size_t* written) const {
    const auto found = slots_.find(attribute);
    if (found == slots_.end()) return CUBLAS_STATUS_INVALID_VALUE;
    if (written != nullptr) *written = found->second.bytes;
    if (bytes == 0 && written != nullptr) return ok;  // the caller wants only the size
    if (to == nullptr || bytes < found->second.bytes) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(to, found->second.value, found->second.bytes);
    return ok;
  }

 private:
  struct Slot {
    std::size_t bytes = 0;
    unsigned char value[8] = {};
  };
  std::map<int, Slot> slots_;
};

}  // namespace

}  // namespace cuemu::cublas

struct cublasLtMatrixLayoutOpaque : cuemu::cublas::Attributes {};
struct cublasLtMatmulDescOpaque : cuemu::cublas::Attributes {};
struct cublasLtMatrixTransformDescOpaque : cuemu::cublas::Attributes {};
struct cublasLtMatmulPreferenceOpaque : cuemu::cublas::Attributes {};

namespace cuemu::cublas {

namespace {

template <class Description, class Declare>
cublasStatus_t create(Description** made, const Declare& declare) {
  if (made == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *made = new (std::nothrow) Description;
  if (*made == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  declare(**made);
  return ok;
}
template <class Description>
cublasStatus_t destroy(Description* one) {
  delete one;
  return ok;
}
template <class Description>
cublasStatus_t set(Description* one, int attribute, const void* from, std::size_t bytes) {
  return one != nullptr ? one->set(attribute, from, bytes) : CUBLAS_STATUS_INVALID_VALUE;
}
template <class Description>
cublasStatus_t get(const Description* one, int attribute, void* to, std::size_t bytes, std::size_t* written) {
  return one != nullptr ? one->read(attribute, to, bytes, written) : CUBLAS_STATUS_INVALID_VALUE;
}

/// A matrix with its layout.
struct Matrix {
  cudaDataType type;
  cublasLtOrder_t order;
  Size rows, columns, leading, count, offset;
  explicit Matrix(const cublasLtMatrixLayoutOpaque& layout)
      : type(static_cast<cudaDataType>(layout.get<std::uint32_t>(CUBLASLT_MATRIX_LAYOUT_TYPE))),
        order(static_cast<cublasLtOrder_t>(layout.get<std::int32_t>(CUBLASLT_MATRIX_LAYOUT_ORDER))),
        rows(static_cast<Size>(layout.get<std::uint64_t>(CUBLASLT_MATRIX_LAYOUT_ROWS))),
        columns(static_cast<Size>(layout.get<std::uint64_t>(CUBLASLT_MATRIX_LAYOUT_COLS))),
        leading(layout.get<std::int64_t>(CUBLASLT_MATRIX_LAYOUT_LD)),
        count(layout.get<std::int32_t>(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)),
        offset(layout.get<std::int64_t>(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET)) {}

  bool is_by_rows() const { return order == CUBLASLT_ORDER_ROW; }
  bool is_known() const {
    return (order == CUBLASLT_ORDER_COL || order == CUBLASLT_ORDER_ROW) && element_bytes(type) != 0;
  }
  bool is_valid() const { return is_leading(leading, is_by_rows() ? columns : rows) && count >= 1; }
  Layout layout() const { return is_by_rows() ? Layout{type, leading, 1} : Layout{type, 1, leading}; }
  /// Returns the matrix with this number in the batch. If the layout describes only one matrix, the whole
  /// batch uses it.
  template <class Pointer>
  Pointer at(Pointer first, Size number) const {
    using Byte = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>, const char, char>;
    return static_cast<Byte*>(first) +
           (count == 1 ? 0 : number * offset) * static_cast<Size>(element_bytes(type));
  }
  void use(Uses& uses, const char* name, const void* first, Size batch, Access access) const {
    const Size inner = is_by_rows() ? columns : rows, outer = is_by_rows() ? rows : columns;
    for (Size i = 0; i < (count == 1 || offset == 0 ? 1 : batch); ++i)
      uses.matrix(name, at(first, i), element_bytes(type), bytes(inner), bytes(outer), bytes(leading),
                  access);
  }
};

// The bits of epilogues.
enum Step : unsigned {
  relu = 2,
  bias = 4,
  relu_gradient = 8,
  bias_gradient = 16,
  gelu = 32,
  gelu_gradient = 64,
  aux = 128
};

constexpr double gelu_slope = 0.7978845608028654;  // √(2/π)
template <class N>
N gelu_of(N x) {
  return N(0.5) * x * (N(1) + std::tanh(N(gelu_slope) * (x + N(0.044715) * x * x * x)));
}
template <class N>
N gelu_derivative(N x) {
  const N t = std::tanh(N(gelu_slope) * (x + N(0.044715) * x * x * x));
  return N(0.5) * (N(1) + t) + N(0.5) * x * (N(1) - t * t) * N(gelu_slope) * (N(1) + N(3 * 0.044715) * x * x);
}

/// A product's parameters. They are copied from the descriptions, since the caller may destroy these after
/// the call.
struct Plan {
  Matrix A, B, C, D;
  cublasOperation_t transa, transb;
  cudaDataType scale{};
  cublasLtPointerMode_t pointers;
  Arithmetic arithmetic = Arithmetic::none;
  unsigned epilogue;
  void* bias;
  cudaDataType bias_type;
  Size bias_offset;
  void* aux;
  cudaDataType aux_type;
  Size aux_leading, aux_offset;
  const float *a_scale, *b_scale, *c_scale, *d_scale;
  float* largest;
  Size m = 0, n = 0, k = 0;

  Plan(const cublasLtMatmulDescOpaque& desc, const cublasLtMatrixLayoutOpaque& a,
       const cublasLtMatrixLayoutOpaque& b, const cublasLtMatrixLayoutOpaque& c,
       const cublasLtMatrixLayoutOpaque& d)
      : A(a), B(b), C(c), D(d) {
    const auto pointer = [&](int attribute) { return desc.get<void*>(attribute); };
    transa = static_cast<cublasOperation_t>(desc.get<std::int32_t>(CUBLASLT_MATMUL_DESC_TRANSA));
    transb = static_cast<cublasOperation_t>(desc.get<std::int32_t>(CUBLASLT_MATMUL_DESC_TRANSB));
    pointers = static_cast<cublasLtPointerMode_t>(desc.get<std::int32_t>(CUBLASLT_MATMUL_DESC_POINTER_MODE));
    epilogue = desc.get<std::uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE);
    if (epilogue == CUBLASLT_EPILOGUE_DEFAULT) epilogue = 0;
    bias = pointer(CUBLASLT_MATMUL_DESC_BIAS_POINTER);
    const auto named_type = [&](int attribute) {
      const auto type = desc.get<std::int32_t>(attribute);
      return type < 0 ? D.type : static_cast<cudaDataType>(type);
    };
    bias_type = named_type(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE);
    if (element_bytes(bias_type) == 1 && desc.get<std::int32_t>(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE) < 0)
      bias_type = bias_type == CUDA_R_8I ? CUDA_R_32F : CUDA_R_16BF;
    bias_offset = desc.get<std::int64_t>(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE);
    aux = pointer(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER);
    aux_type = named_type(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE);
    aux_leading = desc.get<std::int64_t>(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD);
    aux_offset = desc.get<std::int64_t>(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE);
    const auto factor = [&](int attribute) { return static_cast<const float*>(pointer(attribute)); };
    a_scale = factor(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER);
    b_scale = factor(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER);
    c_scale = factor(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER);
    d_scale = factor(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER);
    largest = static_cast<float*>(pointer(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER));
    const auto compute =
        static_cast<cublasComputeType_t>(desc.get<std::int32_t>(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE));
    scale = static_cast<cudaDataType>(desc.get<std::int32_t>(CUBLASLT_MATMUL_DESC_SCALE_TYPE));
    cudaDataType usual{};
    // If sums of integers are scaled in float, they are converted back to bytes.
    const bool quantised = compute == CUBLAS_COMPUTE_32I && scale == CUDA_R_32F && D.type == CUDA_R_8I;
    arithmetic = arithmetic_of(compute, A.type, B.type, quantised ? CUDA_R_32I : D.type, usual);
    if (!quantised && scale != usual) arithmetic = Arithmetic::none;
    m = transa == CUBLAS_OP_N ? A.rows : A.columns;
    k = transa == CUBLAS_OP_N ? A.columns : A.rows;
    n = transb == CUBLAS_OP_N ? B.columns : B.rows;
  }

  bool is_mask() const { return (epilogue & (relu | relu_gradient)) != 0; }

  cublasStatus_t check() const {
    const bool fits = m == D.rows && n == D.columns && m == C.rows && n == C.columns &&
                      k == (transb == CUBLAS_OP_N ? B.rows : B.columns);
    if (!fits || !A.is_valid() || !B.is_valid() || !C.is_valid() || !D.is_valid())
      return CUBLAS_STATUS_INVALID_VALUE;
    for (const Matrix* const one : {&A, &B, &C})
      if (one->count != 1 && one->count != D.count) return CUBLAS_STATUS_INVALID_VALUE;
    if (!A.is_known() || !B.is_known() || !C.is_known() || !D.is_known()) return CUBLAS_STATUS_NOT_SUPPORTED;
    const bool reals = arithmetic == Arithmetic::floats || arithmetic == Arithmetic::doubles ||
                       arithmetic == Arithmetic::integers;
    if (arithmetic == Arithmetic::none || (epilogue != 0 && !reals)) return CUBLAS_STATUS_NOT_SUPPORTED;
    constexpr unsigned known =
        relu | cublas::bias | relu_gradient | bias_gradient | gelu | gelu_gradient | cublas::aux;
    if ((epilogue & ~known) != 0 || (epilogue != 0 && D.is_by_rows())) return CUBLAS_STATUS_NOT_SUPPORTED;
    if ((epilogue & cublas::aux) != 0 && aux_leading < m) return CUBLAS_STATUS_INVALID_VALUE;
    return ok;
  }

  /// The factor alpha. In the mode of vectors, each row has its own factor.
  template <class N>
  struct Factors {
    NamedScalar one;
    const char* rows = nullptr;  ///< in device memory, an element for each row
    N at(Size row) const {
      return rows == nullptr
                 ? one.get<N>()
                 : read_number<N>(one.type, rows + row * static_cast<Size>(element_bytes(one.type)));
    }
  };

  /// Does the work for one matrix of the batch.
  template <class N>
  void run(Size number, const void* a, const void* b, const void* c, void* d, const Factors<N>& alpha,
           const NamedScalar& beta) const {
    std::vector<N> result = product(m, n, k, dense<N>(A.at(a, number), A.layout(), transa, m, k),
                                    dense<N>(B.at(b, number), B.layout(), transb, k, n));
    const N both = N(a_scale != nullptr ? *a_scale : 1) * N(b_scale != nullptr ? *b_scale : 1);
    const N keep = beta.get<N>() * N(c_scale != nullptr ? *c_scale : 1);
    for (Size j = 0; j < n; ++j)
      for (Size i = 0; i < m; ++i) result[bytes(i + j * m)] *= alpha.at(i) * both;
    if (keep != N(0)) {
      const std::vector<N> before = dense<N>(C.at(c, number), C.layout(), CUBLAS_OP_N, m, n);
      for (std::size_t i = 0; i < result.size(); ++i) result[i] += keep * before[i];
    }
    if constexpr (!is_complex_number<N>) {
      if (epilogue != 0) follow(number, result);
      if (largest != nullptr)
        for (const N one : result) *largest = std::max(*largest, static_cast<float>(std::abs(one)));
      if (d_scale != nullptr)
        for (N& one : result) one *= N(*d_scale);
    }
    store(result, D.at(d, number), D.layout(), m, n);
  }

  template <class N>
  void follow(Size number, std::vector<N>& result) const {
    const auto element = [](void* at, cudaDataType type, Size i) {
      return static_cast<char*>(at) + i * static_cast<Size>(element_bytes(type));
    };
    const auto of_bias = [&](Size i) { return element(bias, bias_type, number * bias_offset + i); };
    std::vector<N> gradient(bytes((epilogue & bias_gradient) != 0 ? m : 0));
    for (Size j = 0; j < n; ++j)
      for (Size i = 0; i < m; ++i) {
        N& x = result[bytes(i + j * m)];
        const Size place = number * aux_offset + i + j * aux_leading;
        auto* const mask = static_cast<unsigned char*>(aux) + (aux != nullptr ? place / 8 : 0);
        const auto bit = static_cast<unsigned char>(1u << place % 8);
        if ((epilogue & cublas::bias) != 0) x += read_number<N>(bias_type, of_bias(i));
        if ((epilogue & (relu | cublas::aux)) == (relu | cublas::aux))
          *mask = static_cast<unsigned char>(x > 0 ? *mask | bit : *mask & ~bit);
        if ((epilogue & (gelu | cublas::aux)) == (gelu | cublas::aux))
          write_number(aux_type, element(aux, aux_type, place), x);
        if ((epilogue & relu) != 0) x = x > 0 ? x : N(0);
        if ((epilogue & gelu) != 0) x = gelu_of(x);
        if ((epilogue & relu_gradient) != 0 && (*mask & bit) == 0) x = N(0);
        if ((epilogue & gelu_gradient) != 0)
          x *= gelu_derivative(read_number<N>(aux_type, element(aux, aux_type, place)));
        if (!gradient.empty()) gradient[bytes(i)] += x;
      }
    for (std::size_t i = 0; i < gradient.size(); ++i)
      write_number(bias_type, of_bias(static_cast<Size>(i)), gradient[i]);
  }

  void use_epilogue(Uses& uses) const {
    const bool gradient = (epilogue & bias_gradient) != 0;
    if ((epilogue & (cublas::bias | bias_gradient)) != 0)
      uses.matrix("bias", bias, element_bytes(bias_type), bytes(m), bytes(bias_offset == 0 ? 1 : D.count),
                  bytes(bias_offset), gradient ? Access::writes : Access::reads);
    if ((epilogue & cublas::aux) != 0) {
      const Size elements = (D.count - 1) * aux_offset + (n - 1) * aux_leading + m;
      uses.storage("epilogue's auxiliary matrix", aux,
                   is_mask() ? bytes((elements + 7) / 8) : bytes(elements) * element_bytes(aux_type),
                   (epilogue & (relu | gelu)) != 0 ? Access::writes : Access::reads);
    }
    for (const float* const one : {a_scale, b_scale, c_scale, d_scale})
      if (one != nullptr) uses.vector("scale", one, sizeof(float), 1, 1, Access::reads);
    if (largest != nullptr) uses.vector("amax of D", largest, sizeof(float), 1, 1, Access::updates);
  }
};

cublasStatus_t matmul(const cublasLtMatmulDescOpaque& desc, const void* alpha, const void* a,
                      const cublasLtMatrixLayoutOpaque& a_layout, const void* b,
                      const cublasLtMatrixLayoutOpaque& b_layout, const void* beta, const void* c,
                      const cublasLtMatrixLayoutOpaque& c_layout, void* d,
                      const cublasLtMatrixLayoutOpaque& d_layout, cudaStream_t stream) {
  const Plan plan(desc, a_layout, b_layout, c_layout, d_layout);
  if (const auto status = plan.check(); status != ok) return status;
  const bool by_rows = plan.pointers >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
  if (alpha == nullptr ||
      (beta == nullptr && plan.pointers != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (plan.pointers == CUBLASLT_POINTER_MODE_DEVICE_VECTOR) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (plan.m == 0 || plan.n == 0) return ok;
  const bool on_device = plan.pointers != CUBLASLT_POINTER_MODE_HOST;
  NamedScalar old;
  old.type = plan.scale;
  if (plan.pointers != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO)
    old = named_scalar(beta, plan.scale, plan.pointers == CUBLASLT_POINTER_MODE_DEVICE);
  const NamedScalar factor = named_scalar(alpha, plan.scale, on_device);
  Uses uses;
  if (by_rows)
    uses.vector("alpha", alpha, element_bytes(plan.scale), bytes(plan.m), 1, Access::reads);
  else
    use(uses, "alpha", factor);
  use(uses, "beta", old);
  plan.A.use(uses, "A", a, plan.D.count, Access::reads);
  plan.B.use(uses, "B", b, plan.D.count, Access::reads);
  if (!old.is_surely_zero()) plan.C.use(uses, "C", c, plan.D.count, Access::reads);
  plan.use_epilogue(uses);
  plan.D.use(uses, "D", d, plan.D.count, Access::writes);
  cublasContext handle;
  handle.stream = stream;
  return submit(&handle, std::move(uses), [=] {
    visit_arithmetic(plan.arithmetic, [&](auto number) {
      using N = decltype(number);
      const Plan::Factors<N> factors{factor, by_rows ? static_cast<const char*>(alpha) : nullptr};
      for (Size i = 0; i < plan.D.count; ++i) plan.run<N>(i, a, b, c, d, factors, old);
    });
  });
}

cublasStatus_t transform(const cublasLtMatrixTransformDescOpaque& desc, const void* alpha, const void* a,
                         const cublasLtMatrixLayoutOpaque& a_layout, const void* beta, const void* b,
                         const cublasLtMatrixLayoutOpaque* b_layout, void* c,
                         const cublasLtMatrixLayoutOpaque& c_layout, cudaStream_t stream) {
  const Matrix A(a_layout), C(c_layout);
  const Matrix B(b_layout != nullptr ? *b_layout : a_layout);
  const bool has_b = b != nullptr && b_layout != nullptr && beta != nullptr;
  const auto operation = [&](int attribute) {
    return static_cast<cublasOperation_t>(desc.get<std::int32_t>(attribute));
  };
  const cublasOperation_t transa = operation(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA);
  const cublasOperation_t transb = operation(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB);
  const auto fits = [&](const Matrix& one, cublasOperation_t op) {
    return (op == CUBLAS_OP_N ? one.rows : one.columns) == C.rows &&
           (op == CUBLAS_OP_N ? one.columns : one.rows) == C.columns && one.is_valid();
  };
  if (alpha == nullptr || !fits(A, transa) || (has_b && !fits(B, transb)) || !C.is_valid())
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!A.is_known() || !B.is_known() || !C.is_known()) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto scale =
      static_cast<cudaDataType>(desc.get<std::int32_t>(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE));
  const bool on_device =
      desc.get<std::int32_t>(CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE) == CUBLASLT_POINTER_MODE_DEVICE;
  const NamedScalar of_a = named_scalar(alpha, scale, on_device);
  NamedScalar of_b;
  if (has_b) of_b = named_scalar(beta, scale, on_device);
  Uses uses;
  use(uses, "alpha", of_a);
  if (has_b) use(uses, "beta", of_b);
  A.use(uses, "A", a, C.count, Access::reads);
  if (has_b) B.use(uses, "B", b, C.count, Access::reads);
  C.use(uses, "C", c, C.count, Access::writes);
  cublasContext handle;
  handle.stream = stream;
  return submit(&handle, std::move(uses), [=] {
    const auto sum = [&](auto number) {
      using N = decltype(number);
      for (Size i = 0; i < C.count; ++i) {
        std::vector<N> result = dense<N>(A.at(a, i), A.layout(), transa, C.rows, C.columns);
        for (N& one : result) one *= of_a.get<N>();
        if (has_b) {
          const std::vector<N> other = dense<N>(B.at(b, i), B.layout(), transb, C.rows, C.columns);
          for (std::size_t at = 0; at < result.size(); ++at) result[at] += of_b.get<N>() * other[at];
        }
        store(result, C.at(c, i), C.layout(), C.rows, C.columns);
      }
    };
    if (A.type == CUDA_C_32F || A.type == CUDA_C_64F)
      sum(std::complex<double>{});
    else
      sum(double{});
  });
}

}  // namespace

}  // namespace cuemu::cublas

using namespace cuemu::cublas;
using cuemu::library::Call;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return cublasCreate(reinterpret_cast<cublasHandle_t*>(handle));
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy(reinterpret_cast<cublasHandle_t>(handle));
}
const char* cublasLtGetStatusName(cublasStatus_t status) {
  return cublasGetStatusName(status);
}
const char* cublasLtGetStatusString(cublasStatus_t status) {
  return cublasGetStatusString(status);
}
size_t cublasLtGetVersion(void) {
  return CUBLAS_VERSION;
}
size_t cublasLtGetCudartVersion(void) {
  return CUDART_VERSION;
}
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return cublasGetProperty(type, value);
}
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t* capacity) {
  if (capacity == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *capacity = 0;
  return ok;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t) {
  return ok;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType type, uint64_t rows,
                                          uint64_t cols, int64_t ld) {
  return create(made, [=](Attributes& one) {
    one.declare(CUBLASLT_MATRIX_LAYOUT_TYPE, static_cast<std::uint32_t>(type));
    one.declare(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<std::int32_t>(CUBLASLT_ORDER_COL));
    one.declare(CUBLASLT_MATRIX_LAYOUT_ROWS, rows);
    one.declare(CUBLASLT_MATRIX_LAYOUT_COLS, cols);
    one.declare(CUBLASLT_MATRIX_LAYOUT_LD, ld);
    one.declare(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t{1});
    for (const int attribute :
         {CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET})
      one.declare(attribute, std::int64_t{0});
  });
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return create(made, [=](Attributes& one) {
    one.declare(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, static_cast<std::int32_t>(compute));
    one.declare(CUBLASLT_MATMUL_DESC_SCALE_TYPE, static_cast<std::int32_t>(scale));
    one.declare(CUBLASLT_MATMUL_DESC_FILL_MODE, static_cast<std::int32_t>(CUBLAS_FILL_MODE_FULL));
    one.declare(CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<std::uint32_t>(CUBLASLT_EPILOGUE_DEFAULT));
    one.declare(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{0});
    for (const int attribute :
         {CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_MATMUL_DESC_TRANSA, CUBLASLT_MATMUL_DESC_TRANSB,
          CUBLASLT_MATMUL_DESC_TRANSC, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET,
          CUBLASLT_MATMUL_DESC_A_SCALE_MODE, CUBLASLT_MATMUL_DESC_B_SCALE_MODE,
          CUBLASLT_MATMUL_DESC_C_SCALE_MODE, CUBLASLT_MATMUL_DESC_D_SCALE_MODE})
      one.declare(attribute, std::int32_t{0});
    for (const int attribute :
         {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE})
      one.declare(attribute, std::int32_t{-1});  // D's
    for (const int attribute :
         {CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD,
          CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE})
      one.declare(attribute, std::int64_t{0});
    for (const int attribute :
         {CUBLASLT_MATMUL_DESC_BIAS_POINTER, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
          CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER,
          CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER,
          CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER,
          CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER})
      one.declare(attribute, static_cast<void*>(nullptr));
  });
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* made, cudaDataType scale) {
  return create(made, [=](Attributes& one) {
    one.declare(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, static_cast<std::int32_t>(scale));
    for (const int attribute : {CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE,
                                CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB})
      one.declare(attribute, std::int32_t{0});
  });
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  return create(made, [](Attributes& one) {
    one.declare(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{0});
    one.declare(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, 0.0f);
    one.declare(CUBLASLT_MATMUL_PREF_IMPL_MASK, ~std::uint64_t{0});
    one.declare(CUBLASLT_MATMUL_PREF_SEARCH_MODE, std::uint32_t{CUBLASLT_SEARCH_BEST_FIT});
    one.declare(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, std::uint32_t{CUBLASLT_REDUCTION_SCHEME_MASK});
    for (const int attribute :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
      one.declare(attribute, std::uint32_t{256});
  });
}

/// Defines the functions for one kind of description, which destroy it, and set and get its attributes.
#define CUEMU_DESCRIPTION(KIND, TYPE, ATTRIBUTE)                                                     \
  cublasStatus_t cublasLt##KIND##Destroy(TYPE one) {                                                 \
    return destroy(one);                                                                             \
  }                                                                                                  \
  cublasStatus_t cublasLt##KIND##SetAttribute(TYPE one, ATTRIBUTE attribute, const void* from,       \
                                              size_t bytes) {                                        \
    return set(one, attribute, from, bytes);                                                         \
  }                                                                                                  \
  cublasStatus_t cublasLt##KIND##GetAttribute(TYPE one, ATTRIBUTE attribute, void* to, size_t bytes, \
                                              size_t* written) {                                     \
    return get(one, attribute, to, bytes, written);                                                  \
  }
CUEMU_DESCRIPTION(MatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t)
CUEMU_DESCRIPTION(MatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t)
CUEMU_DESCRIPTION(MatrixTransformDesc, cublasLtMatrixTransformDesc_t, cublasLtMatrixTransformDescAttributes_t)
CUEMU_DESCRIPTION(MatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t)
#undef CUEMU_DESCRIPTION

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algo,
                                       cublasLtMatmulHeuristicResult_t* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (desc == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr || result == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  *result = {};
  if (algo != nullptr) result->algo = *algo;
  result->wavesCount = 1;
  return result->state = Plan(*desc, *a, *b, *c, *d).check();
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
  if (found == nullptr || results == nullptr || wanted < 1) return CUBLAS_STATUS_INVALID_VALUE;
  *found = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoCheck(handle, desc, a, b, c, d, nullptr, results);
  if (status == ok) *found = 1;
  return status;
}
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t, cublasComputeType_t, cudaDataType_t, cudaDataType_t,
                                        cudaDataType_t, cudaDataType_t, cudaDataType_t, int wanted, int ids[],
                                        int* found) {
  if (wanted < 1 || ids == nullptr || found == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  ids[0] = 0;
  *found = 1;
  return ok;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t, cublasComputeType_t, cudaDataType_t, cudaDataType_t,
                                      cudaDataType_t, cudaDataType_t, cudaDataType_t, int id,
                                      cublasLtMatmulAlgo_t* algo) {
  if (id != 0 || algo == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *algo = {};
  return ok;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* A, cublasLtMatrixLayout_t a, const void* B,
                              cublasLtMatrixLayout_t b, const void* beta, const void* C,
                              cublasLtMatrixLayout_t c, void* D, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t*, void*, size_t, cudaStream_t stream) {
  const Call call("cublasLtMatmul", __builtin_return_address(0));
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (desc == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  return matmul(*desc, alpha, A, *a, B, *b, beta, C, *c, D, *d, stream);
}
cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t desc,
                                       const void* alpha, const void* A, cublasLtMatrixLayout_t a,
                                       const void* beta, const void* B, cublasLtMatrixLayout_t b, void* C,
                                       cublasLtMatrixLayout_t c, cudaStream_t stream) {
  const Call call("cublasLtMatrixTransform", __builtin_return_address(0));
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (desc == nullptr || a == nullptr || c == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return transform(*desc, alpha, A, *a, beta, B, b, C, *c, stream);
}

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) {
  return ok;
}
cublasStatus_t cublasLtLoggerSetFile(FILE*) {
  return ok;
}
cublasStatus_t cublasLtLoggerOpenFile(const char*) {
  return ok;
}
cublasStatus_t cublasLtLoggerSetLevel(int) {
  return ok;
}
cublasStatus_t cublasLtLoggerSetMask(int) {
  return ok;
}
cublasStatus_t cublasLtLoggerForceDisable(void) {
  return ok;
}
}
