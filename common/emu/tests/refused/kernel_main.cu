// main() is a host function, so it can't be a kernel.
__global__ void kernel() {}
__global__ void main() {}                                // error
__device__ int main() { return 0; }                      // error
