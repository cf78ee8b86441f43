// An operator can't be a kernel.
struct Number { int value; };
__host__ __device__ Number operator+(Number a, Number b) { return {a.value + b.value}; }
__global__ void operator-(Number a, Number b) {}         // error
