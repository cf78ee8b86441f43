// A constructor can't run on the device before the first kernel.
#include <string>

int of_host[2];
struct Plain { int x; };
struct Constant { int x; constexpr Constant() : x(1) {} };
struct Made { int x; __host__ __device__ Made() : x(1) {} };
struct Ended { int x; __device__ ~Ended() { x = 0; } };

__device__ Plain plain;
__constant__ Constant constants[2];
__constant__ Made lights[4];            // error
__device__ Ended ended;                 // error
__device__ std::string text;            // error
__device__ int* pointer = of_host;      // error
inline __device__ int counter;          // error
