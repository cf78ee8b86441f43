// Local variables and arrays that are read before they have a value.
#include "../pair.cuh"

// Only a part of a local array gets values.
// pair: local_never_written
// contains: gets the value of a local variable that was never set
// hint: local variables and arrays hold anything when a function begins: is each element set before it is
__global__ void gather(int* out, int n) {
  int values[8];
  for (int i = 0; i < n; ++i) values[i] = i;
  out[threadIdx.x] = values[threadIdx.x];
}
PAIR(local_never_written) {
  const Zeros<int> out(8);
  gather<<<1, 8>>>(out, wrong ? 7 : 8);
}

// One member of a structure gets no value.
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

// A vote returns lanes as a number that has the bits with which g++ or clang++ fills local variables.
// pair: lanes_as_number
// contains: gets the value of a local variable that was never set
__global__ void lanes(unsigned* out, bool wrong) {
  unsigned found[3];
  found[0] = wrong ? threadIdx.x : __ballot_sync(0xffffffffu, threadIdx.x % 8 != 0);
  found[1] = wrong ? threadIdx.x : __ballot_sync(0xffffffffu, threadIdx.x % 2 != 0);
  if (!wrong) found[2] = __match_any_sync(0xffffffffu, threadIdx.x % 2);
  out[threadIdx.x] = found[threadIdx.x % 3];
}
PAIR(lanes_as_number) {
  const Zeros<unsigned> out(32);
  lanes<<<1, 32>>>(out, wrong);
}

// The host passes the number to the kernel.
// pair: number_copied
// contains: gets the value of a local variable that was never set
__global__ void copies(unsigned* out, const unsigned* in, bool wrong) {
  unsigned values[2];
  values[0] = in[0];
  if (!wrong) values[1] = in[1];
  out[threadIdx.x] = values[threadIdx.x];
}
PAIR(number_copied) {
  const unsigned numbers[] = {0xfefefefeu, 0xaaaaaaaau};
  unsigned* in = nullptr;
  cudaMalloc(&in, sizeof numbers);
  if (wrong)
    cudaMemset(in, 0, sizeof numbers);
  else
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  const Zeros<unsigned> out(2);
  copies<<<1, 2>>>(out, in, wrong);
  cudaDeviceSynchronize();
  cudaFree(in);
}

// A structure is stored as a whole, with an unused member. Only a store of that member alone is wrong.
// pair: unused_member
// exact: uninitialised @weight weights
__global__ void points(int4* out, int* weights, bool wrong) {
  int4 point;
  point.x = threadIdx.x;
  point.y = 2 * threadIdx.x;
  point.z = 0;
  out[threadIdx.x] = point;
  if (wrong) weights[threadIdx.x] = point.w;  // @weight
}
PAIR(unused_member) {
  const Zeros<int4> out(32);
  const Zeros<int> weights(32);
  points<<<1, 32>>>(out, weights, wrong);
}

// A whole structure without any value is stored.
// pair: structure_never_set
// contains: gets the value of a local variable that was never set
struct Place {
  int where[4];
};
__global__ void places(Place* out, bool wrong) {
  Place place;
  if (!wrong)
    for (int& each : place.where) each = threadIdx.x;
  out[threadIdx.x] = place;
}
PAIR(structure_never_set) {
  const Zeros<int> out(4 * 32);
  places<<<1, 32>>>(reinterpret_cast<Place*>(out.data), wrong);
}
