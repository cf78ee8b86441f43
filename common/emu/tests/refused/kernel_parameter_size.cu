// The parameters of a kernel are limited to 32764 bytes in all.
struct Largest { char bytes[32744]; };
struct Larger { char bytes[32765]; };
__global__ void right(Largest most, int* x) { *x = most.bytes[0]; }

__global__ void too_large(Larger much, int* x) { *x = much.bytes[0]; }  // error
