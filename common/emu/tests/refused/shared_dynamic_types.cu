// All kernels of a file have one dynamic shared memory: a name of it has one type.
__global__ void floats(float* x) { extern __shared__ float buffer[]; *x = buffer[0]; }
__global__ void more_floats(float* x) { extern __shared__ float buffer[]; *x = buffer[1]; }
__global__ void integers(int* x) {
  extern __shared__ int buffer[];  // error
  *x = 1;
}
