// A shared variable can't have an initialiser.
struct Made { int value; __device__ Made() : value(1) {} };
struct Plain { int value; };
__global__ void kernel(int* x, int n) {
  __shared__ int right[4];
  __shared__ Plain plain;
  right[threadIdx.x] = *x;
  plain.value = 1;
  *x = right[0] + plain.value;
  __shared__ int one = 0;         // error
  __shared__ int several[2] = {}; // error
  __shared__ Made made;           // warning
  __shared__ int sized[n];        // error
}
