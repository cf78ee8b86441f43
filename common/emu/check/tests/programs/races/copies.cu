// Asynchronous copies, kernels and the host.
#include "../pair.cuh"

struct Buffers {
  explicit Buffers(int count) {
    cudaMallocHost(&pinned, count * sizeof(int));
    cudaMalloc(&data, count * sizeof(int));
    cudaMemset(data, 0, count * sizeof(int));
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaDeviceSynchronize();
  }
  ~Buffers() {
    cudaDeviceSynchronize();
    cudaFreeHost(pinned);
    cudaFree(data);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
  }
  int *pinned, *data;
  cudaStream_t first, second;
};

// The copy and the kernel that needs it run in different streams.
// pair: copy_and_kernel
// exact: race @copy,@read buffers.data
// contains: a copy and kernel use touch buffers.data[0]
// hint: different streams run at the same time: use one stream for both, or let the second wait for the
__global__ void use(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x];  // @read
}
PAIR(copy_and_kernel) {
  const Buffers buffers(32);
  const Zeros<int> out(32);
  for (int i = 0; i < 32; ++i) buffers.pinned[i] = i;
  cudaMemcpyAsync(buffers.data, buffers.pinned, 128, cudaMemcpyHostToDevice, buffers.first);  // @copy
  use<<<1, 32, 0, wrong ? buffers.second : buffers.first>>>(buffers.data, out);
}

// The result is copied in another stream than the kernel's.
// pair: kernel_and_copy
// exact: race @write,@copy buffers.data
__global__ void make(int* data) {
  data[threadIdx.x] = 1;  // @write
}
PAIR(kernel_and_copy) {
  const Buffers buffers(32);
  make<<<1, 32, 0, buffers.first>>>(buffers.data);
  const cudaStream_t stream = wrong ? buffers.second : buffers.first;
  cudaMemcpyAsync(buffers.pinned, buffers.data, 128, cudaMemcpyDeviceToHost, stream);  // @copy
}

// The host changes memory that a copy still reads.
// pair: source_overwritten
// exact: race @copy,@host buffers.pinned
// contains: a copy and the host touch buffers.pinned[0]
// hint: the host does not wait for
// hint: : call cudaDeviceSynchronize() or cudaStreamSynchronize()
// hint: , and check what it returns
PAIR(source_overwritten) {
  const Buffers buffers(32);
  buffers.pinned[0] = 1;
  cudaMemcpyAsync(buffers.data, buffers.pinned, 128, cudaMemcpyHostToDevice, buffers.first);  // @copy
  if (!wrong) cudaStreamSynchronize(buffers.first);
  buffers.pinned[0] = 2;  // @host
}

// Two copies to the same memory.
// pair: two_copies
// exact: race @one,@two buffers.data
// contains: two copies touch buffers.data[
PAIR(two_copies) {
  const Buffers buffers(32);
  const cudaStream_t second = wrong ? buffers.second : buffers.first;
  cudaMemcpyAsync(buffers.data, buffers.pinned, 128, cudaMemcpyHostToDevice, buffers.first);  // @one
  cudaMemcpyAsync(buffers.data + 16, buffers.pinned, 64, cudaMemcpyHostToDevice, second);     // @two
}

// Rows of a 2D array in two streams: the second copy begins one column too early.
// pair: columns_of_two_copies
// exact: race @left,@right buffers.data
PAIR(columns_of_two_copies) {
  const Buffers buffers(64);
  const int begin = wrong ? 3 : 4;
  int* const data = buffers.data;
  cudaMemcpy2DAsync(data, 32, buffers.pinned, 16, 16, 8, cudaMemcpyHostToDevice, buffers.first);  // @left
  int* const right = data + begin;
  cudaMemcpy2DAsync(right, 32, buffers.pinned, 16, 16, 8, cudaMemcpyHostToDevice, buffers.second);  // @right
}
