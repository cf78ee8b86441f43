// Functions of the other side, called by the names of their namespaces and through using-directives.
namespace a {
int host(int x) { return x; }
__device__ int device(int x) { return x; }
int variable = 1;
}  // namespace a

__global__ void kernel(int* x) {
  *x = a::device(1) + ::a::device(2);
  *x += a::host(1);      // error
  *x += ::a::host(2);    // error
  *x += a::variable;     // error
}


namespace b {
int host_of_b(int x) { return x; }
__device__ int device_of_b(int x) { return x; }
}  // namespace b
using namespace b;
__global__ void opened(int* x) {
  *x = device_of_b(1);
  *x += host_of_b(1);      // error
}

int main() {
  int x = a::host(1) + a::variable;
  x += a::device(1);     // error
  x += ::a::device(2);   // error
  x += device_of_b(1);     // error
  return x;
}
