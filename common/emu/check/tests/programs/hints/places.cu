// Where a barrier belongs: each right program is the wrong one with exactly the change that the hint describes.
#include "../pair.cuh"

// A tree in a loop: the barrier of each iteration belongs after the if, not inside it.
// pair: each_turn_of_a_tree
// exact: race @add,@add s
// missing: block-barrier
// lacks: __syncwarp
// hint: at the end of each iteration of the loop at line
// hint: , outside the if at line
__global__ void tree(int* out, const int* in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) {
      s[t] += s[t + stride];  // @add
    }
  }
  if (t == 0) *out = s[0];
}
__global__ void tree_mended(int* out, const int* in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) {
      s[t] += s[t + stride];
    }
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}
PAIR(each_turn_of_a_tree) {
  const Zeros<int> out(1), in(128);
  if (wrong)
    tree<<<1, 128>>>(out, in);
  else
    tree_mended<<<1, 128>>>(out, in);
}

// A level of a tree of minima is no update of one variable: another element is read before its value is written.
// pair: each_turn_of_a_tree_of_minima
// exact: race @min,@min s
// hint: belongs at the end of each iteration of the loop at line
// lacks: atomicMin
__global__ void least(int* out, const int* in, bool wrong) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) s[t] = min(s[t], s[t + half]);  // @min
    if (!wrong) __syncthreads();
  }
  if (t == 0) *out = s[0];
}
PAIR(each_turn_of_a_tree_of_minima) {
  const Zeros<int> out(1), in(128);
  least<<<1, 128>>>(out, in, wrong);
}

// The same in a block of two warps, in which only threads of one warp are observed to race. A __syncwarp() would be
// right here, but wrong as soon as the block is larger.
// pair: tree_of_two_warps
// exact: race @add,@add s
// lacks: __syncwarp
// hint: a __syncthreads() belongs at the end of each iteration
__global__ void small_tree(int* out, const int* in) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (t < stride)
      s[t] += s[t + stride];  // @add
  }
  if (t == 0) *out = s[0];
}
__global__ void small_tree_mended(int* out, const int* in) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (t < stride)
      s[t] += s[t + stride];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}
PAIR(tree_of_two_warps) {
  const Zeros<int> out(1), in(64);
  if (wrong)
    small_tree<<<1, 64>>>(out, in);
  else
    small_tree_mended<<<1, 64>>>(out, in);
}

// A loop with a stride: one thread reads elements that another thread writes in the same iteration, and a barrier
// between iterations is not enough.
// pair: stride_over_neighbours
// exact: race @add,@add s
// hint: . Where a thread reads what another one writes in the same iteration:
// hint: let each read into a variable of its own, then
// hint: . All threads must reach each of these barriers
__global__ void neighbours(int* out) {
  __shared__ int s[257];
  const int t = threadIdx.x;
  for (int i = t; i < 257; i += 64) s[i] = i;
  __syncthreads();
  for (int i = t; i < 256; i += 64) {
    s[i] = s[i] + s[i + 1];  // @add
  }
  __syncthreads();
  out[t] = s[t];
}
__global__ void neighbours_mended(int* out) {
  __shared__ int s[257];
  const int t = threadIdx.x;
  for (int i = t; i < 257; i += 64) s[i] = i;
  __syncthreads();
  for (int i = t; i < 256; i += 64) {
    const int sum = s[i] + s[i + 1];
    __syncthreads();
    s[i] = sum;
    __syncthreads();
  }
  __syncthreads();
  out[t] = s[t];
}
PAIR(stride_over_neighbours) {
  const Zeros<int> out(64);
  if (wrong)
    neighbours<<<1, 64>>>(out);
  else
    neighbours_mended<<<1, 64>>>(out);
}

// Both barriers of a tile are missing. If only one is added, the other race remains.
// pair: both_barriers_of_a_tile
// exact: race @fill,@use tile
// hint: , and another one
// hint: after the loop at line
// hint: , before the next iteration of the loop at line
// hint: is read while other threads may still be filling it:
__global__ void tiles(int* out, const int* in) {
  __shared__ int tile[64];
  int sum = 0;
  for (int first = 0; first < 192; first += 64) {
    tile[threadIdx.x] = in[first + threadIdx.x];  // @fill
    for (int i = 0; i < 64; ++i) {
      sum += tile[i];  // @use
    }
  }
  out[threadIdx.x] = sum;
}
__global__ void tiles_mended(int* out, const int* in) {
  __shared__ int tile[64];
  int sum = 0;
  for (int first = 0; first < 192; first += 64) {
    tile[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum += tile[i];
    }
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
PAIR(both_barriers_of_a_tile) {
  const Zeros<int> out(64), in(192);
  if (wrong)
    tiles<<<1, 64>>>(out, in);
  else
    tiles_mended<<<1, 64>>>(out, in);
}

// Only the second barrier of a tile is missing.
// pair: second_barrier_of_a_tile
// exact: race @fill,@use tile
// hint: is overwritten while other threads may still read it:
// hint: after the loop at line
__global__ void half_mended(int* out, const int* in) {
  __shared__ int tile[64];
  int sum = 0;
  for (int first = 0; first < 192; first += 64) {
    tile[threadIdx.x] = in[first + threadIdx.x];  // @fill
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      sum += tile[i];  // @use
    }
  }
  out[threadIdx.x] = sum;
}
PAIR(second_barrier_of_a_tile) {
  const Zeros<int> out(64), in(192);
  if (wrong)
    half_mended<<<1, 64>>>(out, in);
  else
    tiles_mended<<<1, 64>>>(out, in);
}

// The array is filled and used in the same if.
// pair: filled_in_an_if
// exact: race @fill,@use s
// hint: (end it before the barrier, and begin another one after it)
__global__ void in_an_if(int* out, const int* in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  if (t < 64) {
    s[t] = in[t];  // @fill
    out[t] = s[63 - t];  // @use
  }
}
__global__ void in_two_ifs(int* out, const int* in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  if (t < 64) {
    s[t] = in[t];
  }
  __syncthreads();
  if (t < 64) {
    out[t] = s[63 - t];
  }
}
PAIR(filled_in_an_if) {
  const Zeros<int> out(128), in(128);
  if (wrong)
    in_an_if<<<1, 128>>>(out, in);
  else
    in_two_ifs<<<1, 128>>>(out, in);
}

// The steps of the last warp are in an if, on an array that other warps have filled. The barrier is inside the if,
// which the other warps don't enter.
// pair: last_warp_in_an_if
// contains: race: two threads of a warp of block (0,0,0) touch s[
// lacks: __syncthreads
// lacks: outside the if
// hint: a __syncwarp() belongs between lines
__global__ void last_warp(int* out, const int* in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t + 32] = s[t + 64];
    s[t] = s[63 - t];
  }
  __syncthreads();
  if (t == 0) out[0] = s[0];
}
__global__ void last_warp_mended(int* out, const int* in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t + 32] = s[t + 64];
    __syncwarp();
    s[t] = s[63 - t];
  }
  __syncthreads();
  if (t == 0) out[0] = s[0];
}
PAIR(last_warp_in_an_if) {
  const Zeros<int> out(1), in(128);
  if (wrong)
    last_warp<<<1, 128>>>(out, in);
  else
    last_warp_mended<<<1, 128>>>(out, in);
}

// A loop that only some threads take lacks a barrier: first all threads must take the loop.
// pair: loop_in_an_if
// exact: race @add,@add s
// hint: , and all threads must take the loop: let the if at line
// hint: guard only the work in it
__global__ void loop_in_an_if(int* out, const int* in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 64) {
    for (int stride = 64; stride > 0; stride /= 2)
      s[t] += s[t + stride];  // @add
  }
  __syncthreads();
  if (t == 0) *out = s[0];
}
__global__ void loop_around_ifs(int* out, const int* in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    int other = 0;
    if (t < 64) other = s[t + stride];
    __syncthreads();
    if (t < 64) s[t] += other;
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}
PAIR(loop_in_an_if) {
  const Zeros<int> out(1), in(128);
  if (wrong)
    loop_in_an_if<<<1, 128>>>(out, in);
  else
    loop_around_ifs<<<1, 128>>>(out, in);
}

// A function for a warp: the text does not show whether whole warps call the function.
// pair: function_of_a_warp
// exact: race @low,@high s
// missing: warp-or-block-barrier
// hint: , if whole warps come here (the two are of one); a __syncthreads() if
__device__ void exchange(int* s, int t, bool wrong) {
  s[t] = t;  // @low
  if (!wrong) __syncwarp();
  s[t + 32] = s[31 - t];  // @high
}
__global__ void calls_exchange(int* out, bool wrong) {
  __shared__ int s[64];
  if (threadIdx.x < 32) exchange(s, threadIdx.x, wrong);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
PAIR(function_of_a_warp) {
  const Zeros<int> out(64);
  calls_exchange<<<1, 64>>>(out, wrong);
}

// A statement of such a function reads elements that other threads write by the same statement.
// pair: shift_in_a_function
// exact: race @shift,@shift s
// missing: warp-or-block-barrier
// hint: then __syncwarp() (if whole warps come here; __syncthreads() if the whole block does)
// hint: . Without that the code relies on the lanes of a warp running in step
__device__ void shift(int* s, int t) {
  s[t] = s[t + 1];  // @shift
}
__device__ void shift_in_steps(int* s, int t) {
  const int next = s[t + 1];
  __syncwarp();
  s[t] = next;
}
__global__ void calls_shift(int* out, bool wrong) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32) {
    if (wrong)
      shift(s, threadIdx.x);
    else
      shift_in_steps(s, threadIdx.x);
  }
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
PAIR(shift_in_a_function) {
  const Zeros<int> out(64);
  calls_shift<<<1, 64>>>(out, wrong);
}

// A function for the block.
// pair: function_of_a_block
// exact: race @fill,@use s
// hint: a __syncthreads() belongs between lines
// hint: , where all threads of the block reach it
__device__ int turned(int* s, int t, bool wrong) {
  s[t] = t;  // @fill
  if (!wrong) __syncthreads();
  return s[63 - t];  // @use
}
__global__ void calls_turned(int* out, bool wrong) {
  __shared__ int s[64];
  out[threadIdx.x] = turned(s, threadIdx.x, wrong);
}
PAIR(function_of_a_block) {
  const Zeros<int> out(64);
  calls_turned<<<1, 64>>>(out, wrong);
}

// Two writes. The later one should remain.
// pair: later_write_stays
// exact: race @first,@later s
// hint: ; if the later one is to stay,
__global__ void two_writes(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;  // @first
  if (t == 0) s[40] = 7;  // @later
  __syncthreads();
  out[t] = s[t];
}
__global__ void two_writes_mended(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t == 0) s[40] = 7;
  __syncthreads();
  out[t] = s[t];
}
PAIR(later_write_stays) {
  const Zeros<int> out(64);
  if (wrong)
    two_writes<<<1, 64>>>(out);
  else
    two_writes_mended<<<1, 64>>>(out);
}

// The iterations of a tree end with only a warp barrier. The race is not a lost update.
// pair: warp_barrier_in_a_tree
// exact: race @add,@add s
// missing: block-barrier
// lacks: atomicAdd
// hint: s is overwritten while other threads may still read it: a __syncthreads() belongs at the end of each iteration
__global__ void tree_of_warps(int* out, const int* in, bool wrong) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];  // @add
    __syncwarp();
    if (!wrong) __syncthreads();
  }
  if (t == 0) *out = s[0];
}
PAIR(warp_barrier_in_a_tree) {
  const Zeros<int> out(1), in(128);
  tree_of_warps<<<1, 128>>>(out, in, wrong);
}

// pair: fence_in_a_tree
// exact: race @add,@add s
// lacks: atomicAdd
// hint: s is overwritten while other threads may still read it: a __syncthreads() belongs at the end of each iteration
__global__ void tree_of_fences(int* out, const int* in, bool wrong) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];  // @add
    __threadfence_block();
    if (!wrong) __syncthreads();
  }
  if (t == 0) *out = s[0];
}
PAIR(fence_in_a_tree) {
  const Zeros<int> out(1), in(128);
  tree_of_fences<<<1, 128>>>(out, in, wrong);
}

// A comment that mentions a barrier is not a barrier.
// pair: barrier_in_a_comment
// exact: race @add,@add s
// hint: a __syncthreads() belongs at the end of each iteration of the loop at line
__global__ void tree_with_a_comment(int* out, const int* in, bool wrong) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    // no __syncthreads() yet
    if (t < d) s[t] += s[t + d];  // @add
    if (!wrong) __syncthreads();
  }
  if (t == 0) *out = s[0];
}
PAIR(barrier_in_a_comment) {
  const Zeros<int> out(1), in(128);
  tree_with_a_comment<<<1, 128>>>(out, in, wrong);
}

// Some threads return from a function before its end, so not all threads would reach a barrier between its lines.
// pair: function_with_a_return
// exact: race @compare,@low s
// exact: race @compare,@high s
// exact: race @low,@high s
// exact: race @high,@high s
// hint: s is overwritten while other threads may still read it: a __syncthreads() belongs at the end of each iteration
// hint: , which calls order(), outside the if at line
// lacks: belongs between lines
__device__ void order(int& a, int& b, bool up) {
  if ((a > b) != up) return;  // @compare
  const int higher = a;
  a = b;  // @low
  b = higher;  // @high
}
__global__ void sort_by_function(int* data) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (int size = 2; size <= 128; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      if ((t & stride) == 0) {
        order(s[t], s[t + stride], (t & size) == 0);
      }
    }
  }
  __syncthreads();
  data[t] = s[t];
}
__device__ void in_order(int& a, int& b, bool up) {
  if ((a > b) != up) return;
  const int higher = a;
  a = b;
  b = higher;
}
__global__ void sort_by_function_mended(int* data) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (int size = 2; size <= 128; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      if ((t & stride) == 0) {
        in_order(s[t], s[t + stride], (t & size) == 0);
      }
      __syncthreads();
    }
  }
  __syncthreads();
  data[t] = s[t];
}
PAIR(function_with_a_return) {
  int numbers[128];
  for (int i = 0; i < 128; ++i) numbers[i] = i * 37 % 128;
  const Zeros<int> data(128);
  cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  if (wrong)
    sort_by_function<<<1, 128>>>(data);
  else
    sort_by_function_mended<<<1, 128>>>(data);
}

// The same function, called twice.
// pair: returning_function_called_twice
// contains: race: two threads of block (0,0,0) touch s[
// hint: belongs before the next call of swap_if()
__device__ void swap_if(int& a, int& b) {
  if (a <= b) return;
  const int higher = a;
  a = b;
  b = higher;
}
__global__ void two_steps(int* data, bool wrong) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  if (t < 64) swap_if(s[t], s[t + 64]);
  if (!wrong) __syncthreads();
  if (t < 64) swap_if(s[2 * t], s[2 * t + 1]);
  __syncthreads();
  data[t] = s[t];
}
PAIR(returning_function_called_twice) {
  int numbers[128];
  for (int i = 0; i < 128; ++i) numbers[i] = i * 37 % 128;
  const Zeros<int> data(128);
  cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  two_steps<<<1, 128>>>(data, wrong);
}

// An if inside an if: a barrier after the inner if is still inside the outer one.
// pair: if_in_an_if
// exact: race @add,@add s
// hint: at the end of each iteration of the loop at line 583, outside the if at line 584
__global__ void nested(int* out, const int* in, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) {
      if (t + d < n) {
        s[t] += s[t + d];  // @add
      }
    }
  }
  if (t == 0) *out = s[0];
}
__global__ void nested_mended(int* out, const int* in, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) {
      if (t + d < n) {
        s[t] += s[t + d];
      }
    }
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}
PAIR(if_in_an_if) {
  const Zeros<int> out(1), in(128);
  if (wrong)
    nested<<<1, 128>>>(out, in, 100);
  else
    nested_mended<<<1, 128>>>(out, in, 100);
}

// Each thread reads its neighbour's element before the neighbour fills it. The lines have the other order.
// pair: filled_behind_a_reader
// exact: race @fill,@read s
// hint: is read while other threads may still be filling it: a __syncthreads() belongs between lines
__global__ void fill_behind_reader(int* out, bool wrong) {
  __shared__ int s[65];
  s[threadIdx.x] = 0;
  if (threadIdx.x == 0) s[64] = 0;
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;  // @fill
  if (!wrong) __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + 1];  // @read
}
PAIR(filled_behind_a_reader) {
  const Zeros<int> out(64);
  fill_behind_reader<<<1, 64>>>(out, wrong);
}

// The neighbour has already overwritten the element. By the order of the lines, the read comes first.
// pair: overwritten_before_a_reader
// exact: race @read,@overwrite s
// hint: is overwritten while other threads may still read it: a __syncthreads() belongs between lines
__global__ void overwrite_before_reader(int* out, bool wrong) {
  __shared__ int s[65];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) s[64] = 0;
  __syncthreads();
  const int before = s[threadIdx.x == 0 ? 64 : threadIdx.x - 1];  // @read
  if (!wrong) __syncthreads();
  s[threadIdx.x] = before;  // @overwrite
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
PAIR(overwritten_before_a_reader) {
  const Zeros<int> out(64);
  overwrite_before_reader<<<1, 64>>>(out, wrong);
}

// The loop has a barrier, but not in each iteration.
// pair: barrier_in_some_turns
// exact: race @fill,@read s
// hint: is read while other threads may still be filling it: the barrier at line
// hint: the barrier at line
// hint: is in the if at line
// hint: comes to it: move it out of there
// hint: , so not every iteration of the loop at line
__global__ void some_turns(int* out, bool wrong) {
  __shared__ int s[64];
  int sum = 0;
  for (int turn = 0; turn < 4; ++turn) {
    s[threadIdx.x] = turn;  // @fill
    if (!wrong || turn > 0) __syncthreads();
    sum += s[63 - threadIdx.x];  // @read
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
PAIR(barrier_in_some_turns) {
  const Zeros<int> out(64);
  some_turns<<<1, 64>>>(out, wrong);
}

// The same at the end of an iteration.
// pair: barrier_at_some_ends
// exact: race @fill,@read s
// hint: is overwritten while other threads may still read it: the barrier at line
__global__ void some_ends(int* out, bool wrong) {
  __shared__ int s[64];
  int sum = 0;
  for (int turn = 0; turn < 4; ++turn) {
    s[threadIdx.x] = turn;  // @fill
    __syncthreads();
    sum += s[63 - threadIdx.x];  // @read
    if (!wrong || turn % 2 == 0) {
      __syncthreads();
    }
  }
  out[threadIdx.x] = sum;
}
PAIR(barrier_at_some_ends) {
  const Zeros<int> out(64);
  some_ends<<<1, 64>>>(out, wrong);
}

// A barrier in an if that all threads always take is not the missing barrier.
// pair: barrier_of_another_case
// exact: race @fill,@read s
// hint: a __syncthreads() belongs after line
// lacks: move it out
__global__ void another_case(int* out, bool wrong) {
  __shared__ int s[64];
  int sum = 0;
  for (int turn = 0; turn < 4; ++turn) {
    s[threadIdx.x] = turn;  // @fill
    if (blockDim.x > 32) __syncthreads();
    sum += s[63 - threadIdx.x];  // @read
    if (!wrong) __syncthreads();
  }
  out[threadIdx.x] = sum;
}
PAIR(barrier_of_another_case) {
  const Zeros<int> out(64);
  another_case<<<1, 64>>>(out, wrong);
}

// One line of a function writes for two calls.
// pair: one_line_of_two_calls
// exact: race @put,@put s
// hint: is to write over what an earlier one wrote,
// hint: write over what an earlier one wrote, a __syncthreads() belongs between the calls of put() at lines
// missing: block-barrier
__device__ void put(int* s, int i, int value) {
  s[i] = value;  // @put
}
__global__ void two_calls(int* out, bool wrong) {
  __shared__ int s[64];
  put(s, threadIdx.x, 1);
  if (!wrong) __syncthreads();
  put(s, 63 - threadIdx.x, threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
PAIR(one_line_of_two_calls) {
  const Zeros<int> out(64);
  two_calls<<<1, 64>>>(out, wrong);
}

// The same where one call is in a loop.
// pair: one_line_called_in_a_loop
// exact: race @give,@give s
// hint: wrote, a __syncthreads() belongs at the end of each iteration of the loop at line
__device__ void give(int* s, int i, int value) {
  s[i] = value;  // @give
}
__global__ void called_in_a_loop(int* out, bool wrong) {
  __shared__ int s[64];
  for (int turn = 0; turn < 3; ++turn) {
    give(s, (threadIdx.x + turn) % 64, turn);
    if (!wrong) __syncthreads();
  }
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
PAIR(one_line_called_in_a_loop) {
  const Zeros<int> out(64);
  called_in_a_loop<<<1, 64>>>(out, wrong);
}

// Two threads write one element in one of the calls: no barrier between the calls helps.
// pair: one_line_of_one_call
// exact: race @half,@half s
// hint: ; within one call, give each thread its own element, or use an atomic function
__device__ void put_half(int* s, int i, int value) {
  s[i] = value;  // @half
}
__global__ void one_call(int* out, bool wrong) {
  __shared__ int s[64];
  put_half(s, threadIdx.x, 0);
  __syncthreads();
  put_half(s, wrong ? threadIdx.x / 2 : threadIdx.x, threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
PAIR(one_line_of_one_call) {
  const Zeros<int> out(64);
  one_call<<<1, 64>>>(out, wrong);
}

// Pairs of elements that overlap with the pairs of other threads, in a loop that has its barrier.
// pair: overlapping_pairs
// exact: race @pair,@pair keys
// missing: own-element
// lacks: belongs at the end of each iteration
// hint: in one iteration of the loop at line
// hint: let each element belong to one thread in an iteration (an if keeps out threads whose elements overlap
__device__ void put_in_order(int& a, int& b) {
  if (a > b) { const int old = a; a = b; b = old; }  // @pair
}
__global__ void exchange(int* values, bool wrong) {
  __shared__ int keys[128];
  const int t = threadIdx.x;
  keys[t] = values[127 - t];
  for (int stride = 64; stride > 0; stride /= 2) {
    __syncthreads();
    if (wrong ? t + stride < 128 : t / stride % 2 == 0) put_in_order(keys[t], keys[t + stride]);
  }
  __syncthreads();
  values[t] = keys[t];
}
PAIR(overlapping_pairs) {
  int host[128];
  for (int i = 0; i < 128; ++i) host[i] = i * 37 % 128;
  const Zeros<int> values(128);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  exchange<<<1, 128>>>(values, wrong);
}
