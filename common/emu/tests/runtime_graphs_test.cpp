// Tests graphs: their own memory, parameters of nodes, and events; also tests attributes of streams.
#include <string>

#include "runtime_test_support.hpp"

namespace {

void add(int* x, int value) {
  KERNEL("add", { x[threadIdx.x] += value; });
}
const ::cuemu::RegisterKernel register_add(add);

TEST(Graphs, AllocateMemoryOfTheirOwn) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t alloc = nullptr, clear = nullptr, kernel = nullptr, copy = nullptr, free_node = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  cudaMemAllocNodeParams memory{};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location = {cudaMemLocationTypeDevice, 0};
  memory.bytesize = 4 * sizeof(int);
  ASSERT_EQ(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &memory), cudaSuccess);
  cudaMemsetParams fill{memory.dptr, 0, 5, 4, 4, 1};
  ASSERT_EQ(cudaGraphAddMemsetNode(&clear, graph, &alloc, 1, &fill), cudaSuccess);
  int value = 2;
  void* arguments[] = {&memory.dptr, &value};
  const cudaKernelNodeParams launch{reinterpret_cast<void*>(add), dim3(1), dim3(4), 0, arguments, nullptr};
  ASSERT_EQ(cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &launch), cudaSuccess);
  int back[4] = {};
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, back, memory.dptr, sizeof back,
                                     cudaMemcpyDeviceToHost),
            cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&free_node, graph, &copy, 1, memory.dptr), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph), cudaSuccess);
  for (int i = 0; i < 2; ++i) {
    back[3] = 0;
    ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(back[3], 7);
  }
  cudaKernelNodeParams known{};
  EXPECT_EQ(cudaGraphKernelNodeGetParams(kernel, &known), cudaSuccess);
  EXPECT_EQ(known.func, reinterpret_cast<void*>(add));
  EXPECT_EQ(known.blockDim.x, 4u);
  cudaMemsetParams filled{};
  EXPECT_EQ(cudaGraphMemsetNodeGetParams(clear, &filled), cudaSuccess);
  EXPECT_EQ(filled.value * 100 + filled.width * 10 + filled.elementSize, 544u);
  EXPECT_EQ(cudaGraphMemsetNodeGetParams(kernel, &filled), cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Graphs, EventNodesRecordAndWait) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t record = nullptr, wait = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, event), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph), cudaSuccess);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, event), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, event), cudaSuccess);
  EXPECT_EQ(ms, 0);
  cudaGetLastError();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(event);
}

TEST(Graphs, MistakesDuringACapture) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  LAUNCH(add, (1, 5000, 0, stream), nullptr, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  void* p = nullptr;
  EXPECT_EQ(cudaMalloc(&p, 16), cudaErrorStreamCaptureUnsupported);  // not while this thread captures
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaMalloc(&p, 16), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  cudaGetLastError();
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Streams, KeepTheirAttributes) {
  cudaStream_t a = nullptr, b = nullptr;
  ASSERT_EQ(cudaStreamCreateWithPriority(&a, cudaStreamNonBlocking, -3), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&b), cudaSuccess);
  cudaStreamAttrValue value{};
  EXPECT_EQ(cudaStreamGetAttribute(a, cudaStreamAttributePriority, &value), cudaSuccess);
  EXPECT_EQ(value.priority, -3);
  value = {};
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  EXPECT_EQ(cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &value), cudaSuccess);
  EXPECT_EQ(cudaStreamCopyAttributes(b, a), cudaSuccess);
  value = {};
  EXPECT_EQ(cudaStreamGetAttribute(b, cudaStreamAttributeAccessPolicyWindow, &value), cudaSuccess);
  EXPECT_EQ(value.accessPolicyWindow.num_bytes, 4096u);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}

}  // namespace
