// Nodes of graphs that CUDA 12 added: memory that exists within a launch, and conditions that kernels set.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

constexpr int n = 256;

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value + threadIdx.x;
}
__global__ void add(const int* x, int* sum) {
  sum[threadIdx.x] += x[threadIdx.x];
}
__global__ void add_one(int* x) {
  *x += 1;
}
/// Repeats until *x has reached `last`.
__global__ void step(int* x, int by, int last, cudaGraphConditionalHandle handle) {
  *x += by;
  cudaGraphSetConditional(handle, *x < last);
}
__global__ void choose(const int* x, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, *x);
}

cudaGraphNodeParams kernel_params(void* function, int threads, void** arguments) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = function;
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(threads);
  params.kernel.kernelParams = arguments;
  return params;
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t* after, void* function, int threads, void** arguments) {
  cudaGraphNode_t node;
  cudaGraphNodeParams params = kernel_params(function, threads, arguments);
  CHECK(cudaGraphAddNode(&node, graph, after, nullptr, after != nullptr ? 1 : 0, &params));
  return node;
}

cudaGraph_t* add_condition(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t* after,
                           cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  CHECK(cudaGraphAddNode(node, graph, after, nullptr, after != nullptr ? 1 : 0, &params));
  return params.conditional.phGraph_out;
}

int fetch(const int* x) {
  int value;
  CHECK(cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}
void put(int* x, int value) {
  CHECK(cudaMemcpy(x, &value, sizeof value, cudaMemcpyHostToDevice));
}
void launch(cudaGraphExec_t exec) {
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
}

size_t memory(cudaGraphMemAttributeType attribute) {
  unsigned long long bytes = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, attribute, &bytes));
  return bytes;
}

void allocations(int* sum) {
  printf("at first %d %d\n", (int)memory(cudaGraphMemAttrUsedMemCurrent),
         (int)memory(cudaGraphMemAttrReservedMemCurrent));
  cudaGraph_t graph;
  cudaGraphNode_t alloc, node, release;
  cudaGraphExec_t exec;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams wanted = {};
  wanted.bytesize = n * sizeof(int);
  wanted.poolProps.allocType = cudaMemAllocationTypePinned;
  wanted.poolProps.location.type = cudaMemLocationTypeDevice;
  wanted.poolProps.location.id = 0;
  CHECK(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &wanted));
  int value = 5;
  void* fill_arguments[] = {&wanted.dptr, &value};
  node = add_kernel(graph, &alloc, (void*)fill, n, fill_arguments);
  void* add_arguments[] = {&wanted.dptr, &sum};
  node = add_kernel(graph, &node, (void*)add, n, add_arguments);
  CHECK(cudaGraphAddMemFreeNode(&release, graph, &node, 1, wanted.dptr));

  cudaMemAllocNodeParams told = {};
  void* freed = nullptr;
  CHECK(cudaGraphMemAllocNodeGetParams(alloc, &told));
  CHECK(cudaGraphMemFreeNodeGetParams(release, &freed));
  printf("told: %d bytes, same address %d %d\n", (int)told.bytesize, told.dptr == wanted.dptr, freed == wanted.dptr);

  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  launch(exec);
  launch(exec);
  printf("two launches: %d %d\n", fetch(sum), fetch(sum + n - 1));
  printf("reserved %d, marks %d\n", memory(cudaGraphMemAttrReservedMemCurrent) >= n * sizeof(int),
         memory(cudaGraphMemAttrReservedMemHigh) >= memory(cudaGraphMemAttrReservedMemCurrent) &&
             memory(cudaGraphMemAttrUsedMemHigh) >= memory(cudaGraphMemAttrUsedMemCurrent));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaDeviceGraphMemTrim(0));
  unsigned long long zero = 0, one = 1;
  CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  printf("a mark of 1: %s\n", cudaGetErrorName(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one)));
  cudaGetLastError();
  printf("trimmed %d %d\n", (int)memory(cudaGraphMemAttrReservedMemCurrent),
         (int)memory(cudaGraphMemAttrReservedMemHigh));
}

// Memory that a graph allocates and does not free belongs to the program, even after the graph is destroyed.
void left_over(int* sum) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int* left = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync((void**)&left, n * sizeof(int), stream));
  fill<<<1, n, 0, stream>>>(left, 100);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  add<<<1, n, 0, stream>>>(left, sum);
  CHECK(cudaStreamSynchronize(stream));
  printf("left: %d %d\n", fetch(left + 3), fetch(sum + 3));
  printf("again while it lives: %s\n", cudaGetErrorName(cudaGraphLaunch(exec, stream)));
  cudaGetLastError();
  CHECK(cudaFreeAsync(left, stream));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  printf("without its graph: %d\n", fetch(left + 4));
  CHECK(cudaFree(left));

  // With a flag, a launch first frees the old memory.
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync((void**)&left, n * sizeof(int), stream));
  fill<<<1, n, 0, stream>>>(left, 200);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("freed by launches: %d\n", fetch(left + 5));
  CHECK(cudaFreeAsync(left, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

void loops(int* x) {
  cudaGraph_t graph;
  cudaGraphNode_t node, after;
  cudaGraphExec_t exec;
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  const cudaGraph_t body = add_condition(&node, graph, nullptr, handle, cudaGraphCondTypeWhile, 1)[0];
  int by = 3, last = 20;
  void* step_arguments[] = {&x, &by, &last, &handle};
  add_kernel(body, nullptr, (void*)step, 1, step_arguments);
  void* one_arguments[] = {&x};
  after = add_kernel(graph, &node, (void*)add_one, 1, one_arguments);
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(node, &type));
  printf("conditional %d, then a kernel %d\n", type == cudaGraphNodeTypeConditional, after != node);

  cudaGraph_t clone;
  printf("cloned: %d\n", cudaGraphClone(&clone, graph) == cudaSuccess);
  cudaGetLastError();

  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  put(x, 0);
  launch(exec);
  printf("while below 20 by 3: %d\n", fetch(x));
  launch(exec);
  printf("once more: %d\n", fetch(x));
  put(x, 10);
  launch(exec);
  printf("from 10: %d\n", fetch(x));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

// An if, and a switch with a loop in one of its cases. The second body is captured from a stream.
void choices(int* x, int* y) {
  cudaGraph_t graph;
  cudaGraphNode_t first, node;
  cudaGraphExec_t exec;
  cudaGraphConditionalHandle is, which;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&is, graph));
  CHECK(cudaGraphConditionalHandleCreate(&which, graph));
  void* if_arguments[] = {&x, &is};
  first = add_kernel(graph, nullptr, (void*)choose, 1, if_arguments);
  const cudaGraph_t then = add_condition(&node, graph, &first, is, cudaGraphCondTypeIf, 1)[0];
  void* y_arguments[] = {&y};
  add_kernel(then, nullptr, (void*)add_one, 1, y_arguments);

  void* switch_arguments[] = {&x, &which};
  first = add_kernel(graph, &node, (void*)choose, 1, switch_arguments);
  cudaGraph_t* const cases = add_condition(&node, graph, &first, which, cudaGraphCondTypeSwitch, 3);
  cudaGraph_t captured;
  CHECK(cudaStreamBeginCaptureToGraph(stream, cases[1], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 10; ++i) add_one<<<1, 1, 0, stream>>>(y);
  CHECK(cudaStreamEndCapture(stream, &captured));
  cudaGraphConditionalHandle inner;
  CHECK(cudaGraphConditionalHandleCreate(&inner, cases[2], 1, cudaGraphCondAssignDefault));
  const cudaGraph_t loop = add_condition(&node, cases[2], nullptr, inner, cudaGraphCondTypeWhile, 1)[0];
  int by = 100, last = 250;
  void* step_arguments[] = {&y, &by, &last, &inner};
  add_kernel(loop, nullptr, (void*)step, 1, step_arguments);

  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int value = 0; value < 4; ++value) {
    put(x, value);
    put(y, 0);
    launch(exec);
    printf("x is %d: y is %d\n", value, fetch(y));
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

void count_call(void* calls) {
  ++*static_cast<int*>(calls);
}

void end_of_object(void* destroyed) {
  ++*static_cast<std::atomic<int>*>(destroyed);
}

// An object of the program that exists as long as a graph needs it; nodes of other kinds by one call.
void others(int* x) {
  std::atomic<int> destroyed{0};
  int calls = 0;
  cudaUserObject_t object;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t clear, call;
  CHECK(cudaUserObjectCreate(&object, &destroyed, end_of_object, 1, cudaUserObjectNoDestructorSync));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeMemset;
  params.memset.dst = x;
  params.memset.value = 7;
  params.memset.elementSize = 4;
  params.memset.width = 4;
  params.memset.height = 1;
  CHECK(cudaGraphAddNode(&clear, graph, nullptr, nullptr, 0, &params));
  cudaGraphNodeParams host = {};
  host.type = cudaGraphNodeTypeHost;
  host.host.fn = count_call;
  host.host.userData = &calls;
  CHECK(cudaGraphAddNode(&call, graph, &clear, nullptr, 1, &host));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  launch(exec);
  printf("set %d, called %d\n", fetch(x + 3), calls);
  params.memset.value = 9;
  CHECK(cudaGraphExecNodeSetParams(exec, clear, &params));
  launch(exec);
  printf("set %d, called %d\n", fetch(x + 3), calls);
  CHECK(cudaGraphDestroy(graph));
  printf("destroyed %d", destroyed.load());
  CHECK(cudaGraphExecDestroy(exec));
  // Its owner destroys it later.
  for (int i = 0; i < 2000 && destroyed == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  printf(", then %d\n", destroyed.load());
}

int main() {
  int *sum, *x, *y;
  CHECK(cudaMalloc(&sum, n * sizeof(int)));
  CHECK(cudaMemset(sum, 0, n * sizeof(int)));
  CHECK(cudaMalloc(&x, 4 * sizeof(int)));
  CHECK(cudaMalloc(&y, sizeof(int)));
  allocations(sum);
  left_over(sum);
  loops(x);
  choices(x, y);
  others(x);
  CHECK(cudaFree(sum));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
