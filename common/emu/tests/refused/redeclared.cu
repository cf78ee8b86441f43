// All declarations of a function must agree on its side.
__device__ int right(int x);
__device__ int right(int x) { return x; }
int wrong(int x);
__device__ int wrong(int x) { return x; }  // warning
