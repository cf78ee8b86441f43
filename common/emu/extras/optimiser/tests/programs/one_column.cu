// Code between barriers that only one column of threads runs: `if (threadIdx.x == x)`, for all kinds of `x`.
#include <cstdio>

constexpr int width = 5, height = 3, threads = width * height;

template <class X>
__global__ void mark(int* out, X x, bool others) {
  __shared__ int seen[threads];
  const int column = threadIdx.x;
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  if (t == threads - 1 && others) return;
  seen[t] = 0;
  __syncthreads();
  if (x == column) seen[t] = 1 + t;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1 && threadIdx.y > 0) seen[t] += 100;
  __syncthreads();
  out[t] = seen[t];
}

template <class X>
void show(const char* name, X x, bool others = false) {
  int* out;
  cudaMallocManaged(&out, threads * sizeof(int));
  for (int i = 0; i < threads; ++i) out[i] = -1;
  mark<<<1, dim3(width, height)>>>(out, x, others);
  cudaDeviceSynchronize();
  printf("%s:", name);
  for (int i = 0; i < threads; ++i) printf("%s%d", i % width == 0 ? "  " : " ", out[i]);
  printf("\n");
  cudaFree(out);
}

enum Column : int { second = 1 };

int main() {
  show("int", 2);
  show("last", static_cast<long>(width - 1));
  show("too large", width);
  show("negative", -1);
  show("of 64 bits", (1ll << 32) + 2);
  show("char", static_cast<signed char>(3));
  show("bool", true);
  show("enumerator", second);
  show("whole float", 3.0f);
  show("fractional float", 2.5f);
  show("one has returned", width - 1, true);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
