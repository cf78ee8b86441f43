// Indices outside of shared and local arrays.
#include "../pair.cuh"

// An index past the last column of a shared array's row.
// pair: past_the_row
// exact: out-of-bounds @row tile
// hint: the first index is 0 and the last one is the array's size minus 1: is that so for every thread?
__global__ void edge(float* out, bool wrong) {
  __shared__ float tile[8][8];
  tile[threadIdx.y][threadIdx.x] = 1.0f;
  __syncthreads();
  const int right = threadIdx.x + 1;
  out[threadIdx.y * 8 + threadIdx.x] = tile[threadIdx.y][wrong ? right : right % 8];  // @row
}
PAIR(past_the_row) {
  const Zeros<float> out(64);
  edge<<<1, dim3(8, 8)>>>(out, wrong);
}

// A negative index.
// pair: negative_index
// exact: out-of-bounds @negative halo
__global__ void left(int* out, bool wrong) {
  __shared__ int halo[34];
  const int i = threadIdx.x;
  halo[i + 1] = i;
  if (i == 0) halo[0] = halo[33] = 0;
  __syncthreads();
  out[i] = halo[wrong ? i - 1 : i];  // @negative
}
PAIR(negative_index) {
  const Zeros<int> out(32);
  left<<<1, 32>>>(out, wrong);
}

// An access through a pointer past the end of a shared array, where no index is declared.
// pair: pointer_into_shared
// contains: outside values (shared int[32])
__device__ __noinline__ void put(int* to, int at) {
  to[at] = at;
}
__global__ void through_pointer(int* out, int last) {
  __shared__ int values[32];
  values[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) put(values, last);
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}
PAIR(pointer_into_shared) {
  const Zeros<int> out(32);
  through_pointer<<<1, 32>>>(out, wrong ? 32 : 31);
}

// Dynamic shared memory ends where the launch says.
// pair: dynamic_too_small
// contains: dynamic shared memory
// hint: the third value of <<<…>>> is the size in bytes: count * sizeof(type) for all arrays together
__global__ void reverse(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
PAIR(dynamic_too_small) {
  const Zeros<int> out(64);
  reverse<<<1, 64, wrong ? 32 * sizeof(int) : 64 * sizeof(int)>>>(out);
}

// The launch gives enough memory, but the index is too large.
// pair: dynamic_index_too_large
// contains: reads element 64, outside the dynamic shared memory
// hint: is the index below the number of elements for every thread?
__global__ void mirror(int* out, bool wrong) {
  extern __shared__ int mirrored[];
  mirrored[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = mirrored[blockDim.x - threadIdx.x - (wrong ? 0 : 1)];
}
PAIR(dynamic_index_too_large) {
  const Zeros<int> out(64);
  mirror<<<1, 64, 64 * sizeof(int)>>>(out, wrong);
}

// The third value of <<<>>> counts bytes, not elements.
// pair: dynamic_in_elements
// contains: the third value of <<<…>>> is the size in bytes
__global__ void doubles(double* out) {
  extern __shared__ double twice[];
  twice[threadIdx.x] = 2.0 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = twice[31 - threadIdx.x];
}
PAIR(dynamic_in_elements) {
  const Zeros<double> out(32);
  doubles<<<1, 32, wrong ? 32 : 32 * sizeof(double)>>>(out);
}

// The memory lacks one element, whose size is not a round number of bytes.
// pair: dynamic_one_short
// contains: outside the dynamic shared memory: the launch gives the block 132 bytes
__global__ void with_halo(int* out) {
  extern __shared__ int row[];
  const int i = threadIdx.x;
  row[i + 1] = i;
  if (i == 0) row[0] = row[33] = 0;
  __syncthreads();
  out[i] = row[i] + row[i + 2];
}
PAIR(dynamic_one_short) {
  const Zeros<int> out(32);
  with_halo<<<1, 32, (wrong ? 33 : 34) * sizeof(int)>>>(out);
}

// The launch gives no dynamic shared memory.
// pair: dynamic_forgotten
// contains: dynamic shared memory
__global__ void forgotten(int* out) {
  extern __shared__ int bytes_of_launch[];
  bytes_of_launch[threadIdx.x] = 1;
  out[threadIdx.x] = bytes_of_launch[threadIdx.x];
}
PAIR(dynamic_forgotten) {
  const Zeros<int> out(32);
  forgotten<<<1, 32, wrong ? 0 : 128>>>(out);
}

// An index outside of a local array.
// pair: local_index
// exact: out-of-bounds @local coefficients
__global__ void polynomial(float* out, int degree) {
  float coefficients[4] = {1, 2, 3, 4};
  float sum = 0;
  for (int i = 0; i < degree; ++i) sum = sum * 2 + coefficients[i];  // @local
  out[threadIdx.x] = sum;
}
PAIR(local_index) {
  const Zeros<float> out(8);
  polynomial<<<1, 8>>>(out, wrong ? 5 : 4);
}

// A write outside of a local array with two dimensions.
// pair: local_column
// exact: out-of-bounds @column m
__global__ void small_matrix(int* out, int columns) {
  int m[2][3] = {};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < columns; ++j) m[i][j] = i + j;  // @column
  out[threadIdx.x] = m[1][0] + m[0][2];
}
PAIR(local_column) {
  const Zeros<int> out(8);
  small_matrix<<<1, 8>>>(out, wrong ? 4 : 3);
}

// An index outside of an array in a structure.
// pair: member_index
// exact: out-of-bounds @member sums->part
struct Sums {
  int part[4];
  int total;
};
__global__ void add_up(Sums* sums, int last) {
  for (int i = 0; i <= last; ++i) sums->part[i] = i;  // @member
}
PAIR(member_index) {
  const Zeros<Sums> sums(1);
  add_up<<<1, 1>>>(sums, wrong ? 4 : 3);
}

// For an array with two dimensions, the finding says which index is wrong.
// pair: which_index
// exact: out-of-bounds @which s
// contains: the second index, 8, is outside the bounds of s (shared
__global__ void two_dimensions(int* out, int first) {
  __shared__ int s[4][8];
  s[threadIdx.x / 8][threadIdx.x % 8 + first] = 1;  // @which
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x / 8][threadIdx.x % 8];
}
PAIR(which_index) {
  const Zeros<int> out(32);
  two_dimensions<<<1, 32>>>(out, wrong ? 1 : 0);
}

// A function gets a local array as a pointer.
// pair: local_through_a_pointer
// exact: out-of-bounds @through values
// contains: reads values[8] by a pointer, past the end of values, a local
// hint: a function that gets an array as a pointer does not know its size: does it get the number of elements too
__device__ float sum_of(const float* p, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += p[i];  // @through
  return sum;
}
__global__ void sum_local(float* out, int n) {
  float values[8] = {};
  for (int i = 0; i < 8; ++i) values[i] = i;
  out[threadIdx.x] = sum_of(values, n);
}
PAIR(local_through_a_pointer) {
  const Zeros<float> out(32);
  sum_local<<<1, 32>>>(out, wrong ? 9 : 8);
}

// A function gets a part of such an array and writes from its end. None of the thread's memory is before it.
// pair: local_from_its_end
// exact: out-of-bounds @backwards rows
// contains: writes rows[-1] by a pointer, before the beginning of rows
// contains: the sum is 15
__device__ void fill_backwards(int* last, int count) {
  for (int i = 0; i < count; ++i) last[-i] = i;  // @backwards
}
__global__ void backwards(int* out, int count) {
  int rows[2][3];
  fill_backwards(&rows[1][2], count);
  for (int i = 0; i < 6; ++i) atomicAdd(out, rows[i / 3][i % 3]);
}
PAIR(local_from_its_end) {
  const Zeros<int> out(1);
  backwards<<<1, 1>>>(out, wrong ? 8 : 6);
  int sum = 0;
  cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
  std::fprintf(stderr, "the sum is %d\n", sum);
}
