// Copies that are longer than the host's block that they read or write. CUDA accepts such copies.
#include <cstdlib>
#include <memory>
#include <vector>

#include "../pair.cuh"

// The device's array has four times as many elements as the host's.
// pair: vector_too_short
// exact: copy @copy values
// contains: a copy of 1,600 bytes reads past the end of values, a block of 400 bytes in the host's heap
// hint: with a count that is no larger than the number of the host's elements
PAIR(vector_too_short) {
  const std::vector<int> values(100, 1);
  const Zeros<int> device(400);
  cudaMemcpy(device, values.data(), (wrong ? 400 : values.size()) * sizeof(int),  // @copy
             cudaMemcpyHostToDevice);
}

// malloc() gets the number of elements. The block after this one stays unchanged, and so does the heap.
// pair: elements_for_bytes
// exact: copy @back result
// contains: a copy of 16,384 bytes writes past the end of result, a block of 4,096 bytes in the host's heap
// hint: sizes are in bytes: count * sizeof(type), the same at the allocation and at the copy
PAIR(elements_for_bytes) {
  const int n = 4096;
  float* result = (float*)malloc(wrong ? n : n * sizeof(float));
  float* other = (float*)malloc(64);
  other[0] = 42;
  const Zeros<float> device(n);
  cudaMemcpy(result, device, n * sizeof(float), cudaMemcpyDeviceToHost);  // @back
  if (other[0] != 42) abort();
  free(other);
  free(result);
}

// The copy of the second half has the length of the whole array.
// pair: from_the_middle
// exact: copy @half values
// contains: the copy begins 128 bytes after the beginning of that memory: 128 are left
// hint: a copy that begins at element i of n has room for n - i elements: (n - i) * sizeof(type)
PAIR(from_the_middle) {
  const int n = 64, i = 32;
  std::unique_ptr<int[]> values(new int[n]());
  const Zeros<int> device(n);
  cudaMemcpy(values.get() + i, device, (wrong ? n : n - i) * sizeof(int), cudaMemcpyDeviceToHost);  // @half
}

// A copy from far inside a large block, whose beginning is in another mebibyte.
// pair: end_of_a_large_block
// exact: copy @tail values
PAIR(end_of_a_large_block) {
  const size_t n = 3 << 20;
  int* values = (int*)calloc(n, sizeof(int));
  const Zeros<int> device(64);
  cudaMemcpy(device, &values[n - 32], (wrong ? 64 : 32) * sizeof(int), cudaMemcpyHostToDevice);  // @tail
  free(values);
}

// A copy in a stream, of elements of another type.
// pair: in_a_stream
// exact: copy @queued values
PAIR(in_a_stream) {
  std::vector<float> values(64);
  const Zeros<double> device(64);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const size_t bytes = 64 * (wrong ? sizeof(double) : sizeof(float));
  cudaMemcpyAsync(device, values.data(), bytes, cudaMemcpyHostToDevice, stream);  // @queued
  cudaMemcpyAsync(values.data(), device, 64 * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

// The host's rows have gaps, and the copy has one row too many. The last gap may be missing.
// pair: a_row_too_many
// exact: copy @rows picture
// contains: a copy of 496 bytes writes past the end of picture, a block of 368 bytes in the host's heap
PAIR(a_row_too_many) {
  const int rows = 3, width = 112, pitch = 128;
  char* picture = new char[(rows - 1) * pitch + width];
  const Zeros<char> device(4 * width);
  cudaMemcpy2D(picture, pitch, device, width, width, wrong ? 4 : rows, cudaMemcpyDeviceToHost);  // @rows
  delete[] picture;
}

// The first block was as short as the wrong one, but is freed or has grown. The next block may have its address.
// pair: an_older_length
// exact: copy @again b
// contains: past the end of b, a block of 40 bytes
PAIR(an_older_length) {
  const Zeros<int> device(100);
  int* a = (int*)malloc(10 * sizeof(int));
  cudaMemcpy(a, device, 10 * sizeof(int), cudaMemcpyDeviceToHost);
  a = (int*)realloc(a, 100 * sizeof(int));
  cudaMemcpy(a, device, 100 * sizeof(int), cudaMemcpyDeviceToHost);
  free(a);
  void* b = nullptr;
  if (posix_memalign(&b, 64, (wrong ? 10 : 100) * sizeof(int)) != 0) return;
  cudaMemcpy(b, device, 100 * sizeof(int), cudaMemcpyDeviceToHost);  // @again
  free(b);
}

// A copy between two vectors. The memory that a vector has reserved is part of its block.
// pair: between_blocks
// exact: copy @between -
// contains: writes past the end of its destination
PAIR(between_blocks) {
  std::vector<char> from(200), to;
  to.reserve(wrong ? 100 : 200);
  cudaMemcpy(std::data(to), from.data(), from.size(), cudaMemcpyHostToHost);  // @between
}

// The copy uses a variable of the program instead of a block of the heap.
// pair: variable_too_short
// exact: copy @variable results
// contains: writes past the end of results, a variable of 40 bytes
float results[10];
float other_results[100];
PAIR(variable_too_short) {
  const Zeros<float> device(100);
  if (wrong)
    cudaMemcpy(results, device, 100 * sizeof(float), cudaMemcpyDeviceToHost);  // @variable
  else
    cudaMemcpy(other_results, device, 100 * sizeof(float), cudaMemcpyDeviceToHost);
}

// A local array: the copy extends past all variables of the function.
// pair: local_array_too_short
// exact: copy @local h
// contains: past the end of h, after which the local variables of its function have at most
void copy_to_local(const float* device, bool wrong) {
  float h[10];
  cudaMemcpy(h, device, (wrong ? 100 : 10) * sizeof(float), cudaMemcpyDeviceToHost);  // @local
}
PAIR(local_array_too_short) {
  const Zeros<float> device(100);
  copy_to_local(device, wrong);
}

// The copy gets the address of a std::vector, instead of the address of its elements.
// pair: address_of_vector
// exact: copy @vector ones
// hint: &ones is where the variable itself is: the elements of a std::vector are at ones.data(), and those of a pointer
PAIR(address_of_vector) {
  const std::vector<int> ones(4096, 1);
  const Zeros<int> device(4096);
  if (wrong)
    cudaMemcpy(device, &ones, 4096 * sizeof(int), cudaMemcpyHostToDevice);  // @vector
  else
    cudaMemcpy(device, ones.data(), 4096 * sizeof(int), cudaMemcpyHostToDevice);
}

// The same with a pointer to the host's elements.
// pair: address_of_host_pointer
// exact: copy @pointer_itself block
// hint: .data(), and those of a pointer at block
PAIR(address_of_host_pointer) {
  int* block = static_cast<int*>(calloc(4096, sizeof(int)));
  const Zeros<int> device(4096);
  if (wrong)
    cudaMemcpy(device, &block, 4096 * sizeof(int), cudaMemcpyHostToDevice);  // @pointer_itself
  else
    cudaMemcpy(device, block, 4096 * sizeof(int), cudaMemcpyHostToDevice);
  free(block);
}

// The address of a structure is right, but the size is too large.
// pair: more_than_the_structure
// exact: copy @structure limits
// hint: . If it is right, is the size too large?
struct Limits {
  int first[256], last[256];
};
PAIR(more_than_the_structure) {
  const Limits limits = {};
  const Zeros<Limits> device(16);
  cudaMemcpy(device, &limits, (wrong ? 16 : 1) * sizeof limits, cudaMemcpyHostToDevice);  // @structure
}
