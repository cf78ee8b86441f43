// bug: race 5,5 count
// An atomic function that holds within a block only, used by several blocks.
__global__ void tally(int* count) {
#ifdef BUG
  atomicAdd_block(count, 1);
#else
  atomicAdd(count, 1);
#endif
}
int main() {
  int* count;
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  tally<<<4, 64>>>(count);
  cudaDeviceSynchronize();
  cudaFree(count);
}
