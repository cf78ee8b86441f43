// Blocks of a cooperative launch: the grid's barrier orders all of their threads.
#include <cooperative_groups.h>
#include <utility>

#include "../pair.cuh"

namespace cg = cooperative_groups;

template <class... Parameters, class... Arguments>
void launch_cooperatively(void (*kernel)(Parameters...), int blocks, int threads, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

// The block's barrier is used instead of the grid's.
// pair: block_in_place_of_grid
// exact: race @fill,@read in
// missing: grid-barrier
// hint: in is read while other blocks may still be filling it: a grid.sync() belongs between lines 32 and 37
// lacks: end the kernel here
__global__ void other_half(int* in, int* out, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  const int n = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  in[i] = i;  // @fill
  if (wrong)
    __syncthreads();
  else
    grid.sync();
  out[i] = in[n - 1 - i];  // @read
}
PAIR(block_in_place_of_grid) {
  const Zeros<int> in(128), out(128);
  int *from = in, *to = out;
  void* arguments[] = {&from, &to, &wrong};
  cudaLaunchCooperativeKernel(other_half, 2, 64, arguments, 0, nullptr);
}

// A plain launch has no such barrier, so it must not write the array that it reads.
// pair: launched_plainly
// exact: race @read,@write in
// missing: grid-order
// lacks: grid.sync
// hint: blocks run in any order and __syncthreads() does not order them: write to another array than the one that is read
__global__ void mirror(const int* in, int* out) {
  const int n = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = in[n - 1 - i];  // @read
  __syncthreads();
  out[i] = value;  // @write
}
PAIR(launched_plainly) {
  const Zeros<int> in(128), out(128);
  mirror<<<2, 64>>>(in, wrong ? in : out);
}

// One block fills the array that all blocks read. The blocks that do not fill it need the barrier, too.
// pair: filled_by_one_block
// exact: race @first,@all value
// hint: a grid.sync() belongs between lines
// hint: , outside the if at line
__global__ void broadcast(int* value, int* out, bool wrong) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) *value = 7;  // @first
  }
  if (!wrong) cg::this_grid().sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *value;  // @all
}
PAIR(filled_by_one_block) {
  const Zeros<int> value(1), out(128);
  launch_cooperatively(broadcast, 2, 64, value.data, out.data, wrong);
}

// Jacobi's method in place: the next iteration reads elements that others are still writing.
// pair: turn_of_jacobi
// exact: race @mean,@back data
// hint: data is read while other blocks may still be filling it: a grid.sync() belongs after line
// hint: , before the next iteration of the loop at line
__global__ void jacobi(float* data, int turns, bool wrong) {
  const auto all = cg::this_grid();
  const int n = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int turn = 0; turn < turns; ++turn) {
    const float mean = (data[(i + 1) % n] + data[(i + n - 1) % n]) / 2;  // @mean
    all.sync();
    data[i] = mean + i;  // @back
    if (!wrong) all.sync();
  }
}
PAIR(turn_of_jacobi) {
  const Zeros<float> data(128);
  launch_cooperatively(jacobi, 2, 64, data.data, 3, wrong);
}

// The loop has no barrier, but needs two.
// pair: loop_without_barrier
// exact: race @mean,@back data
// hint: data is overwritten while other blocks may still read it: a grid.sync() belongs between lines
// hint: , and another one after line
// hint: , before the next iteration of the loop at line
__global__ void relax(float* data, int turns) {
  const int n = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int turn = 0; turn < turns; ++turn) {
    const float mean = (data[(i + 1) % n] + data[(i + n - 1) % n]) / 2;  // @mean
    data[i] = mean + i;  // @back
  }
}
__global__ void relax_mended(float* data, int turns) {
  const cg::grid_group grid = cg::this_grid();
  const int n = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int turn = 0; turn < turns; ++turn) {
    const float mean = (data[(i + 1) % n] + data[(i + n - 1) % n]) / 2;
    cg::sync(grid);
    data[i] = mean + i;
    cg::sync(grid);
  }
}
PAIR(loop_without_barrier) {
  const Zeros<float> data(128);
  launch_cooperatively(wrong ? relax : relax_mended, 2, 64, data.data, 3);
}

// The right twin writes to another array than the one that it reads.
// pair: in_another_array
// exact: race @mean,@next data
// hint: ; or write to another array than the one that is read
__global__ void one_array(float* data, int turns) {
  const cg::grid_group grid = cg::this_grid();
  const int n = grid.size(), i = grid.thread_rank();
  for (int turn = 0; turn < turns; ++turn) {
    const float mean = (data[(i + 1) % n] + data[(i + n - 1) % n]) / 2;  // @mean
    data[i] = mean + i;  // @next
    grid.sync();
  }
}
__global__ void two_arrays(float* data, float* next, int turns) {
  const cg::grid_group grid = cg::this_grid();
  const int n = grid.size(), i = grid.thread_rank();
  for (int turn = 0; turn < turns; ++turn) {
    const float mean = (data[(i + 1) % n] + data[(i + n - 1) % n]) / 2;
    next[i] = mean + i;
    grid.sync();
    float* const last = data;
    data = next;
    next = last;
  }
}
PAIR(in_another_array) {
  const Zeros<float> data(128), next(128);
  if (wrong)
    launch_cooperatively(one_array, 2, 64, data.data, 3);
  else
    launch_cooperatively(two_arrays, 2, 64, data.data, next.data, 3);
}

// The two arrays are exchanged in each iteration, and each thread has several elements. The barrier belongs into the
// loop over the iterations, not into the loop that takes a thread's share.
// pair: arrays_change_places
// exact: race @step,@step both
// hint: a grid.sync() belongs at the end of each iteration of the loop at line 173
__global__ void swapped(float* in, float* out, int n, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  const int stride = gridDim.x * blockDim.x;
  for (int turn = 0; turn < 4; ++turn) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
      out[i] = in[(i + 1) % n] + in[(i + n - 1) % n] + i;  // @step
    float* const last = in;
    in = out;
    out = last;
    if (!wrong) grid.sync();
  }
}
PAIR(arrays_change_places) {
  const Zeros<float> both(512);
  launch_cooperatively(swapped, 2, 64, both.data, both.data + 256, 256, wrong);
}

// Both accesses are in the loop that takes a thread's share, whose number of iterations differs between threads.
// pair: share_of_a_thread
// exact: race @put,@take in
// hint: a grid.sync() belongs between lines
// hint: , outside the loop at line
// hint: (end it before the barrier, and begin another one after it)
__global__ void shares(int* in, int* out, int n) {
  const cg::grid_group grid = cg::this_grid();
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) {
    in[i] = i;  // @put
    out[i] = in[n - 1 - i];  // @take
  }
}
__global__ void shares_mended(int* in, int* out, int n) {
  const cg::grid_group grid = cg::this_grid();
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) {
    in[i] = i;
  }
  grid.sync();
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) {
    out[i] = in[n - 1 - i];
  }
}
PAIR(share_of_a_thread) {
  const Zeros<int> in(200), out(200);
  launch_cooperatively(wrong ? shares : shares_mended, 2, 64, in.data, out.data, 200);
}

// A search through a graph, level by level: the test for another level comes after all threads have voted.
// pair: asked_too_early
// exact: race @found,@again found
// hint: found is read while other blocks may still be filling it: a grid.sync() belongs between lines
// hint: , outside the if at line
__global__ void levels(int* found, bool wrong) {
  cg::grid_group grid = cg::this_grid();
  const int level = grid.thread_rank() / 64;
  for (int depth = 0;; ++depth) {
    if (level == depth) {
      found[depth] = 1;  // @found
    }
    if (!wrong) grid.sync();
    if (found[depth] == 0) break;  // @again
    grid.sync();
  }
}
PAIR(asked_too_early) {
  const Zeros<int> found(5);
  launch_cooperatively(levels, 4, 64, found.data, wrong);
}

// The grid's barrier is in an if about the iteration.
// pair: barrier_in_some_turns
// exact: race @one,@one both
// hint: is in the if at line
// hint: , so not every iteration of the loop at line
__global__ void some_turns(int* in, int* out, int turns, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  const int n = grid.size();
  const int i = grid.thread_rank();
  for (int turn = 0; turn < turns; ++turn) {
    out[i] = in[(i + 64) % n] + in[i] + i;  // @one
    int* const last = in;
    in = out;
    out = last;
    if (!wrong || turn % 2 == 1) grid.sync();
  }
}
PAIR(barrier_in_some_turns) {
  const Zeros<int> both(512);
  launch_cooperatively(some_turns, 4, 64, both.data, both.data + 256, 4, wrong);
}

// Blocks count in the memory before it is cleared.
// pair: cleared_too_late
// exact: race @clear,@count count
// hint: writes without an atomic function what other blocks change by atomicAdd(): a grid.sync() belongs between
// missing: grid-barrier
__global__ void clear_and_count(int* count, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  if (grid.thread_rank() == 0) *count = 0;  // @clear
  if (!wrong) grid.sync();
  if (blockIdx.x != 0) atomicAdd(count, 1);  // @count
}
PAIR(cleared_too_late) {
  const Zeros<int> count(1);
  launch_cooperatively(clear_and_count, 2, 64, count.data, wrong);
}

// The same, observed in one block. The block's own barrier is not enough, since other blocks count, too.
// pair: cleared_for_all
// exact: race @clear,@count count
// hint: a __syncthreads() belongs between lines
// hint: . It orders this block alone: where other blocks touch the array too, a grid.sync() belongs in its place
__global__ void count_all(int* count, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  if (grid.thread_rank() == 0) *count = 0;  // @clear
  if (!wrong) grid.sync();
  atomicAdd(count, 1);  // @count
}
PAIR(cleared_for_all) {
  const Zeros<int> count(1);
  launch_cooperatively(count_all, 2, 64, count.data, wrong);
}

// The result is read before all blocks have counted.
// pair: read_too_early
// exact: race @count,@sum count
// hint: reads without an atomic function what other blocks change by atomicAdd(): a grid.sync() belongs between
// missing: grid-barrier
__global__ void count_and_read(int* count, int* out, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  atomicAdd(count, 1);  // @count
  if (!wrong) grid.sync();
  out[grid.thread_rank()] = *count;  // @sum
}
PAIR(read_too_early) {
  const Zeros<int> count(1), out(128);
  launch_cooperatively(count_and_read, 2, 64, count.data, out.data, wrong);
}

// A thread that accepts any value reads the value while it changes.
// pair: any_value_will_do
// exact: race @more,@look count
// hint: ; where any value in between will do, read it by an atomic function
__global__ void count_and_look(int* count, int* out, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  atomicAdd(count, 1);  // @more
  int seen = 0;
  if (wrong)
    seen = *count;  // @look
  else
    seen = atomicAdd(count, 0);
  out[grid.thread_rank()] = seen;
}
PAIR(any_value_will_do) {
  const Zeros<int> count(1), out(128);
  launch_cooperatively(count_and_look, 2, 64, count.data, out.data, wrong);
}

// Two writes. The later one should remain.
// pair: later_write
// exact: race @early,@late data
// hint: ; if the later one is to stay, a grid.sync() belongs between lines
__global__ void twice(int* data, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  data[i] = i;  // @early
  if (!wrong) grid.sync();
  data[grid.size() - 1 - i] = -i;  // @late
}
PAIR(later_write) {
  const Zeros<int> data(128);
  launch_cooperatively(twice, 2, 64, data.data, wrong);
}

// One statement updates an array in place.
// pair: shifted_in_place
// exact: race @shift,@shift data
// hint: let each read into a variable of its own, then grid.sync(), and write only then
__global__ void shift(int* data) {
  const int i = cg::this_grid().thread_rank();
  data[i + 1] += data[i];  // @shift
}
__global__ void shift_mended(int* data) {
  const int i = cg::this_grid().thread_rank();
  const int last = data[i];
  cg::this_grid().sync();
  data[i + 1] += last;
}
PAIR(shifted_in_place) {
  const Zeros<int> data(129);
  launch_cooperatively(wrong ? shift : shift_mended, 2, 64, data.data);
}

// The same mistake in a function that kernels call.
// pair: function_for_the_grid
// exact: race @part,@whole parts
// hint: , where all threads of the grid reach it
__device__ int sum_over_blocks(int* parts, int own, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) parts[blockIdx.x] = own;  // @part
  if (!wrong) grid.sync();
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b];  // @whole
  return sum;
}
__global__ void sums(int* parts, int* out, bool wrong) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum_over_blocks(parts, blockIdx.x, wrong);
}
PAIR(function_for_the_grid) {
  const Zeros<int> parts(2), out(128);
  launch_cooperatively(sums, 2, 64, parts.data, out.data, wrong);
}

// A barrier in two halves orders accesses before the first half and after the second.
// pair: read_between_halves
// exact: race @put,@between in
// hint: in is read while other blocks may still be filling it: line 
// hint: belongs after the barrier_wait() at line
// lacks: grid.sync() belongs
// missing: grid-barrier
__global__ void halves(int* in, int* out, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  in[i] = i;  // @put
  auto token = grid.barrier_arrive();
  int seen = i;
  if (wrong) seen += in[grid.size() - 1 - i];  // @between
  grid.barrier_wait(std::move(token));
  if (!wrong) seen += in[grid.size() - 1 - i];
  out[i] = seen;
}
PAIR(read_between_halves) {
  const Zeros<int> in(128), out(128);
  launch_cooperatively(halves, 2, 64, in.data, out.data, wrong);
}

// Between the halves, a thread overwrites an element that others read before they arrive.
// pair: written_between_halves
// exact: race @get,@over data
// hint: data is overwritten while other blocks may still read it: line
// hint: belongs after the barrier_wait() at line
__global__ void overwritten(int* data, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  const int seen = data[grid.size() - 1 - i];  // @get
  auto token = grid.barrier_arrive();
  if (wrong) data[i] = seen + 1;  // @over
  grid.barrier_wait(std::move(token));
  if (!wrong) data[i] = seen + 1;
}
PAIR(written_between_halves) {
  const Zeros<int> data(128);
  launch_cooperatively(overwritten, 2, 64, data.data, wrong);
}

// Others may reach the barrier before the write, and continue after it.
// pair: filled_between_halves
// exact: race @filling,@filled data
// hint: data is read while other blocks may still be filling it: line
// hint: belongs before the barrier_arrive() at line
// lacks: after the barrier_wait()
__global__ void fill_late(int* data, int* out, bool wrong) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  if (!wrong) data[i] = i;
  auto token = grid.barrier_arrive();
  if (wrong) data[i] = i;  // @filling
  grid.barrier_wait(std::move(token));
  out[i] = data[grid.size() - 1 - i];  // @filled
}
PAIR(filled_between_halves) {
  const Zeros<int> data(128), out(128);
  launch_cooperatively(fill_late, 2, 64, data.data, out.data, wrong);
}

// Nothing orders accesses between the halves.
// pair: both_between_halves
// exact: race @here,@there data
// hint: belongs before the barrier_arrive() at line
// hint: after the barrier_wait() at line
__global__ void both_between(int* data, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  auto token = grid.barrier_arrive();
  data[i] = i;  // @here
  out[i] = data[grid.size() - 1 - i];  // @there
  grid.barrier_wait(std::move(token));
}
__global__ void none_between(int* data, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  data[i] = i;
  auto token = grid.barrier_arrive();
  grid.barrier_wait(std::move(token));
  out[i] = data[grid.size() - 1 - i];
}
PAIR(both_between_halves) {
  const Zeros<int> data(256), out(256);
  launch_cooperatively(wrong ? both_between : none_between, 4, 64, data.data, out.data);
}

// A loop's next iteration writes elements that are read between the halves: it needs another barrier after them.
// pair: halves_in_a_loop
// exact: race @turn,@early data
// hint: belongs after the barrier_wait() at line
// hint: , and a grid.sync() after it, before the next iteration of the loop at line
__global__ void halves_in_turns(int* data, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  for (int turn = 0; turn < 3; ++turn) {
    data[i] = i + turn;  // @turn
    auto token = grid.barrier_arrive();
    out[i] += data[grid.size() - 1 - i];  // @early
    grid.barrier_wait(std::move(token));
  }
}
__global__ void halves_in_turns_mended(int* data, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  for (int turn = 0; turn < 3; ++turn) {
    data[i] = i + turn;
    auto token = grid.barrier_arrive();
    grid.barrier_wait(std::move(token));
    out[i] += data[grid.size() - 1 - i];
    grid.sync();
  }
}
PAIR(halves_in_a_loop) {
  const Zeros<int> data(128), out(128);
  launch_cooperatively(wrong ? halves_in_turns : halves_in_turns_mended, 2, 64, data.data, out.data);
}
