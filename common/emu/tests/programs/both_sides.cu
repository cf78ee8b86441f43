// emucc: -std=c++17 --expt-relaxed-constexpr
// Uses of __CUDA_ARCH__ in libraries: checks on the host, other arithmetic, objects that count, code in headers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#define HD __host__ __device__

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double* address, double value);  // as programs wrote it for old GPUs
#endif
#ifdef __CUDA_ARCH__
#define SIDE_LOG(...) printf(__VA_ARGS__)
#define CONSTANT_SPACE 2
#else
#define SIDE_LOG(...) fprintf(stdout, "[host] " __VA_ARGS__)
#define CONSTANT_SPACE 1
#endif

template <class T, int size>
class Array {
 public:
  HD constexpr Array() : data_{} {}
  HD T& at(int i) {
#ifndef __CUDA_ARCH__
    if (i < 0 || i >= size) throw std::out_of_range("index " + std::to_string(i));
#else
    if (i < 0 || i >= size) i = 0;
#endif
    return data_[i];
  }
  template <class F>
  HD auto each(F f) const -> decltype(f(T())) {
    decltype(f(T())) sum{};
    for (const T& value : data_) sum += f(value);
#if defined(__CUDA_ARCH__)
    sum += 1000;
#endif
    return sum;
  }

 private:
  T data_[size];
};

HD constexpr int space() { return CONSTANT_SPACE; }
static_assert(space() > 0, "known while compiling");

struct Handle {
  HD explicit Handle(int* c) : counter(c) { *counter += 1; }
  HD ~Handle() {
#ifdef __CUDA_ARCH__
    *counter += 10;
#else
    *counter += 100;
#endif
  }
  int* counter;
};

HD inline float root(float x) noexcept {
#if defined(__CUDA_ARCH__)
  return rsqrtf(x) * x;
#else
  try {
    if (x < 0) throw 1;
    static int calls = 0;
    ++calls;
    return std::sqrt(x) + (calls > 1000);
  } catch (int) {
    return -1;
  }
#endif
}
struct Less {
  template <class T>
  HD bool operator()(const T& a, const T& b) const {
#ifdef __CUDA_ARCH__
    return a < b;
#else
    return std::less<T>()(a, b);
#endif
  }
};
namespace deep {
namespace {
template <class T>
HD T clamp(T value, T low, T high) {
#ifdef __CUDA_ARCH__
  return min(max(value, low), high);
#else
  return std::min(std::max(value, low), high);
#endif
}
}  // namespace
}  // namespace deep

__global__ void device_side(int* out) {
  Array<int, 4> a;
  a.at(2) = 5;
  a.at(77) = 3;
  out[0] = a.at(0) + a.each([](int x) { return 2 * x; });
  out[1] = space();
  { Handle h(out + 2); }
  out[3] = static_cast<int>(root(16.f) + 0.5f);
  out[4] = Less()(1, 2) + deep::clamp(9, 0, 5);
  SIDE_LOG("%s side\n", "device");
}
int main() {
  int *out, device[5];
  cudaMalloc(&out, sizeof device);
  cudaMemset(out, 0, sizeof device);
  device_side<<<1, 1>>>(out);
  cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  printf("device %d %d %d %d %d\n", device[0], device[1], device[2], device[3], device[4]);
  Array<int, 4> a;
  a.at(2) = 5;
  try {
    a.at(77) = 3;
  } catch (const std::out_of_range& e) {
    printf("%s\n", e.what());
  }
  int counter = 0;
  { Handle h(&counter); }
  SIDE_LOG("%s side\n", "host");
  printf("host %d %d %d %d %d\n", a.at(0) + a.each([](int x) { return 2 * x; }), space(), counter,
         static_cast<int>(root(16.f) + root(-4.f)), Less()(1, 2) + deep::clamp(9, 0, 5));
}
