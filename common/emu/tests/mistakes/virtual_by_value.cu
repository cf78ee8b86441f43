// An object with virtual functions is a kernel's argument.
// gpu: prints an illegal memory access was encountered
// finding: host-pointer
#include <cstdio>
struct Shape {
  __host__ __device__ virtual float area() const { return 0; }
};
struct Square : Shape {
  float a;
  __host__ __device__ explicit Square(float side) : a(side) {}
  __host__ __device__ float area() const override { return a * a; }
};
__device__ __noinline__ float area_of(const Shape* shape) {
  return shape->area();
}
__global__ void area(Square square, float* out) {
#ifdef MENDED
  Square own(square.a);
  *out = area_of(&own);
#else
  *out = area_of(&square);
#endif
}
int main() {
  float* out;
  cudaMalloc(&out, sizeof(float));
  area<<<1, 1>>>(Square(3), out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
