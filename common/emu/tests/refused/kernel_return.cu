// A kernel returns nothing: results go through pointers.
__global__ void right(int* result) { *result = 1; }

__global__ int returns_int() { return 1; }   // error
__global__ auto returns_auto() { return 1; } // error
