// bug: out-of-bounds 9 first
// Behind the end of one shared array stands the next.
__global__ void shift(int* out) {
  __shared__ int first[32], second[32];
  first[threadIdx.x] = second[threadIdx.x] = threadIdx.x;
  __syncthreads();
#ifdef BUG
  // the last thread reads behind the end
  out[threadIdx.x] = first[threadIdx.x + 1] + second[threadIdx.x];
#else
  out[threadIdx.x] = first[(threadIdx.x + 1) % 32] + second[threadIdx.x];
#endif
}
int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  shift<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
