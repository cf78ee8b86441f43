// emucc: --extended-lambda
// Where Thrust's algorithms run: counting iterators alone select the device; both sides use managed vectors.
#include <cstdio>
#include <list>
#include <new>

#include <thrust/device_vector.h>
#include <thrust/distance.h>
#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/universal_vector.h>

struct square {
  __device__ double operator()(int i) const { return 1.0 * i * i * blockDim.x / blockDim.x; }
};

__global__ void twice(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main() {
  thrust::device_vector<int> device(6);
  int* raw = thrust::raw_pointer_cast(device.data());
  thrust::for_each(thrust::make_counting_iterator(0), thrust::make_counting_iterator(6),
                   [raw] __device__(int i) { raw[i] = 10 * i; });
  printf("%d %d\n", (int)device[1], (int)device[5]);
  thrust::for_each_n(thrust::counting_iterator<int>(2), 3, [raw] __device__(int i) { raw[i] += 1; });
  printf("%d %d\n", (int)device[1], (int)device[4]);
  printf("%g\n",
         thrust::transform_reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(10),
                                  square(), 0.0, thrust::plus<double>()));

  thrust::universal_vector<int> shared(4, 2);
  shared[1] = 7;
  shared.push_back(5);
  twice<<<1, 32>>>(thrust::raw_pointer_cast(shared.data()), (int)shared.size());
  cudaDeviceSynchronize();
  thrust::sort(shared.begin(), shared.end(), thrust::greater<int>());
  cudaDeviceSynchronize();
  for (int value : shared) printf("%d ", value);
  printf("\n%d %d\n", thrust::reduce(shared.begin(), shared.end()),
         (int)thrust::distance(shared.begin(), shared.end()));
  thrust::device_vector<int> copied(shared.begin(), shared.end());
  printf("%d\n", (int)copied[0]);

  std::list<int> list = {3, 1, 2};
  thrust::host_vector<int> host(list.begin(), list.end());
  thrust::sort(host.begin(), host.end());
  printf("%d %d %d\n", host[0], thrust::max(host[1], 1), (int)thrust::min(2.5, 1.5));
  try {
    thrust::device_vector<char> far_too_large(std::size_t(1) << 50);
  } catch (const std::bad_alloc&) {
    printf("bad_alloc\n");
  }
  return 0;
}
