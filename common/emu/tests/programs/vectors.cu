// emucc: -std=c++17
// Vector types: sizes, alignments, makers, members, as kernel parameters, in shared memory, by pointer casts.
#include <cstdio>
#include <type_traits>
struct Particle {
  float4 position;
  float3 velocity;
  uchar4 colour;
};
#define LINE(T) printf("%s %zu %zu\n", #T, sizeof(T), alignof(T))
__device__ __host__ inline float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ __host__ inline float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__global__ void use(Particle* p, const float4* in, float2 pair, dim3 extent, float* out) {
  __shared__ float4 tile[8];
  __shared__ int2 index;
  const int i = threadIdx.x;
  tile[i] = in[i];
  if (i == 0) index = make_int2(extent.x, extent.z);
  __syncthreads();
  p[i].position = tile[7 - i];
  p[i].velocity = make_float3(pair.x, pair.y, i) + make_float3(1, 1, 1);
  p[i].colour = make_uchar4(i, 255, (256 + 3) & 255, index.y);
  out[i] = dot(tile[i], make_float4(1, 2, 3, 4)) + index.x;
  reinterpret_cast<float2*>(out + 8)[i] = float2{0.5f * i, -1.f};
  reinterpret_cast<double2*>(out + 24)[i / 2].x = 1.5;
  const longlong2 l = make_longlong2(1LL << 40, -2);
  const ushort4 u = make_ushort4(1, 2, 3, 65535);
  const char3 c{1, -2, 3};
  if (i == 7) out[7] = static_cast<float>((l.x >> 38) + l.y + u.w + c.y);
}
int main() {
  LINE(char2);
  LINE(uchar3);
  LINE(uchar4);
  LINE(short2);
  LINE(ushort3);
  LINE(short4);
  LINE(int2);
  LINE(uint3);
  LINE(int4);
  LINE(long2);
  LINE(long1);
  LINE(longlong2);
  LINE(float2);
  LINE(float3);
  LINE(float4);
  LINE(double2);
  LINE(double3);
  LINE(double1);
  LINE(dim3);
  LINE(Particle);
  static_assert(
      std::is_same<decltype(float4::x), float>::value && std::is_same<decltype(dim3::z), unsigned>::value,
      "");
  static_assert(std::is_trivially_copyable<int3>::value && std::is_aggregate<float3>::value, "");
  Particle *p, particles[8];
  float4 *in, points[8];
  float *out, results[8], pairs[16];
  cudaMalloc(&p, sizeof particles);
  cudaMalloc(&in, sizeof points);
  cudaMalloc(&out, 64 * sizeof(float));
  for (int i = 0; i < 8; ++i) points[i] = make_float4(i, 2 * i, -i, 1);
  cudaMemcpy(in, points, sizeof points, cudaMemcpyHostToDevice);
  use<<<1, 8>>>(p, in, make_float2(10, 20), {5, 6, 7}, out);
  cudaMemcpy(particles, p, sizeof particles, cudaMemcpyDeviceToHost);
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  cudaMemcpy(pairs, out + 8, sizeof pairs, cudaMemcpyDeviceToHost);
  const Particle& q = particles[2];
  printf("%g %g %g %g | %g %g %g | %d %d %d %d\n", q.position.x, q.position.y, q.position.z, q.position.w,
         q.velocity.x, q.velocity.y, q.velocity.z, q.colour.x, q.colour.y, q.colour.z, q.colour.w);
  for (float r : results) printf("%g ", r);
  printf("| %g %g %g\n", pairs[2], pairs[3], pairs[14]);
  const dim3 one, two(2), three{3, 4};
  printf("%u %u %u, %u %u %u, %u %u %u\n", one.x, one.y, one.z, two.x, two.y, two.z, three.x, three.y,
         three.z);
  const uint3 u = three;
  const dim3 back = u;
  printf("%u %u\n", back.y, make_uint3(7, 8, 9).z);
}
