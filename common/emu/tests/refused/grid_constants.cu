// A parameter that all threads of a grid share is one of a kernel, and constant.
struct Settings { int values[64]; };
__global__ void right(const __grid_constant__ Settings settings, int* x) { *x = settings.values[1]; }

__global__ void changes(__grid_constant__ Settings settings, int* x) { *x = settings.values[1]; }         // error
__global__ void refers(const __grid_constant__ Settings& settings, int* x) { *x = settings.values[1]; }  // error
__device__ int device(const __grid_constant__ Settings settings) { return settings.values[1]; }          // error
