// Built-in variables are there in device code, for reading.
__global__ void kernel(int* x) {
  x[threadIdx.x] = blockDim.x;
  threadIdx.x = 1;   // error
  blockDim.y += 1;   // error
}
