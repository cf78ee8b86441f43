// Objects with virtual functions cross between the sides; each side calls the functions of its own objects.
#include <cstdio>
#include <new>
#include <vector>

struct Shape {
  int id = 4;
  __host__ __device__ virtual float area() const { return 0; }
  __host__ __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __host__ __device__ explicit Square(float side_) : side(side_) {}
  __host__ __device__ float area() const override { return side * side; }
};
struct Left {
  int x = 2;
  virtual int left() { return 1; }
};
struct Right {
  int y = 4;
  virtual int right() { return 3; }
};
struct Both : Left, Right {
  int left() override { return 5; }
  int right() override { return 6; }
};

__global__ void make(Square* squares, float side, int n) {
  for (int i = 0; i < n; ++i) new (squares + i) Square(side + i);
}
__global__ void area(const Shape* shape, float* out) {
  *out = shape->area();
}
__global__ void widen(Square* squares, int n) {
  for (int i = 0; i < n; ++i) squares[i].side += 1;
}
__constant__ char room[sizeof(Square)];

int main() {
  constexpr int n = 100;
  std::vector<Square> squares(n, Square(2));
  Square *first, *second, *managed;
  float* out;
  cudaMalloc(&first, n * sizeof(Square));
  cudaMalloc(&second, n * sizeof(Square));
  cudaMalloc(&out, sizeof(float));
  cudaMallocManaged(&managed, sizeof(Square));

  cudaMemcpy(first, squares.data(), n * sizeof(Square), cudaMemcpyHostToDevice);
  widen<<<1, 1>>>(first, n);
  cudaMemcpy(second, first, n * sizeof(Square), cudaMemcpyDeviceToDevice);
  cudaMemcpy(squares.data(), second, n * sizeof(Square), cudaMemcpyDeviceToHost);
  const Shape* volatile shape = &squares[n / 2];
  printf("there and back: %g\n", shape->area());

  cudaMemcpyToSymbol(room, &squares[1], sizeof(Square));
  cudaMemcpyFromSymbol(&squares[0], room, sizeof(Square));
  shape = &squares[0];
  printf("by a symbol: %g\n", shape->area());

  Both both, copy;
  Both* on_device;
  cudaMalloc(&on_device, sizeof both);
  cudaMemcpy(on_device, &both, sizeof both, cudaMemcpyDefault);
  cudaMemcpy(static_cast<void*>(&copy), on_device, sizeof both, cudaMemcpyDefault);
  Left* volatile left = &copy;
  Right* volatile right = &copy;
  printf("with two tables: %d %d\n", left->left(), right->right());

  make<<<1, 1>>>(first, 3, n);
  std::vector<char> bytes(n * sizeof(Square));
  cudaMemcpy2D(bytes.data(), sizeof(Square), first, sizeof(Square), sizeof(Square), n, cudaMemcpyDeviceToHost);
  cudaMemcpyAsync(second, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  area<<<1, 1>>>(second + 7, out);
  float result = 0;
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("a kernel's, by way of the host: %g\n", result);

  cudaMemcpy(managed, &squares[3], sizeof(Square), cudaMemcpyHostToDevice);
  shape = managed;
  printf("in managed memory: %g\n", shape->area());

  cudaFree(first);
  cudaFree(second);
  cudaFree(on_device);
  cudaFree(out);
  cudaFree(managed);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
