// Errors that the program ignores.
#include "../pair.cuh"

__global__ void nothing() {}

// 2,048 threads are more than a block may have, and the program ignores the error.
// pair: refused_launch
// exact: launch @launch -
// contains: kernel nothing never ran
// contains: the block has 2048 threads, but a block may have at most 1024
PAIR(refused_launch) {
  const int threads = wrong ? 2048 : 64;
  nothing<<<1, threads>>>();  // @launch
  cudaDeviceSynchronize();
}

// The program requests more memory than the device has, and ignores the error.
// pair: allocation_failed
// exact: unchecked @call -
// contains: cudaMalloc failed (cudaErrorMemoryAllocation
PAIR(allocation_failed) {
  int* data = nullptr;
  const size_t bytes = wrong ? size_t{1} << 50 : 64;
  cudaMalloc(&data, bytes);  // @call
  cudaFree(data);
}

// The same request, but the program checks the error.
// pair: error_looked_at
// exact: unchecked @first -
// contains: cudaStreamCreateWithFlags failed later, at line
// hint: check what every call returns: results after the first failure mean nothing
PAIR(error_looked_at) {
  int* data = nullptr;
  cudaStream_t stream = nullptr;
  cudaMalloc(&data, size_t{1} << 50);  // @first
  cudaStreamCreateWithFlags(&stream, 77);
  if (!wrong) std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

// The launch needs more dynamic shared memory than a block may have without cudaFuncSetAttribute.
// pair: too_much_shared
// exact: launch @launch -
// contains: kernel shares never ran
// contains: the launch asks for 200000 bytes of dynamic shared memory, and a block may have 49152 bytes
__global__ void shares(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = buffer[threadIdx.x];
}
PAIR(too_much_shared) {
  const Zeros<int> out(32);
  const int bytes = wrong ? 200000 : 128;
  shares<<<1, 32, bytes>>>(out);  // @launch
}

// The grid is empty: n / 256 is 0 if n is small.
// pair: no_blocks
// exact: launch @launch -
// contains: the grid has no blocks, 0 x 1 x 1
__global__ void tail(int* out) {
  out[threadIdx.x] = 1;
}
PAIR(no_blocks) {
  const int n = 100;
  const Zeros<int> out(256);
  tail<<<wrong ? n / 256 : (n + 255) / 256, 256>>>(out);  // @launch
}

// A block is too large. The program checks only the result of a cudaGetLastError() before the launch.
// pair: asked_too_soon
// exact: launch @launch -
__global__ void squares(int* out) {
  out[threadIdx.x] = threadIdx.x * threadIdx.x;
}
PAIR(asked_too_soon) {
  const Zeros<int> out(1024);
  if (wrong && cudaGetLastError() != cudaSuccess) std::printf("no launch\n");
  squares<<<1, wrong ? 2048 : 1024>>>(out);  // @launch
  if (!wrong && cudaGetLastError() != cudaSuccess) std::printf("no launch\n");
}

// The program requests more memory than the device has. The consequences are reported after this cause.
// pair: failed_before_its_consequences
// first: unchecked @too_much -
// exact: unchecked @too_much -
// exact: copy @to_null -
// exact: null-pointer @add -
// exact: copy @from_null -
// hint: check what every call returns: results after the first failure mean nothing
// hint: does cudaMalloc give it memory before this, and succeed?
__global__ void add_one(int* values) {
  values[threadIdx.x] += 1;  // @add
}
PAIR(failed_before_its_consequences) {
  int host[64] = {};
  int* data = nullptr;
  const size_t bytes = wrong ? size_t{1} << 50 : sizeof host;
  cudaMalloc(&data, bytes);                                       // @too_much
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);    // @to_null
  add_one<<<1, 64>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);    // @from_null
  cudaFree(data);
}

// An earlier kernel's mistake does not follow from a call that fails later.
// pair: failed_behind_a_race
// first: race @tally,@tally count
// exact: race @tally,@tally count
// exact: unchecked @late -
__global__ void tally(int* count, bool wrong) {
  if (wrong)
    *count += 1;  // @tally
  else
    atomicAdd(count, 1);
}
PAIR(failed_behind_a_race) {
  int* count;
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  tally<<<1, 64>>>(count, wrong);
  cudaDeviceSynchronize();
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, wrong ? 77 : 0);  // @late
  cudaStreamDestroy(stream);
  cudaFree(count);
}

// The call gets the address of a variable instead of the variable.
// pair: address_of_symbol
// first: unchecked @symbol -
// contains: cudaMemcpyToSymbol failed (cudaErrorInvalidSymbol
// hint: a symbol is the __device__ or __constant__ variable itself, not its address: write factor in place of &factor
__constant__ float factor;
__global__ void scale(float* values) {
  values[threadIdx.x] *= factor;
}
PAIR(address_of_symbol) {
  const Zeros<float> values(32);
  const float two = 2;
  if (wrong)
    cudaMemcpyToSymbol(&factor, &two, sizeof two);  // @symbol
  else
    cudaMemcpyToSymbol(factor, &two, sizeof two);
  scale<<<1, 32>>>(values);
}

// The same mistake when the program reads the variable, with its name as a text.
// pair: name_of_symbol
// exact: unchecked @text -
// hint: a symbol is the __device__ or __constant__ variable itself, not its name as a text: write it without the quotes
__device__ int limit;
PAIR(name_of_symbol) {
  int value = 0;
  if (wrong)
    cudaMemcpyFromSymbol(&value, "limit", sizeof value);  // @text
  else
    cudaMemcpyFromSymbol(&value, limit, sizeof value);
}

// Grid and block are exchanged: a block would have 1,056 threads.
// pair: exchanged_by_name
// exact: launch @exchanged -
// hint: the first value of <<<…>>> is the number of blocks, and the second one that of the threads of a block: here they
__global__ void numbers(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
PAIR(exchanged_by_name) {
  const int threads = 32, blocks = 1056;
  const Zeros<int> out(threads * blocks);
  if (wrong)
    numbers<<<threads, blocks>>>(out);  // @exchanged
  else
    numbers<<<blocks, threads>>>(out);
}

// The same mistake, but the names do not show it.
// pair: exchanged_by_number
// exact: launch @numbers -
// hint: Are grid and block exchanged? The number of blocks comes first, the number of threads in a block second
PAIR(exchanged_by_number) {
  const int few = 32, many = 1056;
  const Zeros<int> out(few * many);
  numbers<<<wrong ? few : many, wrong ? many : few>>>(out);  // @numbers
}

// A block is too large, but the names are right: the sizes are not exchanged.
// pair: too_many_threads
// exact: launch @many -
// lacks: exchanged
PAIR(too_many_threads) {
  const int blocks = 4, threads = wrong ? 2048 : 512;
  const Zeros<int> out(blocks * threads);
  numbers<<<blocks, threads>>>(out);  // @many
}

// The size of an allocation is a product of ints that exceeds the range of int. A function returns it, since
// clang may compute such a product in 64 bits if it is converted to size_t.
[[gnu::noinline]] int bytes_of(int rows, int columns) {
  return rows * columns;
}
// pair: size_overflow
// exact: unchecked @size -
// hint: a product of ints too large for an int? Let a size_t be its first factor: (size_t)n * n
PAIR(size_overflow) {
  const int n = 50000;
  char* d = nullptr;
  if (wrong)
    cudaMalloc(&d, bytes_of(n, n));  // @size
  else
    cudaMalloc(&d, (size_t)n * n);
  cudaFree(d);
}

// cudaMalloc gets the pointer, not its address.
// pair: allocation_without_address
// first: unchecked @address -
// hint: cudaMalloc sets the pointer whose address it gets: write & before the pointer's name
PAIR(allocation_without_address) {
  int* numbered = nullptr;
  if (wrong)
    cudaMalloc((void**)numbered, 64 * sizeof(int));  // @address
  else
    cudaMalloc((void**)&numbered, 64 * sizeof(int));
  numbers<<<1, 64>>>(numbered);
  cudaFree(numbered);
}

// A function that allocates for its caller gets the pointer's address already.
// pair: allocation_in_a_function
// exact: unchecked @of_caller -
// lacks: write & before
void allocate(int** pointer, size_t bytes) {
  cudaMalloc(pointer, bytes);  // @of_caller
}
PAIR(allocation_in_a_function) {
  int* values = nullptr;
  allocate(wrong ? nullptr : &values, 64);
  cudaFree(values);
}
