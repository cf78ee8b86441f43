// Device code may only read constant memory.
__constant__ float factor;
__constant__ int table[4];
__global__ void kernel(float* x) {
  *x = factor + table[1];
  factor = 1;      // error
  table[0] = 2;    // warning
  ++table[1];      // warning
}
