// emucc: --default-stream per-thread
// sanitizers: not thread, which knows no order by volatile: a kernel waits for the host by it
// With --default-stream per-thread, each host thread has its own default stream, which waits for no other
// thread's stream.
#include <cstdio>
#include <thread>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

__global__ void wait_for(volatile int* gate) {
  while (*gate == 0) {
  }
}
__global__ void store(int* out, int value) {
  *out = value;
}

int main() {
  volatile int* gate;
  int* out;
  CHECK(cudaMallocHost((void**)&gate, sizeof(int)));
  CHECK(cudaMallocHost((void**)&out, 2 * sizeof(int)));
  *gate = 0;
  // A kernel may be loaded at its first use, and loading waits for running kernels: so both kernels are
  // loaded before one runs.
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, wait_for));
  CHECK(cudaFuncGetAttributes(&attributes, store));
  wait_for<<<1, 1>>>(gate);
  std::thread([out] {
    store<<<1, 1>>>(out, 7);
    CHECK(cudaStreamSynchronize(0));
    printf("another thread's stream went on: %d\n", out[0]);
  }).join();
  printf("mine waits: %s\n", cudaGetErrorName(cudaStreamQuery(0)));
  store<<<1, 1>>>(out + 1, 8);
  *gate = 1;
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  printf("mine has ended: %d, %s\n", out[1], cudaGetErrorName(cudaStreamQuery(0)));
  return 0;
}
