// Functions of the library that compilers can compute may be called with --expt-relaxed-constexpr.
#include <limits>
#include <cfloat>
__global__ void kernel(float* f) {
  *f = FLT_MAX;
  *f = std::numeric_limits<float>::max();  // error
}
