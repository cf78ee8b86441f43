// Memory that is read before it was written.
#include "../pair.cuh"

// Memory from cudaMalloc has an arbitrary content.
// pair: never_written
// exact: uninitialised @read values
// hint: cudaMalloc does not clear memory: copy data there, set it by cudaMemset(pointer, 0, bytes), or let a sum begin at 0 instead of what is there
__global__ void increment(int* values) {
  values[threadIdx.x] += 1;  // @read
}
PAIR(never_written) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  if (!wrong) cudaMemset(values, 0, 64 * sizeof(int));
  increment<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}

// A grid that is rounded down: the earlier kernel has filled only whole blocks.
// pair: filled_in_part
// exact: uninitialised @fill,@sum_of_two filled
// contains: last written before it by thread (31,0,0) of block (1,0,0)
// hint: kernel fill has filled the first 256 bytes of 400, and nothing has filled the rest: are enough blocks launched, their number rounded up, (n + block - 1) / block, and does the guard let the last threads through?
__global__ void fill(float* filled, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) filled[i] = 1.0f;  // @fill
}
__global__ void add_next(float* out, const float* filled, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) out[i] += filled[i + 1];  // @sum_of_two
}
PAIR(filled_in_part) {
  const int n = 100;
  float* filled;
  cudaMalloc(&filled, n * sizeof(float));
  const Zeros<float> out(n);
  fill<<<wrong ? 2 : 4, 32>>>(filled, n);
  add_next<<<4, 32>>>(out, filled, n);
  cudaDeviceSynchronize();
  cudaFree(filled);
}

// Only the first row of blocks fills the shared memory.
// pair: shared_never_written
// exact: uninitialised @sum sums
__global__ void scale(float* out, bool wrong) {
  __shared__ float sums[32];
  if (!wrong || blockIdx.y == 0) sums[threadIdx.x] = 2.0f;
  __syncthreads();
  out[blockIdx.y * 32 + threadIdx.x] = sums[31 - threadIdx.x];  // @sum
}
PAIR(shared_never_written) {
  const Zeros<float> out(64);
  scale<<<dim3(1, 2), 32>>>(out, wrong);
}

// Only a part was copied: the size counts elements, not bytes.
// pair: partly_copied
// exact: uninitialised @part,@elements in
// contains: sizes are in bytes
// hint: sizes are in bytes, not in elements: count * sizeof(type)
__global__ void copy(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];  // @part
}
PAIR(partly_copied) {
  const int n = 64;
  const float host[n] = {};
  float* in;
  cudaMalloc(&in, n * sizeof(float));
  cudaMemcpy(in, host, wrong ? n : n * sizeof(float), cudaMemcpyHostToDevice);  // @elements
  const Zeros<float> out(n);
  copy<<<1, n>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
}

// Only a part was set.
// pair: partly_set
// exact: uninitialised @sum,@set bins
// contains: sizes are in bytes
__global__ void add_one(int* bins) {
  atomicAdd(&bins[threadIdx.x], 1);  // @sum
}
PAIR(partly_set) {
  int* bins;
  cudaMalloc(&bins, 64 * sizeof(int));
  cudaMemset(bins, 0, wrong ? 64 : 64 * sizeof(int));  // @set
  add_one<<<1, 64>>>(bins);
  cudaDeviceSynchronize();
  cudaFree(bins);
}

// No thread fills the halo of a tile.
// pair: halo_never_written
// exact: uninitialised @stencil line
__global__ void stencil(const float* in, float* out, bool wrong) {
  __shared__ float line[34];
  const int i = threadIdx.x;
  line[i + 1] = in[i];
  if (!wrong && i == 0) line[0] = line[33] = 0;
  __syncthreads();
  out[i] = line[i] + line[i + 2];  // @stencil
}
PAIR(halo_never_written) {
  const Zeros<float> in(32), out(32);
  stencil<<<1, 32>>>(in, out, wrong);
}

// Dynamic shared memory does not begin with zeros.
// pair: dynamic_never_written
// contains: nothing has written to it
__global__ void histogram(int* out, bool wrong) {
  extern __shared__ int counts[];
  if (!wrong) counts[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counts[threadIdx.x / 2], 1);
  __syncthreads();
  out[threadIdx.x] = counts[threadIdx.x];
}
PAIR(dynamic_never_written) {
  const Zeros<int> out(32);
  histogram<<<1, 32, 32 * sizeof(int)>>>(out, wrong);
}

// The result is copied back, but no thread has written it, since the guard's condition is reversed.
// pair: result_never_written
// exact: uninitialised @back result
// hint: did the kernel run (cudaGetLastError), does it get this pointer, and does its guard let the right threads
__global__ void square(int* result, int n, bool wrong) {
  const int i = threadIdx.x;
  if (wrong ? i >= n : i < n) result[i] = i * i;
}
PAIR(result_never_written) {
  const int n = 32;
  int* result;
  int host[n];
  cudaMalloc(&result, n * sizeof(int));
  square<<<1, n>>>(result, n, wrong);
  cudaMemcpy(host, result, n * sizeof(int), cudaMemcpyDeviceToHost);  // @back
  cudaFree(result);
}

// The number of blocks is rounded down, so the last elements have no thread.
// pair: blocks_rounded_down
// exact: uninitialised @launch,@copied twice
// contains: the last 208 bytes of twice are copied to the host, but nothing has written to them
// contains: kernel doubled ran with 448 threads, in blocks of 64, and has written 1,792 bytes: 4 by each
// hint: round the number of blocks up, (n + block - 1) / block: n / block is an integer already, and has lost the rest
__global__ void doubled(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
PAIR(blocks_rounded_down) {
  const int n = 500, block = 64;
  const Zeros<int> in(n);
  int* twice;
  int host[n];
  cudaMalloc(&twice, sizeof host);
  const int blocks = wrong ? n / block : (n + block - 1) / block;
  doubled<<<blocks, block>>>(in, twice, n);  // @launch
  cudaMemcpy(host, twice, sizeof host, cudaMemcpyDeviceToHost);  // @copied
  cudaFree(twice);
}

// An atomic function on memory that was never written: the copy of its result is not a separate mistake.
// pair: maximum_of_nothing
// exact: uninitialised @maximum largest
__global__ void find_largest(const int* values, int* largest) {
  atomicMax(largest, values[threadIdx.x]);  // @maximum
}
PAIR(maximum_of_nothing) {
  const Zeros<int> values(32);
  int *largest, result;
  cudaMalloc(&largest, sizeof(int));
  if (!wrong) cudaMemset(largest, 0, sizeof(int));
  find_largest<<<1, 32>>>(values, largest);
  cudaMemcpy(&result, largest, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(largest);
}

// The first copy's width is the number of elements.
// pair: width_in_elements
// exact: uninitialised @ends pitched
// contains: of the 120 bytes of each row only the first 30 bytes were written
// hint: the width of cudaMemcpy2D is in bytes, not in elements: count * sizeof(type), the same in each copy
PAIR(width_in_elements) {
  const int width = 30, height = 4;
  float host[height][width] = {};
  float* pitched;
  size_t pitch;
  cudaMallocPitch(&pitched, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(pitched, pitch, host, width * sizeof(float), wrong ? width : width * sizeof(float), height,
               cudaMemcpyHostToDevice);
  cudaMemcpy2D(host, width * sizeof(float), pitched, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);  // @ends
  cudaFree(pitched);
}
