// The 8-bit formats: decodes every pattern, encodes numbers with and without saturation, and tests vectors.
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>

__global__ void decode(unsigned short* out) {
  out[threadIdx.x] = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(threadIdx.x), __NV_E4M3).x;
  out[256 + threadIdx.x] = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(threadIdx.x), __NV_E5M2).x;
}

__global__ void encode(const float* in, unsigned char* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  out[4 * i] = __nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E4M3);
  out[4 * i + 1] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E4M3);
  out[4 * i + 2] = __nv_fp8_e5m2(in[i]).__x;
  out[4 * i + 3] = __nv_cvt_double_to_fp8(in[i], __NV_NOSAT, __NV_E5M2);
}

__global__ void vectors(float4* out) {
  const __nv_fp8x4_e4m3 four(make_float4(1.0f, -2.3f, 500.0f, 0.01f));
  const __nv_fp8x2_e5m2 two(make_float2(3.3f, -70000.0f));
  out[0] = static_cast<float4>(four);
  const float2 pair = static_cast<float2>(two);
  out[1] = make_float4(pair.x, pair.y, static_cast<float>(__nv_fp8_e4m3(-7)), 0);
}

int main() {
  unsigned short* halves;
  cudaMallocManaged(&halves, 512 * sizeof *halves);
  decode<<<1, 256>>>(halves);
  cudaDeviceSynchronize();
  for (int i = 0; i < 512; i += 5) printf("%04x%c", halves[i], i % 80 == 75 ? '\n' : ' ');

  const float values[] = {
      0.0f,     -0.0f,    1.0f,      1.06f, 1.0625f,      1.07f,         448.0f,   464.0f, 465.0f,  480.0f,
      57344.0f, 61440.0f, 65536.0f,  -1e9f, 0.001953125f, 0.0009765625f, 0.00097f, 0.003f, 1.5e-5f, 7.6e-6f,
      7.7e-6f,  INFINITY, -INFINITY, NAN,   0.1f,         3.14159f,      -17.0f,   18.0f,  19.0f};
  const int n = sizeof values / sizeof *values;
  float* in;
  unsigned char* out;
  cudaMallocManaged(&in, sizeof values);
  cudaMallocManaged(&out, 4 * n);
  for (int i = 0; i < n; ++i) in[i] = values[i];
  encode<<<1, 32>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    printf("\n%g: %02x %02x %02x %02x", values[i], out[4 * i], out[4 * i + 1], out[4 * i + 2],
           out[4 * i + 3]);
  float4* pairs;
  cudaMallocManaged(&pairs, 2 * sizeof *pairs);
  vectors<<<1, 1>>>(pairs);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) printf("\n%g %g %g %g", pairs[i].x, pairs[i].y, pairs[i].z, pairs[i].w);
  printf("\n");
}
