// emucc: --extended-lambda -std=c++17
// Objects that are called like functions, in kernels with barriers: functors and lambdas as template
// parameters, member functions of temporaries, functions of a class that call each other, cuda::atomic_ref.
#include <cuda/atomic>

#include <cstdio>

struct Largest {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

struct Salted {
  int salt;
  __device__ explicit Salted(int s) : salt(s) {}
  __device__ int twice(int x) const { return 2 * x; }
  __device__ int operator()(int a, int b) const { return twice(a) + b + salt; }
  __device__ int over(int x) const { return twice(x) + salt; }
};

struct Counts {  // a call changes the object, so each thread has its own copy
  int calls = 0;
  __device__ int operator()(int a, int b) { return a + b + ++calls; }
};

template <class Op>
__device__ int combine(const Op& op, int a, int b) {
  return op(op(a, b), b);
}

template <class Op>
__global__ void tree(const int* in, int* out, Op op) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int distance = 32; distance > 0; distance /= 2) {
    if (t < distance) s[t] = op(s[t], s[t + distance]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

template <class Op>
__global__ void neighbours(int* out, Op op) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  const int mine = combine(op, s[t], s[(t + 1) % 64]);
  __syncthreads();
  s[t] = mine + Salted(3).over(t);
  __syncthreads();
  out[t] = s[63 - t];
}

__global__ void counted(int* out, int* count) {
  __shared__ bool last;
  const int t = threadIdx.x;
  out[blockIdx.x * 64 + t] = t;
  __syncthreads();
  if (t == 0) {
    const cuda::atomic_ref<int, cuda::thread_scope_device> finished(*count);
    last = finished.fetch_add(1, cuda::std::memory_order_acq_rel) == static_cast<int>(gridDim.x) - 1;
    if (last) finished.store(-1, cuda::std::memory_order_relaxed);
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int block = 0; block < static_cast<int>(gridDim.x); ++block) sum += out[block * 64 + t];
  __syncthreads();
  out[t] = sum;
}

int main() {
  constexpr int n = 256;
  int *in, *out, *count, host[n];
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&count, sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i * 37 % 101;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  const auto show = [&](const char* what, int numbers) {
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s:", what);
    for (int i = 0; i < numbers; ++i) printf(" %d", host[i]);
    printf("\n");
  };
  tree<<<4, 64>>>(in, out, Largest{});
  show("largest", 4);
  const int modulus = 1009;
  tree<<<4, 64>>>(in, out, [=] __device__(int a, int b) { return (a * 3 + b) % modulus; });
  show("lambda", 4);
  tree<<<4, 64>>>(in, out, Counts{});
  show("counts", 4);
  neighbours<<<1, 64>>>(out, Largest{});
  show("neighbours", 8);
  cudaMemset(count, 0, sizeof(int));
  counted<<<4, 64>>>(out, count);
  show("counted", 8);
  cudaMemcpy(host, count, sizeof(int), cudaMemcpyDeviceToHost);
  printf("count: %d\n", host[0]);
}
