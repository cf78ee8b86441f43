#include <cuda_runtime.h>
int plain(int n) {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? n * 5 : -1;
}
