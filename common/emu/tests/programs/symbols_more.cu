// emucc: -std=c++17
// Device variables of more kinds:
// structures, matrices, managed, templates', addresses, offsets, async copies.
#include <cstdio>
#include <cstring>

struct Camera {
  float3 position;
  int2 size;
};
__constant__ Camera camera;
__constant__ float matrix[3][4];
__device__ int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__managed__ int managed_total = 1;
__device__ __managed__ float managed_values[4];
__device__ volatile int ready;
static __device__ unsigned long long big = 1ull << 40;
__device__ int* pointer_to_table = &table[1][0];
__device__ const int fixed = 11;
__constant__ char text[16] = "constant";
constexpr int doubled(int x) {
  return 2 * x;
}
__device__ int computed = doubled(21);

__device__ float plus(float a, float b) {
  return a + b;
}
__device__ float times(float a, float b) {
  return a * b;
}
typedef float (*Operation)(float, float);
__device__ Operation operations[2] = {plus, times};

template <class T>
__device__ T counted = T(3);
template <>
__device__ float counted<float> = 4;

namespace {
__device__ int hidden = 8;
}

__global__ void use(float* out) {
  int i = 0;
  out[i++] = camera.position.y + camera.size.x;
  out[i++] = matrix[2][3];
  out[i++] = table[1][2];
  out[i++] = pointer_to_table[1];
  out[i++] = fixed + computed;
  out[i++] = text[0] == 'c' && text[7] == 't' && text[8] == 0;
  out[i++] = static_cast<float>(big >> 38);
  out[i++] = counted<int> + counted<double> + counted<float>;
  out[i++] = hidden;
  out[i++] = operations[0](2, 5) * 100 + operations[1](2, 5);
  ready = 1;
  managed_total += 41;
  managed_values[2] = 2.5f;
}

int main() {
  Camera host{{1, 2, 3}, {640, 480}};
  cudaMemcpyToSymbol(camera, &host, sizeof host);
  const float y = 20;
  cudaMemcpyToSymbol(camera, &y, sizeof y, offsetof(Camera, position) + sizeof(float));
  const float corner = 0.75f;
  cudaMemcpyToSymbol(matrix, &corner, sizeof corner, 11 * sizeof(float), cudaMemcpyHostToDevice);
  float *out, result[10];
  cudaMalloc(&out, sizeof result);
  managed_values[0] = 1;
  use<<<1, 1>>>(out);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  for (float value : result) printf("%g ", value);
  printf("\nmanaged %d %g %g\n", managed_total, managed_values[0], managed_values[2]);

  int pair[2];
  cudaMemcpyFromSymbol(pair, table, sizeof pair, 2 * sizeof(int));
  printf("across rows %d %d\n", pair[0], pair[1]);
  void* address = nullptr;
  size_t bytes = 0;
  cudaGetSymbolAddress(&address, table);
  cudaGetSymbolSize(&bytes, table);
  const int nine = 9;
  cudaMemcpy(static_cast<int*>(address) + 5, &nine, sizeof nine, cudaMemcpyHostToDevice);
  cudaMemset(address, 0, sizeof(int));
  int rows[2][3];
  cudaMemcpyFromSymbol(rows, table, bytes);
  printf("%zu bytes: %d %d .. %d\n", bytes, rows[0][0], rows[0][1], rows[1][2]);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, address);
  printf("device memory %d\n", attributes.type == cudaMemoryTypeDevice);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *pinned, seen = 0;
  cudaMallocHost(&pinned, 2 * sizeof(int));
  pinned[0] = 77;
  cudaMemcpyToSymbolAsync(hidden, pinned, sizeof(int), 0, cudaMemcpyHostToDevice, stream);
  cudaMemcpyFromSymbolAsync(pinned + 1, hidden, sizeof(int), 0, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("async %d\n", pinned[1]);
  cudaMemcpyFromSymbol(&seen, ready, sizeof seen);
  printf("volatile %d\n", seen);
  double three = 0;
  const double thirty = 30;
  printf("template %s", cudaGetErrorName(cudaMemcpyFromSymbol(&three, counted<double>, sizeof three)));
  cudaMemcpyToSymbol(counted<double>, &thirty, sizeof thirty);
  printf(" %g", three);
  cudaMemcpyFromSymbol(&three, counted<double>, sizeof three);
  printf(" %g\n", three);
  Operation chosen;  // an address that only the device can call
  cudaMemcpyFromSymbol(&chosen, operations, sizeof chosen, sizeof chosen);
  printf("function %d\n", chosen != nullptr);
  printf("too much: %s\n", cudaGetErrorName(cudaMemcpyFromSymbol(pair, hidden, 8)));
  printf("wrong way: %s\n",
         cudaGetErrorName(cudaMemcpyFromSymbol(pair, hidden, 4, 0, cudaMemcpyHostToDevice)));
  cudaGetLastError();

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t to, from;
  int given[3] = {70, 80, 90}, fetched[2] = {};
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, table, given, 2 * sizeof(int), 3 * sizeof(int),
                                 cudaMemcpyHostToDevice);
  cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, fetched, table, sizeof fetched, 4 * sizeof(int),
                                   cudaMemcpyDeviceToHost);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  printf("graph %d %d\n", fetched[0], fetched[1]);
  cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, table, given + 1, 2 * sizeof(int), 3 * sizeof(int),
                                           cudaMemcpyHostToDevice);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  printf("updated %d\n", fetched[0]);
  printf("no symbol: %s\n",
         cudaGetErrorName(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, (const void*)given, given, 4, 0,
                                                         cudaMemcpyHostToDevice)));
  cudaGetLastError();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  printf("left: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
