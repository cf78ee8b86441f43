// The program begins on the host.
__global__ void kernel() {}
__global__ void main() {}                                // error
