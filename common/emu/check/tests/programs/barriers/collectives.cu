// Functions of a warp whose masks don't fit the threads that call them.
#include "../pair.cuh"

// A call with the full mask in a branch that half of the warp takes. The other half waits at the block's barrier.
// pair: full_mask_in_a_branch
// contains: wait for others that never come
// hint: a barrier needs every thread that it names: put it where all of them reach it, outside branches and
__global__ void half_sum(int* out, bool wrong) {
  int value = threadIdx.x;
  if (threadIdx.x < 16) {
    const unsigned mask = wrong ? 0xffffffffu : 0x0000ffffu;
    value += __shfl_down_sync(mask, value, 8);
  }
  __syncthreads();
  out[threadIdx.x] = value;
}
PAIR(full_mask_in_a_branch) {
  const Zeros<int> out(32);
  half_sum<<<1, 32>>>(out, wrong);
}

// A lane calls with a mask that does not contain the lane.
// pair: not_in_the_mask
// exact: barrier @call -
__global__ void left_out(int* out, bool wrong) {
  const unsigned mask = wrong ? 0xfffffffeu : 0xffffffffu;
  out[threadIdx.x] = __any_sync(mask, threadIdx.x == 0);  // @call
}
PAIR(not_in_the_mask) {
  const Zeros<int> out(32);
  left_out<<<1, 32>>>(out, wrong);
}

// Lanes meet with different masks.
// pair: different_masks
// contains: mask
__global__ void two_masks(int* out, bool wrong) {
  const unsigned mask = wrong && threadIdx.x >= 16 ? 0xfffffff0u : 0xffffffffu;
  out[threadIdx.x] = __shfl_sync(mask, static_cast<int>(threadIdx.x), 20);
}
PAIR(different_masks) {
  const Zeros<int> out(32);
  two_masks<<<1, 32>>>(out, wrong);
}

// A vote within a branch that only some lanes take, while the other lanes vote elsewhere.
// pair: votes_in_two_branches
// contains: barrier
__global__ void two_votes(int* out, bool wrong) {
  const unsigned all = 0xffffffffu;
  if (threadIdx.x < 8)
    out[threadIdx.x] = __ballot_sync(wrong ? all : 0xffu, threadIdx.x & 1);
  else
    out[threadIdx.x] = __popc(__ballot_sync(wrong ? 0xffffff0fu : 0xffffff00u, threadIdx.x & 1));
}
PAIR(votes_in_two_branches) {
  const Zeros<int> out(32);
  two_votes<<<1, 32>>>(out, wrong);
}

// A sum by shuffles after some lanes have returned: the values of these lanes are undefined, not 0.
// pair: lanes_have_returned
// exact: absent-lane @sum -
// hint: what comes from there is undefined, though GPUs happen to give 0: let all lanes of the warp reach
__global__ void sum_of_first(const int* in, int* out, int n, bool wrong) {
  if (wrong && threadIdx.x >= n) return;
  int sum = threadIdx.x < n ? in[threadIdx.x] : 0;
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);  // @sum
  if (threadIdx.x == 0) *out = sum;
}
PAIR(lanes_have_returned) {
  const Zeros<int> in(32), out(1);
  sum_of_first<<<1, 32>>>(in, out, 20, wrong);
}

// Half of a warp adds its values, but begins with a whole warp's stride. Upper lanes may read unused values.
// pair: step_beyond_the_mask
// exact: absent-lane @beyond -
// contains: lane 0 takes the value of lane 16, which its mask 0x0000ffff does not name
// hint: what comes from there is undefined: take the value of a lane that the mask names (a sum of n lanes begins with
// hint: a step of n / 2), or let that lane make the call too, and name it
__global__ void sum_of_half(int* out, int first) {
  const int lane = threadIdx.x;
  int sum = lane, before = lane;
  if (lane < 16)
    for (int o = first; o > 0; o /= 2) sum += __shfl_down_sync(0xffffu, sum, o);  // @beyond
  if (lane >= 16)
    for (int o = 1; o < 16; o *= 2) {
      const int other = __shfl_up_sync(0xffff0000u, before, o);
      if (lane >= 16 + o) before += other;
    }
  if (lane % 16 == 0) out[lane / 16] = sum + before;
}
PAIR(step_beyond_the_mask) {
  const Zeros<int> out(2);
  sum_of_half<<<1, 32>>>(out, wrong ? 16 : 8);
}

// All lanes read the value of one lane that is not among them.
// pair: value_from_outside
// exact: absent-lane @given -
// contains: does not name
// hint: or let that lane make the call too, and name it
__global__ void give_value(int* out, unsigned mask) {
  const int lane = threadIdx.x;
  if ((mask >> lane & 1u) != 0) out[lane] = __shfl_sync(mask, 2 * lane, 16);  // @given
}
PAIR(value_from_outside) {
  const Zeros<int> out(32);
  give_value<<<1, 32>>>(out, wrong ? 0xffffu : 0x1ffffu);
}

// The last warp of the block is not full.
// pair: half_a_warp
// exact: absent-lane @half -
__global__ void sum_of_warps(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);  // @half
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}
PAIR(half_a_warp) {
  const Zeros<int> in(64), out(2);
  sum_of_warps<<<1, wrong ? 48 : 64>>>(in, out);
}
