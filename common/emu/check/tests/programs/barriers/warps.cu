// Lanes of a warp call functions of the warp, and some lanes make one call more than others.
#include "../pair.cuh"

// The lower half waits in its branch, and the upper half meets it at the barrier after the branch.
// pair: barrier_of_a_half
// exact: barrier @half,@all -
// contains: threads (0..15,0,0)
// hint: move the call out of the branch
__global__ void wait_in_half(int* data, bool wrong) {
  const int lane = threadIdx.x;
  if (lane < 16) {
    data[lane] = lane;
    if (wrong) __syncwarp();  // @half
  }
  if (!wrong) __syncwarp();
  data[lane + 32] = lane;
  __syncwarp();  // @all
  data[lane + 64] = data[lane + 32];
}
PAIR(barrier_of_a_half) {
  const Zeros<int> data(96);
  wait_in_half<<<1, 32>>>(data, wrong);
}

// A sum over the lower half with the mask of all lanes: the other lanes give their values at the next call.
// pair: sum_of_a_half
// exact: barrier @part,@whole -
// hint: or let its mask name only those that go in, by __ballot_sync() of the condition before it
__global__ void sum_twice(int* out, bool wrong) {
  const int lane = threadIdx.x;
  int value = lane;
  const unsigned mask = wrong ? 0xffffffffu : __ballot_sync(0xffffffffu, lane < 16);
  if (lane < 16) value += __shfl_xor_sync(mask, value, 1);  // @part
  value += __shfl_xor_sync(0xffffffffu, value, 2);          // @whole
  out[lane] = value;
}
PAIR(sum_of_a_half) {
  const Zeros<int> out(32);
  sum_twice<<<1, 32>>>(out, wrong);
}

// A vote in a loop whose iterations differ. Lanes of an `if` and of its `else` may meet, each lane at its own call.
// pair: turns_of_a_vote
// exact: barrier @turn,@last -
// hint: the mask names lanes that do not come to line
__global__ void vote_by_turns(int* out, bool wrong) {
  const int lane = threadIdx.x;
  int votes = 0;
  if (lane % 2 == 0)
    votes += __any_sync(0xffffffffu, lane == 3);
  else
    votes += __any_sync(0xffffffffu, lane == 4);
  const int turns = wrong && lane < 8 ? 3 : 2;
  for (int turn = 0; turn < turns; ++turn) {
    votes += __any_sync(0xffffffffu, turn == lane);  // @turn
  }
  out[lane] = votes + __any_sync(0xffffffffu, votes > 1);  // @last
}
PAIR(turns_of_a_vote) {
  const Zeros<int> out(32);
  vote_by_turns<<<1, 32>>>(out, wrong);
}
