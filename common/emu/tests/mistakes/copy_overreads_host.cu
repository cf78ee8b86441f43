// A copy reads past the end of the host's array.
// gpu: exits 0
// finding: copy
#include <cstdio>
#include <vector>
__global__ void sum(const int* a, int n, int* o) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += a[i];
  *o = s;
}
int main() {
#ifdef MENDED
  std::vector<int> v(400, 1);
#else
  std::vector<int> v(100, 1);
#endif
  int *d, *o, h;
  cudaMalloc(&d, 400 * 4);
  cudaMalloc(&o, 4);
  cudaMemcpy(d, v.data(), 400 * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<1, 1>>>(d, 400, o);
  cudaMemcpy(&h, o, 4, cudaMemcpyDeviceToHost);
  printf("%d (100)\n", h);
  cudaFree(d);
  cudaFree(o);
}
