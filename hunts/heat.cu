// Heat in a rod: in each step a place becomes the mean of its neighbours; both ends keep their value.
//
// Two arrays take turns: a step reads one and writes the other.
#include "hunt.cuh"

constexpr int n = 300;       // places
constexpr int threads = 64;  // of each block
constexpr int steps = 5;

__global__ void step(const int* now, int* next) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  if (i == 0 || i == n - 1)
    next[i] = now[i];
  else
    next[i] = (now[i - 1] + now[i + 1]) / 2;
}

int main() {
  std::vector<int> rod = numbers(n, 1000);
  int* d_now = to_device(rod);
  int* d_next = device_array<int>(n);
  for (int s = 0; s < steps; ++s) {
    step<<<(n + threads - 1) / threads, threads>>>(d_now, d_next);
    std::swap(d_now, d_next);
  }
  const std::vector<int> out = from_device(d_now, n);
  check(cudaFree(d_now));
  check(cudaFree(d_next));

  for (int s = 0; s < steps; ++s) {
    const std::vector<int> old = rod;
    for (int i = 1; i + 1 < n; ++i) rod[i] = (old[i - 1] + old[i + 1]) / 2;
  }
  return compare("rod", out, rod);
}
