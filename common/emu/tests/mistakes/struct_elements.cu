// Bodies move while other blocks still read them.
// gpu: exits 0
// finding: race
#include <cstdio>
#ifdef MENDED
__global__ void step(const float4* p, float4* v, float4* moved, int n, float dt) {
#else
__global__ void step(float4* p, float4* v, int n, float dt) {
#endif
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float fx = 0, fy = 0, fz = 0;
  float4 a = p[i];
  for (int j = 0; j < n; ++j) {
    float4 b = p[j];
    float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z, r = rsqrtf(x * x + y * y + z * z + 1e-3f),
          s = b.w * r * r * r;
    fx += x * s;
    fy += y * s;
    fz += z * s;
  }
  v[i].x += fx * dt;
  v[i].y += fy * dt;
  v[i].z += fz * dt;
#ifdef MENDED
  moved[i] = make_float4(p[i].x + v[i].x * dt, p[i].y + v[i].y * dt, p[i].z + v[i].z * dt, p[i].w);
#else
  p[i].x += v[i].x * dt;
  p[i].y += v[i].y * dt;
  p[i].z += v[i].z * dt;
#endif
}
int main() {
  const int n = 128;
#ifdef MENDED
  float4 h[n], *p, *v, *q;
#else
  float4 h[n], *p, *v;
#endif
  for (int i = 0; i < n; ++i) h[i] = make_float4(i % 5, i % 7, i % 11, 1);
  cudaMalloc(&p, sizeof h);
#ifdef MENDED
  cudaMalloc(&q, sizeof h);
#endif
  cudaMalloc(&v, sizeof h);
  cudaMemset(v, 0, sizeof h);
  cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
#ifdef MENDED
  for (int k = 0; k < 3; ++k) {
    step<<<2, 64>>>(p, v, q, n, 0.01f);
    float4* t = p;
    p = q;
    q = t;
  }
#else
  for (int k = 0; k < 3; ++k) step<<<2, 64>>>(p, v, n, 0.01f);
#endif
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[0].x);
  cudaFree(p);
  cudaFree(v);
#ifdef MENDED
  cudaFree(q);
#endif
}
