// The program begins on the host.
__global__ void kernel() {}
__global__ void main() {}                                // error
__device__ int main() { return 0; }                      // error
