// bug: race 9,14 data
// Relaxation and copy in one kernel with only __syncthreads() between: blocks next to each other race.
__global__ void relax(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
  float mean = 0;
  if (i > 0 && i < n - 1)
    // the neighbours may belong to another block
    mean = data[i - 1] + data[i + 1];
#else
  const float mean = i;
#endif
  __syncthreads();
  if (i < n) data[i] = mean;
}
int main() {
  const int n = 256;
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  cudaMemset(data, 0, n * sizeof(float));
  relax<<<4, 64>>>(data, n);
  cudaDeviceSynchronize();
  cudaFree(data);
}
