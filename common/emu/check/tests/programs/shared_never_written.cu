// bug: uninitialised 11 sums
// Shared memory that only the first row of blocks fills.
__global__ void scale(float* out) {
  __shared__ float sums[32];
#ifdef BUG
  if (blockIdx.y == 0) sums[threadIdx.x] = 2.0f;
#else
  sums[threadIdx.x] = 2.0f;
#endif
  __syncthreads();
  out[blockIdx.y * 32 + threadIdx.x] = sums[31 - threadIdx.x];
}
int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  scale<<<dim3(1, 2), 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
