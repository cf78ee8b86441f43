// Shared variables of many types and shapes, in kernels, functions, lambdas and classes.
#include <cstdio>
template <class T>
struct Pair {
  T a, b;
};
typedef float Row[4];
template <class T, int N>
__device__ T rotate(T value) {
  __shared__ T slots[N];
  slots[threadIdx.x] = value;
  __syncthreads();
  const T next = slots[(threadIdx.x + 1) % N];
  __syncthreads();
  return next;
}
__device__ int* address() {
  static __shared__ int one;
  return &one;
}
__shared__ int common;
__device__ void set_common(int n) { common = n; }
__global__ void forms(int* out) {
  __shared__ volatile int flag;
  __shared__ Pair<Pair<int>> pairs[2], *pointer;
  __shared__ struct {
    int x, y;
  } point;
  __shared__ union Bits {
    float f;
    unsigned u;
  } bits;
  __shared__ Row rows[2];
  __shared__ __align__(64) char aligned[3];
  alignas(double) __shared__ unsigned char raw[sizeof(double)];
  extern __shared__ unsigned char dynamic[];
  if (threadIdx.x == 0) {
    flag = 1;
    pairs[1].b.a = 2;
    pointer = &pairs[1];
    point.x = 3;
    bits.f = 1.f;
    rows[1][3] = 4.f;
    *reinterpret_cast<double*>(raw) = 5;
    *reinterpret_cast<int*>(dynamic) = 6;
    *address() = 7;
    set_common(8);
  }
  __syncthreads();
  auto read = [=](int i) { return i == 0 ? static_cast<int>(rows[1][3]) : point.x; };
  struct Reader {
    __device__ int operator()() const { return common; }
  };
  const int turned = rotate<int, 4>(threadIdx.x * 10);
  if (threadIdx.x == 3) {
    int i = 0;
    out[i++] = flag;
    out[i++] = pointer->b.a;
    out[i++] = read(1);
    out[i++] = static_cast<int>(bits.u >> 20);
    out[i++] = read(0);
    out[i++] = static_cast<int>(*reinterpret_cast<double*>(raw));
    out[i++] = *reinterpret_cast<int*>(dynamic);
    out[i++] = *address();
    out[i++] = Reader()();
    out[i++] = turned;
    out[i++] = static_cast<int>(reinterpret_cast<size_t>(aligned) % 64);
    out[i++] = static_cast<int>(sizeof rows);
  }
}
int main() {
  int *out, result[12];
  cudaMalloc(&out, sizeof result);
  forms<<<1, 4, 16>>>(out);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  for (int value : result) printf("%d ", value);
  printf("\n");
}
