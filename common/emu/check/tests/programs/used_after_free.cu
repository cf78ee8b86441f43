// bug: use-after-free 4 values
// A kernel on memory that was freed.
__global__ void fill(int* values) {
  values[threadIdx.x] = 1;
}
int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
#ifdef BUG
  cudaFree(values);
#endif
  fill<<<1, 64>>>(values);
  cudaDeviceSynchronize();
#ifndef BUG
  cudaFree(values);
#endif
}
