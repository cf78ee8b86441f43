// A kernel's argument is an object with virtual functions.
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
#ifdef MENDED
__global__ void area(float side, float* out) {
  const Square square(side);
#else
__global__ void area(Square square, float* out) {
#endif
  *out = area_of(&square);
}
int main() {
  float* out;
  cudaMalloc(&out, sizeof(float));
#ifdef MENDED
  area<<<1, 1>>>(3, out);
#else
  area<<<1, 1>>>(Square(3), out);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
