// Attributes of kernels and of nodes of graphs: programs read them and change them.
#include <cstdio>
#include <cstring>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

struct Mixed {
  char letter;
  double number;
  short last;
};

extern "C" __global__ void many_parameters(char, double, Mixed, const int*, short) {}
extern "C" __global__ void no_parameters() {}
__global__ void store(int* to, int value) { *to = value; }

void tell(const char* what, cudaError_t error) {
  printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

void ask_kernels() {
  const char* name = nullptr;
  CHECK(cudaFuncGetName(&name, (const void*)many_parameters));
  printf("named %s", name);
  CHECK(cudaFuncGetName(&name, (const void*)store));
  printf(" and %s\n", name);
  for (size_t i = 0; i < 5; ++i) {
    size_t offset = 0, bytes = 0;
    CHECK(cudaFuncGetParamInfo((const void*)many_parameters, i, &offset, &bytes));
    printf("parameter %zu: %zu bytes at %zu\n", i, bytes, offset);
  }
  size_t offset = 0, bytes = 0;
  CHECK(cudaFuncGetParamInfo((const void*)store, 1, &offset, nullptr));
  printf("the second of store: at %zu\n", offset);
  tell("behind the last", cudaFuncGetParamInfo((const void*)many_parameters, 5, &offset, &bytes));
  tell("of none", cudaFuncGetParamInfo((const void*)no_parameters, 0, &offset, &bytes));
  tell("no room for a name", cudaFuncGetName(nullptr, (const void*)store));
  tell("no kernel", cudaFuncGetName(&name, (const void*)nullptr));
}

void launch_by_handle() {
  cudaFunction_t handle = nullptr, again = nullptr;
  CHECK(cudaGetFuncBySymbol(&handle, (const void*)store));
  CHECK(cudaGetFuncBySymbol(&again, (const void*)store));
  printf("one handle: %d\n", handle == again);
  int *at = nullptr, value = 41, got = 0;
  CHECK(cudaMalloc(&at, sizeof(int)));
  void* arguments[] = {&at, &value};
  CHECK(cudaLaunchKernel((const void*)handle, dim3(1), dim3(1), arguments, 0, nullptr));
  CHECK(cudaMemcpy(&got, at, sizeof got, cudaMemcpyDeviceToHost));
  printf("launched by it: %d\n", got);
  CHECK(cudaFree(at));
  tell("a variable's handle", cudaGetFuncBySymbol(&handle, &got));
}

int cooperative(cudaGraphNode_t node) {
  cudaLaunchAttributeValue value = {};
  CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value));
  return value.cooperative;
}

void change_nodes() {
  int* at = nullptr;
  int value = 5, host[16] = {};
  CHECK(cudaMalloc(&at, 1024));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  void* arguments[] = {&at, &value};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)store;
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  cudaGraphNode_t first, second, line, box;
  CHECK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
  CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
  printf("cooperative: %d %d\n", cooperative(first), cooperative(second));
  cudaLaunchAttributeValue yes = {};
  yes.cooperative = 1;
  CHECK(cudaGraphKernelNodeSetAttribute(first, cudaLaunchAttributeCooperative, &yes));
  printf("one of them: %d %d\n", cooperative(first), cooperative(second));
  CHECK(cudaGraphKernelNodeCopyAttributes(second, first));
  printf("and the other: %d %d\n", cooperative(first), cooperative(second));
  CHECK(cudaGraphKernelNodeSetParams(first, &kernel));
  printf("with parameters anew: %d\n", cooperative(first));
  tell("none of a node's", cudaGraphKernelNodeGetAttribute(first, cudaLaunchAttributeSynchronizationPolicy, &yes));

  CHECK(cudaGraphAddMemcpyNode1D(&line, graph, &second, 1, host, at, sizeof(int), cudaMemcpyDeviceToHost));
  cudaMemcpy3DParms asked = {}, told = {};
  CHECK(cudaGraphMemcpyNodeGetParams(line, &told));
  printf("a line: %d %d, %zu x %zu x %zu, kind %d\n", told.srcPtr.ptr == at, told.dstPtr.ptr == host,
         told.extent.width, told.extent.height, told.extent.depth, told.kind);
  asked.srcPtr = make_cudaPitchedPtr(at, 64, 48, 8);
  asked.srcPos = make_cudaPos(4, 1, 0);
  asked.dstPtr = make_cudaPitchedPtr(host, 32, 16, 2);
  asked.extent = make_cudaExtent(12, 2, 1);
  asked.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddMemcpyNode(&box, graph, nullptr, 0, &asked));
  CHECK(cudaGraphMemcpyNodeGetParams(box, &told));
  printf("a box: from (%zu %zu %zu) of rows of %zu, to rows of %zu, %zu x %zu x %zu, kind %d\n", told.srcPos.x,
         told.srcPos.y, told.srcPos.z, told.srcPtr.pitch, told.dstPtr.pitch, told.extent.width,
         told.extent.height, told.extent.depth, told.kind);
  tell("of a kernel", cudaGraphMemcpyNodeGetParams(first, &told));
  CHECK(cudaGraphDestroyNode(box));

  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
  printf("the graph's result: %d\n", host[0]);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(at));
}

void choose_devices() {
  int devices[] = {0};
  CHECK(cudaSetValidDevices(devices, 1));
  CHECK(cudaSetValidDevices(nullptr, 0));
  tell("a list that is missing", cudaSetValidDevices(nullptr, 1));
  devices[0] = 1000;
  tell("no such device", cudaSetValidDevices(devices, 1));
}

int main() {
  ask_kernels();
  launch_by_handle();
  change_nodes();
  choose_devices();
}
