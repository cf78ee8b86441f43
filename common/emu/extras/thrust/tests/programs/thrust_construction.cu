// Thrust: construction of objects in raw memory, and random orders.
#include <thrust/count.h>
#include <thrust/device_delete.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_new.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/random.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/uninitialized_copy.h>
#include <thrust/uninitialized_fill.h>

#include <cstdio>

struct Point {
  int x, y;
  __host__ __device__ Point() : x(7), y(8) {}
  __host__ __device__ Point(int a) : x(a), y(-a) {}
  __host__ __device__ Point(const Point& other) : x(other.x + 1), y(other.y) {}  // counts copies
  Point& operator=(const Point&) = default;
};

__global__ void show(const Point* points, int n) {
  for (int i = 0; i < n; ++i) printf("(%d %d) ", points[i].y, points[i].x > -100);
  printf("\n");
}

int main() {
  // Constructs objects in uninitialised memory.
  thrust::device_ptr<Point> points = thrust::device_malloc<Point>(4);
  thrust::uninitialized_fill(points, points + 4, Point(3));
  show<<<1, 1>>>(points.get(), 4);
  cudaDeviceSynchronize();
  thrust::device_ptr<Point> copies = thrust::device_malloc<Point>(4);
  thrust::uninitialized_copy(points, points + 4, copies);
  thrust::uninitialized_copy_n(thrust::device, points, 1, copies + 3);
  show<<<1, 1>>>(copies.get(), 4);
  cudaDeviceSynchronize();
  thrust::device_free(points);
  thrust::device_free(copies);
  thrust::device_ptr<Point> made = thrust::device_new<Point>(2);
  show<<<1, 1>>>(made.get(), 1);  // Thrust of CUDA 13.0 does not construct the second one
  cudaDeviceSynchronize();
  thrust::device_delete(made, 2);

  // Plain numbers.
  thrust::device_ptr<int> numbers = thrust::device_malloc<int>(100);
  thrust::uninitialized_fill_n(numbers, 100, 5);
  printf("%d fives\n", static_cast<int>(thrust::count(numbers, numbers + 100, 5)));
  thrust::device_free(numbers);

  // A random order contains each element once, and almost certainly differs from the old order.
  thrust::device_vector<int> deck(1000), other(1000);
  thrust::sequence(deck.begin(), deck.end());
  thrust::default_random_engine engine(42);
  thrust::shuffle_copy(deck.begin(), deck.end(), other.begin(), engine);
  thrust::shuffle(thrust::device, deck.begin(), deck.end(), engine);
  for (thrust::device_vector<int>* const cards : {&deck, &other}) {
    const thrust::host_vector<int> drawn = *cards;
    int at_home = 0, missing = 0;
    for (int i = 0; i < 1000; ++i) at_home += drawn[i] == i;
    thrust::sort(cards->begin(), cards->end());
    const thrust::host_vector<int> sorted = *cards;
    for (int i = 0; i < 1000; ++i) missing += sorted[i] != i;
    printf("%s, %d missing\n", at_home < 20 ? "shuffled" : "as it was", missing);
  }
  return 0;
}
