// Device code may call constexpr functions of the library only with --expt-relaxed-constexpr.
#include <limits>
#include <cfloat>
__global__ void kernel(float* f) {
  *f = FLT_MAX;
  *f = std::numeric_limits<float>::max();  // error
}
