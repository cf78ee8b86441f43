// Memory that was freed.
#include "../pair.cuh"

__global__ void fill(int* values) {
  values[threadIdx.x] = 1;
}

// A kernel uses memory that was freed.
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

// The program frees the same pointer twice.
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

// The program frees two pointers to the same memory.
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

// The program frees a pointer into the middle of an allocation.
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

// cudaFree gets the host's memory.
// pair: freed_on_the_wrong_side
// exact: bad-free @side pinned
// contains: pinned is pinned memory of the host, which cudaFree() does not free
// hint: free it with cudaFreeHost()
PAIR(freed_on_the_wrong_side) {
  int* pinned;
  cudaMallocHost(&pinned, 64);
  if (wrong)
    cudaFree(pinned);  // @side
  else
    cudaFreeHost(pinned);
}

// cudaFreeHost gets the device's memory.
// pair: freed_as_the_hosts
// exact: bad-free @as_host values
// contains: values is memory of the device, which cudaFreeHost() does not free
// hint: free it with cudaFree()
PAIR(freed_as_the_hosts) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  fill<<<1, 64>>>(values);
  if (wrong)
    cudaFreeHost(values);  // @as_host
  else
    cudaFree(values);
}

// A free of registered memory, which must be unregistered.
// pair: freed_registered
// exact: bad-free @registered -
// hint: free it with cudaHostUnregister()
PAIR(freed_registered) {
  static int values[64];
  cudaHostRegister(values, sizeof values, cudaHostRegisterDefault);
  if (wrong)
    cudaFreeHost(values);  // @registered
  else
    cudaHostUnregister(values);
}

// A loop frees the memory too early: the second launch comes too late.
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

// Memory that was allocated in a stream's order.
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

// The device is reset before the last copy and the last free.
// pair: reset_too_early
// first: copy @reset,@copied values
// exact: copy @reset,@copied values
// exact: bad-free @reset,@freed -
// hint: cudaDeviceReset() frees all memory of the device: call it after the last use of allocated memory, or leave it out
PAIR(reset_too_early) {
  int host[64];
  int* values;
  cudaMalloc(&values, sizeof host);
  fill<<<1, 64>>>(values);
  if (wrong) cudaDeviceReset();                                 // @reset
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);  // @copied
  cudaFree(values);                                             // @freed
  if (!wrong) cudaDeviceReset();
}

// A copy of memory that was freed.
// pair: copied_after_free
// exact: copy @before,@behind values
// hint: free memory only when the last copy of it is done
PAIR(copied_after_free) {
  int host[64];
  int* values;
  cudaMalloc(&values, sizeof host);
  fill<<<1, 64>>>(values);
  if (wrong) cudaFree(values);                                    // @before
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);  // @behind
  if (!wrong) cudaFree(values);
}

// cudaFree gets memory of the host's heap.
// pair: heap_with_cuda_free
// exact: bad-free @heap values
// contains: values is memory of the host's heap, which cudaFree() does not free
// hint: free() after malloc()
PAIR(heap_with_cuda_free) {
  int* values = (int*)malloc(64);
  if (wrong)
    cudaFree(values);  // @heap
  else
    free(values);
}

// free() gets the device's memory, which ends the program.
// pair: device_with_free
// exact: bad-free @free values
// contains: values is memory of the device, which free() does not free
// hint: free it with cudaFree()
// error: invalid pointer
PAIR(device_with_free) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  fill<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  if (wrong)
    free(values);  // @free
  else
    cudaFree(values);
}

// A reset before the last launch.
// pair: reset_before_a_launch
// exact: use-after-free @late values
// hint: cudaDeviceReset() frees all memory of the device: call it after the last use
__global__ void fill_after_reset(int* values) {
  values[threadIdx.x] = 1;  // @late
}
PAIR(reset_before_a_launch) {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  if (wrong) cudaDeviceReset();
  fill_after_reset<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  if (!wrong) cudaFree(values);
}

// The destructor of a kernel's copy frees the memory.
// pair: freed_with_the_argument
// first: bad-free @destroyed,@destroyed -
// hint: a kernel gets a copy of a Buffer, and the copy's destructor frees the memory when the launch returns: pass the pointer
// hint: , and the copy's destructor frees the memory when the launch returns: pass the pointer
struct Buffer {
  int* values = nullptr;
  explicit Buffer(int count) { cudaMalloc(&values, count * sizeof(int)); }
  Buffer(const Buffer& other) = default;
  ~Buffer() { cudaFree(values); }  // @destroyed
};
__global__ void fill_member(Buffer buffer) {
  buffer.values[threadIdx.x] = 1;
}
PAIR(freed_with_the_argument) {
  Buffer buffer(64);
  if (wrong)
    fill_member<<<1, 64>>>(buffer);
  else
    fill<<<1, 64>>>(buffer.values);
  cudaDeviceSynchronize();
}
