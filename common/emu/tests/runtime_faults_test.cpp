// Tests faults of kernels and of device pointers: the error codes, and the messages on standard error. Each
// case runs in a process of its own, since such an error destroys the context permanently.
#include <sys/wait.h>

#include <csignal>
#include <cstdio>

#include "runtime_test_support.hpp"

#if defined(__SANITIZE_THREAD__)
// The fault handler composes a message and ends the program, so it may call functions that are unsafe in a handler.
extern "C" const char* __tsan_default_options() {
  return "report_signal_unsafe=0";
}
#endif

namespace {

using ::testing::ExitedWithCode;

/// Whether SIGSEGV ended the program. With sanitizers, it exits instead: their handlers run after the
/// emulation's.
bool died_of_segv(int status) {
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
#if defined(__SANITIZE_ADDRESS__)
  return killed || (WIFEXITED(status) && WEXITSTATUS(status) == 1);
#elif defined(__SANITIZE_THREAD__)
  return killed || (WIFEXITED(status) && WEXITSTATUS(status) == 66);
#else
  return killed;
#endif
}

enum class Fault {
  wild_write,
  wild_pointer,
  null_read,
  division,
  recursion,
  null_call,
  deadlock,
  endless,
  assertion,
  trap,
  use_after_free
};

int recurse(int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return depth < 1'000'000'000 ? recurse(depth + 1) + frame[0] : 0;
}

// UBSan must ignore this access, so that the runtime stops the kernel.
[[gnu::noinline]] __attribute__((no_sanitize("undefined"))) int value_at(const volatile int* p) {
  return *p;
}
[[gnu::noinline]] __attribute__((no_sanitize("undefined"))) int quotient(int a, int b) {
  return a / b;
}

void misbehave(int* p, Fault fault, int zero) {
  KERNEL("misbehave", {
    if (fault == Fault::deadlock && threadIdx.x < 2) ::cuemu::warp_barrier(0xf);
    if (fault == Fault::deadlock) __syncthreads();
    if (threadIdx.x != 3) return;
    void (*volatile no_function)() = nullptr;
    switch (fault) {
      case Fault::wild_write:
        p[256] = 1;
        break;
      case Fault::use_after_free:
        p[0] = 1;
        break;
      case Fault::wild_pointer:
        p[0] = value_at(reinterpret_cast<const int*>(0x4141414141414141));
        break;
      case Fault::null_read:
        p[0] = value_at(nullptr);
        break;
      case Fault::division:
        p[0] = quotient(7, zero);
        break;
      case Fault::recursion:
        p[0] = recurse(0);
        break;
      case Fault::null_call:
        no_function();
        break;
      case Fault::endless:
        for (;;) *static_cast<volatile int*>(p) = 1;
      case Fault::assertion:
        ::cuemu::device_assert_fail("n > 0", "lab.cu", 12, "void k(int)");
        break;
      case Fault::trap:
        __trap();
        break;
      case Fault::deadlock:
        break;
    }
  });
}

/// Runs the kernel. Exits with the error of cudaDeviceSynchronize() if that remains the last error, as it
/// must.
[[noreturn]] void run(Fault fault) {
  int* p = nullptr;
  cudaMalloc(&p, 1024);
  if (fault == Fault::use_after_free) cudaFree(p);
  LAUNCH(misbehave, (1, 4), p, fault, 0);
  const cudaError_t at_launch = cudaPeekAtLastError();
  const cudaError_t error = cudaDeviceSynchronize();
  const bool sticky =
      cudaGetLastError() == error && cudaPeekAtLastError() == cudaSuccess && cudaMalloc(&p, 4) == error;
  LAUNCH(misbehave, (1, 1), p, fault, 0);
  const bool sticks_to_launches = cudaGetLastError() == error;
  std::_Exit(at_launch == cudaSuccess && sticky && sticks_to_launches ? static_cast<int>(error) % 256 : 1);
}

constexpr int code(cudaError_t error) {
  return static_cast<int>(error) % 256;
}

class FaultsDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(FaultsDeathTest, WildWriteNamesThreadAndAllocation) {
  EXPECT_EXIT(run(Fault::wild_write), ExitedWithCode(code(cudaErrorIllegalAddress)),
              "misbehave was stopped: illegal (write|memory access).*\n.*thread \\(3, 0, 0\\).*\n.*0 bytes "
              "past the end of the "
              "1024-byte allocation");
}
TEST_F(FaultsDeathTest, UseAfterFree) {
  EXPECT_EXIT(run(Fault::use_after_free), ExitedWithCode(code(cudaErrorIllegalAddress)), "which was freed");
}
TEST_F(FaultsDeathTest, NullPointer) {
  EXPECT_EXIT(run(Fault::null_read), ExitedWithCode(code(cudaErrorIllegalAddress)), "null pointer");
}
TEST_F(FaultsDeathTest, Recursion) {
  EXPECT_EXIT(run(Fault::recursion), ExitedWithCode(code(cudaErrorLaunchFailure)),
              "stack is full.*runaway recursion");
}
TEST_F(FaultsDeathTest, NullCall) {
  EXPECT_EXIT(run(Fault::null_call), ExitedWithCode(code(cudaErrorLaunchFailure)), "null function pointer");
}
TEST_F(FaultsDeathTest, Assertion) {
  EXPECT_EXIT(
      run(Fault::assertion), ExitedWithCode(code(cudaErrorAssert)),
      "lab.cu:12: void k\\(int\\): block: \\[0,0,0\\], thread: \\[3,0,0\\] Assertion `n > 0` failed.");
}
TEST_F(FaultsDeathTest, Trap) {
  EXPECT_EXIT(run(Fault::trap), ExitedWithCode(code(cudaErrorLaunchFailure)), "__trap");
}
TEST_F(FaultsDeathTest, DeadlockSaysWhoWaitsWhere) {
  EXPECT_EXIT(run(Fault::deadlock), ExitedWithCode(code(cudaErrorLaunchTimeout)),
              "2 of 4 threads wait at __syncthreads\\(\\) at .*runtime_faults_test.cpp:[0-9]+(.|\n)*"
              "2 of 4 threads wait for their warp with mask 0x0000000f");
}

#if !defined(__SANITIZE_THREAD__)  // under ThreadSanitizer spinning threads are not interrupted
TEST_F(FaultsDeathTest, TimeLimit) {
  EXPECT_EXIT((setenv("CUEMU_TIMEOUT", "0.2", 1), run(Fault::endless)),
              ExitedWithCode(code(cudaErrorLaunchTimeout)),
              "ran longer than CUEMU_TIMEOUT allows.*\n.*thread \\(3, 0, 0\\)");
}
TEST_F(FaultsDeathTest, ATimeThatIsNoNumberHasNoEffect) {
  EXPECT_EXIT(
      {
        setenv("CUEMU_TIMEOUT", "0.2", 1);
        setenv("CUEMU_PATIENCE", "10s", 1);
        run(Fault::endless);
      },
      ExitedWithCode(code(cudaErrorLaunchTimeout)),
      "^cuemu: CUEMU_PATIENCE=10s is not a number of seconds: it has no effect\n(.|\n)*"
      "ran longer than CUEMU_TIMEOUT allows");
}
void spin_for_ever(int* flag) {
  KERNEL("spin_for_ever", {
    __syncthreads();
    while (*static_cast<volatile int*>(flag) == 0) {
    }
  });
}
TEST_F(FaultsDeathTest, TimeLimitReportsWaitingBlocksToo) {
  EXPECT_EXIT(
      {
        setenv("CUEMU_TIMEOUT", "0.3", 1);
        setenv("CUEMU_THREADS", "1", 1);
        DeviceArray<int> flag(std::vector<int>{0});
        LAUNCH(spin_for_ever, (2, 4), flag.get());
        std::_Exit(cudaDeviceSynchronize() % 256);
      },
      ExitedWithCode(code(cudaErrorLaunchTimeout)),
      "ran longer than CUEMU_TIMEOUT allows(.|\n)*block \\([01], 0, 0\\)(.|\n)*  block \\([01], 0, "
      "0\\):\n.*wait in a loop");
}
#endif

#if defined(__x86_64__)  // other processors give a quotient
TEST_F(FaultsDeathTest, Division) {
  EXPECT_EXIT(run(Fault::division), ExitedWithCode(code(cudaErrorLaunchFailure)), "division by");
}
#endif

TEST_F(FaultsDeathTest, HostDereferenceIsExplained) {
  EXPECT_EXIT(
      {
        int* p = nullptr;
        cudaMalloc(&p, 64);
        std::printf("%d\n", *static_cast<volatile int*>(p));
      },
      died_of_segv, "host code used a device pointer(.|\n)*cudaMemcpy");
}
TEST_F(FaultsDeathTest, HostCrashSaysWhereToSeeTheLine) {
  EXPECT_EXIT(
      {
        cudaFree(nullptr);
        int* volatile p = nullptr;
        *static_cast<volatile int*>(p) = 1;
      },
      died_of_segv, "host code used address 0x0, a null pointer(.|\n)*emucc --check");
}
#if defined(__x86_64__)  // other processors give a quotient, and have other addresses
TEST_F(FaultsDeathTest, HostDivisionByZeroIsExplained) {
  EXPECT_EXIT(
      {
        cudaFree(nullptr);
        std::printf("%d\n", quotient(7, static_cast<int>(cudaGetLastError())));
      },
      ::testing::KilledBySignal(SIGFPE), "host code divided an integer by zero(.|\n)*emucc --check");
}
TEST_F(FaultsDeathTest, HostAddressThatNoMemoryCanHaveIsNamed) {
  EXPECT_EXIT(
      {
        cudaFree(nullptr);
        std::printf("%d\n", value_at(reinterpret_cast<const int*>(0x4141414141414141)));
      },
      died_of_segv,
      "host code used address 0x4141414141414141, where it has no such memory(.|\n)*emucc --check");
}
TEST_F(FaultsDeathTest, HostCallOfAnAddressThatNoCodeCanHaveIsExplained) {
  EXPECT_EXIT(
      {
        cudaFree(nullptr);
        void (*volatile function)() = reinterpret_cast<void (*)()>(0x4141414141414141);
        function();
      },
      died_of_segv, "host code used an address that no memory can have(.|\n)*emucc --check");
}
TEST_F(FaultsDeathTest, KernelsAddressThatNoMemoryCanHaveIsNamed) {
  EXPECT_EXIT(run(Fault::wild_pointer), ExitedWithCode(code(cudaErrorIllegalAddress)),
              "illegal memory access at address 0x4141414141414141");
}
#endif

/// The host can't access device memory even before the first kernel has run.
TEST_F(FaultsDeathTest, HostDereferenceOfFreshMemoryWithoutProtectionKeys) {
  EXPECT_EXIT(
      {
        setenv("CUEMU_PROTECT", "pages", 1);
        int* p = nullptr;
        cudaMalloc(&p, 64);
        std::printf("%d\n", *static_cast<volatile int*>(p));
      },
      died_of_segv, "host code used a device pointer");
}
/// The host can't access some of many allocations. Kernels and copies can still access these.
TEST_F(FaultsDeathTest, ManyAllocationsWithoutProtectionKeys) {
  EXPECT_EXIT(
      {
        setenv("CUEMU_PROTECT", "pages", 1);
        std::vector<int*> all(600);
        const auto put_one = [](int* p) { LAUNCH(misbehave, (1, 4), p, Fault::use_after_free, 0); };
        for (int*& p : all) {
          cudaMalloc(&p, 64);
          put_one(p);
          cudaDeviceSynchronize();
        }
        int sum = 0;
        for (int* const p : all) {
          cudaMemset(p, 0, 64);
          put_one(p);
          int one = 0;
          cudaMemcpy(&one, p, sizeof one, cudaMemcpyDeviceToHost);
          sum += one;
        }
        for (std::size_t i = 0; i < 500; ++i) cudaFree(all[i]);
        put_one(all[599]);
        const cudaError_t last = cudaDeviceSynchronize();
        std::_Exit(last == cudaSuccess && sum == 600 ? 0 : 1);
      },
      ExitedWithCode(0), "");
}
TEST_F(FaultsDeathTest, HostDereferenceWithoutProtectionKeys) {
  EXPECT_EXIT(
      {
        setenv("CUEMU_PROTECT", "pages", 1);
        DeviceArray<int> out(std::vector<int>{1, 2});
        LAUNCH(misbehave, (1, 1), out.get(), Fault::trap, 0);
        cudaDeviceSynchronize();
        std::printf("%d\n", *static_cast<volatile int*>(out.get()));
      },
      died_of_segv, "host code used a device pointer");
}

void too_much_shared(int* p) {
  KERNEL("too_much_shared", {
    auto& a = ::cuemu::shared<char[40000], struct too_much_a>();
    auto& b = ::cuemu::shared<char[40000], struct too_much_b>();
    p[0] = a[threadIdx.x] + b[threadIdx.x];
  });
}
TEST_F(FaultsDeathTest, SharedMemoryOverTheLimit) {
  EXPECT_EXIT(
      {
        DeviceArray<int> out(1);
        LAUNCH(too_much_shared, (1, 1), out.get());
        std::_Exit(cudaDeviceSynchronize());
      },
      ExitedWithCode(cudaErrorInvalidValue), "shared memory is too large: 80000 bytes");
}

void past_dynamic(int* p) {
  KERNEL("past_dynamic", {
    auto& s = ::cuemu::dynamic_shared<int[]>();
    s[threadIdx.x + static_cast<unsigned>(p[0])] = 1;
  });
}
TEST_F(FaultsDeathTest, WritePastDynamicSharedMemoryNamesWhatTheLaunchGives) {
  EXPECT_EXIT(
      {
        DeviceArray<int> first(std::vector<int>{16});
        LAUNCH(past_dynamic, (1, 4, 64), first.get());
        std::_Exit(code(cudaDeviceSynchronize()));
      },
      ExitedWithCode(code(cudaErrorIllegalAddress)),
      " 0 bytes past the end of the block's dynamic shared memory; the launch gives it 64 bytes");
}
TEST_F(FaultsDeathTest, WritePastDynamicSharedMemoryOfAnOddSizeIsCountedFromItsEnd) {
  EXPECT_EXIT(
      {
        DeviceArray<int> first(std::vector<int>{12});
        LAUNCH(past_dynamic, (1, 4, 40), first.get());
        std::_Exit(code(cudaDeviceSynchronize()));
      },
      ExitedWithCode(code(cudaErrorIllegalAddress)),
      " 8 bytes past the end of the block's dynamic shared memory; the launch gives it 40 bytes");
}
TEST_F(FaultsDeathTest, WritePastSharedMemoryWithoutADynamicPartNamesNone) {
  EXPECT_EXIT(
      {
        DeviceArray<int> first(std::vector<int>{0});
        LAUNCH(past_dynamic, (1, 4), first.get());
        std::_Exit(code(cudaDeviceSynchronize()));
      },
      ExitedWithCode(code(cudaErrorIllegalAddress)),
      "past the end of the block's shared memory, to which the launch adds nothing");
}

TEST_F(FaultsDeathTest, UnknownDeviceProfile) {
  EXPECT_EXIT(
      {
        setenv("CUEMU_DEVICE", "voodoo", 1);
        cudaDeviceProp prop;
        cudaGetDeviceProperties(&prop, 0);
      },
      ExitedWithCode(3), "CUEMU_DEVICE=voodoo is not a device.*h200.*gtx280");
}

}  // namespace
