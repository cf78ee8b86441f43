// An alias of a namespace does not hide that a function is a host function.
namespace library {
namespace detail {
int host(int x) { return x; }
__device__ int device(int x) { return x; }
__host__ __device__ int both(int x) { return x; }
int variable = 1;
}  // namespace detail
}  // namespace library
namespace lib = library;
namespace inner = library::detail;

__global__ void kernel(int* x) {
  *x = inner::device(1) + lib::detail::both(1) + inner::both(1);
  *x += inner::host(2);        // error
  *x += lib::detail::host(2);  // error
  *x += inner::variable;       // error
  namespace local = library::detail;
  *x += local::host(2);        // error
}
int main() {
  int x = inner::host(1) + lib::detail::both(2) + inner::variable;
  x += inner::device(1);       // error
  return x;
}
