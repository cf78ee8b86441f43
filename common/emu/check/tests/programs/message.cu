// bug: race 9,20 data
// One block hands data to another through a flag.
__global__ void pass(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
#ifndef BUG
      data[0] = 42;
#else
      data[0] = 42;
#endif
#ifndef BUG
      __threadfence();
#endif
      atomicExch(flag, 1);
    }
  } else if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data[0];
  }
}
int main() {
  int *data, *flag, *out;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  pass<<<2, 32>>>(data, flag, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
}
