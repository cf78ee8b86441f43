// Older and newer forms of the runtime's calls: pointers to const, kernels as void*, atomics with order and
// scope. Also objects that are destroyed before the work that uses them ends.
#include <cstdio>

__global__ void named_orders(unsigned* u, int* i, unsigned long long* w, double* d) {
  __nv_atomic_fetch_add(u, 3u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(d, 0.5, __NV_ATOMIC_RELAXED);
  __nv_atomic_max(i, static_cast<int>(threadIdx.x), __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_fetch_or(w, 1ull << threadIdx.x, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
  unsigned seen = __nv_atomic_load_n(u + 1, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
  while (!__nv_atomic_compare_exchange_n(u + 1, &seen, seen + 2, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED)) {
  }
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  if (threadIdx.x == 0) __nv_atomic_store_n(i + 1, 7, __NV_ATOMIC_RELEASE);
}

__global__ void add(int* p, int n) {
  *p += n;
}

static void say(const char* what, cudaError_t error) {
  printf("%s: %s\n", what, cudaGetErrorName(error));
}

static void pointers_to_const() {
  const float* device;
  const int *pinned, *managed;
  size_t pitch;
  say("const device", cudaMalloc(&device, 64));
  cudaFree(const_cast<float*>(device));
  say("const pitched", cudaMallocPitch(&device, &pitch, 64, 2));
  say("const pinned", cudaMallocHost(&pinned, 64));
  say("const managed", cudaMallocManaged(&managed, 64));
  cudaFree(const_cast<float*>(device));
  cudaFreeHost(const_cast<int*>(pinned));
  cudaFree(const_cast<int*>(managed));
}

static void kernels_as_addresses() {
  int grid = 0, block = 0, grid2 = 0, block2 = 0;
  say("occupancy", cudaOccupancyMaxPotentialBlockSize(&grid, &block, add));
  say("occupancy by address", cudaOccupancyMaxPotentialBlockSize(&grid2, &block2, (void*)add, 0, 0));
  printf("same: %d\n", grid == grid2 && block == block2);
}

static void ordered_atomics() {
  unsigned* u;
  cudaMallocManaged(&u, 64);
  for (int i = 0; i < 16; ++i) u[i] = 0;
  named_orders<<<1, 32>>>(u, (int*)u + 2, (unsigned long long*)(u + 4), (double*)(u + 6));
  say("ordered atomics", cudaDeviceSynchronize());
  printf("%u %u %u %u %x %x %g\n", u[0], u[1], u[2], u[3], u[4], u[5], *(double*)(u + 6));
  cudaFree(u);
}

static void forks_that_end_early() {
  int* p;
  cudaMallocManaged(&p, 4);
  *p = 0;
  cudaStream_t origin, fork;
  cudaEvent_t event;
  cudaStreamCreate(&origin);
  cudaStreamCreate(&fork);
  cudaEventCreate(&event);
  cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, origin>>>(p, 1);
  cudaEventRecord(event, origin);
  cudaStreamWaitEvent(fork, event, 0);
  add<<<1, 1, 0, fork>>>(p, 10);
  cudaEventRecord(event, fork);
  cudaStreamWaitEvent(origin, event, 0);
  say("fork destroyed", cudaStreamDestroy(fork));
  add<<<1, 1, 0, origin>>>(p, 100);
  cudaGraph_t graph;
  say("capture ended", cudaStreamEndCapture(origin, &graph));
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, origin);
  cudaStreamSynchronize(origin);
  printf("graph: %d\n", *p);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(event);
  cudaStreamDestroy(origin);
  cudaFree(p);
}

int main() {
  pointers_to_const();
  kernels_as_addresses();
  ordered_atomics();
  forks_that_end_early();
}
