// A member's initialiser in the class may use the index of the thread that constructs the object.
#include <cstdio>

struct Place {
  int thread = threadIdx.x;
  int end{int(blockIdx.x * blockDim.x + blockDim.x)};
  int lanes = 2 * warpSize;
  dim3 block = blockDim;
  __device__ int sum() const { return thread + end + lanes + block.x; }
  // Parameters with the names of CUDA's variables.
  int given(const dim3& blockDim, dim3* gridDim, int warpSize = 3);
};
int Place::given(const dim3& blockDim, dim3* gridDim, int warpSize) {
  return blockDim.x + gridDim->y + warpSize;
}

// Members with such names.
struct Shape {
  dim3 gridDim{2, 1, 1}, blockDim{32, 1, 1};
  int threads = gridDim.x * blockDim.x;
};

template <class T>
struct Twice {
  T value = T(threadIdx.x * 2);
  __device__ Twice() {}
  __device__ explicit Twice(int x) : value(x) {}
};

struct All : Place {
  Twice<long> asked;
  Twice<int> told{7};
};

__global__ void places(int* out) {
  Place one;
  out[threadIdx.x] = one.sum();
  Place two{};
  out[threadIdx.x] += two.thread;
}

__global__ void meet(int* out) {
  __shared__ int s[64];
  All all;
  s[threadIdx.x] = all.thread + int(all.asked.value) * 1000 + all.told.value;
  __syncthreads();
  Place again;
  out[threadIdx.x] = s[63 - threadIdx.x] + again.thread;
}

__global__ void local(int* out) {
  struct Here {
    int thread = threadIdx.x;
    int blocks = gridDim.x;
  };
  Here here;
  out[threadIdx.x] = here.thread * 10 + here.blocks;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  const auto print = [&](const char* what) {
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %d %d%s\n", what, out[3], out[63], error == cudaSuccess ? "" : " failed");
  };
  places<<<1, 64>>>(out);
  print("places");
  meet<<<1, 64>>>(out);
  print("meet");
  local<<<1, 64>>>(out);
  print("local");
  printf("shape: %d\n", Shape().threads);
  cudaFree(out);
}
