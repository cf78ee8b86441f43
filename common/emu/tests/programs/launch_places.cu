// emucc: -std=c++17
// Kernels and launches in unusual places:
// member functions, namespaces, macros, operators, tables, generic lambdas.
#include <cstdio>
#include <vector>

#define DIVIDE_UP(a, b) (((a) + (b)-1) / (b))
#define GRID(n, block) DIVIDE_UP(n, block), block
#define RUN(kernel, n, ...)                      \
  kernel<<<DIVIDE_UP((n), 4), 4>>>(__VA_ARGS__); \
  cudaDeviceSynchronize()
#define DEFINE_KERNEL(name, type, operation)                \
  __global__ void name##_##type(type* data, int n) {        \
    int i = blockIdx.x * blockDim.x + threadIdx.x;          \
    if (i < n) data[i] = (type)(data[i] operation data[i]); \
  }
DEFINE_KERNEL(square, int, *)
DEFINE_KERNEL(twice, float, +)

template <typename T>
__global__ void fill_kernel(T* data, int n, T value);
template <int Step, typename T>
__global__ void step_kernel(T* data, int n) {
  for (int i = threadIdx.x * Step; i < n; i += blockDim.x * Step) data[i] = T(-1);
}

template <typename T>
class Buffer {
 public:
  explicit Buffer(int n) : n_(n) { cudaMalloc(&data_, n * sizeof(T)); }
  ~Buffer() { cudaFree(data_); }
  void fill(T value) { fill_kernel<<<GRID(n_, 3)>>>(data_, n_, value); }
  template <int Step>
  void step() {
    step_kernel<Step><<<1, 2>>>(data_, n_);
  }
  Buffer& operator<<(T value) {
    fill(value);
    return *this;
  }
  void show(const char* name) const {
    std::vector<T> host(n_);
    cudaMemcpy(host.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (T value : host) printf(" %g", static_cast<double>(value));
    printf("\n");
  }
  T* data() { return data_; }

 private:
  T* data_ = nullptr;
  int n_;
};
template <typename T>
__global__ void fill_kernel(T* data, int n, T value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value + T(i);
}

namespace outer {
inline namespace v1 {
namespace deep::er {
__global__ void negate(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = -data[i];
}
}  // namespace deep::er
}  // namespace v1
}  // namespace outer

// Declared, launched, and defined only afterwards; with a default argument.
__global__ void later(float* data, int n, float offset = 0.5f);
template <class T, class Operation>
__global__ void apply(T* data, int n, Operation operation);

struct AddOne {
  template <class T>
  __device__ T operator()(T x) const {
    return x + T(1);
  }
};

template <class Operation>
struct Applier {
  template <class T>
  void operator()(Buffer<T>& buffer, int n) const {
    apply<T, Operation><<<1, n>>>(buffer.data(), n, Operation{});
  }
};

enum class Kind { up, down };
template <Kind kind>
__global__ void shift(float* data) {
  data[threadIdx.x] += kind == Kind::up ? 10.f : -10.f;
}
template <template <class> class Holder, class T>
__global__ void through_template(Holder<T> holder, float* out) {
  *out = static_cast<float>(holder.value);
}
template <class T>
struct Wrapped {
  T value;
};
extern "C" __global__ void c_name(float* data) {
  data[threadIdx.x] = 1;
}

using Function = void (*)(float*);
static const Function functions[] = {shift<Kind::up>, shift<Kind::down>, &c_name};

int main() {
  Buffer<float> a(5);
  a << 1.f;
  a.show("operator");
  a.step<3>();
  a.show("step");
  Buffer<int> b(7);
  (b << 2).show("int");
  RUN(square_int, 7, b.data(), 7);
  b.show("square");
  twice_float<<<GRID(5, 2)>>>(a.data(), 5);
  a.show("twice");
  outer::deep::er::negate<<<dim3(5), dim3(1)>>>(a.data(), 5);
  a.show("negate");
  later<<<2, 3>>>(a.data(), 5);
  later<<<2, 3, 0>>>(a.data(), 5, 0.25f);
  a.show("later");
  Applier<AddOne>{}(a, 5);
  Applier<AddOne>()(b, 7);
  a.show("apply");
  b.show("apply");
  for (auto f : functions) f<<<1, 2>>>(a.data());
  a.show("table");
  functions[0]<<<1, 5>>>(a.data());
  functions[0 < 1 ? 1 : 0]<<<1, 1>>>(a.data());
  a.show("pick");
  through_template<<<1, 1>>>(Wrapped<short>{42}, a.data() + 1);
  true ? c_name<<<1, 1>>>(a.data()) : void();
  a.show("wrapped");
  auto launch = [](auto kernel, auto... arguments) { kernel<<<1, 3>>>(arguments...); };
  launch(c_name, a.data());
  launch(later, a.data(), 2, 2.f);
  a.show("generic");
  switch (1) {
    case 1:
      shift<Kind::down><<<1, 1>>>(a.data());
      break;
    default:
      shift<Kind::up><<<1, 1>>>(a.data());
  }
  a.show("switch");
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

__global__ void later(float* data, int n, float offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += offset;
}
template <class T, class Operation>
__global__ void apply(T* data, int n, Operation operation) {
  const int i = threadIdx.x;
  if (i < n) data[i] = operation(data[i]);
}
