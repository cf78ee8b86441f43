// Tests several emulated devices: their selection, memory, streams, events and peers, and copies between them.
#include <cstring>
#include <string>
#include <thread>

#include "runtime_test_support.hpp"

namespace {

void store(int* out, int value) {
  KERNEL("store", { *out = value; });
}
void stop() {
  KERNEL("stop", { __trap(); });
}

class Devices : public ::testing::Test {
 protected:
  void SetUp() override { setenv("CUEMU_DEVICES", "4", 1); }
  void TearDown() override {
    cudaSetDevice(0);
    cudaGetLastError();
  }
};

TEST_F(Devices, AreCountedAndChosenForEachThread) {
  int count = 0, device = -1;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 4);
  EXPECT_EQ(cudaSetDevice(3), cudaSuccess);
  std::thread([] {
    int of_thread = -1;
    EXPECT_EQ(cudaGetDevice(&of_thread), cudaSuccess);
    EXPECT_EQ(of_thread, 0);
  }).join();
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 3);
  EXPECT_EQ(cudaSetDevice(4), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
}

TEST_F(Devices, HaveDifferentIdentities) {
  cudaDeviceProp a, b;
  ASSERT_EQ(cudaGetDeviceProperties(&a, 0), cudaSuccess);
  ASSERT_EQ(cudaGetDeviceProperties(&b, 1), cudaSuccess);
  EXPECT_STREQ(a.name, b.name);
  EXPECT_NE(a.pciBusID, b.pciBusID);
  EXPECT_NE(std::memcmp(&a.uuid, &b.uuid, sizeof a.uuid), 0);
  char bus[32] = "";
  int device = -1;
  ASSERT_EQ(cudaDeviceGetPCIBusId(bus, sizeof bus, 2), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, bus), cudaSuccess);
  EXPECT_EQ(device, 2);
}

TEST_F(Devices, MemoryBelongsToTheDeviceThatWasCurrent) {
  ASSERT_EQ(cudaSetDevice(2), cudaSuccess);
  int* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 1 << 20), cudaSuccess);
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, p), cudaSuccess);
  EXPECT_EQ(attributes.device, 2);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaSuccess);  // cudaFree accepts memory of any device
}

TEST_F(Devices, StreamsAndEventsBelongToADevice) {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  DeviceArray<int> out(std::vector<int>{0});
  int device = -1;
  EXPECT_EQ(cudaStreamGetDevice(stream, &device), cudaSuccess);
  EXPECT_EQ(device, 1);
  LAUNCH(store, (1, 1, 0, stream), out.get(), 5);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  LAUNCH(store, (1, 1, 0, stream), out.get(), 6);  // a launch needs the stream's own device
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaErrorInvalidResourceHandle);
  int value = 0;
  EXPECT_EQ(cudaMemcpyAsync(&value, out.get(), sizeof value, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(value, 5);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

TEST_F(Devices, PeerAccess) {
  int can = -1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 1, 1), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 7), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(9, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
}

TEST_F(Devices, CopiesBetweenThem) {
  DeviceArray<int> a(std::vector<int>{1, 2, 3});
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  DeviceArray<int> b(std::vector<int>{0, 0, 0});
  EXPECT_EQ(cudaMemcpyPeer(b.get(), 1, a.get(), 0, 2 * sizeof(int)), cudaSuccess);
  EXPECT_EQ(b.read(), (std::vector<int>{1, 2, 0}));
  EXPECT_EQ(cudaMemcpyPeerAsync(b.get() + 2, 1, a.get() + 2, 0, sizeof(int)), cudaSuccess);
  EXPECT_EQ(b.read(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(cudaMemcpy(a.get(), b.get() + 2, sizeof(int), cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(a.read()[0], 3);
  EXPECT_EQ(cudaMemcpyPeer(b.get(), 4, a.get(), 0, sizeof(int)), cudaErrorInvalidDevice);
}

TEST_F(Devices, ResetFreesWhatTheDeviceHad) {
  ASSERT_EQ(cudaSetDevice(3), cudaSuccess);
  int* p = nullptr;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 4096), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  std::size_t limit = 0;
  EXPECT_EQ(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount), cudaSuccess);
  EXPECT_EQ(limit, 2048u);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
}

TEST(DevicesDeathTest, AStoppedKernelLeavesOtherDevicesAlone) {
  setenv("CUEMU_DEVICES", "4", 1);
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        cudaSetDevice(1);
        LAUNCH(stop, (1, 1));
        const bool stopped = cudaDeviceSynchronize() == cudaErrorLaunchFailure;
        void* p = nullptr;
        const bool sticky = cudaMalloc(&p, 4) == cudaErrorLaunchFailure;
        const bool other = cudaSetDevice(0) == cudaSuccess && cudaMalloc(&p, 4) == cudaSuccess;
        std::_Exit(stopped && sticky && other ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "__trap");
}

TEST(DevicesDeathTest, NumberThatCannotBe) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("CUEMU_DEVICES", "many", 1);
        int count = 0;
        cudaGetDeviceCount(&count);
      },
      ::testing::ExitedWithCode(3), "CUEMU_DEVICES=many is not a number of devices");
}

}  // namespace
