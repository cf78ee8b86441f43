// An object with virtual functions is constructed on the host and copied to the device.
// gpu: prints an illegal memory access was encountered
// finding: host-pointer
#include <cstdio>
#ifdef MENDED
#include <new>
#endif
struct Shape {
  __host__ __device__ virtual float area() const { return 0; }
};
struct Square : Shape {
  float a;
  __host__ __device__ Square(float a) : a(a) {}
  __host__ __device__ float area() const override { return a * a; }
};
#ifdef MENDED
__global__ void make(Square* s, float a) {
  new (s) Square(a);
}
#endif
__global__ void area(const Shape* s, float* o) {
  *o = s->area();
}
int main() {
  Square q(3);
  Square* d;
  float *o, h = -1;
  cudaMalloc(&d, sizeof q);
  cudaMalloc(&o, 4);
#ifdef MENDED
  make<<<1, 1>>>(d, q.a);
#else
  cudaMemcpy(d, &q, sizeof q, cudaMemcpyHostToDevice);
#endif
  area<<<1, 1>>>(d, o);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(&h, o, 4, cudaMemcpyDeviceToHost);
  printf("%g\n", h);
  cudaFree(d);
  cudaFree(o);
}
