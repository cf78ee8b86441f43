// Mistakes for which a wrong hint is likely: the place of the barrier, the lost value, the name of the array.
#include "../pair.cuh"

// A scan in place: within one iteration, threads read elements that others write.
// pair: scan_in_place
// exact: race @step,@step s
// contains: Or let each read into
__global__ void scan(int* data) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = data[t];
  for (int d = 1; d < 64; d *= 2) {
    __syncthreads();
    if (t >= d) s[t] += s[t - d];  // @step
  }
  data[t] = s[t];
}
__global__ void scan_in_steps(int* data) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = data[t];
  for (int d = 1; d < 64; d *= 2) {
    __syncthreads();
    const int before = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += before;
  }
  data[t] = s[t];
}
PAIR(scan_in_place) {
  const Zeros<int> data(64);
  if (wrong)
    scan<<<1, 64>>>(data);
  else
    scan_in_steps<<<1, 64>>>(data);
}

// A function with a barrier is called twice: its shared array is filled again while other threads still read it.
// pair: sum_called_twice
// exact: race @parts,@whole parts
// contains: before the next call comes to line
// hint: , before the next call comes to line
__device__ int sum_of_block(int value, bool wrong) {
  __shared__ int parts[4];
  for (int o = 16; o > 0; o /= 2) value += __shfl_down_sync(0xffffffffu, value, o);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;  // @parts
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < 4; ++w) sum += parts[w];  // @whole
  if (!wrong) __syncthreads();
  return sum;
}
__global__ void moments(const int* in, int* out, bool wrong) {
  const int x = in[threadIdx.x];
  const int first = sum_of_block(x, wrong);
  const int second = sum_of_block(x * x, wrong);
  if (threadIdx.x == 0) out[0] = first, out[1] = second;
}
PAIR(sum_called_twice) {
  const Zeros<int> in(128), out(2);
  moments<<<1, 128>>>(in, out, wrong);
}

// The last warp's steps, unrolled, without __syncwarp(): one mistake, not five.
// pair: written_out
// exact: race @first,@second s
// contains: races in the same way with
__global__ void last_steps(int* out, bool wrong) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  s[t + 32] = 2 * t;
  __syncwarp();
  if (wrong) {
    s[t] += s[t + 32];  // @first
    s[t] += s[t + 16];  // @second
    s[t] += s[t + 8];
    s[t] += s[t + 4];
  } else {
    int sum = s[t] + s[t + 32];
    for (int o = 16; o > 2; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);
    s[t] = sum;
  }
  if (t == 0) *out = s[0];
}
PAIR(written_out) {
  const Zeros<int> out(1);
  last_steps<<<1, 32>>>(out, wrong);
}

// A position in a list is taken without an atomic function, in brackets.
// pair: place_in_list
// exact: race @taken,@taken length
// contains: one of their updates is lost
__global__ void collect(int* list, int* length, bool wrong) {
  if (threadIdx.x % 3 != 0) return;
  const int place = wrong ? (*length)++ : atomicAdd(length, 1);  // @taken
  if (!wrong) list[place] = threadIdx.x;
}
PAIR(place_in_list) {
  const Zeros<int> list(64), length(1);
  collect<<<1, 64>>>(list, length, wrong);
}

// A plain write releases a lock.
// pair: plain_unlock
// exact: race @plain,@take lock
// hint: gives back by a plain write what others take by
// hint: release a lock by atomicExch(), after a __threadfence()
// hint: gives back by a plain write what others take by atomicCAS(): release a lock by atomicExch(), after a
__global__ void locked(int* lock, bool wrong) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {  // @take
  }
  __threadfence();
  if (wrong)
    *lock = 0;  // @plain
  else
    atomicExch(lock, 0);
}
PAIR(plain_unlock) {
  const Zeros<int> lock(1);
  locked<<<4, 32>>>(lock, wrong);
}

// The same for a lock in shared memory: no barrier helps.
// pair: plain_unlock_in_a_block
// contains: gives back by a plain write what others take by atomicCAS()
// missing: atomic
__global__ void locked_in_a_block(int* out, bool wrong) {
  __shared__ int lock;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    *out += threadIdx.x;
    __threadfence_block();
    if (wrong)
      lock = 0;
    else
      atomicExch(&lock, 0);
  }
}
PAIR(plain_unlock_in_a_block) {
  const Zeros<int> out(1);
  locked_in_a_block<<<1, 128>>>(out, wrong);
}

// A flag that others poll is not a counter.
// pair: plain_flag
// contains: read (volatile) by thread
// lacks: atomic read
// hint: writes without an atomic function what other blocks
// hint: writes without an atomic function what other blocks read through volatile: use atomicExch() there
__global__ void raise(int* flag, int* out, bool wrong) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) out[0] = *static_cast<volatile int*>(flag);
  if (blockIdx.x == 1 && wrong) *flag = 1;
  if (blockIdx.x == 1 && !wrong) atomicExch(flag, 1);
}
PAIR(plain_flag) {
  const Zeros<int> flag(1), out(1);
  raise<<<2, 32>>>(flag, out, wrong);
}

// The stages of a network in one launch: blocks exchange elements, and no update is lost.
// pair: exchange_between_blocks
// contains: end the kernel here
__global__ void exchange(int* a, int j) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int stage = j; stage > 0; stage /= 2) {
    const int other = i ^ stage;
    if (other > i && a[i] > a[other]) { const int x = a[i]; a[i] = a[other]; a[other] = x; }
    __syncthreads();
  }
}
PAIR(exchange_between_blocks) {
  const int n = 128;
  int numbers[n];
  for (int i = 0; i < n; ++i) numbers[i] = i * 37 % n;
  int* a;
  cudaMalloc(&a, sizeof numbers);
  cudaMemcpy(a, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  if (wrong)
    exchange<<<2, 64>>>(a, 64);
  else
    exchange<<<2, 64>>>(a, 32);
  cudaDeviceSynchronize();
  cudaFree(a);
}

#define TRY(call)                                  \
  do {                                             \
    if ((call) != cudaSuccess) std::printf("no\n"); \
  } while (false)

// Two allocations in one line, through a macro: the second is never freed.
// pair: two_in_a_line
// exact: leak @both second
PAIR(two_in_a_line) {
  float *first, *second;
  TRY(cudaMalloc(&first, 64)); TRY(cudaMalloc((void**)&second, 128));  // @both
  TRY(cudaFree(first));
  if (!wrong) TRY(cudaFree(second));
}

// The left neighbour of the first element.
// pair: left_neighbour
// contains: the first elements have no neighbour before them
__global__ void differences(const int* in, int* out, bool wrong) {
  const int i = threadIdx.x;
  out[i] = in[i] - (wrong || i > 0 ? in[i - 1] : 0);
}
PAIR(left_neighbour) {
  const Zeros<int> in(64), out(64);
  differences<<<1, 64>>>(in, out, wrong);
}

// The size of an allocation in elements.
// pair: elements_for_bytes
// contains: cudaMalloc counts bytes, not elements
__global__ void count_up(int* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x;
}
int* elements(int n) {
  int* data;
  cudaMalloc(&data, n);
  return data;
}
int* bytes(int n) {
  int* data;
  cudaMalloc(&data, n * sizeof(int));
  return data;
}
PAIR(elements_for_bytes) {
  const int n = 64;
  int* const out = wrong ? elements(n) : bytes(n);
  count_up<<<1, 64>>>(out, n);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// A barrier in a loop that some threads leave early, to the kernel's end.
// pair: turns_to_the_end
// exact: barrier @turn -
// contains: do all threads run as many iterations of the loop
// hint: do all threads run as many iterations of the loop at line
__global__ void turns(int* out, bool wrong) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  const int count = wrong ? 1 + threadIdx.x / 32 : 2;
  for (int i = 0; i < count; ++i) {
    s[threadIdx.x] += i;
    __syncthreads();  // @turn
  }
  out[threadIdx.x] = s[threadIdx.x];
}
PAIR(turns_to_the_end) {
  const Zeros<int> out(64);
  turns<<<1, 64>>>(out, wrong);
}

// The same with an if in the loop that ends before the barrier.
// pair: turns_with_an_if
// exact: barrier @turn -
// lacks: a barrier in an if
// hint: do all threads run as many iterations of the loop at line
__global__ void turns_with_an_if(int* out, bool wrong) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  const int count = wrong ? 1 + threadIdx.x / 32 : 2;
  for (int i = 0; i < count; ++i) {
    // if there is something to add
    if (i > 0) s[threadIdx.x] += i;
    __syncthreads();  // @turn
  }
  out[threadIdx.x] = s[threadIdx.x];
}
PAIR(turns_with_an_if) {
  const Zeros<int> out(64);
  turns_with_an_if<<<1, 64>>>(out, wrong);
}

// A guard before a barrier: the race that follows is not a second mistake.
// pair: guarded_barrier
// exact: barrier @guarded -
__global__ void neighbours(const int* in, int* out, int n, bool wrong) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (!wrong || t < n) __syncthreads();  // @guarded
  out[t] = s[63 - t];
}
PAIR(guarded_barrier) {
  const Zeros<int> in(64), out(64);
  neighbours<<<1, 64>>>(in, out, 40, wrong);
}

// Counts in shared memory, on the line of the loop: an update is lost, and no barrier helps.
// pair: count_in_a_loops_line
// exact: race @count,@count bins
// contains: use atomicAdd
__global__ void count_in_a_loop(int* out, const int* in, int n, bool wrong) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  if (wrong)
    for (int i = threadIdx.x; i < n; i += blockDim.x) ++bins[in[i]];  // @count
  else
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bins[in[i]], 1);
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}
PAIR(count_in_a_loops_line) {
  const Zeros<int> in(200), out(8);
  count_in_a_loop<<<1, 64>>>(out, in, 200, wrong);
}

// The same after a condition, on a row of an array.
// pair: count_behind_a_condition
// exact: race @count,@count rows
// contains: use atomicAdd
__global__ void count_behind_a_condition(int* out, const int* in, int n, bool wrong) {
  __shared__ int rows[2][8];
  if (threadIdx.x < 8) rows[0][threadIdx.x] = 0;
  __syncthreads();
  if (wrong) {
    if (threadIdx.x < n) ++rows[0][in[threadIdx.x]];  // @count
  } else {
    if (threadIdx.x < n) atomicAdd(&rows[0][in[threadIdx.x]], 1);
  }
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = rows[0][threadIdx.x];
}
PAIR(count_behind_a_condition) {
  const Zeros<int> in(64), out(8);
  count_behind_a_condition<<<1, 64>>>(out, in, 60, wrong);
}

// The same through a pointer.
// pair: count_through_a_pointer
// exact: race @count,@count total
// contains: use atomicAdd
__global__ void count_through_a_pointer(int* out, bool wrong) {
  __shared__ int total[1];
  if (threadIdx.x == 0) total[0] = 0;
  __syncthreads();
  int* const p = total;
  if (wrong)
    ++*p;  // @count
  else
    atomicAdd(p, 1);
  __syncthreads();
  if (threadIdx.x == 0) *out = total[0];
}
PAIR(count_through_a_pointer) {
  const Zeros<int> out(1);
  count_through_a_pointer<<<1, 64>>>(out, wrong);
}

// Each thread reads only the row that its own warp fills. The hint still names a __syncthreads().
// pair: row_of_one_warp
// exact: race @fill,@read rows
// contains: a __syncthreads() belongs between lines
__global__ void row_of_one_warp(const int* in, int* out, bool wrong) {
  __shared__ int rows[4][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  rows[warp][lane] = in[threadIdx.x];  // @fill
  if (!wrong) __syncthreads();
  int sum = 0;
  for (int k = 0; k < 32; ++k) sum += rows[warp][k];  // @read
  out[threadIdx.x] = sum;
}
PAIR(row_of_one_warp) {
  const Zeros<int> in(128), out(128);
  row_of_one_warp<<<1, 128>>>(in, out, wrong);
}
