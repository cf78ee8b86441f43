// After a bad access the program continues: its reads return 0, its writes are dropped, and later mistakes are found.
#include "../pair.cuh"

// Each array is a little too small: both findings come from one run.
// pair: both_are_reported
// exact: out-of-bounds @first first
// exact: out-of-bounds @second second
__global__ void both(int* first, int* second) {
  first[threadIdx.x] = 1;   // @first
  second[threadIdx.x] = 2;  // @second
}
PAIR(both_are_reported) {
  const int room = wrong ? 64 : 128;
  int *first, *second;
  cudaMalloc(&first, room * sizeof(int));
  cudaMalloc(&second, room * sizeof(int));
  both<<<1, 128>>>(first, second);
  cudaDeviceSynchronize();
  cudaFree(first);
  cudaFree(second);
}

// A null pointer. A race after this mistake is reported as well.
// pair: race_behind_null
// exact: null-pointer @null -
// exact: race @write,@read s
__global__ void behind_null(int* values, int* out, bool wrong) {
  __shared__ int s[64];
  if (values != nullptr || wrong) values[threadIdx.x] = 1;  // @null
  s[threadIdx.x] = threadIdx.x;  // @write
  if (!wrong) __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];  // @read
}
PAIR(race_behind_null) {
  const Zeros<int> out(64);
  behind_null<<<1, 64>>>(nullptr, out, wrong);
}

// Suppressed reads return 0: also of numbers with a fraction, of structures, and at addresses that no
// processor has. The sum is right, and no other memory is written.
// pair: reads_are_zero
// contains: the sum is 7
// exact: null-pointer @float -
// exact: null-pointer @double -
// exact: null-pointer @struct -
// exact: null-pointer @byte -
// exact: null-pointer @update -
// exact: null-pointer @set -
// exact: null-pointer @copied -
struct Row {
  double values[9];
};
__global__ void read_all(const float* a, const double* b, const Row* c, const unsigned char* d, int* e, Row* out) {
  double sum = 7;
  sum += *a;                 // @float
  sum += b[threadIdx.x];     // @double
  const Row row = *c;        // @struct
  sum += row.values[threadIdx.x + 3];
  sum += d[threadIdx.x];     // @byte
  if (threadIdx.x == 0 && out != nullptr) sum += atomicAdd(e, 5);  // @update
  if (a == nullptr) memset(e, 1, 40);                              // @set
  if (a == nullptr) memcpy(out, c, sizeof *out);                   // @copied
  out->values[0] = sum;
  out->values[1] = 0;
}
PAIR(reads_are_zero) {
  const Zeros<double> memory(9), zero(9);
  const Zeros<int> counter(1);
  auto* const out = reinterpret_cast<Row*>(memory.data);
  const void* const in = wrong ? nullptr : zero.data;
  read_all<<<1, 1>>>(static_cast<const float*>(in), static_cast<const double*>(in), static_cast<const Row*>(in),
                     static_cast<const unsigned char*>(in), wrong ? nullptr : counter.data, out);
  double sum = 0;
  cudaMemcpy(&sum, memory, sizeof sum, cudaMemcpyDeviceToHost);
  std::fprintf(stderr, "the sum is %g\n", sum);
}

// A write past a variable of the device does not change the next variable.
// pair: neighbour_is_kept
// exact: out-of-bounds @behind rows
// contains: the neighbour is 5
__device__ int rows[4][8];
__device__ int neighbours[64];
__global__ void fill_rows(int first, int* out) {
  neighbours[threadIdx.x] = 5;
  __syncthreads();
  rows[threadIdx.x / 8 + first][threadIdx.x % 8] = 9;  // @behind
  __syncthreads();
  out[threadIdx.x] = neighbours[threadIdx.x] + neighbours[threadIdx.x + 32];
}
__global__ void fill_neighbours() {
  neighbours[threadIdx.x] = 5;
}
PAIR(neighbour_is_kept) {
  const Zeros<int> out(32);
  fill_neighbours<<<1, 64>>>();
  fill_rows<<<1, 32>>>(wrong ? 1 : 0, out);
  int on_host[32];
  cudaMemcpy(on_host, out, sizeof on_host, cudaMemcpyDeviceToHost);
  int least = on_host[0];
  for (const int value : on_host) least = value < least ? value : least;
  std::fprintf(stderr, "the neighbour is %d\n", least / 2);
}

// Only some threads set the pointer.
// pair: never_set
// contains: through a pointer that was never set
// hint: is the pointer set before it is used, for every thread?
__global__ void choose(int* a, int* out, int count) {
  int* places[4];
  for (int i = 0; i < count; ++i) places[i] = a + i;
  out[threadIdx.x] = *places[threadIdx.x];
}
PAIR(never_set) {
  const Zeros<int> a(4), out(4);
  choose<<<1, 4>>>(a, out, wrong ? 3 : 4);
}

// The pointer was made from a number.
// pair: pointer_from_number
// exact: wild-pointer @number -
// hint: is it a pointer to memory of the device, and whole?
__global__ void read_number(unsigned long long address, int* out) {
  out[threadIdx.x] = *reinterpret_cast<const int*>(address);  // @number
}
PAIR(pointer_from_number) {
  const Zeros<int> in(1), out(1);
  const auto whole = reinterpret_cast<unsigned long long>(in.data);
  read_number<<<1, 1>>>(wrong ? whole & 0xffffffffu : whole, out);
}

// Host code accesses device memory, and continues. The copy after this mistake fails as well.
// pair: host_goes_on
// exact: device-pointer @sum values
// exact: device-pointer @copied values
PAIR(host_goes_on) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  int sum = 0, on_host[64];
  cudaMemcpy(on_host, values, sizeof on_host, cudaMemcpyDeviceToHost);
  const int* const from = wrong ? values : on_host;
  for (int i = 0; i < 64; ++i) sum += from[i];  // @sum
  std::memcpy(on_host, from, sizeof on_host);   // @copied
  std::printf("%d\n", sum + on_host[3]);
  cudaFree(values);
}

// The program does not wait after a launch, so the device is busy, and the fault is still reported.
// pair: host_while_busy
// exact: device-pointer @busy values
__global__ void count_up(int* values) {
  for (int i = 0; i < 100; ++i) values[threadIdx.x] += i;
}
PAIR(host_while_busy) {
  int *values, on_host;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  count_up<<<1, 64>>>(values);
  if (!wrong) cudaMemcpy(&on_host, values, sizeof on_host, cudaMemcpyDeviceToHost);
  const int first = wrong ? values[0] : on_host;  // @busy
  cudaDeviceSynchronize();
  std::printf("%d\n", first);
  cudaFree(values);
}

// A library function gets an address without memory: the kernel is stopped, and the line of the call is reported.
// pair: length_of_nothing
// exact: wild-pointer @length -
// hint: was the pointer set before it is used, and to memory of the device?
__global__ void measure(unsigned long long address, unsigned long long* length) {
  *length = __builtin_strlen(reinterpret_cast<const char*>(address));  // @length
}
PAIR(length_of_nothing) {
  const Zeros<unsigned long long> memory(2);
  const auto whole = reinterpret_cast<unsigned long long>(memory.data);
  measure<<<1, 1>>>(wrong ? whole & 0xffffffffu : whole, memory.data + 1);
  cudaDeviceSynchronize();
  cudaGetLastError();
}
