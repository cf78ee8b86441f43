// Every way to write a launch.
#include <cstdio>
#define LAUNCH(kernel, grid, block, ...)                       \
  do {                                                         \
    kernel<<<grid, block>>>(__VA_ARGS__);                      \
    if (cudaGetLastError() != cudaSuccess) printf("failed\n"); \
  } while (0)
#define CONFIGURATION <<<1, 1>>>
__device__ int total;
__global__ void add(int n) {
  atomicAdd(&total, n);
}
namespace inner {
__global__ void add(int n, int times = 2) {
  atomicAdd(&total, n * times);
}
template <class T, int N>
__global__ void many(T n) {
  atomicAdd(&total, static_cast<int>(n) * N);
}
}  // namespace inner
template <typename... T>
__global__ void all(T... n) {
  atomicAdd(&total, static_cast<int>((n + ... + 0)));
}
struct Holder {
  static void run(int n) { add<<<1, 1>>>(n); }
  void (*pointer)(int);
};
template <void (*kernel)(int)>
void launch_it(int n) {
  kernel<<<1, 1>>>(n);
}
static int read() {
  int value = 0, zero = 0;
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&value, total, sizeof value);
  cudaMemcpyToSymbol(total, &zero, sizeof zero);
  return value;
}
int main() {
  add<<<2, 3>>>(1);
  printf("plain %d\n", read());
  LAUNCH(add, 4, 5, 1);
  LAUNCH(inner::add, dim3(1, 2), 5, 1, 3);
  printf("macro %d\n", read());
  add CONFIGURATION(9);
  printf("configuration from a macro %d\n", read());
  inner::add<<<1, 1>>>(4);
  inner::many<float, (7 > 2 ? 3 : 0)><<<dim3{1, 1, 1}, {2, 1}>>>(2.f);
  printf("namespace %d\n", read());
  all<<<1, 1>>>(1, 2.0, 'a');
  all<<<1, 1>>>();
  printf("variadic %d\n", read());
  Holder::run(3);
  Holder holder{add};
  holder.pointer<<<1, 2>>>(3);
  (&holder)->pointer<<<1, 1>>>(1);
  printf("member %d\n", read());
  void (*pointer)(int) = add;
  void (*pointers[2])(int) = {add, &add};
  pointer<<<1, 1>>>(1);
  (*pointer)<<<1, 1>>>(1);
  pointers[1]<<<1, 1>>>(1), pointers[0]<<<1, 1>>>(1);
  printf("pointer %d\n", read());
  launch_it<add>(5);
  auto lambda = [&](int n) { add<<<1, 1>>>(n); };
  lambda(6);
  printf("template and lambda %d\n", read());
  const int n = 8;
  if (n > 4)
    add<<<(n >> 2), (1 << 1)>>>(1);
  else
    add<<<1, 1>>>(100);
  for (int i = 0; i < 3; ++i) add<<<1, 1>>>(1);
  printf("statements %d\n", read());
  int five = 5;
  void* arguments[] = {&five};
  cudaLaunchKernel(reinterpret_cast<void*>(static_cast<void (*)(int)>(add)), dim3(2), dim3(1), arguments, 0,
                   nullptr);
  cudaLaunchKernel((void*)inner::many<int, 3>, dim3(2), dim3(1), arguments, 0, nullptr);
  printf("cudaLaunchKernel %d\n", read());
}
