// Tests streams, events, all kinds of copies, printing and the profile.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "runtime_test_support.hpp"

namespace {

std::atomic<bool> gate{false};
void wait_for_gate(void*) {
  while (!gate.load()) std::this_thread::yield();
}
void store(int* out, int value) {
  KERNEL("store", {
    if (blockIdx.x == 0 && threadIdx.x == 0) *out = value;
  });
}

TEST(Streams, ALaunchReturnsBeforeTheKernelRuns) {
  DeviceArray<int> out(std::vector<int>{0});
  gate = false;
  ASSERT_EQ(cudaLaunchHostFunc(nullptr, wait_for_gate, nullptr), cudaSuccess);
  LAUNCH(store, (1, 1), out.get(), 3);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  gate = true;
  EXPECT_EQ(out.read()[0], 3);
}

TEST(Streams, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  cudaStream_t stream = nullptr, free_stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking), cudaSuccess);
  DeviceArray<int> out(std::vector<int>{0}), other(std::vector<int>{0});
  gate = false;
  ASSERT_EQ(cudaLaunchHostFunc(stream, wait_for_gate, nullptr), cudaSuccess);
  LAUNCH(store, (1, 1), out.get(), 1);                    // default stream: after `stream`
  LAUNCH(store, (1, 1, 0, stream), out.get(), 2);         // after the default stream
  LAUNCH(store, (1, 1, 0, free_stream), other.get(), 5);  // does not wait
  EXPECT_EQ(cudaStreamSynchronize(free_stream), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  gate = true;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(out.read()[0], 2);
  EXPECT_EQ(other.read()[0], 5);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(free_stream), cudaSuccess);
  cudaGetLastError();
}

TEST(Streams, EventsOrderStreams) {
  cudaStream_t a = nullptr, b = nullptr;
  cudaEvent_t event = nullptr;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  DeviceArray<int> out(std::vector<int>{0});
  gate = false;
  cudaLaunchHostFunc(a, wait_for_gate, nullptr);
  LAUNCH(store, (1, 1, 0, a), out.get(), 1);
  EXPECT_EQ(cudaEventRecord(event, a), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamWaitEvent(b, event), cudaSuccess);
  LAUNCH(store, (1, 1, 0, b), out.get(), 2);
  EXPECT_EQ(cudaStreamQuery(b), cudaErrorNotReady);
  gate = true;
  EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
  EXPECT_EQ(out.read()[0], 2);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaEventDestroy(event);
}

TEST(Copies, AsyncFromPageableMemoryReadsTheSourceAtTheCall) {
  DeviceArray<int> out(std::vector<int>{0});
  gate = false;
  cudaLaunchHostFunc(nullptr, wait_for_gate, nullptr);
  int source = 4;
  ASSERT_EQ(cudaMemcpyAsync(out.get(), &source, sizeof source, cudaMemcpyHostToDevice), cudaSuccess);
  source = 5;
  gate = true;
  EXPECT_EQ(out.read()[0], 4);
}

TEST(Copies, ABatchReadsItsSourcesWhenItsAttributesSay) {
  cudaStream_t stream = nullptr;
  int* pinned = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  ASSERT_EQ(cudaMallocHost(&pinned, 3 * sizeof(int)), cudaSuccess);
  DeviceArray<int> out(std::vector<int>{0, 0, 0});
  gate = false;
  cudaLaunchHostFunc(stream, wait_for_gate, nullptr);
  for (int i = 0; i < 3; ++i) pinned[i] = 4;
  void* const to[] = {out.get(), out.get() + 1, out.get() + 2};
  const void* const from[] = {pinned, pinned + 1, pinned + 2};
  const size_t sizes[] = {sizeof(int), sizeof(int), sizeof(int)};
  cudaMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  size_t first[] = {0, 2};
  ASSERT_EQ(cudaMemcpyBatchAsync(to, from, sizes, 3, attributes, first, 2, stream), cudaSuccess);
  for (int i = 0; i < 3; ++i) pinned[i] = 5;
  gate = true;
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(out.read(), (std::vector<int>{5, 5, 4}));

  const auto refused = [&](size_t count, size_t attribute_count, cudaStream_t in) {
    return cudaMemcpyBatchAsync(to, from, sizes, count, attributes, first, attribute_count, in) ==
           cudaErrorInvalidValue;
  };
  EXPECT_TRUE(refused(3, 0, stream));
  EXPECT_TRUE(refused(2, 2, stream)) << "the second attribute is for no copy";
  EXPECT_TRUE(refused(3, 2, nullptr)) << "the legacy default stream";
  EXPECT_FALSE(refused(3, 2, cudaStreamPerThread));
  first[0] = 1;
  EXPECT_TRUE(refused(3, 2, stream)) << "none for the first copy";
  first[0] = 0;
  first[1] = 0;
  EXPECT_TRUE(refused(3, 2, stream)) << "no order";
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  EXPECT_TRUE(refused(3, 1, stream));
  cudaGetLastError();
  cudaStreamDestroy(stream);
  cudaFreeHost(pinned);
}

TEST(Copies, PitchedRowsAndDefaultDirection) {
  char* device = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, 5, 3), cudaSuccess);
  EXPECT_EQ(pitch % 256, 0u);
  const char rows[3][8] = {"abcde", "fghij", "klmno"};
  char back[3][6] = {};
  ASSERT_EQ(cudaMemcpy2D(device, pitch, rows, 8, 5, 3, cudaMemcpyDefault), cudaSuccess);
  ASSERT_EQ(cudaMemset2D(device, pitch, 'x', 2, 2), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(back, 6, device, pitch, 5, 3, cudaMemcpyDefault), cudaSuccess);
  EXPECT_STREQ(back[0], "xxcde");
  EXPECT_STREQ(back[2], "klmno");
  EXPECT_EQ(cudaMemcpy2D(back, 4, device, pitch, 5, 3, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
  cudaGetLastError();
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Memory, FreshMemoryIsZeroAndAligned) {
  DeviceArray<unsigned> fresh(100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(fresh.get()) % 256, 0u);
  for (const unsigned word : fresh.read()) EXPECT_EQ(word, 0u);
}

TEST(Memory, ManagedAndPinnedMemoryIsForBoth) {
  int* managed = nullptr;
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, sizeof(int)), cudaSuccess);
  LAUNCH(store, (1, 1), managed, 6);
  LAUNCH(store, (1, 1), pinned, 7);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*managed * 10 + *pinned, 67);
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, managed), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  cudaGetLastError();
}

void hello(int n) {
  KERNEL("hello", {
    for (int i = 0; i < n; ++i) ::cuemu::device_printf("t%u line %d;", threadIdx.x, i);
  });
}

TEST(Printing, IsCompleteAndInOrderWithinAThread) {
  ::testing::internal::CaptureStdout();
  LAUNCH(hello, (1, 2), 2);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::fflush(stdout);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "t0 line 0;t0 line 1;t1 line 0;t1 line 1;");
}

TEST(Printing, TheOldestIsLostWhenTheQueueIsFull) {
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 20), cudaSuccess);
  ::testing::internal::CaptureStdout();
  LAUNCH(hello, (1, 1), 5);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::fflush(stdout);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "t0 line 3;t0 line 4;");
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20), cudaSuccess);
}

TEST(PrintingDeathTest, TheEndOfTheProgramShowsNothing) {
  const auto end = [](bool waits) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    LAUNCH(hello, (1, 1), 1);
    if (waits) cudaStreamSynchronize(nullptr);
    std::exit(0);
  };
  EXPECT_EXIT(end(true), ::testing::ExitedWithCode(0), "^t0 line 0;$");
  EXPECT_EXIT(end(false), ::testing::ExitedWithCode(0),
              "^cuemu: nothing shows what kernel hello printed: the program ended before it waited");
}

TEST(ProfileDeathTest, IsWrittenEvenWhenTheProgramExitsEarly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string file = ::testing::TempDir() + "cuemu_profile_test.jsonl";
  std::remove(file.c_str());
  EXPECT_EXIT(
      {
        setenv("LAB_PROFILE", file.c_str(), 1);
        int* p = nullptr;
        int value = 1;
        cudaMalloc(&p, 8);
        cudaMemcpy(p, &value, 4, cudaMemcpyHostToDevice);
        LAUNCH(store, (dim3(2, 1), 3), p, 1);
        cudaFree(p);
        std::exit(5);
      },
      ::testing::ExitedWithCode(5), "");
  std::ifstream in(file);
  std::string kinds, line;
  while (std::getline(in, line)) {
    kinds += line.substr(9, line.find('"', 9) - 9) + " ";
    if (line.find("\"kernel\"") != std::string::npos) {
      EXPECT_NE(line.find("\"name\":\"store\""), std::string::npos) << line;
      EXPECT_NE(line.find("\"grid\":[2,1,1],\"block\":[3,1,1]"), std::string::npos) << line;
    }
  }
  EXPECT_EQ(kinds, "header alloc memcpy kernel free end ");
  std::remove(file.c_str());
}

}  // namespace
