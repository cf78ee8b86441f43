// An array's size must be a constant.
__global__ void kernel(int* x, int n) {
  const int size = 4;
  int right[size];
  right[0] = *x;
  int wrong[n];  // error
  x[1] = right[0];
}
__device__ int device(int n) {
  float wrong[n + 1];  // error
  return n;
}
