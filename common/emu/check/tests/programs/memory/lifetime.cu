// Memory that was freed.
#include "../pair.cuh"

__global__ void fill(int* values) {
  values[threadIdx.x] = 1;
}

// A kernel on memory that was freed.
// pair: used_after_free
// exact: use-after-free @use values
// hint: free memory only when every kernel that uses it has ended
__global__ void fill_late(int* values) {
  values[threadIdx.x] = 1;  // @use
}
PAIR(used_after_free) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  if (wrong) cudaFree(values);
  fill_late<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  if (!wrong) cudaFree(values);
}

// The same pointer twice.
// pair: freed_twice
// exact: bad-free @first,@second -
// hint: set the pointer to nullptr after the first cudaFree: freeing nullptr does nothing
PAIR(freed_twice) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  fill<<<1, 64>>>(values);
  cudaFree(values);  // @first
  if (!wrong) values = nullptr;
  cudaFree(values);  // @second
}

// Two pointers to the same memory.
// pair: freed_by_two_names
// exact: bad-free @first,@second -
// hint: values and same point to the same memory, which is to be freed once: leave one of the two calls out
// hint: point to the same memory, which is to be freed once: leave one of the two calls out
// lacks: nullptr
PAIR(freed_by_two_names) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  int* const same = values;
  fill<<<1, 64>>>(same);
  cudaFree(values);           // @first
  if (wrong) cudaFree(same);  // @second
}

// A pointer into the middle of an allocation.
// pair: freed_inside
// exact: bad-free @inside -
// hint: free the same pointer that cudaMalloc set, with cudaFree; one of cudaMallocHost with cudaFreeHost
PAIR(freed_inside) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  fill<<<1, 64>>>(values);
  if (wrong) cudaFree(values + 16);  // @inside
  cudaFree(values);
}

// The host's memory with cudaFree.
// pair: freed_on_the_wrong_side
// exact: bad-free @side -
PAIR(freed_on_the_wrong_side) {
  int* pinned;
  cudaMallocHost(&pinned, 64);
  if (wrong) cudaFree(pinned);  // @side
  cudaFreeHost(pinned);
}

// A loop that frees too early: the second launch comes too late.
// pair: freed_in_the_loop
// exact: use-after-free @again buffer
__global__ void fill_again(int* values) {
  values[threadIdx.x] = 1;  // @again
}
PAIR(freed_in_the_loop) {
  int* buffer;
  cudaMalloc(&buffer, 64 * sizeof(int));
  for (int turn = 0; turn < 2; ++turn) {
    fill_again<<<1, 64>>>(buffer);
    cudaDeviceSynchronize();
    if (wrong && turn == 0) cudaFree(buffer);
  }
  if (!wrong) cudaFree(buffer);
}

// Memory of a stream's order.
// pair: freed_in_a_stream
// exact: use-after-free @stream ordered
__global__ void fill_in_stream(int* values) {
  values[threadIdx.x] = 1;  // @stream
}
PAIR(freed_in_a_stream) {
  int* ordered;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&ordered, 64 * sizeof(int), stream);
  if (wrong) cudaFreeAsync(ordered, stream);
  fill_in_stream<<<1, 64, 0, stream>>>(ordered);
  if (!wrong) cudaFreeAsync(ordered, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
