// emucc: -w
// Host code has its own copy of each device variable. Kernels do not see the accesses to this copy.
#include <cstdio>
__device__ int limit, begins = 5;
__constant__ float factors[2] = {1, 2};
__device__ int table[4];
namespace deep {
__device__ int level;
}
struct Point {
  int x, y;
};
__device__ Point corner;
namespace {
__device__ int hidden = 3;
namespace below {
__device__ int depth = 6;
}
}  // namespace
int at_start = begins + hidden, and_then{below::depth};
const float* const first_factor = factors;
__global__ void look(int* out) {
  out[0] = limit;
  out[1] = begins;
  out[2] = static_cast<int>(factors[1]);
  out[3] = corner.y;
}
__global__ void add_five(int* values) {
  values[threadIdx.x] += 5;
}
template <class T>
cudaError_t set(const T& symbol, const T& value) {
  return cudaMemcpyToSymbol(symbol, &value, sizeof value);
}
void show(const char* what) {
  int *device = nullptr, seen[4] = {};
  cudaMalloc(&device, sizeof seen);
  look<<<1, 1>>>(device);
  cudaMemcpy(seen, device, sizeof seen, cudaMemcpyDeviceToHost);
  cudaFree(device);
  printf("%s: device %d %d %d %d, host %d %d %g %d\n", what, seen[0], seen[1], seen[2], seen[3], limit, begins,
         factors[1], corner.y);
}
int main() {
  printf("%d %d %g\n", at_start, and_then, *first_factor);
  show("at first");
  limit = 42;
  begins += 1;
  factors[1] = 7;
  corner.y = 3;
  show("assigned");
  const Point point{8, 9};
  const int six = 6;
  printf("%d %d\n", cudaMemcpyToSymbol(corner, &point, sizeof point), set(limit, six));
  show("copied");
  cudaMemcpyFromSymbol(&limit, limit, sizeof limit);  // to the host's copy
  show("and back");
  int host[4] = {1, 2, 3, 4};
  void* address = nullptr;
  cudaGetSymbolAddress(&address, table);
  printf("%d %zu\n", address == table, sizeof(table) / sizeof table[0]);
  printf("%d ", cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice));
  printf("%d ", cudaMemcpy(host, table, sizeof host, cudaMemcpyDeviceToHost));
  printf("%d ", cudaMemcpy(table, host, sizeof host, cudaMemcpyDefault));
  printf("%d\n", cudaMemset(table, 0, sizeof table));
  cudaGetLastError();
  deep::level = hidden = below::depth = 4;
  int level = -1;
  cudaMemcpyFromSymbol(&level, deep::level, sizeof level);
  printf("%d ", level);
  cudaMemcpyFromSymbol(&level, hidden, sizeof level);
  printf("%d ", level);
  cudaMemcpyFromSymbol(&level, below::depth, sizeof level);
  printf("%d\n", level);
  add_five<<<1, 4>>>(static_cast<int*>(address));
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  add_five<<<1, 4>>>(table);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
