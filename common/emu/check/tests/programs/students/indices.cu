// The index of a thread: parts that are missing, exchanged or counted in bytes.
#include "../pair.cuh"

// The block has two dimensions, but the index uses only one.
// pair: y_forgotten
// exact: race @row,@row sums
// hint: threads that differ only in y meet at one element: does its index lack y?
__global__ void add_rows(const int* values, int* sums, bool wrong) {
  const int i = (wrong ? blockIdx.x : blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  sums[i] += values[i];  // @row
}
PAIR(y_forgotten) {
  const Zeros<int> values(1024), sums(1024);
  add_rows<<<4, dim3(16, 16)>>>(values, sums, wrong);
}

// The columns are summed on purpose: then the updates must be atomic.
// pair: columns_summed
// exact: race @column,@column sums
// contains: does its index lack y?
// hint: If they are all to change it, use atomicAdd or its like
__global__ void add_columns(const int* values, int* sums, int width, bool wrong) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (wrong)
    sums[x] += values[y * width + x];  // @column
  else
    atomicAdd(&sums[x], values[y * width + x]);
}
PAIR(columns_summed) {
  const Zeros<int> values(1024), sums(32);
  add_columns<<<dim3(2, 2), dim3(16, 16)>>>(values, sums, 32, wrong);
}

// The same for a store, within a block and between blocks.
// pair: stored_without_y
// exact: race @store,@store copy
// hint: threads that differ only in y meet at one element: does its index lack y?
__global__ void copy_picture(const int* picture, int* copy, int width, bool wrong) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  copy[(wrong ? 0 : y * width) + x] = picture[y * width + x] + y;  // @store
}
PAIR(stored_without_y) {
  const Zeros<int> picture(1024), copy(1024);
  copy_picture<<<dim3(2, 2), dim3(16, 16)>>>(picture, copy, 32, wrong);
}

// All threads of a column deliberately share one element: then one thread stores it.
// pair: column_stored_by_all
// exact: race @last,@last ends
// hint: If they are all to write it, which value stays is a matter of chance: let one of them write
__global__ void ends_of_columns(int* ends, bool wrong) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (wrong || threadIdx.y == blockDim.y - 1) ends[x] = threadIdx.y;  // @last
}
PAIR(column_stored_by_all) {
  const Zeros<int> ends(32);
  ends_of_columns<<<2, dim3(16, 16)>>>(ends, wrong);
}

// Shared memory of a block that has two dimensions.
// pair: tile_without_y
// exact: race @tile,@tile tile
// hint: does its index lack y?
__global__ void turn_tile(int* out, bool wrong) {
  __shared__ int tile[256];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[(wrong ? 0 : y * 16) + x] = 16 * y + x;  // @tile
  __syncthreads();
  out[16 * y + x] = tile[x];
}
PAIR(tile_without_y) {
  const Zeros<int> out(256);
  turn_tile<<<1, dim3(16, 16)>>>(out, wrong);
}

// The index of a volume names only a plane.
// pair: z_forgotten
// exact: race @cell,@cell volume
// hint: threads that differ only in z meet at one element: does its index lack z?
__global__ void count_cells(int* volume, int width, bool wrong) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  volume[((wrong ? 0 : z) * width + y) * width + x] += 1;  // @cell
}
PAIR(z_forgotten) {
  const Zeros<int> volume(512);
  count_cells<<<dim3(2, 2, 2), dim3(4, 4, 4)>>>(volume, 8, wrong);
}

// The blocks lie closer together than their threads.
// pair: rows_of_block_forgotten
// exact: race @part,@part parts
// hint: thread 16 of a block has the element of thread 0 of the next one, and a block has 256 threads: does the index
// hint: multiply blockIdx.x by all of them, blockDim.x * blockDim.y?
__global__ void add_parts(int* parts, bool wrong) {
  const int begin = blockIdx.x * blockDim.x * (wrong ? 1 : blockDim.y);
  parts[begin + threadIdx.y * blockDim.x + threadIdx.x] += 1;  // @part
}
PAIR(rows_of_block_forgotten) {
  const Zeros<int> parts(1024);
  add_parts<<<4, dim3(16, 16)>>>(parts, wrong);
}

// Each thread stores two adjacent elements, and the next thread begins one element later: the index lacks
// nothing.
// pair: columns_side_by_side
// exact: race @beside,@beside product
// lacks: index lack
// hint: give each thread its own element
__global__ void store_two(int* product, int width, bool wrong) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, first = blockIdx.x * 2 * blockDim.x + threadIdx.x;
  for (int k = 0; k < 2; ++k)
    product[row * width + first + k * (wrong ? 1 : blockDim.x)] = row + 100 * k;  // @beside
}
PAIR(columns_side_by_side) {
  const Zeros<int> product(64 * 64);
  store_two<<<dim3(2, 4), dim3(16, 16)>>>(product, 64, wrong);
}

// A histogram: the report questions no index.
// pair: bins_of_values
// exact: race @bin,@bin bins
// lacks: index lack
// lacks: does the index
// hint: use atomicAdd or its like
__global__ void count_values(int* bins, bool wrong) {
  const int value = (blockIdx.x * 7 + threadIdx.y * 5 + threadIdx.x * 3) % 32;
  if (wrong)
    ++bins[value];  // @bin
  else
    atomicAdd(&bins[value], 1);
}
PAIR(bins_of_values) {
  const Zeros<int> bins(32);
  count_values<<<4, dim3(16, 16)>>>(bins, wrong);
}

// The second half of an array, by a pointer that was moved by bytes.
// pair: pointer_moved_by_bytes
// exact: out-of-bounds @half halves
// hint: even the first thread goes past the end: does the kernel get a pointer that was moved by bytes?
__global__ void copy_half(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];  // @half
}
PAIR(pointer_moved_by_bytes) {
  const int n = 256;
  const Zeros<int> halves(2 * n);
  copy_half<<<1, n>>>(halves, halves + n * (wrong ? sizeof(int) : 1), n);
}

// Places that an earlier kernel computed: if they are wrong, neither the pointer nor this kernel's index is.
// pair: place_read_from_memory
// exact: out-of-bounds @scattered sorted
// hint: lets this thread through
// lacks: moved by bytes
__global__ void count_places(int* places, int n, bool wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) places[i] = wrong ? 2 * n + i : i;
}
__global__ void scatter(const int* places, int* sorted, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sorted[places[i]] = i;  // @scattered
}
PAIR(place_read_from_memory) {
  const int n = 64;
  const Zeros<int> places(n), sorted(n);
  count_places<<<1, n>>>(places, n, wrong);
  scatter<<<1, n>>>(places, sorted, n);
}

// Block and thread are exchanged in the index.
// pair: block_and_thread_exchanged
// exact: out-of-bounds @number numbers
// hint: the grid has 256 threads, no more than there are elements: is the index that of the thread?
// hint: blockIdx.x * blockDim.x + threadIdx.x numbers all threads of a grid
__global__ void number(int* numbers, bool wrong) {
  const int i = wrong ? threadIdx.x * blockDim.x + blockIdx.x : blockIdx.x * blockDim.x + threadIdx.x;
  numbers[i] = i;  // @number
}
PAIR(block_and_thread_exchanged) {
  const Zeros<int> numbers(256);
  number<<<4, 64>>>(numbers, wrong);
}

// A stencil reads the element after the last one: its index is the thread's, and the guard forgets the neighbour.
// pair: neighbour_of_the_last
// exact: out-of-bounds @neighbour in
// hint: the guard `if (i < n)` lets this thread through
// lacks: is the index that of the thread?
__global__ void differences(const int* in, int* out, int n, bool wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (wrong) {
    if (i < n) out[i] = in[i + 1] - in[i];  // @neighbour
  } else {
    if (i + 1 < n) out[i] = in[i + 1] - in[i];
  }
}
PAIR(neighbour_of_the_last) {
  const Zeros<int> in(256), out(256);
  differences<<<1, 256>>>(in, out, 256, wrong);
}

// The same without a guard.
// pair: neighbour_without_guard
// exact: out-of-bounds @unguarded in
// hint: Guard the access with an if
// lacks: is the index that of the thread?
__global__ void unguarded_differences(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1] - in[i];  // @unguarded
}
PAIR(neighbour_without_guard) {
  const Zeros<int> in(wrong ? 256 : 257), out(256);
  unguarded_differences<<<4, 64>>>(in, out);
}

// A loop that counts down in an unsigned never ends, and goes ever further: that is one mistake.
// pair: down_for_ever
// exact: out-of-bounds @down sums
// hint: count in an int
__global__ void sum_backwards(int* sums, int n, bool wrong) {
  if (wrong)
    for (unsigned i = n - 2; i >= 0; --i) sums[i] += sums[i + 1];  // @down
  else
    for (int i = n - 2; i >= 0; --i) sums[i] += sums[i + 1];
}
PAIR(down_for_ever) {
  const Zeros<int> sums(64);
  sum_backwards<<<1, 1>>>(sums, 64, wrong);
}

// A separate function adds a level of a tree; the loop calls it without a barrier.
// pair: level_in_a_function
// exact: race @level,@level values
// hint: a __syncthreads() belongs at the end of each iteration of the loop at line
// hint: which calls add_level()
__device__ void add_level(int* level, int stride) {
  if (threadIdx.x < stride) level[threadIdx.x] += level[threadIdx.x + stride];  // @level
}
__global__ void sum_of_levels(int* sum, bool wrong) {
  __shared__ int values[256];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    add_level(values, stride);
    if (!wrong) __syncthreads();
  }
  __syncthreads();
  if (threadIdx.x == 0) *sum = values[0];
}
PAIR(level_in_a_function) {
  const Zeros<int> sum(1);
  sum_of_levels<<<1, 256>>>(sum, wrong);
}

// A loop calls a function: the first thread leaves the array only in a later iteration, by no moved pointer.
// pair: called_in_a_loop
// exact: out-of-bounds @called turns
// lacks: even the first thread
// hint: Guard the access with an if
__device__ void store_turn(int* turns, int i) {
  turns[i] = i;  // @called
}
__global__ void take_turns(int* turns, int n) {
  for (int i = threadIdx.x; i < n; i += 48) store_turn(turns, i);
}
PAIR(called_in_a_loop) {
  const Zeros<int> turns(40);
  take_turns<<<1, 8>>>(turns, wrong ? 100 : 40);
}
