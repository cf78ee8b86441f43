// A structure in device memory contains a pointer to host memory.
// gpu: prints an illegal memory access was encountered
// finding: host-pointer
// plain: prints no error
// because: a copy moves bytes, not pointers; only the checker sees what a kernel does with them
#include <cstdio>
#include <vector>
struct Grid {
  int n;
  float* cells;
};
__global__ void fill(Grid* g) {
  int i = threadIdx.x;
  if (i < g->n) g->cells[i] = i;
}
int main() {
  std::vector<float> cells(8);
  Grid g{8, cells.data()}, *d;
#ifdef MENDED
  cudaMalloc(&g.cells, 8 * sizeof(float));
#endif
  cudaMalloc(&d, sizeof g);
  cudaMemcpy(d, &g, sizeof g, cudaMemcpyHostToDevice);
  fill<<<1, 8>>>(d);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
#ifdef MENDED
  cudaFree(g.cells);
#endif
}
