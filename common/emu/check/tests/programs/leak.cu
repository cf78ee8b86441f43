// bug: leak 5 values
// Memory that is never given back.
int main() {
  int* values;
  cudaMalloc(&values, 64);
#ifndef BUG
  cudaFree(values);
#endif
}
