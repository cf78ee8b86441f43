// Virtual functions of objects that the other side constructed. Each side has its own tables.
#include <new>

#include "../pair.cuh"

// An object with virtual functions is copied from the host. Objects that kernels construct are right, also
// local objects and objects on the heap.
// pair: virtual_of_host
// exact: host-pointer @virtual square
// contains: a thread calls a virtual function of an object that the host made, in square
// hint: a kernel constructs it by placement new in memory from cudaMalloc
struct Shape {
  __host__ __device__ virtual ~Shape() {}
  __host__ __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __host__ __device__ explicit Square(float side_) : side(side_) {}
  __host__ __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
  __host__ __device__ float area() const override { return 3; }
};
__global__ void make_square(Square* where, float side) {
  new (where) Square(side);
}
__device__ __noinline__ float area_of(const Shape& shape) {
  return shape.area();
}
__global__ void areas(const Square* square, float* out) {
  const Circle local;
  const Shape* const on_heap = new Circle;
  out[0] = area_of(local) + on_heap->area();
  delete on_heap;
  out[1] = static_cast<const Shape*>(square)->area();  // @virtual
}
PAIR(virtual_of_host) {
  const Zeros<float> out(2);
  Square* square = nullptr;
  cudaMalloc(&square, sizeof(Square));
  if (wrong) {
    const Square on_host(2);
    cudaMemcpy(square, &on_host, sizeof on_host, cudaMemcpyHostToDevice);
  } else {
    make_square<<<1, 1>>>(square, 2);
  }
  areas<<<1, 1>>>(square, out);
  cudaDeviceSynchronize();
  cudaFree(square);
}

// The same mistake in managed memory.
// pair: virtual_in_managed
// exact: host-pointer @managed shape
struct Cube final : Shape {
  __host__ __device__ float area() const override { return 6; }
};
__global__ void make_cube(Cube* where) {
  new (where) Cube;
}
__global__ void area_of_managed(const Shape* shape, float* out) {
  *out = shape->area();  // @managed
}
PAIR(virtual_in_managed) {
  const Zeros<float> out(1);
  Cube* shape = nullptr;
  cudaMallocManaged(&shape, sizeof(Cube));
  if (wrong)
    new (shape) Cube;
  else
    make_cube<<<1, 1>>>(shape);
  area_of_managed<<<1, 1>>>(shape, out);
  cudaDeviceSynchronize();
  cudaFree(shape);
}

// An object with virtual functions is the argument of a kernel, which CUDA does not allow.
// pair: virtual_argument
// exact: host-pointer @argument -
// contains: that the host made, an argument of the kernel
struct Sphere final : Shape {
  float radius;
  __host__ __device__ explicit Sphere(float radius_) : radius(radius_) {}
  __host__ __device__ float area() const override { return 12 * radius * radius; }
};
__device__ __noinline__ float area_by_table(const Shape& shape) {
  return shape.area();  // @argument
}
__global__ void area_of_argument(Sphere sphere, float* out) {
  *out = area_by_table(sphere);
}
__global__ void area_of_radius(float radius, float* out) {
  const Sphere sphere(radius);
  *out = area_by_table(sphere);
}
PAIR(virtual_argument) {
  const Zeros<float> out(1);
  if (wrong)
    area_of_argument<<<1, 1>>>(Sphere(2), out);
  else
    area_of_radius<<<1, 1>>>(2, out);
  cudaDeviceSynchronize();
}

// A kernel's own object is right, although an argument of its class is not.
// pair: virtual_argument_beside_own
// exact: host-pointer @beside -
// contains: that the host made, an argument of the kernel
struct Cone final : Shape {
  float height;
  __host__ __device__ explicit Cone(float height_) : height(height_) {}
  __host__ __device__ float area() const override { return 2 * height; }
};
__device__ __noinline__ float area_of_cone(const Shape& shape) {
  return shape.area();
}
__device__ __noinline__ float area_of_given(const Shape& shape) {
  return shape.area();  // @beside
}
__global__ void area_beside(Cone given, float* out, bool wrong) {
  const Cone own(given.height);
  out[0] = area_of_cone(own);
  out[1] = wrong ? area_of_given(given) : given.height;
}
PAIR(virtual_argument_beside_own) {
  const Zeros<float> out(2);
  area_beside<<<1, 1>>>(Cone(2), out, wrong);
  cudaDeviceSynchronize();
  float host[2] = {};
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  if (host[0] != 4) printf("the kernel's own object has the area %g\n", host[0]);
}

// A host's object is copied to the device after a kernel has constructed an object of its class.
// pair: virtual_of_host_later
// exact: host-pointer @later disc
struct Disc final : Shape {
  __host__ __device__ float area() const override { return 5; }
};
__global__ void make_disc(Disc* where) {
  new (where) Disc;
}
__global__ void area_of_disc(const Shape* shape, float* out) {
  *out = shape->area();  // @later
}
PAIR(virtual_of_host_later) {
  const Zeros<float> out(1);
  Disc *first = nullptr, *disc = nullptr;
  cudaMalloc(&first, sizeof(Disc));
  cudaMalloc(&disc, sizeof(Disc));
  make_disc<<<1, 1>>>(first);
  const Disc on_host;
  if (wrong)
    cudaMemcpy(disc, &on_host, sizeof on_host, cudaMemcpyHostToDevice);
  else
    cudaMemcpy(disc, first, sizeof(Disc), cudaMemcpyDeviceToDevice);
  area_of_disc<<<1, 1>>>(disc, out);
  cudaDeviceSynchronize();
  cudaFree(first);
  cudaFree(disc);
}

// The same in pinned memory, where each side constructs an object.
// pair: virtual_in_pinned
// exact: host-pointer @pinned rod
struct Rod final : Shape {
  __host__ __device__ float area() const override { return 7; }
};
__global__ void make_rod(Rod* where) {
  new (where) Rod;
}
__global__ void area_of_rod(const Shape* shape, float* out) {
  *out = shape->area();  // @pinned
}
PAIR(virtual_in_pinned) {
  const Zeros<float> out(1);
  Rod* rod = nullptr;
  cudaMallocHost(&rod, 2 * sizeof(Rod));
  make_rod<<<1, 1>>>(rod);
  new (rod + 1) Rod;
  area_of_rod<<<1, 1>>>(wrong ? rod + 1 : rod, out);
  cudaDeviceSynchronize();
  cudaFreeHost(rod);
}

// The host calls a virtual function of an object that a kernel constructed in memory of both sides.
// pair: virtual_of_kernel
// exact: device-pointer @of_kernel tile
// hint: let the host construct one of its own from the values
struct Tile final : Shape {
  float side;
  __host__ __device__ explicit Tile(float side_) : side(side_) {}
  __host__ __device__ float area() const override { return side * side; }
};
__global__ void make_tile(Tile* where, float side) {
  new (where) Tile(side);
}
[[gnu::noinline]] float area_on_host(const Shape& shape) {
  return shape.area();  // @of_kernel
}
PAIR(virtual_of_kernel) {
  Tile* tile = nullptr;
  cudaMallocManaged(&tile, sizeof(Tile));
  make_tile<<<1, 1>>>(tile, 3);
  cudaDeviceSynchronize();
  const Tile own(tile->side);
  if (area_on_host(wrong ? *tile : own) != 9) printf("it is wrong\n");
  cudaFree(tile);
}

// The same with a copy that the host has made: the program ends there, as on a GPU.
// pair: virtual_of_kernel_copied
// exact: device-pointer @of_copy -
// error: Segmentation fault
[[gnu::noinline]] float area_of_copy(const Shape& shape) {
  return shape.area();  // @of_copy
}
PAIR(virtual_of_kernel_copied) {
  Tile *tile = nullptr, host(1);
  cudaMalloc(&tile, sizeof(Tile));
  make_tile<<<1, 1>>>(tile, 3);
  cudaMemcpy(&host, tile, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(tile);
  const Tile own(host.side);
  if (area_of_copy(wrong ? host : own) != 9) printf("it is wrong\n");
}
