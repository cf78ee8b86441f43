// bug: uninitialised 4 values
// cudaMalloc's memory holds anything.
__global__ void increment(int* values) {
  values[threadIdx.x] += 1;
}
int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
#ifndef BUG
  cudaMemset(values, 0, 64 * sizeof(int));
#endif
  increment<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}
