// Source forms that may confuse a translator: names that it might use itself, types used across a barrier,
// templates called with pointers of another constness, built-in variables as default arguments.
#include <cstdio>

// ---- names

__global__ void named_like_types(int* dim3, int* uint3, int* block, int* thread, int* grid, int float4) {
  __shared__ int shared[32];
  shared[threadIdx.x] = dim3[threadIdx.x] + float4;
  __syncthreads();
  dim3[threadIdx.x] = shared[31 - threadIdx.x];
  if (threadIdx.x == 0) uint3[0] = block[0] = thread[0] = grid[0] = shared[5];
}

__global__ void named_like_namespaces(int* std, int* cuda, int* phase, int* lanes, int* result, int active) {
  int warp = std[threadIdx.x];
  for (int lane = 16; lane > 0; lane /= 2) warp += __shfl_xor_sync(0xffffffff, warp, lane);
  __syncthreads();
  cuda[threadIdx.x] = warp + active;
  if (threadIdx.x == 0) phase[0] = lanes[0] = result[0] = warp;
}

template <class dim3, int block, int grid>
__global__ void named_by_template(dim3* launch, const dim3* body) {
  __shared__ dim3 kernel[block * grid];
  kernel[threadIdx.x] = body[threadIdx.x];
  __syncthreads();
  launch[threadIdx.x] = kernel[block - 1 - threadIdx.x];
}

__global__ void hides_built_in_variables(int* out) {
  const int warpSize = 7;
  const int blockIdx = threadIdx.x * 2;
  __shared__ int all[32];
  all[threadIdx.x] = blockIdx;
  __syncthreads();
  out[threadIdx.x] = all[31 - threadIdx.x] + warpSize;
}

__global__ void takes_their_names(int* out, int gridDim, int warpSize) {
  out[threadIdx.x] = gridDim * 100 + warpSize;
}

// ---- variables across barriers

template <typename T>
__global__ void kept(const T* __restrict__ in, T* __restrict__ out, int n) {
  __shared__ T tile[64];
  const int own[] = {(int)threadIdx.x, 2, 3};
  const int same[] = {1, 2, 3};
  const T pairs[][2] = {{1, (T)threadIdx.x}, {3, 4}};
  const T* __restrict__ row = in + 1;
  T* __restrict__ const target = out;
  T mine = in[threadIdx.x];
  const T twice = mine * 2;
  tile[threadIdx.x] = row[threadIdx.x];
  __syncthreads();
  T other = tile[63 - threadIdx.x];
  T* const last = target + n - 1;
  __syncthreads();
  target[threadIdx.x] = other + twice + own[0] + own[2] + same[threadIdx.x % 3] + pairs[0][1] + pairs[1][0];
  if (last == target + threadIdx.x) *last += 1000;
}

struct Arrays {
  const float* __restrict__ in;
  float* __restrict__ out;
  int n;
};

__global__ void members(Arrays arrays) {
  __shared__ float tile[32];
  auto [in, out, n] = arrays;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x] + n;
}

// ---- functions of the device

template <typename T>
__device__ T sum_above(const T* __restrict__ base, T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  return value + base[0];
}

template <typename T>
__device__ void store_sum(const T* in, T* out, T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  out[threadIdx.x] = value + in[0];
}

__global__ void other_constness(int* a, const int* b, int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 1;
  __syncthreads();
  int value = sum_above(a, 1) + sum_above(b, 2) + sum_above(tile, 3) + sum_above<int>(a + 1, 4);
  store_sum(a, out, value);
}

__device__ int rank(int width = warpSize, int index = threadIdx.x + blockIdx.x * blockDim.x);
__device__ int rank(int width, int index) {
  return index % width;
}
__device__ int row(int index = threadIdx.x / warpSize) {
  return index;
}

__global__ void default_arguments(int* out) {
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = rank() * 100 + rank(5) * 10 + row();
}

template <int B>
struct Table {
  template <int N>
  static __device__ int entry(const int* p) {
    return p[N] + B;
  }
};

// nvcc does not ask for the word `template` before such a name.
template <int B>
__global__ void member_templates(int* out) {
  const int value = Table<B>::entry<2>(out) + Table<B + 1>::entry<1>(out);
  __syncthreads();
  out[threadIdx.x] = value;
}

// clang-format off
// A blank must separate the text for a built-in variable from the operator before it.
__device__ int without_blanks(int n) {
  int value=n%blockDim.x+(n?blockDim.x:threadIdx.x)+n*warpSize-n/warpSize;
  value%=warpSize;
  switch(n&1){case 0:return value+threadIdx.x;default:return unsigned(value)<threadIdx.x?-threadIdx.x:n%warpSize;}
}
// clang-format on

__global__ void no_blanks(int* out) {
  out[threadIdx.x] = without_blanks(out[threadIdx.x] * 3);
}

static int* a;
static int* b;

static void start() {
  for (int i = 0; i < 128; ++i) a[i] = i, b[i] = 0;
}

static void show(const char* name) {
  const cudaError_t error = cudaDeviceSynchronize();
  long sum = 0;
  for (int i = 0; i < 128; ++i) sum += (i % 11 + 1) * (a[i] + 2 * b[i]);
  printf("%s: %s, %ld\n", name, cudaGetErrorName(error), sum);
  start();
}

int main() {
  cudaMallocManaged(&a, 128 * sizeof(int));
  cudaMallocManaged(&b, 128 * sizeof(int));
  start();
  const int thread = 32, grid = 1;
  named_like_types<<<grid, thread>>>(a, b, b + 1, b + 2, b + 3, 9);
  show("named_like_types");
  named_like_namespaces<<<1, 32>>>(a, b, b + 40, b + 41, b + 42, 5);
  show("named_like_namespaces");
  named_by_template<int, 16, 2><<<1, 16>>>(b, a);
  show("named_by_template");
  hides_built_in_variables<<<1, 32>>>(b);
  show("hides_built_in_variables");
  takes_their_names<<<1, 32>>>(b, 3, 4);
  show("takes_their_names");
  kept<int><<<1, 64>>>(a, b, 64);
  show("kept");
  members<<<1, 32>>>(Arrays{reinterpret_cast<float*>(b), reinterpret_cast<float*>(b + 32), 0});
  show("members");
  other_constness<<<1, 32>>>(a, a + 1, b);
  show("other_constness");
  default_arguments<<<2, 64>>>(b);
  show("default_arguments");
  member_templates<3><<<1, 16>>>(a);
  show("member_templates");
  no_blanks<<<1, 64>>>(a);
  show("no_blanks");
}
