// Launches one kernel, and ends in the way that its argument names. The recording must not depend on the way.
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

__global__ void add(float* a, int n, int from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[from + i] += 1;
}

__global__ void endless(float* a) {
  for (int i = 0; i < 64;) a[i] += 1;  // i never changes
}

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  if (how == "no-kernel") return 0;
  float* d_a = nullptr;
  cudaMalloc(&d_a, 64 * sizeof(float));
  cudaMemset(d_a, 0, 64 * sizeof(float));
  add<<<2, 32>>>(d_a, 64, 0);
  cudaDeviceSynchronize();
  if (how == "exit") std::exit(5);
  if (how == "_exit") _exit(0);
  if (how == "abort") std::abort();
  if (how == "host-fault") *(volatile int*)nullptr = 1;
  if (how == "device-pointer") std::printf("%g\n", d_a[3]);
  if (how == "interrupted") raise(SIGINT);
  if (how == "killed") raise(SIGKILL);
  if (how == "endless") {
    std::signal(SIGPROF, [](int) { raise(SIGINT); });   // instead of a user's Ctrl-C
    const itimerval processor_time = {{0, 0}, {8, 0}};  // time for more accesses than a record keeps
    setitimer(ITIMER_PROF, &processor_time, nullptr);
    endless<<<1, 32>>>(d_a);
    cudaDeviceSynchronize();
  }
  if (how == "kernel-fault") add<<<2, 32>>>(d_a, 64, 1);
  if (how == "many")
    for (int i = 1; i < 10000; ++i) add<<<2, 32>>>(d_a, 64, 0);
  if (how == "elsewhere" && chdir("/") != 0) return 1;
  cudaFree(d_a);
  return 0;
}
