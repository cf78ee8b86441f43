// bug: barrier 6,9 -
// Each half of the block waits at a barrier of its own.
__global__ void halves(int* out) {
#ifdef BUG
  if (threadIdx.x < 32)
    __syncthreads();
  else
    // another barrier
    __syncthreads();
#else
  __syncthreads();
#endif
  out[threadIdx.x] = threadIdx.x;
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  halves<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
