// Constant memory is limited to 64 KB.
__constant__ float right[10000];
__constant__ float too_much[10000];                   // error anywhere
__global__ void kernel(float* x, int i) { *x = right[i]; }
__global__ void other(float* x, int i) { *x = too_much[i]; }  // error anywhere
