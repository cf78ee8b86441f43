// Memory that kernels allocate by malloc() and new.
#include <cstdlib>

#include "../pair.cuh"

// The kernel allocates 32 bytes, and uses them as 32 elements.
// pair: heap_bytes
// exact: out-of-bounds @store -
// contains: just past the end of what malloc() or new gave
// contains: gave 32 bytes
// hint: count * sizeof(type)
__global__ void fill_bytes(int* out, bool wrong) {
  int* const mine = static_cast<int*>(malloc(wrong ? 32 : 32 * sizeof(int)));
  for (int i = 0; i < 9; ++i) mine[i] = i;  // @store
  out[0] = mine[0];
  free(mine);
}
PAIR(heap_bytes) {
  const Zeros<int> out(1);
  fill_bytes<<<1, 1>>>(out, wrong);
  cudaDeviceSynchronize();
}

// pair: heap_after_free
// exact: use-after-free @load -
// contains: after it was freed
// hint: after the last access
__global__ void read_late(int* out, bool wrong) {
  __shared__ int* ours;
  if (threadIdx.x == 0) {
    ours = new int[32];
    for (int i = 0; i < 32; ++i) ours[i] = i;
    if (wrong) delete[] ours;
  }
  __syncthreads();
  out[threadIdx.x] = ours[threadIdx.x];  // @load
  __syncthreads();
  if (!wrong && threadIdx.x == 0) delete[] ours;
}
PAIR(heap_after_free) {
  const Zeros<int> out(32);
  read_late<<<1, 32>>>(out, wrong);
  cudaDeviceSynchronize();
}

// Each thread frees the memory that one thread has allocated.
// pair: heap_freed_twice
// first: bad-free @free -
// contains: freed a second time
// hint: let one thread free it
__global__ void free_all(int* out, bool wrong) {
  __shared__ int* ours;
  if (threadIdx.x == 0) ours = static_cast<int*>(malloc(64 * sizeof(int)));
  __syncthreads();
  ours[threadIdx.x] = 1;
  out[threadIdx.x] = ours[threadIdx.x];
  __syncthreads();
  if (wrong || threadIdx.x == 0) free(ours);  // @free
}
PAIR(heap_freed_twice) {
  const Zeros<int> out(64);
  free_all<<<1, 64>>>(out, wrong);
  cudaDeviceSynchronize();
}

// pair: heap_middle
// first: bad-free @middle -
// contains: 4 bytes into what malloc() or new gave
// hint: free the pointer that malloc() returned
__global__ void free_middle(int* out, bool wrong) {
  int* const whole = static_cast<int*>(malloc(64));
  int* at = whole;
  *at++ = 1;
  out[0] = whole[0];
  free(wrong ? at : whole);  // @middle
}
PAIR(heap_middle) {
  const Zeros<int> out(1);
  free_middle<<<1, 1>>>(out, wrong);
  cudaDeviceSynchronize();
}

// pair: heap_full
// first: null-pointer @first -
// contains: the device's heap of 8,388,608 bytes has no room for them
// hint: cudaLimitMallocHeapSize
__global__ void keep_much(int** kept, bool wrong) {
  const int i = static_cast<int>(threadIdx.x);
  kept[i] = static_cast<int*>(malloc(wrong ? 100000 : 1000));
  kept[i][0] = i;  // @first
}
__global__ void free_kept(int** kept) {
  free(kept[threadIdx.x]);
}
PAIR(heap_full) {
  const Zeros<int*> kept(128);
  keep_much<<<1, 128>>>(kept, wrong);
  free_kept<<<1, 128>>>(kept);
  cudaDeviceSynchronize();
}

// The right twin tests the result of new.
// pair: heap_full_untested
// first: null-pointer @untested -
// contains: malloc() or new in a kernel asked for 100,000 bytes and returned null
// lacks: cudaMalloc succeeded
// hint: test the pointer that malloc() or new returns before you use it
struct Much {
  int values[25000];
};
__global__ void keep_as_many_as_fit(Much** kept, bool wrong) {
  const int i = static_cast<int>(threadIdx.x);
  kept[i] = new Much;
  if (wrong || kept[i] != nullptr) kept[i]->values[0] = i;  // @untested
}
__global__ void delete_kept(Much** kept) {
  delete kept[threadIdx.x];
}
PAIR(heap_full_untested) {
  const Zeros<Much*> kept(128);
  keep_as_many_as_fit<<<1, 128>>>(kept, wrong);
  delete_kept<<<1, 128>>>(kept);
  cudaDeviceSynchronize();
}

// pair: heap_leak
// exact: leak @lost -
// contains: got by malloc() or new (128 bytes)
// hint: call free() or delete in a kernel
__global__ void lose(int* out, bool wrong) {
  int* const mine = static_cast<int*>(malloc(32));  // @lost
  mine[0] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = mine[0];
  if (!wrong) free(mine);
}
PAIR(heap_leak) {
  const Zeros<int> out(4);
  lose<<<1, 4>>>(out, wrong);
  cudaDeviceSynchronize();
}

// pair: heap_of_the_host
// first: bad-free @host -
// contains: neither malloc() nor new gave to a kernel
// hint: what the host allocates the host frees
__global__ void free_given(int* given, bool wrong) {
  given[0] = 1;
  if (wrong) free(given);  // @host
}
PAIR(heap_of_the_host) {
  int* given = nullptr;
  cudaMalloc(&given, 64);
  free_given<<<1, 1>>>(given, wrong);
  cudaDeviceSynchronize();
  cudaFree(given);
}

// The host calls a function on memory of the device's heap.
// pair: heap_copied
// exact: copy @copied -
// contains: the source of a copy is memory that a kernel got by malloc() or new
// hint: let a kernel copy the data to memory from cudaMalloc
__global__ void keep_piece(int** piece, int* plain) {
  *piece = static_cast<int*>(malloc(sizeof(int)));
  **piece = *plain = 7;
}
__global__ void free_piece(int** piece) {
  free(*piece);
}
PAIR(heap_copied) {
  const Zeros<int*> pieces(1);
  const Zeros<int> plain(1);
  keep_piece<<<1, 1>>>(pieces, plain);
  int* piece = nullptr;
  cudaMemcpy(&piece, pieces, sizeof piece, cudaMemcpyDeviceToHost);
  int value = 0;
  cudaMemcpy(&value, wrong ? piece : plain.data, sizeof value, cudaMemcpyDeviceToHost);  // @copied
  free_piece<<<1, 1>>>(pieces);
  cudaDeviceSynchronize();
}

// pair: heap_filled
// exact: copy @filled -
// contains: cudaMemset is given memory that a kernel got by malloc() or new
// hint: no call of CUDA reaches that heap: let a kernel set the memory
__global__ void clear_piece(int** piece) {
  **piece = 0;
}
PAIR(heap_filled) {
  const Zeros<int*> pieces(1);
  const Zeros<int> plain(1);
  keep_piece<<<1, 1>>>(pieces, plain);
  int* piece = nullptr;
  cudaMemcpy(&piece, pieces, sizeof piece, cudaMemcpyDeviceToHost);
  if (wrong)
    cudaMemset(piece, 0, sizeof(int));  // @filled
  else
    clear_piece<<<1, 1>>>(pieces);
  free_piece<<<1, 1>>>(pieces);
  cudaDeviceSynchronize();
}

// The kernel uses one element more than it allocated: `new` counts elements, not bytes.
// pair: heap_new_past
// exact: out-of-bounds @past -
// lacks: counts bytes
// hint: the elements of `new T[count]` have the indices 0 to count - 1: is that so for every thread?
__global__ void fill_new(int* out, int n, bool wrong) {
  int* const mine = new int[n];
  for (int i = 0; i < n + (wrong ? 1 : 0); ++i) mine[i] = i;  // @past
  out[threadIdx.x] = mine[n - 1];
  delete[] mine;
}
PAIR(heap_new_past) {
  const Zeros<int> out(32);
  fill_new<<<1, 32>>>(out, 16, wrong);
}
