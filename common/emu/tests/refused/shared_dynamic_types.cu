// All kernels of a file share one dynamic shared memory, so each name of it must have one type.
__global__ void floats(float* x) { extern __shared__ float buffer[]; *x = buffer[0]; }
__global__ void more_floats(float* x) { extern __shared__ float buffer[]; *x = buffer[1]; }
__global__ void integers(int* x) {
  extern __shared__ int buffer[];  // error
  *x = 1;
}
