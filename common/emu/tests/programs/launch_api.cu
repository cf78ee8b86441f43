// emucc: -std=c++17
// Launches through the runtime's functions:
// cudaLaunchKernel, cudaLaunchKernelEx, cudaLaunchCooperativeKernel.
#include <cooperative_groups.h>

#include <cstdio>

#define CHECK(call)                                                                 \
  do {                                                                              \
    cudaError_t e_ = (call);                                                        \
    if (e_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e_)); \
  } while (0)

namespace cg = cooperative_groups;

struct Settings {
  double scale;
  char tag;
};

__global__ void plain(int* out, int n, Settings settings) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<int>(i * settings.scale) + settings.tag;
}
template <typename T, int N>
__global__ void filled(T* out, T value) {
  if (threadIdx.x < N) out[threadIdx.x] = value + static_cast<T>(threadIdx.x);
}
__global__ void dynamic(int* out) {
  extern __shared__ int slots[];
  slots[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = slots[blockDim.x - 1 - threadIdx.x];
}
__global__ void together(int* out, int rounds) {
  cg::grid_group grid = cg::this_grid();
  for (int r = 0; r < rounds; ++r) {
    const int next = out[(grid.thread_rank() + 1) % grid.size()];
    grid.sync();
    out[grid.thread_rank()] = next;
    grid.sync();
  }
}
namespace {
__global__ void nothing() {}
}  // namespace
// The same name with other parameters: the pointer's type selects one function.
__global__ void twin(int* out, int value) {
  out[threadIdx.x] = value;
}
__global__ void twin(int* out, float value) {
  out[threadIdx.x] = static_cast<int>(value * 2);
}

static int* out;
static void show(const char* what, int n = 6) {
  int host[64];
  CHECK(cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost));
  printf("%s:", what);
  for (int i = 0; i < n; ++i) printf(" %d", host[i]);
  printf("\n");
  CHECK(cudaMemset(out, 0, 64 * sizeof(int)));
}

int main() {
  CHECK(cudaMalloc(&out, 64 * sizeof(int)));
  CHECK(cudaMemset(out, 0, 64 * sizeof(int)));
  int n = 5;
  Settings settings{2.5, 1};
  void* arguments[] = {&out, &n, &settings};
  CHECK(cudaLaunchKernel((const void*)plain, 2, 3, arguments, 0, 0));
  show("address");
  CHECK(cudaLaunchKernel(plain, dim3(3), dim3(2), arguments));
  show("typed");
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  float half = 0.5f;
  void* float_arguments[] = {&out, &half};
  CHECK(cudaLaunchKernel((void*)filled<float, 3>, dim3(1), dim3(8), float_arguments, 0, stream));
  CHECK(cudaStreamSynchronize(stream));
  float floats[4];
  CHECK(cudaMemcpy(floats, out, sizeof floats, cudaMemcpyDeviceToHost));
  printf("template: %g %g %g %g\n", floats[0], floats[1], floats[2], floats[3]);
  void* only_out[] = {&out};
  CHECK(cudaLaunchKernel((void*)&dynamic, 1, 6, only_out, 6 * sizeof(int), stream));
  CHECK(cudaDeviceSynchronize());
  show("dynamic");
  int seven = 7;
  void* twin_arguments[] = {&out, &seven};
  void (*pointer)(int*, int) = twin;
  CHECK(cudaLaunchKernel((void*)pointer, 1, 2, twin_arguments, 0, nullptr));
  show("first twin", 3);
  float seven_and_half = 7.5f;
  twin_arguments[1] = &seven_and_half;
  CHECK(cudaLaunchKernel(static_cast<void (*)(int*, float)>(twin), 1, 2, twin_arguments, 0, nullptr));
  show("second twin", 3);
  CHECK(cudaLaunchKernel((void*)nothing, 1, 1, nullptr, 0, nullptr));

  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = dim3(3, 1, 1);
  config.stream = stream;
  CHECK(cudaLaunchKernelEx(&config, plain, out, 6, Settings{1, 'A'}));
  CHECK(cudaStreamSynchronize(stream));
  show("Ex");
  config.gridDim = 1;
  config.blockDim = 4;
  CHECK(cudaLaunchKernelEx(&config, filled<int, 4>, out, 10));
  CHECK(cudaStreamSynchronize(stream));
  show("Ex of a template");
  config.dynamicSmemBytes = 4 * sizeof(int);
  CHECK(cudaLaunchKernelEx(&config, dynamic, out));
  CHECK(cudaStreamSynchronize(stream));
  show("Ex with shared memory");

  int host[12];
  for (int i = 0; i < 12; ++i) host[i] = i;
  CHECK(cudaMemcpy(out, host, sizeof host, cudaMemcpyHostToDevice));
  int rounds = 3;
  void* together_arguments[] = {&out, &rounds};
  CHECK(cudaLaunchCooperativeKernel((void*)together, dim3(3), dim3(4), together_arguments, 0, 0));
  show("cooperative", 12);
  CHECK(cudaMemcpy(out, host, sizeof host, cudaMemcpyHostToDevice));
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  cudaLaunchConfig_t all = {};
  all.gridDim = 4;
  all.blockDim = 3;
  all.attrs = attribute;
  all.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&all, together, out, 5));
  show("cooperative Ex", 12);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(out));
}
