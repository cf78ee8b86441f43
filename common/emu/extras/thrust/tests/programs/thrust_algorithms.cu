// Typical uses of Thrust: vectors, transformations, reductions, scans, sorts, selections, computed iterators,
// policies, raw pointers, algorithms within kernels.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct Square {
  __host__ __device__ double operator()(int x) const { return static_cast<double>(x) * x; }
};
struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Blend {
  template <typename Tuple>
  __host__ __device__ void operator()(Tuple t) const {
    thrust::get<2>(t) = thrust::get<0>(t) * 10 + thrust::get<1>(t);
  }
};
struct Draw {
  __host__ __device__ float operator()(unsigned n) const {
    thrust::default_random_engine engine;
    engine.discard(n);
    thrust::uniform_real_distribution<float> uniform(0.0f, 1.0f);
    return uniform(engine);
  }
};

template <typename Vector>
void show(const char* name, const Vector& values) {
  thrust::host_vector<typename Vector::value_type> host = values;
  std::cout << name;
  for (const auto& value : host) std::cout << ' ' << value;
  std::cout << '\n';
}

__global__ void within(int* data, int n) {
  thrust::sort(thrust::seq, data, data + n);
  data[n] = thrust::reduce(thrust::seq, data, data + n);
}

int main() {
  // Vectors.
  thrust::host_vector<int> host(8);
  for (int i = 0; i < 8; ++i) host[i] = (i * 5 + 3) % 8;
  thrust::device_vector<int> numbers = host;
  numbers[2] = 20;
  numbers.push_back(7);
  std::cout << "size " << numbers.size() << ", third " << numbers[2] << ", last " << numbers.back() << '\n';
  show("numbers", numbers);
  thrust::device_vector<int> copy(numbers.begin() + 1, numbers.begin() + 5);
  copy.resize(6, 9);
  show("copy", copy);

  // Sorts and searches.
  thrust::sort(numbers.begin(), numbers.end());
  show("sorted", numbers);
  std::cout << "at " << thrust::lower_bound(numbers.begin(), numbers.end(), 7) - numbers.begin() << ' '
            << thrust::binary_search(numbers.begin(), numbers.end(), 4) << '\n';
  thrust::sort(numbers.begin(), numbers.end(), thrust::greater<int>());
  show("descending", numbers);
  int keys[] = {3, 1, 2, 1, 3, 2, 1};
  char letters[] = {'a', 'b', 'c', 'd', 'e', 'f', 'g'};
  thrust::stable_sort_by_key(thrust::host, keys, keys + 7, letters);
  std::cout << "by key ";
  for (const char letter : letters) std::cout << letter;
  std::cout << '\n';

  // Transformations and reductions.
  thrust::device_vector<float> x(1000), y(1000, 2.0f);
  thrust::sequence(x.begin(), x.end());
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{0.5f});
  std::cout << "saxpy " << y[0] << ' ' << y[999] << ' ' << thrust::reduce(y.begin(), y.end()) << '\n';
  thrust::device_vector<int> series(100);
  thrust::sequence(series.begin(), series.end(), 1);
  std::cout << "squares "
            << thrust::transform_reduce(series.begin(), series.end(), Square(), 0.0, thrust::plus<double>())
            << ", product " << thrust::inner_product(series.begin(), series.end(), series.begin(), 0)
            << ", greatest " << *thrust::max_element(series.begin(), series.end()) << ", even "
            << thrust::count_if(series.begin(), series.end(), IsEven()) << '\n';
  std::cout << "policy "
            << thrust::reduce(thrust::device, series.begin(), series.end(), 0, thrust::maximum<int>())
            << '\n';

  // Scans, selections.
  thrust::device_vector<int> scanned(10);
  thrust::inclusive_scan(series.begin(), series.begin() + 10, scanned.begin());
  show("inclusive", scanned);
  thrust::exclusive_scan(series.begin(), series.begin() + 10, scanned.begin(), 100);
  show("exclusive", scanned);
  thrust::device_vector<int> even(50);
  const auto end = thrust::copy_if(series.begin(), series.begin() + 11, even.begin(), IsEven());
  even.resize(end - even.begin());
  show("even", even);
  thrust::device_vector<int> rest(series.begin(), series.begin() + 11);
  rest.erase(thrust::remove_if(rest.begin(), rest.end(), IsEven()), rest.end());
  show("odd", rest);
  const int runs[] = {1, 1, 1, 5, 5, 2, 2, 2, 2};
  thrust::device_vector<int> run_keys(runs, runs + 9), unique_keys(9), counts(9);
  const auto ends = thrust::reduce_by_key(run_keys.begin(), run_keys.end(), thrust::constant_iterator<int>(1),
                                          unique_keys.begin(), counts.begin());
  unique_keys.resize(ends.first - unique_keys.begin());
  counts.resize(ends.second - counts.begin());
  show("keys", unique_keys);
  show("counts", counts);
  run_keys.erase(thrust::unique(run_keys.begin(), run_keys.end()), run_keys.end());
  show("unique", run_keys);
  thrust::device_vector<int> united(11);
  thrust::set_union(even.begin(), even.end(), rest.begin(), rest.end(), united.begin());
  show("united", united);

  // Iterators that compute.
  thrust::counting_iterator<int> first(1);
  std::cout << "counted " << thrust::reduce(first, first + 100) << ", squared "
            << thrust::reduce(thrust::make_transform_iterator(series.begin(), Square()),
                              thrust::make_transform_iterator(series.end(), Square()))
            << '\n';
  thrust::device_vector<int> a(3), b(3), c(3);
  thrust::sequence(a.begin(), a.end(), 1);
  thrust::fill(b.begin(), b.end(), 4);
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end(), c.end())), Blend());
  show("zipped", c);
  thrust::device_vector<int> map(3);
  map[0] = 2, map[1] = 0, map[2] = 2;
  thrust::device_vector<int> gathered(3), scattered(3, -1);
  thrust::gather(map.begin(), map.end(), c.begin(), gathered.begin());
  thrust::scatter(c.begin(), c.begin() + 2, map.begin(), scattered.begin());
  show("gathered", gathered);
  show("scattered", scattered);
  std::cout << "permuted "
            << thrust::reduce(thrust::make_permutation_iterator(c.begin(), map.begin()),
                              thrust::make_permutation_iterator(c.begin(), map.end()))
            << '\n';
  thrust::device_vector<float> random(4);
  thrust::transform(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(4),
                    random.begin(), Draw());
  for (int i = 0; i < 4; ++i) printf("%.5f ", static_cast<float>(random[i]));
  printf("\n");

  // Raw memory, streams, kernels.
  int* raw;
  cudaMalloc(&raw, 6 * sizeof *raw);
  thrust::device_ptr<int> wrapped(raw);
  thrust::fill(wrapped, wrapped + 5, 3);
  wrapped[1] = 30;
  thrust::transform(thrust::device, raw, raw + 5, raw, thrust::negate<int>());
  within<<<1, 1>>>(raw, 5);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaDeviceSynchronize();
  thrust::sort(thrust::cuda::par.on(stream), raw, raw + 6, thrust::greater<int>());
  int back[6];
  cudaMemcpy(back, raw, sizeof back, cudaMemcpyDeviceToHost);
  for (const int value : back) printf("%d ", value);
  printf("\n");
  Saxpy* none = nullptr;
  printf("%d %s\n", thrust::raw_pointer_cast(numbers.data()) != nullptr && none == nullptr,
         cudaGetErrorString(cudaGetLastError()));
}
