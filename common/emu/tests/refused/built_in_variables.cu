// Built-in variables are there in device code, for reading.
__global__ void kernel(int* x) {
  x[threadIdx.x] = blockDim.x;
  threadIdx.x = 1;   // error
  blockDim.y += 1;   // error
  x[1] = reinterpret_cast<const int*>(&threadIdx)[0];  // error
  x[2] = x[3] & threadIdx.x;
}
