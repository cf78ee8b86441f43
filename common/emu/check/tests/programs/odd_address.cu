// bug: misaligned 7 -
// A float4 at an address that is no multiple of 16.
__global__ void load(const float* in, float4* out) {
#ifdef BUG
  const float4* const from = reinterpret_cast<const float4*>(in + 1);
  // stops a GPU
  out[threadIdx.x] = from[threadIdx.x];
#else
  out[threadIdx.x] = reinterpret_cast<const float4*>(in + 4)[threadIdx.x];
#endif
}
int main() {
  float* in;
  float4* out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float4));
  cudaMemset(in, 0, 256 * sizeof(float));
  load<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
