// Local variables and arrays that are read before they have a value.
#include "../pair.cuh"

// A local array of which only a part was given values.
// pair: local_never_written
// contains: gets the value of a local variable that was never set
__global__ void gather(int* out, int n) {
  int values[8];
  for (int i = 0; i < n; ++i) values[i] = i;
  out[threadIdx.x] = values[threadIdx.x];
}
PAIR(local_never_written) {
  const Zeros<int> out(8);
  gather<<<1, 8>>>(out, wrong ? 7 : 8);
}

// A structure of which one member is forgotten.
// pair: member_never_set
// contains: gets the value of a local variable that was never set
struct Range {
  int first, last;
};
__global__ void ranges(int* out, bool wrong) {
  Range range;
  range.first = threadIdx.x;
  if (!wrong) range.last = threadIdx.x + 1;
  out[2 * threadIdx.x] = range.first;
  out[2 * threadIdx.x + 1] = range.last;
}
PAIR(member_never_set) {
  const Zeros<int> out(64);
  ranges<<<1, 32>>>(out, wrong);
}
