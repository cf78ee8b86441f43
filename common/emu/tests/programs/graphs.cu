// Graphs: captured from streams that fork and join, built node by node, updated, cloned and nested.
#include <cstdio>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

__global__ void add(float* x, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += value;
}
__global__ void multiply(float* x, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= value;
}
__global__ void combine(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + 10 * b[i];
}

constexpr int n = 1000;
float *a, *b, *out, *host;

void count_call(void* calls) {
  ++*static_cast<int*>(calls);
}

float sum(const float* x) {
  float total = 0;
  for (int i = 0; i < n; ++i) total += x[i];
  return total;
}

void captured() {
  cudaStream_t stream, side;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int calls = 0;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(a, 0, n * sizeof(float), stream));
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  add<<<4, 256, 0, stream>>>(a, 1.0f, n);
  CHECK(cudaMemsetAsync(b, 0, n * sizeof(float), side));
  add<<<4, 256, 0, side>>>(b, 2.0f, n);
  CHECK(cudaEventRecord(join, side));
  CHECK(cudaStreamWaitEvent(stream, join, 0));
  combine<<<4, 256, 0, stream>>>(a, b, out, n);
  CHECK(cudaMemcpyAsync(host, out, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaLaunchHostFunc(stream, count_call, &calls));
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(side, &status));
  printf("captured: side stream captures %d", status == cudaStreamCaptureStatusActive);
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0, roots = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  printf(", %d nodes, %d root, %d calls yet\n", (int)nodes, (int)roots, calls);

  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphUpload(exec, stream));
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("launched: sum %g, %d calls\n", sum(host), calls);

  // If only values differ, the executable graph can be updated.
  cudaGraph_t again;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, stream>>>(a, 5.0f, 32);
  CHECK(cudaStreamEndCapture(stream, &again));
  cudaGraphExecUpdateResultInfo info;
  printf("update by another shape: %s\n", cudaGetErrorName(cudaGraphExecUpdate(exec, again, &info)));
  cudaGetLastError();
  CHECK(cudaGraphDestroy(again));

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(side));
}

void built() {
  cudaGraph_t graph, clone;
  cudaGraphNode_t clear, first, second, back, nothing;
  cudaGraphExec_t exec, of_clone;
  CHECK(cudaGraphCreate(&graph, 0));

  cudaMemsetParams memset = {};
  memset.dst = a;
  memset.elementSize = 4;
  memset.value = 0x40400000;  // 3.0f
  memset.width = n;
  memset.height = 1;
  CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &memset));

  float value = 2.0f;
  int count = n;
  void* arguments[] = {&a, &value, &count};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)add;
  kernel.gridDim = dim3(4);
  kernel.blockDim = dim3(256);
  kernel.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&first, graph, &clear, 1, &kernel));
  kernel.func = (void*)multiply;
  value = 4.0f;  // the first node still has its 2
  CHECK(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &kernel));
  CHECK(cudaGraphAddEmptyNode(&nothing, graph, &first, 1));
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddDependencies(graph, &nothing, &second, nullptr, 1));
#else
  CHECK(cudaGraphAddDependencies(graph, &nothing, &second, 1));
#endif
  CHECK(
      cudaGraphAddMemcpyNode1D(&back, graph, &second, 1, host, a, n * sizeof(float), cudaMemcpyDeviceToHost));

  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaStreamSynchronize(0));
  printf("built: %g\n", host[n - 1]);

  value = 100.0f;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, second, &kernel));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaStreamSynchronize(0));
  printf("with other parameters: %g\n", host[n - 1]);

  CHECK(cudaGraphNodeSetEnabled(exec, second, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaStreamSynchronize(0));
  printf("with a node switched off: %g\n", host[n - 1]);

  CHECK(cudaGraphClone(&clone, graph));
  cudaGraphNode_t in_clone;
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeFindInClone(&in_clone, back, clone));
  CHECK(cudaGraphNodeGetType(in_clone, &type));
  printf("in the clone: a memcpy node %d\n", type == cudaGraphNodeTypeMemcpy);
  CHECK(cudaGraphInstantiate(&of_clone, clone, 0));
  CHECK(cudaGraphLaunch(of_clone, 0));
  CHECK(cudaStreamSynchronize(0));
  printf("the clone: %g\n", host[n - 1]);

  // A graph in a graph.
  cudaGraph_t outer;
  cudaGraphNode_t inner, after;
  cudaGraphExec_t of_outer;
  CHECK(cudaGraphCreate(&outer, 0));
  CHECK(cudaGraphAddChildGraphNode(&inner, outer, nullptr, 0, graph));
  int calls = 0;
  cudaHostNodeParams call = {};
  call.fn = count_call;
  call.userData = &calls;
  CHECK(cudaGraphAddHostNode(&after, outer, &inner, 1, &call));
  CHECK(cudaGraphInstantiate(&of_outer, outer, 0));
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(of_outer, 0));
  CHECK(cudaDeviceSynchronize());
  printf("nested: %g, %d calls\n", host[n - 1], calls);

  // A cycle cannot be instantiated.
  cudaGraphExec_t none;
#if CUDART_VERSION >= 13000
  const cudaError_t cycle = cudaGraphAddDependencies(graph, &back, &clear, nullptr, 1);
#else
  const cudaError_t cycle = cudaGraphAddDependencies(graph, &back, &clear, 1);
#endif
  printf("a cycle: %d\n", cycle != cudaSuccess || cudaGraphInstantiate(&none, graph, 0) != cudaSuccess);
  cudaGetLastError();
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphExecDestroy(of_clone));
  CHECK(cudaGraphExecDestroy(of_outer));
  CHECK(cudaGraphDestroy(outer));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphDestroy(graph));
}

void mistakes() {
  cudaStream_t stream, side;
  cudaEvent_t event;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));

  printf("end without begin: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, stream>>>(a, 1, 32);
  printf("waiting: %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaStreamWaitEvent(side, event, 0));
  add<<<1, 32, 0, side>>>(a, 1, 32);
  printf("a fork that never joins: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
  printf("the default stream: %s\n",
         cudaGetErrorName(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal)));
  cudaGetLastError();
  CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(side));
}

int main() {
  CHECK(cudaMalloc(&a, n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * sizeof(float)));
  CHECK(cudaMalloc(&out, n * sizeof(float)));
  CHECK(cudaMallocHost(&host, n * sizeof(float)));
  captured();
  built();
  mistakes();
  return 0;
}
