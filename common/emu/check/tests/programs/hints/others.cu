// Hints for mistakes that the other groups lack. Each right program follows its hint exactly.
#include <thread>

#include "../pair.cuh"

// The pitch of a pitched array is added to a pointer to floats.
// pair: pitch_in_elements
// exact: out-of-bounds @cell image
// hint: the pitch is counted in bytes, even where the array is of floats: `(T*)((char*)p + y * pitch) + x`
__global__ void clear_rows(float* image, size_t pitch, int height, bool wrong) {
  const int x = threadIdx.x;
  for (int y = 0; y < height; ++y) {
    float* const cell =
        wrong ? image + y * pitch + x : reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch) + x;
    *cell = 0;  // @cell
  }
}
PAIR(pitch_in_elements) {
  float* image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, 32 * sizeof(float), 64);
  clear_rows<<<1, 32>>>(image, pitch, 64, wrong);
  cudaDeviceSynchronize();
  cudaFree(image);
}

// A set treats the host's memory as the device's.
// pair: set_of_the_host
// exact: copy @set -
// hint: host memory is set with memset()
PAIR(set_of_the_host) {
  float values[64];
  if (wrong)
    cudaMemset(values, 0, sizeof values);  // @set
  else
    std::memset(values, 0, sizeof values);
}

// The set omits the last elements.
// pair: set_but_for_the_last
// exact: uninitialised @set,@count counts
// hint: were set: is the size that of the whole array?
__global__ void count_each(int* counts) {
  atomicAdd(&counts[threadIdx.x], 1);  // @count
}
PAIR(set_but_for_the_last) {
  int* counts;
  cudaMalloc(&counts, 64 * sizeof(int));
  cudaMemset(counts, 0, (wrong ? 61 : 64) * sizeof(int));  // @set
  count_each<<<1, 64>>>(counts);
  cudaDeviceSynchronize();
  cudaFree(counts);
}

// The value of any block may remain, but the largest value is meant.
// pair: value_of_some_block
// exact: race @last,@last last
// missing: own-element
// hint: blocks run in any order, so which value stays is a matter of chance: give each thread its own element, or use an
__global__ void largest_block(int* last, bool wrong) {
  if (threadIdx.x != 0) return;
  if (wrong)
    *last = blockIdx.x;  // @last
  else
    atomicMax(last, blockIdx.x);
}
PAIR(value_of_some_block) {
  const Zeros<int> last(1);
  largest_block<<<4, 64>>>(last, wrong);
}

// The value of any thread may remain.
// pair: value_of_some_thread
// exact: race @last,@last last
// hint: which value stays is a matter of chance: give each thread its own element, or use an atomic function
__global__ void largest_thread(int* out, bool wrong) {
  __shared__ int last;
  if (threadIdx.x == 0) last = 0;
  __syncthreads();
  if (wrong)
    last = threadIdx.x;  // @last
  else
    atomicMax(&last, threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = last;
}
PAIR(value_of_some_thread) {
  const Zeros<int> out(64);
  largest_thread<<<1, 64>>>(out, wrong);
}

// CUDA refuses a launch, and the program ignores the error.
// pair: answer_of_a_launch
// exact: launch @launch -
// hint: a launch returns nothing: call cudaGetLastError() after it and check what it returns
__global__ void nothing() {
}
PAIR(answer_of_a_launch) {
  nothing<<<1, 2048>>>();  // @launch
  if (!wrong && cudaGetLastError() != cudaSuccess) std::printf("no launch\n");
}

// An access before a shared array.
// pair: in_front_of_shared
// exact: out-of-bounds @before s
// contains: a thread reads s[-1], before s
// hint: the first elements have no neighbour before them
__global__ void in_front(int* out, bool wrong) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  const int* const p = s;
  out[t] = wrong || t > 0 ? p[t - 1] : 0;  // @before
}
PAIR(in_front_of_shared) {
  const Zeros<int> out(64);
  in_front<<<1, 64>>>(out, wrong);
}

// An access before the dynamic shared memory, where no array is.
// pair: in_front_of_dynamic
// contains: shared memory that belongs to no array
// hint: is the index within the array's bounds for every thread?
__global__ void before_dynamic(int* out, bool wrong) {
  extern __shared__ int d[];
  const int t = threadIdx.x;
  d[t] = t;
  __syncthreads();
  out[t] = wrong || t > 0 ? d[t - 1] : 0;
}
PAIR(in_front_of_dynamic) {
  const Zeros<int> out(64);
  before_dynamic<<<1, 64, 64 * sizeof(int)>>>(out, wrong);
}

// A host thread changes managed memory while a kernel runs.
// pair: changed_by_the_host
// contains: the host and kernel late_reader touch
// hint: what is queued may run at once: let the host change the memory before that, or when it is done
__global__ void late_reader(volatile int* started, const int* value, int* out) {
  *started = 1;
  for (const long long begin = clock64(); clock64() - begin < 600000000;) {
  }
  *out = *value;
}
PAIR(changed_by_the_host) {
  int *started, *value;
  cudaMallocManaged(&started, sizeof(int));
  cudaMallocManaged(&value, sizeof(int));
  *started = *value = 0;
  const Zeros<int> out(1);
  if (!wrong) *value = 1;
  std::thread writer([&] {
    while (*static_cast<volatile int*>(started) == 0) {
    }
    if (wrong) *value = 1;
  });
  late_reader<<<1, 1>>>(started, value, out);
  cudaDeviceSynchronize();
  writer.join();
  cudaFree(started);
  cudaFree(value);
}
