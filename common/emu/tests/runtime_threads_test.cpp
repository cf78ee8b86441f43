// Tests indices, barriers, warps, shared memory and launches.
#include <numeric>
#include <stdexcept>

#include "runtime_test_support.hpp"

namespace {

void write_index(unsigned* out) {
  KERNEL("write_index", {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
  });
}

TEST(Threads, EveryThreadOfEveryBlockRunsOnceWithItsIndices) {
  DeviceArray<unsigned> out(6 * 24);
  LAUNCH(write_index, (dim3(3, 2, 1), dim3(2, 3, 4)), out.get());
  const std::vector<unsigned> result = out.read();
  for (unsigned i = 0; i < result.size(); ++i) EXPECT_EQ(result[i], i / 24 * 1000 + i % 24);
}

unsigned device_function() {
  return ::cuemu::thread_idx().x + 10 * ::cuemu::block_idx().x + 100 * ::cuemu::block_dim().x;
}
void call_function(unsigned* out) {
  KERNEL("call_function", { out[blockIdx.x * blockDim.x + threadIdx.x] = device_function(); });
}

TEST(Threads, DeviceFunctionsSeeTheCallersIndices) {
  DeviceArray<unsigned> out(4);
  LAUNCH(call_function, (2, 2), out.get());
  EXPECT_EQ(out.read(), (std::vector<unsigned>{200, 201, 210, 211}));
}

void change_parameter(int* out, int value) {
  KERNEL("change_parameter", {
    value += static_cast<int>(threadIdx.x);
    out[threadIdx.x] = value;
  });
}

TEST(Threads, ParametersAreEachThreadsOwn) {
  DeviceArray<int> out(3);
  LAUNCH(change_parameter, (1, 3), out.get(), 5);
  EXPECT_EQ(out.read(), (std::vector<int>{5, 6, 7}));
}

void reduce(const int* in, int* out) {
  KERNEL("reduce", {
    auto& s = ::cuemu::shared<int[256], struct reduce_s>();
    s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
      if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
      __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
  });
}

TEST(Barriers, TreeReductionInSharedMemory) {
  std::vector<int> in(256 * 50);
  std::iota(in.begin(), in.end(), 0);
  DeviceArray<int> device_in(in), out(50);
  LAUNCH(reduce, (50, 256), device_in.get(), out.get());
  const std::vector<int> sums = out.read();
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0), std::accumulate(in.begin(), in.end(), 0));
  EXPECT_EQ(sums[1], 256 * 256 + 255 * 128);
}

void early_exit(int* out) {
  KERNEL("early_exit", {
    auto& s = ::cuemu::shared<int, struct early_exit_s>();
    if (threadIdx.x % 3 == 1) return;
    if (threadIdx.x == 0) s = 7;
    __syncthreads();
    out[threadIdx.x] = s;
    if (threadIdx.x == 0) return;
    __syncthreads();
    out[threadIdx.x] += 1;
  });
}

TEST(Barriers, ThreadsThatReturnedAreNotWaitedFor) {
  DeviceArray<int> out(std::vector<int>(70, -1));
  LAUNCH(early_exit, (1, 70), out.get());
  const std::vector<int> result = out.read();
  for (int i = 0; i < 70; ++i)
    EXPECT_EQ(result[static_cast<std::size_t>(i)], i % 3 == 1 ? -1 : i == 0 ? 7 : 8) << i;
}

void vote(int* out) {
  KERNEL("vote", {
    const int odd = static_cast<int>(threadIdx.x) % 2;
    const int count = __syncthreads_count(odd);
    const int all = __syncthreads_and(odd);
    const int any = __syncthreads_or(odd);
    const int every = __syncthreads_and(1);
    const int none = __syncthreads_or(0);
    out[threadIdx.x] = count * 10000 + all * 1000 + any * 100 + every * 10 + none;
  });
}

TEST(Barriers, CountAndOr) {
  DeviceArray<int> out(33);
  LAUNCH(vote, (1, 33), out.get());
  for (const int value : out.read()) EXPECT_EQ(value, 160110);
}

void warps(int* out) {
  KERNEL("warps", {
    auto& s = ::cuemu::shared<int[64], struct warps_s>();
    const unsigned lane = ::cuemu::lane();
    s[threadIdx.x] = static_cast<int>(threadIdx.x);
    const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    ::cuemu::warp_barrier(half);
    const int neighbour = s[threadIdx.x ^ 15];
    ::cuemu::warp_barrier(0xffffffffu);
    s[threadIdx.x] = neighbour;
    ::cuemu::warp_barrier(0xffffffffu);
    out[threadIdx.x] = s[threadIdx.x ^ 31];
  });
}

TEST(Warps, BarriersOfPartsAndOfTheWhole) {
  DeviceArray<int> out(64);
  LAUNCH(warps, (1, 64), out.get());
  const std::vector<int> result = out.read();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(result[static_cast<std::size_t>(i)], i ^ 31 ^ 15);
}

void spin(int* flag, int* out) {
  KERNEL("spin", {
    if (threadIdx.x == 0 && blockIdx.x == 0)  // set by the last thread of the last block
      while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) ::cuemu::yield();
    if (threadIdx.x == blockDim.x - 1 && blockIdx.x == gridDim.x - 1)
      __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  });
}

TEST(Threads, AThreadThatYieldsLetsOtherThreadsAndBlocksRun) {
  DeviceArray<int> flag(std::vector<int>{0}), out(std::vector<int>(64 * 40, 0));
  LAUNCH(spin, (40, 64), flag.get(), out.get());
  for (const int value : out.read()) EXPECT_EQ(value, 1);
}

void grid_sum(int* partial, int* out) {
  KERNEL("grid_sum", {
    partial[blockIdx.x] = static_cast<int>(blockIdx.x);
    ::cuemu::grid_barrier();
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
    ::cuemu::grid_barrier();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  });
}

TEST(Grid, EveryBlockWaitsForAll) {
  DeviceArray<int> partial(100), out(100);
  int* p = partial.get();
  int* o = out.get();
  void* arguments[] = {&p, &o};
  ASSERT_EQ(cudaLaunchCooperativeKernel(grid_sum, dim3(100), dim3(8), arguments), cudaSuccess);
  for (const int value : out.read()) EXPECT_EQ(value, 4950);
}

TEST(Grid, MoreBlocksThanTheDeviceHoldsAreRefused) {
  int* p = nullptr;
  void* arguments[] = {&p, &p};
  EXPECT_EQ(cudaLaunchCooperativeKernel(grid_sum, dim3(1 << 20), dim3(1024), arguments),
            cudaErrorCooperativeLaunchTooLarge);
}

void dynamic(float* out, int n) {
  KERNEL("dynamic", {
    auto& s = ::cuemu::dynamic_shared<float[]>();
    const bool poisoned = s[n - 1] != s[n - 1] && reinterpret_cast<std::uintptr_t>(&s[0]) % 16 == 0;
    __syncthreads();
    if (threadIdx.x == 0) s[n - 1] = 3;
    __syncthreads();
    out[threadIdx.x] = poisoned ? s[n - 1] : -1;
  });
}

TEST(Shared, DynamicMemoryIsPoisonedAlignedAndCommon) {
  DeviceArray<float> out(2);
  LAUNCH(dynamic, (1, 2, 4 * 1001), out.get(), 1001);
  EXPECT_EQ(out.read(), (std::vector<float>{3, 3}));
}

TEST(Shared, MoreThan48KiBNeedOptIn) {
  DeviceArray<float> out(2);
  LAUNCH(dynamic, (1, 2, 100 * 1024), out.get(), 25600);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024),
            cudaSuccess);
  LAUNCH(dynamic, (1, 2, 100 * 1024), out.get(), 25600);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(out.read(), (std::vector<float>{3, 3}));
  EXPECT_EQ(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 233472),
            cudaErrorInvalidValue);
  cudaGetLastError();
}

template <class T>
void template_kernel(T* out, T value) {
  KERNEL("template_kernel", { out[threadIdx.x] = value; });
}

TEST(Launches, ByPointerByTypeAndWithConvertedArguments) {
  DeviceArray<double> out(1);
  double* p = out.get();
  double value = 2.5;
  void* arguments[] = {&p, &value};
  EXPECT_EQ(cudaLaunchKernel(template_kernel<double>, dim3(1), dim3(1), arguments), cudaSuccess);
  EXPECT_EQ(out.read()[0], 2.5);
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1);
  EXPECT_EQ(cudaLaunchKernelEx(&config, template_kernel<double>, p, 4), cudaSuccess);
  EXPECT_EQ(out.read()[0], 4.0);
  void (*function)(double*, double) = template_kernel<double>;
  LAUNCH(function, (1, 1), p, 5);
  EXPECT_EQ(out.read()[0], 5.0);
}

TEST(Launches, ByAddressWhenRegistered) {
  DeviceArray<int> out(1);
  int* p = out.get();
  int value = 9;
  void* arguments[] = {&p, &value};
  const void* const address = reinterpret_cast<const void*>(&template_kernel<int>);
  EXPECT_EQ(cudaLaunchKernel(address, dim3(1), dim3(1), arguments), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  const ::cuemu::RegisterKernel registered(template_kernel<int>);
  EXPECT_EQ(cudaLaunchKernel(address, dim3(1), dim3(1), arguments), cudaSuccess);
  EXPECT_EQ(out.read()[0], 9);
}

int launches_another(int* out) {
  LAUNCH(template_kernel<int>, (1, 1), out, 1);
  return 2;
}

TEST(Launches, ArgumentsMayContainLaunches) {
  DeviceArray<int> inner(1), outer(3);
  LAUNCH(template_kernel<int>, (1, 3), outer.get(), launches_another(inner.get()));
  EXPECT_EQ(inner.read(), std::vector<int>{1});
  EXPECT_EQ(outer.read(), (std::vector<int>{2, 2, 2}));
}

int throws() {
  throw std::runtime_error("no argument");
}

TEST(LaunchesDeathTest, AConfigurationWhoseArgumentsThrewIsForgotten) {
  DeviceArray<int> out(1);
  EXPECT_THROW(LAUNCH(template_kernel<int>, (1, 1), out.get(), throws()), std::runtime_error);
  EXPECT_EXIT(template_kernel<int>(out.get(), 1), ::testing::ExitedWithCode(3),
              "template_kernel was called like a function");
}

}  // namespace
