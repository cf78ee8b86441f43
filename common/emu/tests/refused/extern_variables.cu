// A device variable of another file can be used only in relocatable code (-rdc=true).
__device__ int right;
extern __device__ int elsewhere;  // warning
__global__ void kernel(int* x) { *x = right; }
