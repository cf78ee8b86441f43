// Several arrays in one piece of dynamic shared memory, which has the name of one array in this file.
#include "../pair.cuh"

// The arrays overlap: the report names an element of the array as it is declared, in bytes.
// pair: arrays_that_overlap
// contains: touch raw[192] (dynamic shared memory)
__global__ void overlap(double* out, bool wrong) {
  extern __shared__ char raw[];
  int* const counts = reinterpret_cast<int*>(raw);
  double* const sums = reinterpret_cast<double*>(raw + (wrong ? 48 : 64) * sizeof(int));
  counts[threadIdx.x] = threadIdx.x;
  sums[threadIdx.x] = 1;
  out[threadIdx.x] = sums[threadIdx.x] + counts[threadIdx.x];
}
PAIR(arrays_that_overlap) {
  const Zeros<double> out(64);
  overlap<<<1, 64, 64 * (sizeof(int) + sizeof(double))>>>(out, wrong);
}

// An access past the end of the last array.
// pair: past_the_last_array
// contains: writes raw[768], outside the dynamic shared memory: the launch gives the block 768 bytes
// hint: If it is, the launch gives too little
__global__ void behind(double* out, int n) {
  extern __shared__ char raw[];
  int* const counts = reinterpret_cast<int*>(raw);
  double* const sums = reinterpret_cast<double*>(raw + 66 * sizeof(int));
  counts[threadIdx.x] = n;
  sums[threadIdx.x] = 1;
  out[threadIdx.x] = sums[threadIdx.x] + counts[threadIdx.x];
}
PAIR(past_the_last_array) {
  const Zeros<double> out(64);
  behind<<<1, 64, (wrong ? 64 : 66) * sizeof(int) + 64 * sizeof(double)>>>(out, 3);
}
