// Kernels with a guard that all threads of a block pass, that some pass, or that none pass.
#include <cstdio>
#include <vector>

__global__ void below(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += i;
}

__global__ void inside(int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  out[at] += x * 1000 + y;
}

__global__ void between(int* out, unsigned first, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i - first < count) {  // wraps around if i is below `first`
    int sum = 0;
    for (unsigned k = 0; k < 4; ++k) sum += i * k;
    out[i] = sum;
  }
}

__global__ void every_third(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 1) out[i] = i;
}

__global__ void none(int* out) {
  const int i = threadIdx.x - 1000;
  if (i > 0) out[i] = 77;
}

// All threads of a block pass, except in the last two blocks: in one some pass, in the other none.
__global__ void strided(int* out, int n) {
  int first = threadIdx.x + blockDim.x * blockIdx.x;
  if (first >= n) return;
  for (int i = first; i < n; i += blockDim.x * gridDim.x) out[i] += 1;
}

int main() {
  const int n = 1000;
  int* out;
  cudaMalloc(&out, n * sizeof(int));
  std::vector<int> v(n), expected(n);
  auto check = [&](const char* name) {
    cudaMemcpy(v.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s: %s\n", name, v == expected ? "right" : "WRONG");
    cudaMemset(out, 0, n * sizeof(int));
    expected.assign(n, 0);
  };
  cudaMemset(out, 0, n * sizeof(int));
  below<<<9, 128>>>(out, 900);
  for (int i = 0; i < 900; ++i) expected[i] = i;
  check("below");
  inside<<<dim3(3, 5), dim3(16, 8)>>>(out, 33, 30);
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 33; ++x) expected[y * 33 + x] = x * 1000 + y;
  check("inside");
  between<<<4, 256>>>(out, 300, 300);
  for (int i = 300; i < 600; ++i) expected[i] = i * 6;
  check("between");
  every_third<<<5, 200>>>(out);
  for (int i = 1; i < n; i += 3) expected[i] = i;
  check("every third");
  none<<<1, 256>>>(out);
  check("none");
  strided<<<8, 64>>>(out, 420);
  for (int i = 0; i < 420; ++i) expected[i] = 1;
  check("strided");
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
