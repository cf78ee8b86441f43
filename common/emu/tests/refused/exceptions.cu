// Device code can't use exceptions.
#include <stdexcept>
__global__ void kernel(int* x) {
  *x = 1;
  if (*x > 2) throw 1;  // error
}
__device__ void caught(int* x) { try { *x = 1; } catch (int) { *x = 2; } }  // error
void host() { try { throw std::runtime_error("x"); } catch (...) {} }
__global__ void promised(int* x) noexcept { *x = 1; }  // error
