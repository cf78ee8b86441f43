// Types that a kernel's parameters can't have.
#include <initializer_list>
template <class... Numbers>
__global__ void pack(int* x, Numbers... numbers) { *x = (0 + ... + numbers); }
__global__ void array(int x[4]) { x[0] = 1; }

__global__ void variadic(int n, ...) {}                      // error
__global__ void moved(int&& x) { x = 1; }                    // error
__global__ void list(std::initializer_list<int> numbers) {}  // error
int main() { pack<<<1, 1>>>(static_cast<int*>(nullptr), 1, 2); }
