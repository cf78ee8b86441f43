// A structure that a kernel receives by value contains a pointer to host memory.
// gpu: prints an illegal memory access was encountered
// finding: host-pointer
#include <cstdio>
#include <vector>
struct Grid {
  int n;
  float* cells;
};
__global__ void fill(Grid g) {
  int i = threadIdx.x;
  if (i < g.n) g.cells[i] = i;
}
int main() {
  std::vector<float> cells(8);
  Grid g{8, cells.data()};
#ifdef MENDED
  cudaMalloc(&g.cells, 8 * sizeof(float));
#endif
  fill<<<1, 8>>>(g);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#ifdef MENDED
  cudaFree(g.cells);
#endif
}
