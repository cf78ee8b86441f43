// Copies whose size or direction does not fit.
#include <vector>

#include "../pair.cuh"

// A copy is larger than its destination: the size counts the elements as doubles.
// pair: wrong_size
// exact: copy @copy -
// hint: sizes are in bytes: count * sizeof(type), the same at the allocation and at the copy
PAIR(wrong_size) {
  const int n = 64;
  const std::vector<double> values(n, 1);
  const Zeros<int> device(n);
  const size_t bytes = n * (wrong ? sizeof(double) : sizeof(int));
  cudaMemcpy(device, values.data(), bytes, cudaMemcpyHostToDevice);  // @copy
}

// A copy reads memory past the end of the source.
// pair: source_too_small
// exact: copy @from -
PAIR(source_too_small) {
  std::vector<int> values(80);
  const Zeros<int> device(64);
  cudaMemcpy(values.data(), device, (wrong ? 80 : 64) * sizeof(int), cudaMemcpyDeviceToHost);  // @from
}

// The copy names the wrong direction.
// pair: wrong_direction
// exact: copy @direction -
// hint: cudaMemcpy(to, from, bytes, kind): the kind names the source first, as in cudaMemcpyHostToDevice
PAIR(wrong_direction) {
  std::vector<int> values(64);
  const Zeros<int> device(64);
  const cudaMemcpyKind kind = wrong ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
  cudaMemcpy(device, values.data(), 64 * sizeof(int), kind);  // @direction
}

// Destination and source are exchanged.
// pair: swapped_pointers
// exact: copy @swapped -
// hint: are the pointers in the right order (destination first), and is the direction the right one?
PAIR(swapped_pointers) {
  std::vector<int> values(64);
  const Zeros<int> device(64);
  void* to = device;
  const void* from = values.data();
  if (wrong) to = values.data(), from = device;
  cudaMemcpy(to, from, 64 * sizeof(int), cudaMemcpyHostToDevice);  // @swapped
}

// A copy between two allocations of the device.
// pair: device_to_device
// contains: does not fit its destination
PAIR(device_to_device) {
  const Zeros<int> from(64), to(32);
  cudaMemcpy(to, from, (wrong ? 64 : 32) * sizeof(int), cudaMemcpyDeviceToDevice);
}

// A set goes past the end of the memory.
// pair: set_too_large
// exact: copy @set -
// hint: sizes are in bytes: count * sizeof(type), the same at the allocation and here
PAIR(set_too_large) {
  const Zeros<int> values(64);
  cudaMemset(values, 0, (wrong ? 65 : 64) * sizeof(int));  // @set
}

// A copy is larger than its symbol.
// pair: symbol_too_small
// exact: copy @symbol -
__constant__ int factors[4];
PAIR(symbol_too_small) {
  const int values[8] = {};
  cudaMemcpyToSymbol(factors, values, wrong ? sizeof values : sizeof factors);  // @symbol
}

// A copy in a stream that is too large.
// pair: too_large_in_a_stream
// exact: copy @queued -
PAIR(too_large_in_a_stream) {
  std::vector<int> values(64);
  const Zeros<int> device(32);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const size_t bytes = (wrong ? 64 : 32) * sizeof(int);
  cudaMemcpyAsync(device, values.data(), bytes, cudaMemcpyHostToDevice, stream);  // @queued
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

// A copy reads memory past a symbol's end.
// pair: symbol_offset
// exact: copy @offset -
__device__ int results[8];
PAIR(symbol_offset) {
  int values[4];
  cudaMemcpyFromSymbol(values, results, sizeof values, (wrong ? 6 : 4) * sizeof(int));  // @offset
}

// An offset in bytes is added to an int*.
// pair: offset_in_bytes
// exact: copy @half values
// contains: the destination of a copy begins 128 bytes past the end of values
// hint: `p + n` counts elements of what p points to, not bytes: is n below their number?
PAIR(offset_in_bytes) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  const int host[32] = {};
  cudaMemset(values, 0, 64 * sizeof(int));
  cudaMemcpy(values + (wrong ? 96 : 32), host, sizeof host, cudaMemcpyHostToDevice);  // @half
  cudaFree(values);
}

// The program uses an array for textures as plain memory: CUDA refuses the copy.
// pair: array_as_destination
// exact: copy @array -
PAIR(array_as_destination) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 32, 0);
  const float values[32] = {};
  if (wrong)
    cudaMemcpy(array, values, sizeof values, cudaMemcpyHostToDevice);  // @array
  else
    cudaMemcpy2DToArray(array, 0, 0, values, sizeof values, sizeof values, 1, cudaMemcpyHostToDevice);
  cudaFreeArray(array);
}

// A pointer that no cudaMalloc has set: the cause comes first, and the kernel's access names it, too.
// pair: pointer_never_set
// exact: copy @unset inputs
// exact: wild-pointer @unset_read -
// contains: the destination of a copy is a pointer that was never set
// contains: through a pointer that was never set
// hint: does cudaMalloc get its address before this, and succeed?
__global__ void add_inputs(const int* inputs, int* sums) {
  sums[threadIdx.x] += inputs[threadIdx.x];  // @unset_read
}
PAIR(pointer_never_set) {
  const int values[64] = {};
  const Zeros<int> sums(64);
  int* inputs;
  if (!wrong) cudaMalloc(&inputs, sizeof values);
  cudaMemcpy(inputs, values, sizeof values, cudaMemcpyHostToDevice);  // @unset
  add_inputs<<<1, 64>>>(inputs, sums);
  cudaDeviceSynchronize();
  if (!wrong) cudaFree(inputs);
}

// pair: set_of_pointer_never_set
// exact: copy @unset_set -
// contains: cudaMemset is given a pointer that was never set
PAIR(set_of_pointer_never_set) {
  int* zeros;
  if (!wrong) cudaMalloc(&zeros, 256);
  cudaMemset(zeros, 0, 256);  // @unset_set
  if (!wrong) cudaFree(zeros);
}

// The copy gets the address of the pointer to the device's memory, instead of the pointer.
// pair: address_of_pointer
// exact: copy @address_of device
// contains: the source of a copy is the address of the host's variable device, not device memory
// hint: a pointer from cudaMalloc is passed as it is: write device without the &
PAIR(address_of_pointer) {
  int values[64];
  int* device;
  cudaMalloc(&device, sizeof values);
  cudaMemset(device, 0, sizeof values);
  if (wrong)
    cudaMemcpy(values, &device, sizeof values, cudaMemcpyDeviceToHost);  // @address_of
  else
    cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
  cudaFree(device);
}

// A result for a variable of the host, in the wrong direction: the variable's address is right.
// pair: result_in_the_wrong_direction
// exact: copy @turned -
// contains: the destination of a copy should be device memory by its direction, but is not
// hint: is the direction the right one?
// lacks: without the &
PAIR(result_in_the_wrong_direction) {
  int result = 0;
  const Zeros<int> device(1);
  cudaMemcpy(&result, device.data, sizeof result, wrong ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);  // @turned
}
