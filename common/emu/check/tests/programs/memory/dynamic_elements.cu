// One array of structures in dynamic shared memory: elements are counted as declared, whatever the size of the access.
#include "../pair.cuh"

struct Sample {
  double sum;
  int count;
};

// Only a member is read, and no member has the size of the structure.
// pair: member_of_the_next
// contains: touch samples[1] (dynamic shared memory)
__global__ void count_on(int* out, bool wrong) {
  extern __shared__ Sample samples[];
  const int t = threadIdx.x;
  samples[t].count = t;
  if (!wrong) __syncthreads();
  if (t == 0) out[t] = samples[1].count;
}
PAIR(member_of_the_next) {
  const Zeros<int> out(1);
  count_on<<<1, 32, 32 * sizeof(Sample)>>>(out, wrong);
}

// pair: one_too_few
// contains: writes samples[31], outside the dynamic shared memory: the launch gives the block 496 bytes
__global__ void fill_samples(bool) {
  extern __shared__ Sample samples[];
  samples[threadIdx.x].count = threadIdx.x;
}
PAIR(one_too_few) {
  fill_samples<<<1, 32, (wrong ? 31 : 32) * sizeof(Sample)>>>(wrong);
}
