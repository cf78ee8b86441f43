// malloc, free, new and delete in kernels: memory that outlives the kernel, and the heap's limit.
#include <cstdio>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

struct Node {
  int value;
  Node* next;
  __device__ Node(int v, Node* n) : value(v), next(n) {}
};

__device__ Node* lists[64];

__global__ void build(int length) {
  Node* head = nullptr;
  for (int i = 0; i < length; ++i) head = new Node(i + threadIdx.x, head);
  lists[threadIdx.x] = head;
}

__global__ void add_up(int* sums) {
  int sum = 0;
  for (Node* node = lists[threadIdx.x]; node != nullptr;) {
    sum += node->value;
    Node* const next = node->next;
    delete node;
    node = next;
  }
  sums[threadIdx.x] = sum;
}

__global__ void scratch(int* out, int n) {
  int* const mine = static_cast<int*>(malloc(n * sizeof(int)));
  if (mine == nullptr) {
    out[threadIdx.x] = -1;
    return;
  }
  for (int i = 0; i < n; ++i) mine[i] = i * i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += mine[i];
  out[threadIdx.x] = sum;
  free(mine);
}

// One thread allocates for its block.
__global__ void shared_by_block(int* out) {
  __shared__ int* data;
  if (threadIdx.x == 0) data = new int[blockDim.x];
  __syncthreads();
  data[threadIdx.x] = threadIdx.x + blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < (int)blockDim.x; ++i) sum += data[i];
    out[blockIdx.x] = sum;
    delete[] data;
  }
}

__global__ void too_much(int* out) {
  void* const memory = malloc(size_t(1) << 30);  // far more than the heap has
  *out = memory == nullptr;
  free(memory);
}

int main() {
  int* out;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
  size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  printf("limit at least what was asked for: %d\n", limit >= (32 << 20));
  CHECK(cudaMallocManaged(&out, 64 * sizeof(int)));
  build<<<1, 64>>>(100);
  add_up<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize());
  printf("lists: %d %d %d\n", out[0], out[1], out[63]);
  for (int i = 0; i < 3; ++i) scratch<<<1, 64>>>(out, 1000);
  CHECK(cudaDeviceSynchronize());
  printf("scratch: %d %d\n", out[0], out[63]);
  shared_by_block<<<16, 128>>>(out);
  CHECK(cudaDeviceSynchronize());
  printf("blocks: %d %d\n", out[0], out[15]);
  too_much<<<1, 1>>>(out);
  CHECK(cudaDeviceSynchronize());
  printf("too much gives null: %d\n", out[0]);
  return 0;
}
