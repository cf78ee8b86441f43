// Only kernels can have __launch_bounds__.
__global__ void __launch_bounds__(256) right() {}
__launch_bounds__(256) __device__ void device() {}      // error
