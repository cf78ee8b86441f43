// Objects of classes with constructors, and loops over arrays, before and after barriers.
#include <cstdio>

struct Vec3 {
  float x, y, z;
  __host__ __device__ Vec3() : x(0), y(0), z(0) {}
  __host__ __device__ Vec3(float a, float b, float c) : x(a), y{b}, z(fabsf(c)) {}
  __host__ __device__ explicit Vec3(float all) : Vec3(all, all, all) {}
  __host__ __device__ Vec3 operator+(const Vec3& o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
  __host__ __device__ float dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
};

namespace grids {
class Tile {
 public:
  __device__ Tile(const float* from, int width) : from_(from), width_(width) { first_ = threadIdx.x * 2; }
  __device__ float at(int k) const { return from_[(first_ + k) % width_]; }

 private:
  const float* from_;
  int width_, first_;
};
}  // namespace grids

__global__ void vectors(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  Vec3 sum;
  const Vec3 mine(in[t], in[(t + 1) % n], -in[(t + 2) % n]);
  s[t] = mine.dot(Vec3(1.0f, 2.0f, 3.0f));
  __syncthreads();
  for (int d = 1; d < 4; ++d) {
    sum = sum + mine + Vec3(s[(t + d) % 64]);
    __syncthreads();
    s[t] = sum.x;
    __syncthreads();
  }
  out[t] = sum.dot(mine) + s[63 - t];
}

__global__ void tiles(const float* in, float* out, int n) {
  __shared__ float s[64];
  const grids::Tile tile(in, n);
  const dim3 shape(4, 2);
  s[threadIdx.x] = tile.at(1);
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + shape.x) % 64] + tile.at(2) + make_float2(1, 2).y;
}

__global__ void ranges(const float* in, float* out) {
  __shared__ float s[8];
  float mine[4] = {};
  int k = 0;
  for (float& each : mine) each = in[threadIdx.x] + k++;
  if (threadIdx.x < 8) s[threadIdx.x] = mine[3];
  __syncthreads();
  float sum = 0;
  for (const float each : s) {
    if (each > 6) continue;
    sum += each;
  }
  for (const auto& each : mine) sum = 2 * sum - each;
  __syncthreads();
  out[threadIdx.x] = sum;
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i) in[i] = static_cast<float>(i % 5);
  vectors<<<1, 64>>>(in, out, 64);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i += 7) printf("%g ", out[i]);
  tiles<<<1, 64>>>(in, out, 64);
  cudaDeviceSynchronize();
  printf("\n");
  for (int i = 0; i < 64; i += 7) printf("%g ", out[i]);
  ranges<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  printf("\n");
  for (int i = 0; i < 64; i += 7) printf("%g ", out[i]);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
}
