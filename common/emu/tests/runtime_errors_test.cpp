// Tests error codes and the last error. The expected values were measured with CUDA 13 on an H200.
#include <string>

#include "runtime_test_support.hpp"

namespace {

void nothing() {
  KERNEL("nothing", {});
}

void expect_refused() {
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(LaunchLimits, ImpossibleSizesAreInvalidValues) {
  for (const auto& [grid, block] :
       {std::pair(dim3(1), dim3(2048)), std::pair(dim3(0), dim3(1)), std::pair(dim3(1), dim3(0)),
        std::pair(dim3(1, 65536), dim3(1)), std::pair(dim3(1, 1, 65536), dim3(1)),
        std::pair(dim3(1), dim3(1, 1, 65)), std::pair(dim3(1), dim3(1025))}) {
    LAUNCH(nothing, (grid, block));
    expect_refused();
  }
  LAUNCH(nothing, (1, 1, 49 * 1024));
  expect_refused();
}

TEST(LaunchLimits, TheLargestSizesRun) {
  for (const auto& [grid, block] : {std::pair(dim3(1, 65535), dim3(1)), std::pair(dim3(1), dim3(1, 1, 64)),
                                    std::pair(dim3(100000), dim3(1)), std::pair(dim3(1), dim3(1024))}) {
    LAUNCH(nothing, (grid, block));
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
}

TEST(Memory, AllocationErrors) {
  void* p = &p;
  EXPECT_EQ(cudaMalloc(&p, std::size_t{1} << 50), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&p, 0), cudaSuccess);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST(Memory, UnknownPointersAreInvalidValues) {
  int host = 0;
  DeviceArray<int> device(4);
  EXPECT_EQ(cudaFree(&host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device.get() + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(&host, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, &host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device.get(), &host, 17, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Memory, BadDirection) {
  int host = 0;
  DeviceArray<int> device(1);
  EXPECT_EQ(cudaMemcpy(device.get(), &host, 4, static_cast<cudaMemcpyKind>(77)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidMemcpyDirection);
}

TEST(DeviceErrors, OnlyThoseThatExist) {
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
}

int symbol[4];
int no_symbol[4];
const ::cuemu::RegisterVariable register_symbol("symbol", &symbol, sizeof symbol);

TEST(Symbols, AreCopiedToAndFrom) {
  const int values[2] = {5, 6};
  int back[4] = {};
  void* address = nullptr;
  EXPECT_EQ(cudaMemcpyToSymbol(symbol, values, sizeof values, sizeof(int)), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(back, symbol, sizeof back), cudaSuccess);
  EXPECT_EQ(back[1] * 10 + back[2], 56);
  EXPECT_EQ(cudaGetSymbolAddress(&address, symbol), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back, address, 8, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(symbol, values, sizeof values, 12), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetSymbolAddress(&address, no_symbol), cudaErrorInvalidSymbol);
  EXPECT_EQ(static_cast<int>(cudaGetLastError()), 13);
}

TEST(Symbols, AreCopiedToAndFromByNodes) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t to = nullptr, from = nullptr, none = nullptr;
  cudaGraphExec_t exec = nullptr;
  int values[2] = {7, 8}, back[2] = {};
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  const auto add_to = [&](const void* address, size_t offset, cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNodeToSymbol(&none, graph, nullptr, 0, address, values, sizeof values, offset,
                                          kind);
  };
  EXPECT_EQ(add_to(no_symbol, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
  EXPECT_EQ(add_to(symbol, 12, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(add_to(symbol, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  ASSERT_EQ(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, symbol, values, sizeof values, 4,
                                           cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, back, symbol, sizeof(int), 8,
                                             cudaMemcpyDeviceToHost),
            cudaSuccess);
  ASSERT_EQ(cudaGraphMemcpyNodeSetParamsFromSymbol(from, back, symbol, sizeof back, 4, cudaMemcpyDefault),
            cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph), cudaSuccess);
  const auto fetched = [&] {
    back[0] = back[1] = 0;
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return back[0] * 10 + back[1];
  };
  EXPECT_EQ(fetched(), 78);
  EXPECT_EQ(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, symbol, values + 1, sizeof(int), 4,
                                                     cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(fetched(), 88);
  EXPECT_EQ(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, back, symbol, sizeof(int), 16,
                                                       cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphMemcpyNodeSetParamsToSymbol(nullptr, symbol, values, 4, 0, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  cudaGetLastError();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

TEST(Events, WithoutRecordingHaveNoTime) {
  float ms = 0;
  cudaEvent_t a = nullptr, b = nullptr;
  EXPECT_EQ(cudaEventElapsedTime(&ms, nullptr, nullptr), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaEventCreate(&a), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&b), cudaSuccess);
  EXPECT_EQ(static_cast<int>(cudaEventElapsedTime(&ms, a, b)), 400);
  EXPECT_EQ(cudaEventRecord(a), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(b), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(b), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, a, b), cudaSuccess);
  EXPECT_GE(ms, 0);
  cudaGetLastError();
  cudaEventDestroy(a);
  cudaEventDestroy(b);
}

TEST(Occupancy, TwoHundredFiftySixThreadsGiveEightBlocks) {
  int blocks = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 8);
}

TEST(Texts, NamesAndStrings) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(5000)), "unrecognized error code");
}

TEST(Versions, AreThirteen) {
  int version = 0;
  EXPECT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, 13000);
}

}  // namespace
