// Static shared memory is limited to 48 KB for each kernel.
__global__ void right(float* x) {
  __shared__ float a[12288];
  a[threadIdx.x] = *x;
  __syncthreads();
  *x = a[0];
}
__global__ void array(float* x) { __shared__ float b[12289]; b[threadIdx.x] = *x; __syncthreads(); *x = b[0]; }  // error anywhere
__global__ void two(float* x) { __shared__ float b[9000], c[9000]; b[threadIdx.x] = c[threadIdx.x] = *x; __syncthreads(); *x = b[0] + c[1]; }  // error anywhere
