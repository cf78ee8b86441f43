// Inline assembly must be PTX.
__global__ void kernel(int* x) {
  int y;
  asm("add.s32 %0, %1, 1;" : "=r"(y) : "r"(*x));
  *x = y;
}
__global__ void wrong(int* x) {
  asm("nonsense.u32 %0, 1;" : "=r"(*x));  // error anywhere
}
