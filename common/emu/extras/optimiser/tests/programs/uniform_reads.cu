// Conditions around barriers that depend on global memory: rows of different lengths, a list with an end mark, a flag that a
// thread changes between two barriers. Also tests unrolled loops in code that is emitted several times.
#include <cstdio>

__device__ int steps = 3;

struct Node {
  int value, next;
};

__global__ void rows(const int* begin, const int* values, int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  int sum = 0;
  for (int first = begin[blockIdx.x]; first < begin[blockIdx.x + 1]; first += 32) {
    __syncthreads();
    s[t] = first + t < begin[blockIdx.x + 1] ? values[first + t] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k) sum += s[k] * (t + k);
  }
  out[blockIdx.x * 32 + t] = sum;
}

__global__ void list(const Node* nodes, int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  int sum = 0;
  for (const Node* node = nodes;; node = nodes + node->next) {
    s[31 - t] = node->value + t;
    __syncthreads();
    sum = 2 * sum + s[t];
    __syncthreads();
    if (node->next == 0) break;
  }
  __syncthreads();
  out[t] = sum;
}

__global__ void countdown(int* flag, int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  while (*flag > 0 && steps > 2) {
    const int other = s[(t + 1) % 32];
    __syncthreads();
    s[t] = other + *flag;
    __syncthreads();
    if (t == 5) --*flag;
    __syncthreads();
  }
  __syncthreads();
  out[t] = s[t];
}

int main() {
  const int begin[] = {0, 5, 70, 70, 100};
  const Node nodes[] = {{3, 2}, {100, 0}, {7, 3}, {11, 1}};
  int values[100], *device_begin, *device_values, *out, host[128];
  Node* device_nodes;
  for (int i = 0; i < 100; ++i) values[i] = i * 13 % 17;
  cudaMalloc(&device_begin, sizeof begin);
  cudaMalloc(&device_values, sizeof values);
  cudaMalloc(&device_nodes, sizeof nodes);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(device_begin, begin, sizeof begin, cudaMemcpyHostToDevice);
  cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpy(device_nodes, nodes, sizeof nodes, cudaMemcpyHostToDevice);
  const auto show = [&](const char* what) {
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s:", what);
    for (int i = 0; i < 128; i += 13) printf(" %d", host[i]);
    printf("\n");
  };
  rows<<<4, 32>>>(device_begin, device_values, out);
  show("rows");
  list<<<1, 32>>>(device_nodes, out);
  show("list");
  countdown<<<1, 32>>>(device_values + 3, out);
  show("countdown");
}
