// sanitizers: not valgrind, it writes to a null pointer on purpose
// A kernel that accesses foreign memory is stopped. The error ends the context, so all later calls fail.
#include <cstdio>
__global__ void touch(int* p, int at) {
  p[at] = 1;
}
int main() {
  int *p, host = 0;
  cudaMalloc(&p, 4 * sizeof(int));
  touch<<<1, 1>>>(p, 1);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  touch<<<1, 1>>>(nullptr, 3);
  printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  const cudaError_t e = cudaDeviceSynchronize();
  printf("%d %s: %s\n", e, cudaGetErrorName(e), cudaGetErrorString(e));
  printf("copy %s\n", cudaGetErrorName(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost)));
  printf("free %s\n", cudaGetErrorName(cudaFree(p)));
  cudaGetLastError();
  touch<<<1, 1>>>(p, 0);
  printf("launch %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("synchronize %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaEvent_t event;
  printf("event %s\n", cudaGetErrorName(cudaEventCreate(&event)));
}
