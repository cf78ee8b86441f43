// Device code has no long double.
__global__ void kernel(double* x) {
  *x += 1.0;
  long double wide = *x; *x = wide;  // warning
}
