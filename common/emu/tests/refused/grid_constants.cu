// Only a constant parameter of a kernel can be shared by all threads of a grid.
struct Settings { int values[64]; };
__global__ void right(const __grid_constant__ Settings settings, int* x) { *x = settings.values[1]; }

__global__ void changes(__grid_constant__ Settings settings, int* x) { *x = settings.values[1]; }         // error
__global__ void refers(const __grid_constant__ Settings& settings, int* x) { *x = settings.values[1]; }  // error
__device__ int device(const __grid_constant__ Settings settings) { return settings.values[1]; }          // error
