// The initial value of a device variable must be known at compile time.
#include <cstdlib>
int started() { return std::atoi("1"); }
struct Fixed { int value; constexpr __host__ __device__ Fixed() : value(1) {} };
constexpr int one = 1;
__device__ int right = one + 1;
__device__ Fixed fixed;

__device__ int dynamic = started();     // error
__constant__ int dynamic_too = started();  // error
