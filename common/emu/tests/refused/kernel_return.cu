// A kernel can't return a value. Results are written through pointers.
__global__ void right(int* result) { *result = 1; }

__global__ int returns_int() { return 1; }   // error
__global__ auto returns_auto() { return 1; } // error
