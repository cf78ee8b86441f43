// Attention by tensor cores in inline PTX: mma.sync, ldmatrix, cp.async in two stages, softmax in between, arrays in
// registers, all loops unrolled. A compiler that inlined a warp's operations at each place would need minutes.
#include <cuda_fp16.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
__device__ __forceinline__ uint32_t smem(const void* p) {
  return (uint32_t)__cvta_generic_to_shared(p);
}
__device__ __forceinline__ void ldm4(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d, const void* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(smem(p)));
}
__device__ __forceinline__ void ldm2(uint32_t& a, uint32_t& b, const void* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(smem(p)));
}
__device__ __forceinline__ void ldm2t(uint32_t& a, uint32_t& b, const void* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(a), "=r"(b)
               : "r"(smem(p)));
}
__device__ __forceinline__ void mma(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void cp16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(to)), "l"(from));
}
template <int Q, int K, int D, int Warps>
__global__ void __launch_bounds__(Warps * 32)
    attention(const __half* __restrict__ q, const __half* __restrict__ k, const __half* __restrict__ v,
              float* __restrict__ out, int n, float scale) {
  extern __shared__ __half memory[];
  constexpr int S = D + 8;
  __half* sq = memory;
  __half* sk = sq + Q * S;
  __half* sv = sk + 2 * K * S;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = blockIdx.x * Q;
  for (int i = threadIdx.x; i < Q * D / 8; i += Warps * 32)
    cp16(sq + i / (D / 8) * S + i % (D / 8) * 8, q + (first + i / (D / 8)) * D + i % (D / 8) * 8);
  auto load = [&](int at, int stage) {
#pragma unroll
    for (int i = threadIdx.x; i < K * D / 8; i += Warps * 32) {
      cp16(sk + stage * K * S + i / (D / 8) * S + i % (D / 8) * 8,
           k + (at + i / (D / 8)) * D + i % (D / 8) * 8);
      cp16(sv + stage * K * S + i / (D / 8) * S + i % (D / 8) * 8,
           v + (at + i / (D / 8)) * D + i % (D / 8) * 8);
    }
    asm volatile("cp.async.commit_group;");
  };
  load(0, 0);
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  uint32_t a[D / 16][4];
#pragma unroll
  for (int d = 0; d < D / 16; ++d)
    ldm4(a[d][0], a[d][1], a[d][2], a[d][3], sq + (warp * 16 + lane % 16) * S + d * 16 + lane / 16 * 8);
  float o[D / 8][4] = {}, m[2] = {-INFINITY, -INFINITY}, l[2] = {0, 0};
  for (int at = 0, stage = 0; at < n; at += K, stage ^= 1) {
    if (at + K < n) {
      load(at + K, stage ^ 1);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_group 0;");
    }
    __syncthreads();
    const __half* kk = sk + stage * K * S;
    const __half* vv = sv + stage * K * S;
    float s[K / 8][4] = {};
#pragma unroll
    for (int j = 0; j < K / 8; ++j) {
#pragma unroll
      for (int d = 0; d < D / 16; ++d) {
        uint32_t b[2];
        ldm2(b[0], b[1], kk + (j * 8 + lane % 8) * S + d * 16 + lane / 8 % 2 * 8);
        mma(s[j], a[d], b);
      }
    }
    float now[2] = {m[0], m[1]};
#pragma unroll
    for (int j = 0; j < K / 8; ++j)
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        s[j][t] *= scale;
        now[t / 2] = fmaxf(now[t / 2], s[j][t]);
      }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      now[h] = fmaxf(now[h], __shfl_xor_sync(~0u, now[h], 1));
      now[h] = fmaxf(now[h], __shfl_xor_sync(~0u, now[h], 2));
    }
    float f[2] = {__expf(m[0] - now[0]), __expf(m[1] - now[1])}, sum[2] = {0, 0};
    m[0] = now[0];
    m[1] = now[1];
    uint32_t p[K / 16][4];
#pragma unroll
    for (int j = 0; j < K / 8; ++j) {
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        s[j][t] = __expf(s[j][t] - m[t / 2]);
        sum[t / 2] += s[j][t];
      }
      __half2 lo = __floats2half2_rn(s[j][0], s[j][1]), hi = __floats2half2_rn(s[j][2], s[j][3]);
      p[j / 2][j % 2 * 2] = *(uint32_t*)&lo;
      p[j / 2][j % 2 * 2 + 1] = *(uint32_t*)&hi;
    }
    l[0] = l[0] * f[0] + sum[0];
    l[1] = l[1] * f[1] + sum[1];
#pragma unroll
    for (int d = 0; d < D / 8; ++d) {
#pragma unroll
      for (int t = 0; t < 4; ++t) o[d][t] *= f[t / 2];
#pragma unroll
      for (int j = 0; j < K / 16; ++j) {
        uint32_t b[2];
        ldm2t(b[0], b[1], vv + (j * 16 + lane % 16) * S + d * 8);
        mma(o[d], p[j], b);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    l[h] += __shfl_xor_sync(~0u, l[h], 1);
    l[h] += __shfl_xor_sync(~0u, l[h], 2);
  }
#pragma unroll
  for (int d = 0; d < D / 8; ++d)
#pragma unroll
    for (int t = 0; t < 4; ++t)
      out[(first + warp * 16 + lane / 4 + t / 2 * 8) * D + d * 8 + lane % 4 * 2 + t % 2] = o[d][t] / l[t / 2];
}
template <int Q, int K, int D>
void run(int n) {
  __half *q, *k, *v;
  float* out;
  cudaMallocManaged(&q, n * D * 2);
  cudaMallocManaged(&k, n * D * 2);
  cudaMallocManaged(&v, n * D * 2);
  cudaMallocManaged(&out, n * D * 4);
  for (int i = 0; i < n * D; ++i) {
    q[i] = __float2half((i * 7 % 13 - 6) / 8.f);
    k[i] = __float2half((i * 5 % 11 - 5) / 8.f);
    v[i] = __float2half((i * 3 % 17 - 8) / 8.f);
  }
  const float scale = 1 / sqrtf(D);
  const int bytes = (Q + 4 * K) * (D + 8) * 2;
  cudaFuncSetAttribute(attention<Q, K, D, Q / 16>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  attention<Q, K, D, Q / 16><<<n / Q, Q * 2, bytes>>>(q, k, v, out, n, scale);
  cudaDeviceSynchronize();
  double worst = 0;
  for (int i = 0; i < n; i += 37) {
    double m = -1e9, s = 0;
    double* p = new double[n];
    for (int j = 0; j < n; ++j) {
      double x = 0;
      for (int d = 0; d < D; ++d) x += __half2float(q[i * D + d]) * __half2float(k[j * D + d]);
      p[j] = x * scale;
      m = fmax(m, p[j]);
    }
    for (int j = 0; j < n; ++j) s += p[j] = exp(p[j] - m);
    for (int d = 0; d < D; ++d) {
      double o = 0;
      for (int j = 0; j < n; ++j) o += p[j] * __half2float(v[j * D + d]);
      worst = fmax(worst, fabs(o / s - out[i * D + d]));
    }
    delete[] p;
  }
  printf("%d %d %d: %s (%s)\n", Q, K, D, worst < 2e-3 ? "right" : "wrong",
         cudaGetErrorString(cudaGetLastError()));
  for (void* const memory : {(void*)q, (void*)k, (void*)v, (void*)out}) cudaFree(memory);
}
int main() {
  run<64, 64, 64>(256);
  run<128, 64, 128>(256);
  run<64, 128, 64>(256);
  return 0;
}
