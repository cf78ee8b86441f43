// A variable of another file's is reached in relocatable code (-rdc=true) only.
__device__ int right;
extern __device__ int elsewhere;  // warning
__global__ void kernel(int* x) { *x = right; }
