// sanitizers: not valgrind, which rounds to nearest where other ways are asked for
// Mathematics: correctly rounded intrinsics bit by bit, conversions, special values;
// the rest within CUDA's bounds.
#include <cmath>
#include <cstdio>
__device__ int sum_of_bits(float a, float b) { return (int)(__float_as_uint(a) + __float_as_uint(b)); }
__global__ void exact(long long* out, float a, float b, double x, double y, float zero) {
  int i = 0;
  out[i++] = __float_as_int(__fadd_rn(a, b));
  out[i++] = __float_as_int(__fadd_rz(a, b));
  out[i++] = __float_as_int(__fadd_ru(a, b));
  out[i++] = __float_as_int(__fadd_rd(-a, -b));
  out[i++] = __float_as_int(__fmul_rz(a, b));
  out[i++] = __float_as_int(__fmul_ru(a, b));
  out[i++] = __float_as_int(__fsub_rd(a, b));
  out[i++] = __float_as_int(__fdiv_rn(a, b));
  out[i++] = __float_as_int(__fdiv_ru(a, b));
  out[i++] = __float_as_int(__fsqrt_rn(a));
  out[i++] = __float_as_int(__fsqrt_rd(a));
  out[i++] = __float_as_int(__frcp_rn(b));
  out[i++] = __float_as_int(__fmaf_rn(a, b, -1.f));
  out[i++] = __float_as_int(__fmaf_rz(a, b, 1e-3f));
  out[i++] = __float_as_int(fmaf(a, b, a));
  out[i++] = __double_as_longlong(__dadd_ru(x, y));
  out[i++] = __double_as_longlong(__dmul_rd(x, y));
  out[i++] = __double_as_longlong(__ddiv_rz(x, y));
  out[i++] = __double_as_longlong(__dsqrt_rn(x));
  out[i++] = __double_as_longlong(__fma_rn(x, y, -0.25));
  out[i++] = __double2hiint(x);
  out[i++] = __double2loint(x);
  out[i++] = __double_as_longlong(__hiloint2double(0x3ff00000, 7));
  out[i++] = __float2int_rn(2.5f);
  out[i++] = __float2int_rz(-2.7f);
  out[i++] = __float2int_ru(2.1f);
  out[i++] = __float2int_rd(-2.1f);
  out[i++] = __float2uint_rn(3.5f);
  out[i++] = __float2int_rn(1e20f);
  out[i++] = __float2ll_rz(-1e15f);
  out[i++] = __double2int_rn(1.5);
  out[i++] = __double2ll_rd(-1.5);
  out[i++] = __float_as_int(__int2float_rz(16777219));
  out[i++] = __float_as_int(__uint2float_ru(16777217u));
  out[i++] = __float_as_int(__ll2float_rn(-123456789012LL));
  out[i++] = __float_as_int(__double2float_rd(x));
  out[i++] = sum_of_bits(rintf(2.5f), roundf(2.5f));
  out[i++] = sum_of_bits(truncf(-2.5f), floorf(-2.5f));
  out[i++] = sum_of_bits(fmodf(7.5f, 2.f), remainderf(7.5f, 2.f));
  out[i++] = sum_of_bits(fminf(NAN, 1.f), fmaxf(NAN, 1.f));
  out[i++] = bool(isnan(a - a)) + 2 * bool(isinf(a / zero)) + 4 * bool(signbit(-0.f)) + 8 * bool(isfinite(b));
  out[i++] = ilogbf(10.f) + static_cast<int>(lrintf(3.5f)) + static_cast<int>(llround(-2.5));
  int exponent;
  const float mantissa = frexpf(10.f, &exponent);
  out[i++] = __float_as_int(mantissa) + exponent;
  out[i++] = sum_of_bits(ldexpf(0.75f, 4), copysignf(2.f, -1.f));
  float whole;
  const float part = modff(3.25f, &whole);
  out[i++] = sum_of_bits(part, whole);
  out[i++] = sum_of_bits(nextafterf(1.f, 2.f), fdimf(5.f, 3.f));
  out[i++] = sum_of_bits(__saturatef(1.5f), __saturatef(-1.f));
}
// Against double precision on the host. Errors in units of the last place are below CUDA's bounds.
__global__ void functions(float* out, float x) {
  int i = 0;
  out[i++] = sinf(x);
  out[i++] = cosf(x);
  out[i++] = tanf(x);
  out[i++] = expf(x);
  out[i++] = exp2f(x);
  out[i++] = exp10f(x);
  out[i++] = logf(x);
  out[i++] = log2f(x);
  out[i++] = log1pf(x);
  out[i++] = powf(x, 1.7f);
  out[i++] = rsqrtf(x);
  out[i++] = cbrtf(x);
  out[i++] = erff(x);
  out[i++] = erfcf(x);
  out[i++] = tgammaf(x);
  out[i++] = atan2f(x, 0.3f);
  out[i++] = asinhf(x);
  out[i++] = tanhf(x);
  out[i++] = hypotf(x, 2.f);
  out[i++] = sinpif(x);
  out[i++] = cospif(x);
  out[i++] = normcdff(x);
  float s, c;
  sincosf(x, &s, &c);
  out[i++] = s;
  out[i++] = c;
  out[i++] = rhypotf(x, 2.f);
  out[i++] = norm3df(x, 1.f, 2.f);
  out[i++] = j0f(x);
}
// Fast mathematics: the absolute error if CUDA bounds that, otherwise the relative error.
__global__ void fast(float* out, float x) {
  int i = 0;
  out[i++] = __sinf(x);
  out[i++] = __cosf(x);
  out[i++] = __expf(x);
  out[i++] = __logf(x + 1);
  out[i++] = __log2f(x + 1);
  out[i++] = __log10f(x + 1);
  out[i++] = __powf(x, 2.5f);
  out[i++] = __fdividef(x, 3.f);
  out[i++] = __exp10f(x);
  out[i++] = __tanf(x);
  __sincosf(x, out + i, out + i + 1);
}
static int within(const char* name, const float* got, const double* wanted, int n, double units) {
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    const double error = fabs(got[i] - wanted[i]) / (fabs(wanted[i]) * 1.1920929e-7);
    if (!(error <= units)) {
      printf("%s %d: %.9g instead of %.9g\n", name, i, got[i], wanted[i]);
      ++bad;
    }
  }
  return bad;
}
int main() {
  const int n = 47;
  long long *out, host[n];
  cudaMalloc(&out, sizeof host);
  exact<<<1, 1>>>(out, 1.1f, 0.3f, 1.0 / 3, 2.0 / 7, 0.f);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) printf("%d: %llx\n", i, host[i]);
  float values[32];
  int bad = 0;
  for (float xf : {0.25f, 0.7f, 1.3f, 2.1f}) {
    const double x = xf, pi = 3.14159265358979323846;
    const double wanted[] = {sin(x),
                             cos(x),
                             tan(x),
                             exp(x),
                             exp2(x),
                             pow(10, x),
                             log(x),
                             log2(x),
                             log1p(x),
                             pow(x, static_cast<double>(1.7f)),
                             1 / sqrt(x),
                             cbrt(x),
                             erf(x),
                             erfc(x),
                             tgamma(x),
                             atan2(x, static_cast<double>(0.3f)),
                             asinh(x),
                             tanh(x),
                             hypot(x, 2),
                             sin(pi * x),
                             cos(pi * x),
                             0.5 * erfc(-x / sqrt(2.0)),
                             sin(x),
                             cos(x),
                             1 / hypot(x, 2),
                             sqrt(x * x + 5),
                             j0(x)};
    functions<<<1, 1>>>((float*)out, xf);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    bad += within("function", values, wanted, sizeof wanted / sizeof *wanted, 11);
    const double quick[] = {sin(x),      cos(x), exp(x),     log(x + 1), log2(x + 1), log10(x + 1),
                            pow(x, 2.5), x / 3,  pow(10, x), tan(x),     sin(x),      cos(x)};
    fast<<<1, 1>>>((float*)out, xf);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    bad += within("fast", values, quick, sizeof quick / sizeof *quick, 60);
  }
  printf("%d bad\n", bad);
}
