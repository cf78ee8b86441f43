// bug: out-of-bounds 9 out
// More threads than elements.
__global__ void fill(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef BUG
  if (i < n)
#endif
    // one element for each thread
    out[i] = i;
}
int main() {
  const int n = 100;
  float* out;
  cudaMalloc(&out, n * sizeof(float));
  fill<<<1, 104>>>(out, n);
  cudaDeviceSynchronize();
  cudaFree(out);
}
