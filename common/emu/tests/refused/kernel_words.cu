// A kernel can't also be a host or device function.
__host__ __device__ int right() { return 1; }

__global__ __device__ void kernel_of_device() {}         // error
__host__ __global__ void kernel_of_host() {}             // error
