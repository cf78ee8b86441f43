// cudaMemset gets the value that elements should have, but sets bytes.
#include <climits>
#include <vector>

#include "../pair.cuh"

__global__ void store(int* values, int value) {
  values[threadIdx.x] = value;
}

// Counters that should begin at 1 begin at 16,843,009.
// pair: begins_at_one
// exact: set-bytes @set,@count counts
// contains: counts[0] is 0x01010101, the int 16,843,009: cudaMemset has set each of its
// hint: For another value let a kernel store it
__global__ void count(int* counts) {
  counts[threadIdx.x] += 1;  // @count
}
PAIR(begins_at_one) {
  const Zeros<int> counts(64);
  if (wrong)
    cudaMemset(counts, 1, 64 * sizeof(int));  // @set
  else
    store<<<1, 64>>>(counts, 1);
  count<<<1, 64>>>(counts);
}

// The same mistake with atomics, in a stream.
// pair: begins_at_ten
// exact: set-bytes @queued,@atomic sum
__global__ void add(unsigned* sum) {
  atomicAdd(sum, threadIdx.x);  // @atomic
}
PAIR(begins_at_ten) {
  const unsigned ten = 10;
  const Zeros<unsigned> sum(1);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  if (wrong)
    cudaMemsetAsync(sum, 10, sizeof(unsigned), stream);  // @queued
  else
    cudaMemcpyAsync(sum, &ten, sizeof(unsigned), cudaMemcpyHostToDevice, stream);
  add<<<1, 32, 0, stream>>>(sum);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

// A value that does not fit a byte, whatever reads the memory.
// pair: greatest_int
// exact: set-bytes @greatest -
// contains: each element of 4 bytes becomes 0xffffffff
// hint: or copy an array of it from the host
PAIR(greatest_int) {
  const Zeros<int> least(64);
  const std::vector<int> greatest(64, INT_MAX);
  if (wrong)
    cudaMemset(least, INT_MAX, 64 * sizeof(int));  // @greatest
  else
    cudaMemcpy(least, greatest.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  count<<<1, 64>>>(least);
}

// Bytes that are read as bytes, and ints that are stored before they are read.
// pair: bytes_as_ints
// exact: set-bytes @flags,@as_int flags
__global__ void look(const signed char* flags, int* found, bool as_ints) {
  if (as_ints)
    found[threadIdx.x] = reinterpret_cast<const int*>(flags)[threadIdx.x];  // @as_int
  else
    found[threadIdx.x] = flags[threadIdx.x];
}
PAIR(bytes_as_ints) {
  const Zeros<signed char> flags(256);
  const Zeros<int> found(64);
  cudaMemset(flags, 2, 256);  // @flags
  cudaMemset(found, 2, 64 * sizeof(int));
  store<<<1, 64>>>(found, 7);
  count<<<1, 64>>>(found);
  look<<<1, 64>>>(flags, found, wrong);
}
