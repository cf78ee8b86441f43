// Tests calls of libraries whose work other packages do: the messages about operands outside device memory
// and about missing packages. programs/cublas_*.cu and programs/cufft_transforms.cu compare the results with
// plain loops.
#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "../operation.hpp"
#include "cublas_v2.h"
#include "cufft.h"
#include "runtime_test_support.hpp"

namespace {

using cuemu::library::Access;
using cuemu::library::Call;
using cuemu::library::Uses;
using ::testing::ExitedWithCode;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

/// Ends the process with the error of a call. Runs in a separate process, since a kernel's error is
/// permanent.
[[noreturn]] void end_with(cudaError_t error) {
  std::_Exit(static_cast<int>(error) & 0xff);
}
constexpr int illegal_address = cudaErrorIllegalAddress & 0xff,
              launch_failure = cudaErrorLaunchFailure & 0xff;

/// Queues a function that uses `bytes` bytes from `at`.
[[noreturn]] void use_memory(const void* at, std::size_t bytes) {
  const Call call("testSum", nullptr);
  Uses uses;
  uses.matrix("A", at, 4, bytes / 4, 1, bytes / 4, Access::reads);
  cuemu::library::submit(nullptr, {uses, {}, [] {}});
  end_with(cudaDeviceSynchronize());
}
void* device_memory(std::size_t bytes) {
  void* memory = nullptr;
  cudaMalloc(&memory, bytes);
  return memory;
}

TEST(LibrariesDeathTest, OperandsMustBeMemoryOfTheDevice) {
  float host[4] = {};
  EXPECT_EXIT(use_memory(device_memory(64), 64), ExitedWithCode(0), "^$");
  EXPECT_EXIT(use_memory(host, 16), ExitedWithCode(illegal_address),
              "kernel testSum was stopped: its A is the host's memory: it takes what cudaMalloc or "
              "cudaMallocManaged gave");
  EXPECT_EXIT(use_memory(nullptr, 16), ExitedWithCode(illegal_address), "its A is a null pointer");
  EXPECT_EXIT(use_memory(device_memory(64), 80), ExitedWithCode(illegal_address),
              "its A ends 16 bytes beyond its memory: are its sizes and its leading dimension right\\?");
}

[[noreturn]] void fail_at_work() {
  const Call call("testSum", nullptr);
  cuemu::library::submit(nullptr, {{}, {}, [] { throw std::runtime_error("it was too much"); }});
  end_with(cudaDeviceSynchronize());
}

TEST(LibrariesDeathTest, WorkThatFailsStopsItsKernel) {
  EXPECT_EXIT(fail_at_work(), ExitedWithCode(launch_failure), "kernel testSum was stopped: it was too much");
}

[[noreturn]] void stride_too_far(cublasHandle_t handle) {
  auto* const x = static_cast<float*>(device_memory(64));
  const float one = 1;
  cublasSaxpy_64(handle, 1, &one, x, std::int64_t{1} << 33, x + 1, 1);
  end_with(cudaDeviceSynchronize());
}

TEST(LibrariesDeathTest, SizesBeyondThoseOfOpenBlasAreRefused) {
  // The child of a fork has none of its parent's threads. So only the child may use the library.
  void* const openblas = dlopen("libopenblas.so.0", RTLD_LAZY);
  if (openblas == nullptr) GTEST_SKIP() << "OpenBLAS is not installed";
  const auto in_a_process = [] {
    cublasHandle_t handle = nullptr;
    cublasCreate(&handle);
    stride_too_far(handle);
  };
  EXPECT_EXIT(in_a_process(), ExitedWithCode(launch_failure),
              "cublasSaxpy_64 was stopped: sizes of 2\\^31 and more are not computed here");
}

TEST(Libraries, AMissingPackageIsNamedOnce) {
  CaptureStderr();
  EXPECT_FALSE(cuemu::library::is_present("libnot-there.so.0", "cuNothing", "libnot-there0"));
  EXPECT_FALSE(cuemu::library::is_present("libnot-there.so.0", "cuNothing", "libnot-there0"));
  EXPECT_EQ(GetCapturedStderr(),
            "cuemu: cuNothing is computed by a library that is not installed here: sudo apt-get install "
            "libnot-there0\n");
  EXPECT_EQ(cuemu::library::find_function("libnot-there.so.0", "anything"), nullptr);
}

TEST(Libraries, HandlesAreCheckedFirst) {
  int number = 0;
  EXPECT_EQ(cublasIsamax(nullptr, 1, nullptr, 1, &number), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasDestroy(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cufftExecC2C(4711, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_ARCH_MISMATCH), "CUBLAS_STATUS_ARCH_MISMATCH");
}

}  // namespace
