// Memory that host code and kernels share: managed and pinned.
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "../pair.cuh"

template <class T>
struct Managed {
  explicit Managed(int count) {
    cudaMallocManaged(&shared, count * sizeof(T));
    for (int i = 0; i < count; ++i) shared[i] = 0;
  }
  ~Managed() {
    cudaDeviceSynchronize();
    cudaFree(shared);
  }
  T* shared;
};

// The result is read before the kernel that computes it has ended.
// pair: managed_read_too_soon
// exact: race @write,@host result
// contains: kernel answer and the host touch result[0] with no order between them
// contains: write by thread (0,0,0) of block (0,0,0)
// contains: read by the host
// contains: call cudaDeviceSynchronize()
__global__ void answer(int* out) {
  *out = 42;  // @write
}
PAIR(managed_read_too_soon) {
  const Managed<int> result(1);
  answer<<<1, 1>>>(result.shared);
  if (!wrong) cudaDeviceSynchronize();
  std::printf("%d\n", result.shared[0]);  // @host
}

// The host writes memory that a kernel still reads.
// pair: managed_written_too_soon
// exact: race @read,@host value
__global__ void look(const int* in, int* out) {
  *out = *in;  // @read
}
PAIR(managed_written_too_soon) {
  const Managed<int> value(1);
  const Zeros<int> out(1);
  look<<<1, 1>>>(value.shared, out);
  if (!wrong) cudaDeviceSynchronize();
  value.shared[0] = 2;  // @host
}

// The result of a copy is read too early, after a kernel that only counts. The kernel does not wait for the host, so
// the copy is first in each run.
// pair: copy_behind_counting
// exact: race @back,@early pinned
// contains: a copy and the host touch pinned[0] with no order between them
// contains: 8192
__global__ void count_threads(int* count) {
  atomicAdd(count, 1);
}
PAIR(copy_behind_counting) {
  const Zeros<int> count(1);
  int* pinned = nullptr;
  cudaMallocHost(&pinned, sizeof(int));
  *pinned = -1;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  count_threads<<<128, 64, 0, stream>>>(count);
  cudaMemcpyAsync(pinned, count, sizeof(int), cudaMemcpyDeviceToHost, stream);  // @back
  if (!wrong) cudaStreamSynchronize(stream);
  std::fprintf(stderr, "%d\n", *pinned);  // @early
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(pinned);
}

// A managed variable.
// pair: managed_variable
// exact: race @write,@host total
__managed__ int total;
__global__ void add(int value) {
  atomicAdd(&total, value);  // @write
}
PAIR(managed_variable) {
  total = 0;
  add<<<1, 32>>>(1);
  if (!wrong) cudaDeviceSynchronize();
  total += 1;  // @host
}

// Pinned memory that a kernel writes directly.
// pair: zero_copy
// exact: race @write,@host pinned
__global__ void fill(int* out) {
  out[threadIdx.x] = 1;  // @write
}
PAIR(zero_copy) {
  int* pinned;
  cudaHostAlloc(&pinned, 32 * sizeof(int), cudaHostAllocMapped);
  fill<<<1, 32>>>(pinned);
  if (!wrong) cudaStreamSynchronize(nullptr);
  std::printf("%d\n", pinned[31]);  // @host
  cudaDeviceSynchronize();
  cudaFreeHost(pinned);
}

// The host's memcpy reads while the kernel writes.
// pair: host_memcpy
// exact: race @write,@host values
__global__ void fill2(int* out) {
  out[threadIdx.x] = 1;  // @write
}
PAIR(host_memcpy) {
  const Managed<int> values(32);
  int copy[32] = {};
  fill2<<<1, 32>>>(values.shared);
  if (!wrong) cudaDeviceSynchronize();
  std::memcpy(copy, values.shared, sizeof copy);  // @host
  std::printf("%d\n", copy[0]);
}

// The host waits for an event that is recorded after the kernel, or before it.
// pair: event_before_the_kernel
// exact: race @write,@host value
__global__ void fill3(int* out) {
  *out = 1;  // @write
}
PAIR(event_before_the_kernel) {
  const Managed<int> value(1);
  cudaEvent_t event;
  cudaEventCreate(&event);
  if (wrong) cudaEventRecord(event);
  fill3<<<1, 1>>>(value.shared);
  if (!wrong) cudaEventRecord(event);
  cudaEventSynchronize(event);
  std::printf("%d\n", *value.shared);  // @host
  cudaDeviceSynchronize();
  cudaEventDestroy(event);
}

// A loop that queries the stream until it is idle is a wait, too. A query of another stream is not.
// pair: query_of_another_stream
// exact: race @write,@host value
__global__ void fill4(int* out) {
  *out = 1;  // @write
}
PAIR(query_of_another_stream) {
  const Managed<int> value(1);
  cudaStream_t mine, other;
  cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  fill4<<<1, 1, 0, mine>>>(value.shared);
  while (cudaStreamQuery(wrong ? other : mine) == cudaErrorNotReady) {
  }
  std::printf("%d\n", *value.shared);  // @host
  cudaDeviceSynchronize();
  cudaStreamDestroy(mine);
  cudaStreamDestroy(other);
}

// A host function runs in its stream's order, but the host does not wait for it.
// pair: host_function
// exact: race @function,@host value
// contains: a host function and the host touch value[0]
PAIR(host_function) {
  const Managed<int> value(1);
  cudaLaunchHostFunc(
      nullptr, [](void* data) { *static_cast<int*>(data) = 7; }, value.shared);  // @function
  if (!wrong) cudaDeviceSynchronize();
  std::printf("%d\n", *value.shared);  // @host
}

// A host function in a stream may release the host by a flag, a lock or a thread that it starts. Then the host knows
// everything that came before the function.
// pair: released_by_a_host_function
// exact: race @copy,@host pinned
// contains: a copy and the host touch pinned[5]
PAIR(released_by_a_host_function) {
  static std::atomic<int> ready;
  const Zeros<int> numbers(32);
  int* pinned;
  cudaMallocHost(&pinned, 32 * sizeof(int));
  std::memset(pinned, 0, 32 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(pinned, numbers, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);  // @copy
  if (!wrong) {
    cudaLaunchHostFunc(stream, [](void*) { ready.store(1, std::memory_order_release); }, nullptr);
    while (ready.load(std::memory_order_acquire) == 0) {
    }
  }
  std::printf("%d\n", pinned[5]);  // @host
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(pinned);
}

// The same by a callback, with a condition variable.
// pair: released_by_a_callback
// exact: race @write,@host value
__global__ void fill_by_callback(int* out) {
  *out = 1;  // @write
}
PAIR(released_by_a_callback) {
  static std::mutex mutex;
  static std::condition_variable changed;
  static bool ready = false;
  const Managed<int> value(1);
  fill_by_callback<<<1, 1>>>(value.shared);
  if (!wrong) {
    cudaStreamAddCallback(
        nullptr,
        [](cudaStream_t, cudaError_t, void*) {
          const std::lock_guard<std::mutex> lock(mutex);
          ready = true;
          changed.notify_all();
        },
        nullptr, 0);
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return ready; });
  }
  std::printf("%d\n", *value.shared);  // @host
  cudaDeviceSynchronize();
}

// In a graph, a host function runs after its predecessor node. A node in another branch may not have ended.
// pair: released_by_a_node
// exact: race @write,@host value
__global__ void fill_by_node(int* out) {
  *out = 1;  // @write
}
PAIR(released_by_a_node) {
  const Managed<int> value(1);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t first, second;
  void* arguments[] = {const_cast<int**>(&value.shared)};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)fill_by_node;
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel);
  static std::atomic<int> ready;
  cudaHostNodeParams function = {};
  function.fn = [](void*) { ready.store(1, std::memory_order_release); };
  cudaGraphAddHostNode(&second, graph, &first, wrong ? 0 : 1, &function);
  cudaGraphExec_t runnable;
  cudaGraphInstantiate(&runnable, graph, 0);
  cudaGraphLaunch(runnable, nullptr);
  while (ready.load(std::memory_order_acquire) == 0) {
  }
  std::printf("%d\n", *value.shared);  // @host
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(runnable);
  cudaGraphDestroy(graph);
}

// A host function uses a kernel's result in another stream.
// pair: host_function_and_kernel
// exact: race @write,@function value
__global__ void fill5(int* out) {
  *out = 1;  // @write
}
PAIR(host_function_and_kernel) {
  const Managed<int> value(1);
  cudaStream_t mine, other;
  cudaStreamCreate(&mine);
  cudaStreamCreate(&other);
  fill5<<<1, 1, 0, mine>>>(value.shared);
  cudaLaunchHostFunc(
      wrong ? other : mine, [](void* data) { *static_cast<int*>(data) += 7; }, value.shared);  // @function
  cudaDeviceSynchronize();
  cudaStreamDestroy(mine);
  cudaStreamDestroy(other);
}

// cudaMemcpy of other memory in the default stream orders the work of that stream, but not the work of a non-blocking
// stream.
// pair: copy_of_something_else
// exact: race @write,@host value
__global__ void fill6(int* out) {
  *out = 1;  // @write
}
PAIR(copy_of_something_else) {
  const Managed<int> value(1);
  const Zeros<int> other(1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, wrong ? cudaStreamNonBlocking : cudaStreamDefault);
  fill6<<<1, 1, 0, stream>>>(value.shared);
  int copied = 0;
  cudaMemcpy(&copied, other, sizeof copied, cudaMemcpyDeviceToHost);
  std::printf("%d\n", *value.shared);  // @host
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
}

// A kernel waits for the host's flag, and the host has waited for another stream: the flag orders both.
// pair: flag_of_the_host
// exact: race @step,@step value
__global__ void wait_for_host(const volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void step(int* value, int factor, int plus) {
  *value = *value * factor + plus;  // @step
}
PAIR(flag_of_the_host) {
  cudaStream_t waiting, other;
  cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  volatile int* flag;
  cudaHostAlloc((void**)&flag, sizeof(int), cudaHostAllocDefault);
  *flag = 0;
  {
    const Zeros<int> value(1);
    wait_for_host<<<1, 1, 0, waiting>>>(const_cast<int*>(flag));
    step<<<1, 1, 0, waiting>>>(value, 10, 1);
    step<<<1, 1, 0, other>>>(value, 1, 1);
    if (!wrong) cudaStreamSynchronize(other);
    *flag = 1;
  }
  cudaFreeHost((void*)flag);
  cudaStreamDestroy(waiting);
  cudaStreamDestroy(other);
}

// The kernel accesses registered memory of the host, too.
// pair: registered_memory
// exact: race @write,@read -
// contains: call cudaDeviceSynchronize()
__global__ void fill_registered(int* data) {
  data[threadIdx.x] = threadIdx.x;  // @write
}
PAIR(registered_memory) {
  static int data[32];
  cudaHostRegister(data, sizeof data, cudaHostRegisterDefault);
  int* on_device;
  cudaHostGetDevicePointer((void**)&on_device, data, 0);
  fill_registered<<<1, 32>>>(on_device);
  if (!wrong) cudaDeviceSynchronize();
  std::printf("%d\n", data[5]);  // @read
  cudaDeviceSynchronize();
  cudaHostUnregister(data);
}
