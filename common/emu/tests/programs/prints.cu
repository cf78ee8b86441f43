// Formats of device printf, its return value, and the order of one thread's lines.
#include <cstdio>
__device__ void helper(const char* who) {
  printf("from %s\n", who);
}
__global__ void print_all(int n, const char* device_text) {
  const int count = printf("%d %5d|%-5d|%05d|%+d\n", n, n, n, n, n);
  printf("returned %d, %d for no arguments\n", count, printf("none\n"));
  printf("%u %x %X %#x %o %c\n", 42u, 255u, 255u, 255u, 8u, 'z');
  printf("%ld %lld %llu\n", -5L, 1LL << 40, ~0ULL);
  printf("%f %.2f %8.3f %e %g %G\n", 1.5, 2.345, 3.14159, 12345.678, 1e-10, 1e20);
  printf("%s %10s|%-10s|%.3s\n", "literal", "right", "left", "truncated");
  printf("%% %5.1f%%\n", 99.5);
  printf("%s\n", device_text);
  float f = 0.1f;
  printf("%.9f %d %d\n", f, static_cast<signed char>(-3), static_cast<unsigned short>(65535));
  printf("%p\n", (void*)0x1234);
  printf("%hd %i\n", (short)-7, -8);
  helper("a function");
  std::printf("from std\n");
  for (int i = 0; i < 3; ++i) printf(i < 2 ? "%d, " : "%d\n", i);
}
__global__ void by_thread() {
  // Threads of one warp that call together print in the order of their lanes.
  if (threadIdx.x % 2 == 0) printf("thread %d\n", threadIdx.x);
}
int main() {
  char* text;
  cudaMalloc(&text, 16);
  cudaMemcpy(text, "device memory", 14, cudaMemcpyHostToDevice);
  print_all<<<1, 1>>>(-42, text);
  cudaDeviceSynchronize();
  printf("host in between\n");
  by_thread<<<1, 8>>>();
  by_thread<<<1, 4>>>();
  cudaDeviceSynchronize();
  size_t bytes = 0;
  cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize);
  printf("queue %d\n", bytes >= 1 << 20);
}
