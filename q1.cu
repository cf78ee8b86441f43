#include <cstdio>
__device__ int limit;
__device__ int table[4];
__constant__ int c[2];
__global__ void k(int* p, int v) {
  p[0] = v;
}
template <class T>
void byref(const T& t) {
  (void)t;
}
template <class T>
void byval(T t) {
  (void)t;
}
int main() {
  limit = 1;
  int a = limit;
  table[1] = 2;
  int* p = table;
  int* q = &limit;
  k<<<1, 1>>>(table, 1);
  k<<<1, 1>>>(&limit, 1);
  k<<<1, 1>>>(p, limit);
  printf("%d", limit);
  byref(limit);
  byval(limit);
  byval(table);
  byval(&limit);
  cudaMemcpy(table, p, 4, cudaMemcpyHostToDevice);
  cudaMemcpy(&limit, p, 4, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(limit, &a, 4);
  if (limit > 2) return 1;
  c[0] = 1;
  ++limit;
  return (int)(sizeof(table) + *q);
}
