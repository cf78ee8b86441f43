// Built-in variables exist only in device code, and are read-only.
__global__ void kernel(int* x) {
  x[threadIdx.x] = blockDim.x;
  threadIdx.x = 1;   // error
  blockDim.y += 1;   // error
  x[1] = reinterpret_cast<const int*>(&threadIdx)[0];  // error
  x[2] = x[3] & threadIdx.x;
}
