// Device code has no type information at run time.
#include <typeinfo>
struct Base { __device__ virtual int f() { return 1; } };
struct Derived : Base { __device__ int f() override { return 2; } };
__device__ int right(Base* base) { return static_cast<Derived*>(base)->f(); }
__global__ void kernel(int* x, Base* base) {
  *x = right(base);
  if (dynamic_cast<Derived*>(base)) *x = 1;    // error
  if (typeid(*base) == typeid(Derived)) *x = 2;  // error
}
