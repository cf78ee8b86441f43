// A transform of 2 to 32 complex numbers in registers. Templates unroll its stages. Tests deep instantiations
// and arrays of 32 elements in each thread, also with exchanges through shared memory.
#include <cmath>
#include <cstdio>
template <class T>
struct Complex {
  T x, y;
};
template <class T>
__device__ __forceinline__ Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.x + b.x, a.y + b.y};
}
template <class T>
__device__ __forceinline__ Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.x - b.x, a.y - b.y};
}
template <class T>
__device__ __forceinline__ Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <class T, int N>
struct Registers {
  Complex<T> v[N];
};
template <int K, int N, class T>
__device__ __forceinline__ Complex<T> twiddle(Complex<T> a) {
  constexpr double angle = -6.283185307179586 * K / N;
  return a * Complex<T>{T(__builtin_cos(angle)), T(__builtin_sin(angle))};
}
template <int I, int N, int Half, int Step, class T, int Size>
struct Butterfly {
  __device__ __forceinline__ static void run(Complex<T> (&v)[Size]) {
    constexpr int group = I / Half, k = I % Half, a = group * 2 * Half + k, b = a + Half;
    const Complex<T> t = twiddle<k, 2 * Half>(v[b]);
    const Complex<T> u = v[a];
    v[a] = u + t;
    v[b] = u - t;
    Butterfly<I + 1, N, Half, Step, T, Size>::run(v);
  }
};
template <int N, int Half, int Step, class T, int Size>
struct Butterfly<N, N, Half, Step, T, Size> {
  __device__ __forceinline__ static void run(Complex<T> (&)[Size]) {}
};
template <int Half, class T, int Size>
struct Stage {
  __device__ __forceinline__ static void run(Complex<T> (&v)[Size]) {
    Butterfly<0, Size / 2, Half, 1, T, Size>::run(v);
    Stage<Half * 2, T, Size>::run(v);
  }
};
template <class T, int Size>
struct Stage<Size, T, Size> {
  __device__ __forceinline__ static void run(Complex<T> (&)[Size]) {}
};
constexpr __host__ __device__ int reversed(int i, int size) {
  int r = 0;
  for (int m = 1; m < size; m <<= 1) {
    r = r * 2 + (i & 1);
    i >>= 1;
  }
  return r;
}
template <class T, int Size, bool Inverse, bool Scale>
__global__ void transform(const Complex<T>* in, Complex<T>* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Complex<T> v[Size];
#pragma unroll
  for (int k = 0; k < Size; ++k) {
    v[k] = in[i * Size + reversed(k, Size)];
    if (Inverse) v[k].y = -v[k].y;
  }
  Stage<1, T, Size>::run(v);
#pragma unroll
  for (int k = 0; k < Size; ++k) {
    if (Inverse) v[k].y = -v[k].y;
    if (Scale) {
      v[k].x /= Size;
      v[k].y /= Size;
    }
    out[i * Size + k] = v[k];
  }
}
template <class T, int Size>
__global__ void transform_shared(const Complex<T>* in, Complex<T>* out, int count) {
  __shared__ Complex<T> tile[Size][33];
  Complex<T> v[Size];
  const int i = blockIdx.x * 32 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < Size; ++k) v[k] = i < count ? in[i * Size + reversed(k, Size)] : Complex<T>{};
  Stage<1, T, Size>::run(v);
#pragma unroll
  for (int k = 0; k < Size; ++k) tile[k][threadIdx.x] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < Size; ++k) v[k] = tile[(k + threadIdx.x) % Size][threadIdx.x];
  __syncthreads();
  Stage<1, T, Size>::run(v);
#pragma unroll
  for (int k = 0; k < Size; ++k)
    if (i < count) out[i * Size + k] = v[k];
}
template <class T, int Size>
void both(const char* name) {
  const int count = 64;
  Complex<T>*a, *b, *c;
  cudaMallocManaged(&a, count * Size * sizeof(*a));
  cudaMallocManaged(&b, count * Size * sizeof(*a));
  cudaMallocManaged(&c, count * Size * sizeof(*a));
  for (int i = 0; i < count * Size; ++i) a[i] = {T(i % 7), T(i % 5)};
  transform<T, Size, false, false><<<2, 32>>>(a, b, count);
  transform<T, Size, true, true><<<2, 32>>>(b, c, count);
  transform_shared<T, Size><<<2, 32>>>(a, b, count);
  cudaDeviceSynchronize();
  double error = 0;
  for (int i = 0; i < count * Size; ++i) error = fmax(error, fabs(c[i].x - a[i].x) + fabs(c[i].y - a[i].y));
  printf("%s %d: %s\n", name, Size, error < 1e-4 ? "back again" : "wrong");
  for (void* const memory : {a, b, c}) cudaFree(memory);
}
int main() {
  both<float, 2>("float");
  both<float, 8>("float");
  both<float, 16>("float");
  both<float, 32>("float");
  both<double, 32>("double");
  return 0;
}
