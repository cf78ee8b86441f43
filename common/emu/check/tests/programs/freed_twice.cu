// bug: bad-free 6,8 -
// The same pointer twice.
int main() {
  int* values;
  cudaMalloc(&values, 64);
  cudaFree(values);
#ifdef BUG
  cudaFree(values);
#endif
}
