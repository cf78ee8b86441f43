// A host constant is a variable if its value is computed at the program's start, or if its address is taken.
#include <cstdlib>
const int started = std::atoi("4");
const int count = 4;
struct Sizes {
  int rows;
  static const int columns = 3;
  static int host_rows;
};
int Sizes::host_rows = 2;
const Sizes sizes = {2};

__device__ void take(const int* x) { (void)*x; }
__global__ void kernel(int* r) {
  *r = count + Sizes::columns + sizes.rows;
  *r += started;           // error
  *r += Sizes::host_rows;  // error
  take(&count);            // error
}
