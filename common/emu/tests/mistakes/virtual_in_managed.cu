// An object with virtual functions is constructed on the host, in managed memory.
// gpu: prints an illegal memory access was encountered
// finding: host-pointer
// plain: prints no error
// because: the host may use the object while the kernel runs; only the checker knows who made it
#include <cstdio>
#include <new>
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
  Square* s;
  float* o;
  cudaMallocManaged(&s, sizeof(Square));
  cudaMallocManaged(&o, sizeof(float));
#ifdef MENDED
  make<<<1, 1>>>(s, 3);
#else
  new (s) Square(3);
#endif
  area<<<1, 1>>>(s, o);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(s);
  cudaFree(o);
}
