// Accesses outside of allocations and arrays.
#include "../pair.cuh"

// The launch has more threads than elements.
// pair: behind_the_end
// exact: out-of-bounds @write out
// hint: does the grid have more threads, or a loop more iterations, than the array has elements? Guard the
__global__ void fill(float* out, int n, bool wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (wrong)
    out[i] = i;  // @write
  else if (i < n)
    out[i] = i;
}
PAIR(behind_the_end) {
  const int n = 100;
  float* out;
  cudaMalloc(&out, n * sizeof(float));
  fill<<<1, 104>>>(out, n, wrong);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// An access past the end of one shared array, where the next one begins.
// pair: neighbour_array
// exact: out-of-bounds @read first
__global__ void shift(int* out, bool wrong) {
  __shared__ int first[32], second[32];
  first[threadIdx.x] = second[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int next = threadIdx.x + 1;
  out[threadIdx.x] = first[wrong ? next : next % 32] + second[threadIdx.x];  // @read
}
PAIR(neighbour_array) {
  const Zeros<int> out(32);
  shift<<<1, 32>>>(out, wrong);
}

// An access past an array of constant size. Index and address both show the mistake, but it counts once.
// pair: counted_once
// exact: out-of-bounds @write row
// contains: seen 3 times in kernel write_behind
__global__ void write_behind(int* out, bool wrong) {
  __shared__ int row[32];
  const int t = threadIdx.x;
  row[wrong && t > 28 ? t + 3 : t] = t;  // @write
  __syncthreads();
  if (t < 29) out[t] = row[t];
}
PAIR(counted_once) {
  const Zeros<int> out(32);
  write_behind<<<1, 32>>>(out, wrong);
}

// The limit of the guard is larger than the array.
// pair: past_the_guard
// exact: out-of-bounds @guarded out
// hint: the guard `if (i < n)` lets this thread through: does it test the index that the access uses, and is that
// lacks: Guard the access with an if
// lacks: exchanged
__global__ void fill_guarded(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;  // @guarded
}
PAIR(past_the_guard) {
  const int n = 100;
  float* out;
  cudaMalloc(&out, n * sizeof(float));
  fill_guarded<<<1, 104>>>(out, wrong ? 104 : n);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// The two extents in the guard are exchanged.
// pair: exchanged_in_the_guard
// exact: out-of-bounds @exchanged from
// hint: Are two indices or two extents exchanged, in the guard or in the access?
// contains: the guard `if (x >= limit_x || y >= limit_y)` lets this thread through
__global__ void turn(const int* from, int* to, int width, int height, bool wrong) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const int limit_x = wrong ? height : width, limit_y = wrong ? width : height;
  if (x >= limit_x || y >= limit_y) return;
  to[x * height + y] = from[y * width + x];  // @exchanged
}
PAIR(exchanged_in_the_guard) {
  const int width = 40, height = 24;
  int *from, *to;
  cudaMalloc(&from, width * height * sizeof(int));
  cudaMalloc(&to, width * height * sizeof(int));
  cudaMemset(from, 0, width * height * sizeof(int));
  turn<<<dim3(3, 2), dim3(16, 16)>>>(from, to, width, height, wrong);
  cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(to);
}

// An index that is one too small at the left edge.
// pair: before_the_beginning
// exact: out-of-bounds @left in
// hint: the first elements have no neighbour before them: is the index never negative? An if around the access
__global__ void left_neighbour(const float* in, float* out, bool wrong) {
  const int i = threadIdx.x;
  if (i > 0 || wrong) out[i] = in[i - 1];  // @left
}
PAIR(before_the_beginning) {
  float* in;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  const Zeros<float> out(32);
  left_neighbour<<<1, 32>>>(in, out, wrong);
  cudaDeviceSynchronize();
  cudaFree(in);
}

// An index so large that the access would be in another allocation, if the two were adjacent.
// pair: far_behind
// exact: out-of-bounds @far first
__global__ void far_write(int* first, int index) {
  first[index] = 1;  // @far
}
PAIR(far_behind) {
  int *first, *second;
  cudaMalloc(&first, 64 * sizeof(int));
  cudaMalloc(&second, 1 << 20);
  cudaMemset(first, 0, 64 * sizeof(int));
  far_write<<<1, 1>>>(first, wrong ? 100'000 : 63);
  cudaDeviceSynchronize();
  cudaFree(first);
  cudaFree(second);
}

// The access of a float4 extends past the end.
// pair: over_the_end
// contains: that reach past the end of three
// hint: cudaMalloc counts bytes, not elements: count * sizeof(type). If that is right, does the grid have more
__global__ void load_wide(const float* three, float4* out) {
  out[0] = *reinterpret_cast<const float4*>(three);
}
PAIR(over_the_end) {
  float* three;
  const int n = wrong ? 3 : 4;
  cudaMalloc(&three, n * sizeof(float));
  cudaMemset(three, 0, n * sizeof(float));
  const Zeros<float4> out(1);
  load_wide<<<1, 1>>>(three, out);
  cudaDeviceSynchronize();
  cudaFree(three);
}

// An access to one byte past the text's end.
// pair: byte_behind
// exact: out-of-bounds @byte text
__global__ void upper(char* text, int n) {
  if (threadIdx.x < n) text[threadIdx.x] -= 32;  // @byte
}
PAIR(byte_behind) {
  char* text;
  cudaMalloc(&text, 13);
  cudaMemset(text, 'a', 13);
  upper<<<1, 32>>>(text, wrong ? 14 : 13);
  cudaDeviceSynchronize();
  cudaFree(text);
}

// An atomic function accesses memory outside of the array.
// pair: atomic_behind
// exact: out-of-bounds @add bins
__global__ void count(int* bins, int value) {
  atomicAdd(&bins[value], 1);  // @add
}
PAIR(atomic_behind) {
  int* bins;
  cudaMalloc(&bins, 10 * sizeof(int));
  cudaMemset(bins, 0, 10 * sizeof(int));
  count<<<1, 8>>>(bins, wrong ? 10 : 9);
  cudaDeviceSynchronize();
  cudaFree(bins);
}

// An access past the end of a device variable.
// pair: behind_a_variable
// exact: out-of-bounds @table table
__device__ int table[16];
__global__ void store(int index) {
  table[index] = 1;  // @table
}
PAIR(behind_a_variable) {
  store<<<1, 1>>>(wrong ? 16 : 15);
  cudaDeviceSynchronize();
}

// An access past the end of managed memory.
// pair: behind_managed
// exact: out-of-bounds @managed shared_by_both
__global__ void fill_managed(int* shared_by_both) {
  shared_by_both[threadIdx.x] = 1;  // @managed
}
PAIR(behind_managed) {
  int* shared_by_both;
  cudaMallocManaged(&shared_by_both, 32 * sizeof(int));
  fill_managed<<<1, wrong ? 33 : 32>>>(shared_by_both);
  cudaDeviceSynchronize();
  cudaFree(shared_by_both);
}

// Rows and columns are exchanged in a product of matrices that are not square.
// pair: swapped_rows
// exact: out-of-bounds @swapped matrix
__global__ void transpose(float* matrix, int rows, int columns, bool wrong) {
  const int row = threadIdx.y, column = threadIdx.x;
  if (row < rows && column < columns)
    matrix[wrong ? column * columns + row : row * columns + column] = row;  // @swapped
}
PAIR(swapped_rows) {
  float* matrix;
  cudaMalloc(&matrix, 8 * 16 * sizeof(float));
  transpose<<<1, dim3(16, 8)>>>(matrix, 8, 16, wrong);
  cudaDeviceSynchronize();
  cudaFree(matrix);
}

// An index that does not fit an int, in memory that is large enough. (Unwritten pinned memory takes no room.)
// pair: index_overflow
// exact: out-of-bounds @overflow bytes
// contains: element 2,147,488,281 is meant: its index does not fit an int, which ends at 2,147,483,647, and has become -2,147,479,015
// hint: compute the index in 64 bits: the first factor of each product as a size_t, as in `(size_t)i * n + j`
__global__ void last_row(char* bytes, int n, bool wrong) {
  const int i = n - 1;
  if (wrong)
    bytes[i * n + n] = 1;  // @overflow
  else
    bytes[(size_t)i * n + n] = 1;
}
PAIR(index_overflow) {
  const int n = 46341;
  char* bytes;
  cudaMallocHost(&bytes, (size_t)n * n + 1);
  last_row<<<1, 1>>>(bytes, n, wrong);
  cudaDeviceSynchronize();
  cudaFreeHost(bytes);
}

// An unsigned index is decremented below 0.
// pair: counted_below_zero
// exact: out-of-bounds @below values
// hint: an unsigned index that is counted below 0 goes on at 4,294,967,295, and is never negative: count in an int
__global__ void clear_backwards(int* values, bool wrong) {
  if (wrong)
    for (unsigned i = threadIdx.x; i < 64 || i > 0xffffff00; i -= 32) values[i] = 0;  // @below
  else
    for (int i = static_cast<int>(threadIdx.x); i >= 0; i -= 32) values[i] = 0;
}
PAIR(counted_below_zero) {
  const Zeros<int> values(64);
  clear_backwards<<<1, 64>>>(values, wrong);
  cudaDeviceSynchronize();
}

// The size of the pointer is used instead of the structure's size.
// pair: size_of_the_pointer
// exact: out-of-bounds @velocity bodies
// hint: sizeof(bodies) is the size of a pointer, 8 bytes: write count * sizeof(*bodies) at the allocation
// hint: ) at the allocation and at the copies
struct Moving {
  float at, before, velocity, mass;
};
__global__ void stop_all(Moving* bodies) {
  bodies[threadIdx.x].velocity = 0;  // @velocity
}
PAIR(size_of_the_pointer) {
  Moving* bodies;
  if (wrong)
    cudaMalloc(&bodies, 64 * sizeof(bodies));
  else
    cudaMalloc(&bodies, 64 * sizeof(*bodies));
  stop_all<<<1, 64>>>(bodies);
  cudaDeviceSynchronize();
  cudaFree(bodies);
}

// The guard tests only the row.
// pair: column_not_in_the_guard
// exact: out-of-bounds @column from
// contains: the guard `if (row < n)` does not test column, which the access uses
// hint: which the access uses: test that it is below its extent, too
__global__ void copy_matrix(const int* from, int* to, int n, bool wrong) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  int value = 0;
  if (wrong) {
    if (row < n) value = from[row * 40 + column];  // @column
  } else if (row < n && column < n) {
    value = from[row * 40 + column];
  }
  if (row < n && column < n) to[row * n + column] = value;
}
PAIR(column_not_in_the_guard) {
  const int n = 40;
  const Zeros<int> from(n * n), to(n * n);
  copy_matrix<<<dim3(3, 3), dim3(16, 16)>>>(from, to, n, wrong);
}

// A kernel keeps the address of its shared variable for the next kernel.
// pair: kept_for_the_next_kernel
// exact: out-of-bounds @kept -
// hint: that of other kernels ends with their blocks: keep values between kernels in memory from cudaMalloc
__device__ int* kept;
__device__ int lasting;
__global__ void keep(bool wrong) {
  __shared__ int own;
  own = 5;
  lasting = 5;
  kept = wrong ? &own : &lasting;
}
__global__ void use_kept(int* out) {
  *out = *kept;  // @kept
}
PAIR(kept_for_the_next_kernel) {
  const Zeros<int> out(1);
  keep<<<1, 1>>>(wrong);
  use_kept<<<1, 1>>>(out);
}

// The host's own loop goes past its array. The compiler knows the array's size, and the index is checked.
// pair: loop_past_an_array
// exact: out-of-bounds @past totals
// contains: index 4 is outside the bounds of totals
// hint: the first index is 0 and the last one is the array's size minus 1
int totals[4] = {1, 2, 3, 4};
PAIR(loop_past_an_array) {
  const volatile int n = wrong ? 6 : 4;
  for (int i = 0; i < n; ++i) totals[i] = i;  // @past
}
