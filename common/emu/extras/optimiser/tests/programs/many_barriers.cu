// Threads that are resumed at one of 3, 11, 21 or 41 barriers. The counters of the loops differ between threads.
#include <cstdio>

constexpr int threads = 32;

#define STEP            \
  if (turn > 0) sum += s[(t + 1) % n]; \
  __syncthreads();      \
  s[t] = sum % 1000;    \
  __syncthreads();
#define FIVE STEP STEP STEP STEP STEP
#define KERNEL(name, steps)                                \
  __global__ void name(const int* turns, int* out, int n) { \
    __shared__ int s[threads];                             \
    const int t = threadIdx.x;                             \
    if (t >= n) return;                                    \
    int sum = t;                                           \
    s[t] = sum;                                            \
    __syncthreads();                                       \
    for (int turn = turns[t]; turn >= 0; --turn) {         \
      steps                                                \
    }                                                      \
    out[t] = sum;                                          \
  }

KERNEL(of_three, STEP)
KERNEL(of_eleven, FIVE)
KERNEL(of_twenty_one, FIVE FIVE)
KERNEL(of_forty_one, FIVE FIVE FIVE FIVE)

int main() {
  int *turns, *out;
  cudaMallocManaged(&turns, threads * sizeof(int));
  cudaMallocManaged(&out, threads * sizeof(int));
  const auto run = [&](void (*kernel)(const int*, int*, int), int steps, int n) {
    for (int i = 0; i < threads; ++i) turns[i] = 2, out[i] = -1;
    kernel<<<1, threads>>>(turns, out, n);
    cudaDeviceSynchronize();
    int s[threads], sums[threads], wrong = 0;
    for (int t = 0; t < n; ++t) s[t] = sums[t] = t;
    for (int step = 0; step < 2 * steps; ++step) {
      for (int t = 0; t < n; ++t) sums[t] += s[(t + 1) % n];
      for (int t = 0; t < n; ++t) s[t] = sums[t] % 1000;
    }
    for (int t = 0; t < threads; ++t) wrong += out[t] != (t < n ? sums[t] : -1);
    printf("%d steps, %d threads: %d wrong\n", steps, n, wrong);
  };
  for (const int n : {threads, threads - 3}) {
    run(of_three, 1, n);
    run(of_eleven, 5, n);
    run(of_twenty_one, 10, n);
    run(of_forty_one, 20, n);
  }
  cudaFree(turns);
  cudaFree(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
