// emucc: -std=c++17 --extended-lambda --expt-relaxed-constexpr
// One source for both sides: __host__ __device__ classes, functions, lambdas; code selected by __CUDA_ARCH__.
#include <cstdio>
#include <type_traits>

#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif

template <class T>
struct Complex {
  T re, im;
  HD constexpr Complex(T r = 0, T i = 0) : re(r), im(i) {}
  HD Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  HD Complex& operator+=(const Complex& o) {
    re += o.re;
    im += o.im;
    return *this;
  }
  HD T norm() const;
  static HD Complex unit();
};
template <class T>
HD T Complex<T>::norm() const {
  return re * re + im * im;
}
template <class T>
HD Complex<T> Complex<T>::unit() {
  return {T(0), T(1)};
}
template <class T>
HD Complex<T> operator+(Complex<T> a, const Complex<T>& b) {
  a += b;
  return a;
}

HD inline int side() {
#ifdef __CUDA_ARCH__
  return 1;  // the device
#else
  return 0;
#endif
}
HD int architecture_is_recent() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 300
  return __CUDA_ARCH__ % 10 == 0;
#else
  return -1;
#endif
}
// A macro that tests the side, and a function that each side defines in its own way.
#ifdef __CUDA_ARCH__
#define WHERE "device"
#else
#define WHERE "host"
#endif
HD void where(char* out) {
  const char* name = WHERE;
  for (int i = 0; i < 8; ++i) {
    out[i] = name[i];
    if (name[i] == 0) break;
  }
}
HD float fast_root(float x) {
#ifdef __CUDA_ARCH__
  return __fsqrt_rn(x);
#else
  return sqrtf(x);
#endif
}

// A function of each side alone, and a function that both sides define differently.
#ifdef __CUDA_ARCH__
__device__ int only_here(int x) {
  return x + 1000;
}
#else
inline int only_here(int x) {
  return x;
}
#endif
HD int each_its_own(int x) {
#ifdef __CUDA_ARCH__
  return only_here(x);
#else
  return only_here(x) + 1;
#endif
}
#ifndef __CUDA_ARCH__
static const char* only_the_host_has_this() {
  return "host's own";
}
#endif
class Counter {
 public:
  HD Counter() : count_(0) {
#ifndef __CUDA_ARCH__
    ++made;
#endif
  }
  static int made;
#ifdef __CUDA_ARCH__
  __device__ int next() {
    return ++count_;
  }
#else
  int next() {
    return count_ += 1;
  }
#endif

 private:
  int count_;
};
int Counter::made = 0;
struct Both {
  int value;
  __host__ int get() const { return value; }
  __device__ int get_twice() const { return 2 * value; }
};

constexpr int gcd(int a, int b) {
  return b == 0 ? a : gcd(b, a % b);
}

struct Results {
  float norm;
  int side, recent, over, both, divisor, lambda, counter, inside;
  float root;
  char where[8];
};
template <class F>
__global__ void on_device(Results* out, F f) {
  Complex<float> z(1, 2);
  z = z * Complex<float>::unit() + Complex<float>(0.5f);
  out->norm = z.norm();
  out->side = side();
  out->recent = architecture_is_recent();
  out->over = each_its_own(5);
  out->both = Both{21}.get_twice();
  out->divisor = gcd(48, 36);
  out->lambda = f(3);
  out->root = fast_root(16);
  where(out->where);
  Counter counter;
  counter.next();
  out->counter = counter.next();
}
static void show(const char* what, const Results& r) {
  printf("%s: %g side %d recent %d over %d both %d gcd %d lambda %d root %g %s\n", what, r.norm, r.side,
         r.recent, r.over, r.both, r.divisor, r.lambda, r.root, r.where);
}

int main() {
  const int factor = 7;
  auto both = [factor] HD(int x) { return factor * x; };
  Results *device, host{};
  cudaMalloc(&device, sizeof *device);
  on_device<<<1, 1>>>(device, both);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  show("device", host);
  Complex<float> z(1, 2);
  z = z * Complex<float>::unit() + Complex<float>(0.5f);
  auto sided = [] HD(int x) {
#ifdef __CUDA_ARCH__
    return x + static_cast<int>(blockDim.x);
#else
    return -x;
#endif
  };
  on_device<<<1, 1>>>(device, sided);
  cudaMemcpy(&host.inside, &device->lambda, sizeof(int), cudaMemcpyDeviceToHost);
  Counter counter;
  counter.next();
  const char* own = "";
#ifndef __CUDA_ARCH__
  own = only_the_host_has_this();
#endif
  printf("%d %d, %s, made %d, %d\n", host.counter, counter.next(), own, Counter::made,
         host.inside + sided(100));
  Results mine{z.norm(),
               side(),
               architecture_is_recent(),
               each_its_own(5),
               Both{42}.get(),
               gcd(48, 36),
               both(3),
               0,
               0,
               fast_root(16),
               ""};
  where(mine.where);
  show("host", mine);
}
