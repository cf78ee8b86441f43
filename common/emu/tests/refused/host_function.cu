// Device code can't call host functions.
#include <cstdlib>
int host(int x) { return x + 1; }
template <class T> T host_template(T x) { return x + 1; }
constexpr int host_constexpr(int x) { return x + 1; }
__device__ int device(int x) { return x + 1; }
__host__ __device__ int both(int x) { return x + 1; }
constexpr int known = host_constexpr(2);

__global__ void kernel(int* x) {
  *x = device(1) + both(1) + known;
  *x += host(1);               // error
  *x += host_template(1);      // error
  *x += host_constexpr(*x);    // error
  *x += rand();                // error
}
__device__ int function(int x) {
  x += host(1);  // error
  return x;
}
