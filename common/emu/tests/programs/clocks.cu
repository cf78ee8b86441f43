// Clocks of the device increase; __nanosleep returns; a thread can wait until some time has passed.
#include <cstdio>
#include <ctime>
__global__ void clocks(int* ok) {
  const clock_t a = clock();
  const long long b = clock64();
  __nanosleep(100);
  for (unsigned wait = 8; wait <= 1024; wait *= 2) __nanosleep(wait);
  const long long c = clock64();
  const clock_t d = clock();
  ok[0] = c > b;
  ok[1] = static_cast<unsigned>(d - a) != 0;
  const long long start = clock64();
  while (clock64() - start < 10000) {
  }
  ok[2] = clock64() - start >= 10000;
}
__global__ void spin(long long cycles, int* done) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  *done = 1;
}
int main() {
  int *ok, host[4] = {};
  cudaMalloc(&ok, sizeof host);
  clocks<<<1, 1>>>(ok);
  spin<<<1, 1>>>(2000000, ok + 3);
  cudaMemcpy(host, ok, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
  const clock_t mine = clock();  // the host's own
  printf("%d\n", mine != static_cast<clock_t>(-1) && CLOCKS_PER_SEC == 1000000);
}
