// Pointers to device functions in variables, tables and templates,
// and kernels through pointers of every kind.
#include <cstdio>

typedef float (*binary_t)(float, float);

__device__ float add(float a, float b) {
  return a + b;
}
__device__ float multiply(float a, float b) {
  return a * b;
}
template <typename T>
__device__ T subtract(T a, T b) {
  return a - b;
}

__device__ binary_t by_name = add;
__device__ float (*written_out)(float, float) = multiply;
static __device__ float (*own)(float, float) = add;
__constant__ float (*table[2])(float, float) = {add, multiply};
__device__ int (*rows)[4];
template <typename T>
__device__ T (*of_type)(T, T) = subtract<T>;
__device__ float (*chosen(int which))(float, float) {
  return which ? multiply : add;
}

__global__ void apply(binary_t f, float a, float b) {
  printf("%g %g %g %g %g\n", f(a, b), by_name(a, b), written_out(a, b), own(a, b), table[1](a, b));
  printf("%g %d\n", chosen(1)(a, b), (*rows)[2]);
}
template <typename T>
__global__ void apply_one(T (*f)(T, T), T a, T b) {
  printf("%g\n", static_cast<double>(f(a, b)));
}

template <int N>
__global__ void number(int* out) {
  *out = N;
}
template <typename T>
__global__ void number(T* out, T value) {
  *out = value;
}
__global__ void minus_one(int* out) {
  *out = -1;
}

typedef void (*kernel_t)(int*);
static kernel_t pick(int n) {
  switch (n) {
    case 1:
      return number<1>;
    case 2:
      return &number<2>;
    default:
      return minus_one;
  }
}

int main() {
  int(*device_rows)[4], host_rows[4] = {1, 2, 3, 4};
  cudaMalloc(&device_rows, sizeof host_rows);
  cudaMemcpy(device_rows, host_rows, sizeof host_rows, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(rows, &device_rows, sizeof device_rows);

  binary_t f;
  float (*functions[2])(float, float);
  double (*g)(double, double);
  cudaMemcpyFromSymbol(&f, by_name, sizeof f);
  apply<<<1, 1>>>(f, 3, 5);
  cudaMemcpyFromSymbol(&f, written_out, sizeof f);
  apply<<<1, 1>>>(f, 3, 5);
  cudaMemcpyFromSymbol(functions, table, sizeof functions);
  apply_one<<<1, 1>>>(functions[0], 7.f, 9.f);
  cudaMemcpyFromSymbol(&g, of_type<double>, sizeof g);
  apply_one<double><<<1, 1>>>(g, 7, 9);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));

  int* out;
  cudaMallocManaged(&out, sizeof(int));
  void* arguments[] = {&out};
  for (int i = 1; i <= 3; ++i) {
    kernel_t kernel = pick(i);
    printf("%s: ", cudaGetErrorName(cudaLaunchKernel((void*)kernel, dim3(1), dim3(1), arguments, 0, 0)));
    cudaDeviceSynchronize();
    printf("%d\n", *out);
  }
  void (*cooperative)(int*);
  cooperative = number<7>;
  const int bytes = 60000;
  printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute((const void*)cooperative,
                                                       cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)));
  cudaLaunchCooperativeKernel((void*)cooperative, 1, 1, arguments, bytes);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  const void* address = (const void*)&number<9>;
  cudaLaunchKernel(address, 1, 1, arguments, 0, 0);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  kernel_t kernels[] = {number<3>, number<4>, minus_one};
  kernels[1]<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  void (*overloaded)(int*, int) = number<int>;
  overloaded<<<1, 1>>>(out, 5);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  auto of_auto = &number<11>;
  cudaKernelNodeParams parameters = {};
  parameters.func = (void*)of_auto;
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  printf("%s\n", cudaGetErrorName(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters)));
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, 0);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  return 0;
}
