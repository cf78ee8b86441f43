// Device functions and variables across files: -dc, then a link.
#include <cstdio>
#include "shared.cuh"
__device__ int total;
__global__ void run(int n) { add(twice(n)); }
int main() {
  run<<<1, 4>>>(3);
  launch_more();
  int value = 0;
  cudaMemcpyFromSymbol(&value, total, sizeof value);
  printf("%d %d\n", value, plain(2));
}
