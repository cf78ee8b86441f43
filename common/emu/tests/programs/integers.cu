// Integer and bit intrinsics.
#include <cstdio>
__global__ void integers(long long* out, int a, unsigned b, long long c, unsigned long long d) {
  int i = 0;
  out[i++] = __clz(a);
  out[i++] = __clz(0);
  out[i++] = __clzll(c);
  out[i++] = __ffs(a);
  out[i++] = __ffs(0);
  out[i++] = __ffsll(c);
  out[i++] = __popc(b);
  out[i++] = __popcll(d);
  out[i++] = __brev(b);
  out[i++] = static_cast<long long>(__brevll(d));
  out[i++] = __mulhi(a, 0x40000000);
  out[i++] = __umulhi(b, 0xffffffffu);
  out[i++] = __mul64hi(c, -(3LL << 40));
  out[i++] = static_cast<long long>(__umul64hi(d, ~0ULL));
  out[i++] = __mul24(a, -5);
  out[i++] = __umul24(b, 7u);
  out[i++] = __sad(a, -100, 3u);
  out[i++] = __usad(b, 5u, 1u);
  out[i++] = __hadd(a, 9);
  out[i++] = __rhadd(a, 10);
  out[i++] = __uhadd(b, 0xffffffffu);
  out[i++] = __urhadd(b, 0xffffffffu);
  out[i++] = __byte_perm(0x76543210u, 0xfedcba98u, 0x0426u | 0x8000u);
  out[i++] = __funnelshift_l(b, 0x12345678u, 8);
  out[i++] = __funnelshift_r(b, 0x12345678u, 40);
  out[i++] = __funnelshift_lc(b, 0x12345678u, 40);
  out[i++] = __funnelshift_rc(b, 0x12345678u, 32);
  out[i++] = __dp4a(0x01020304, 0x7f80ff01, 10);
  out[i++] = __dp4a(0x01020304u, 0xff80ff01u, 10u);
  out[i++] = __dp2a_lo(0x00020003, 0x01020304, 1);
  out[i++] = __dp2a_hi(0x00020003, 0x01020304, 1);
  out[i++] = min(a, 3) + max(b, 7u);
  out[i++] = min(c, 5LL) + max(-2, a);
  out[i++] = abs(a) + llabs(c);
  out[i++] = __vadd4(0x01ff7f80u, 0x01010101u);
  out[i++] = __vsubus4(0x01ff7f80u, 0x02010101u);
  out[i++] = __vmaxs2(0x7fff8000u, 0x00010001u);
  out[i++] = __vcmpeq4(0x01020304u, 0x01000300u);
  out[i++] = __vabsdiffu4(0x01ff7f80u, 0x02010101u);
  out[i++] = __vavgu4(0x01ff7f80u, 0x02010101u);
  out[i++] = __vminu2(0x7fff8000u, 0x00010001u);
  out[i++] = umin(b, 4u) + umax(b, 4u);
  out[i++] = __fns(b, 0, 2);
}
int main() {
  const int n = 43;
  long long *out, host[n];
  cudaMalloc(&out, sizeof host);
  integers<<<1, 1>>>(out, -1234, 0x00f0a5c3u, -5000000000LL, 0x8000000000000f01ULL);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) printf("%d: %lld\n", i, host[i]);
}
