// emucc: -rdc=true -lcufft_static -lculibos
// cuFFT's callbacks: device functions that load a transform's input and store its output, element by element.
#include <cufft.h>
#include <cufftXt.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    const int error = static_cast<int>(call);                                    \
    if (error != 0) printf("%s: %d\n", #call, error), exit(1);                   \
  } while (0)

struct Scale {
  float factor;
  int shift;
};

// The input consists of bytes, not of numbers of the transform's type.
__device__ cufftReal from_bytes(void* in, size_t offset, void* info, void*) {
  return static_cast<float>(static_cast<const unsigned char*>(in)[offset]) * static_cast<const Scale*>(info)->factor;
}
__device__ cufftComplex windowed(void* in, size_t offset, void* info, void*) {
  const cufftComplex x = static_cast<const cufftComplex*>(in)[offset];
  const float weight = static_cast<const float*>(info)[offset % 16];
  return make_cuComplex(x.x * weight, x.y * weight);
}
__device__ void scaled(void* out, size_t offset, cufftComplex x, void* info, void*) {
  const Scale scale = *static_cast<const Scale*>(info);
  static_cast<cufftComplex*>(out)[offset] = make_cuComplex(x.x * scale.factor, x.y * scale.factor);
}
// The output is one float: the square of the absolute value, plus a shift.
__device__ void magnitude(void* out, size_t offset, cufftComplex x, void* info, void*) {
  static_cast<float*>(out)[offset] = x.x * x.x + x.y * x.y + static_cast<float>(static_cast<const Scale*>(info)->shift);
}
__device__ cufftDoubleReal negative(void* in, size_t offset, void*, void*) {
  return -static_cast<const double*>(in)[offset];
}
__device__ void half_of(void* out, size_t offset, cufftReal x, void*, void*) {
  static_cast<float*>(out)[offset] = x / 2;
}

__device__ cufftCallbackLoadR load_bytes = from_bytes;
__device__ cufftCallbackLoadC load_windowed = windowed;
__device__ cufftCallbackStoreC store_scaled = scaled;
__device__ cufftCallbackStoreC store_magnitude = magnitude;
__device__ cufftCallbackLoadD load_negative = negative;
__device__ cufftCallbackStoreR store_half = half_of;

template <typename Callback>
void set(cufftHandle plan, const Callback& symbol, cufftXtCallbackType type, void* info) {
  Callback function;
  CHECK(cudaMemcpyFromSymbol(&function, symbol, sizeof function));
  CHECK(cufftXtSetCallback(plan, reinterpret_cast<void**>(&function), type, info != nullptr ? &info : nullptr));
}

using Number = std::complex<double>;
/// The transform, computed by its definition.
std::vector<Number> transform(const std::vector<Number>& x, int sign) {
  std::vector<Number> y(x.size());
  for (size_t k = 0; k < x.size(); ++k)
    for (size_t j = 0; j < x.size(); ++j)
      y[k] += x[j] * std::polar(1.0, sign * 2 * M_PI * static_cast<double>(j * k % x.size()) / static_cast<double>(x.size()));
  return y;
}
template <typename T>
T* managed(size_t count) {
  T* memory;
  CHECK(cudaMallocManaged(&memory, count * sizeof(T)));
  return memory;
}

int main() {
  constexpr int n = 16, batch = 3;
  auto* const scale = managed<Scale>(1);
  auto* const weights = managed<float>(n);
  auto* const bytes = managed<unsigned char>(batch * n);
  auto* const complex = managed<cufftComplex>(batch * n);
  auto* const result = managed<cufftComplex>(batch * n);
  auto* const reals = managed<float>(batch * n);
  *scale = {0.25f, 3};
  for (int i = 0; i < n; ++i) weights[i] = static_cast<float>(i % 5) / 4;
  for (int i = 0; i < batch * n; ++i) {
    bytes[i] = static_cast<unsigned char>(i * 37 % 201);
    complex[i] = make_cuComplex(static_cast<float>(i % 7), static_cast<float>(i % 3 - 1));
  }

  // The input is bytes, which are scaled. The output is scaled, too.
  cufftHandle plan;
  size_t work;
  CHECK(cufftCreate(&plan));
  CHECK(cufftMakePlan1d(plan, n, CUFFT_R2C, batch, &work));
  set(plan, load_bytes, CUFFT_CB_LD_REAL, scale);
  set(plan, store_scaled, CUFFT_CB_ST_COMPLEX, scale);
  CHECK(cufftExecR2C(plan, reinterpret_cast<cufftReal*>(bytes), result));
  CHECK(cudaDeviceSynchronize());
  double worst = 0;
  for (int b = 0; b < batch; ++b) {
    std::vector<Number> x(n);
    for (int i = 0; i < n; ++i) x[i] = bytes[b * n + i] * 0.25;
    const auto y = transform(x, -1);
    for (int k = 0; k <= n / 2; ++k) {
      const cufftComplex got = result[b * (n / 2 + 1) + k];
      worst = std::fmax(worst, std::abs(Number(got.x, got.y) - 0.25 * y[k]));
    }
  }
  printf("bytes to complex: %s\n", worst < 1e-3 ? "right" : "wrong");

  // Without callbacks, the plan reads floats again.
  CHECK(cufftXtClearCallback(plan, CUFFT_CB_LD_REAL));
  CHECK(cufftXtClearCallback(plan, CUFFT_CB_ST_COMPLEX));
  for (int i = 0; i < batch * n; ++i) reals[i] = static_cast<float>(i % 4);
  CHECK(cufftExecR2C(plan, reals, result));
  CHECK(cudaDeviceSynchronize());
  printf("cleared: %g %g\n", std::round(result[0].x), std::round(result[n / 2 + 1].x));
  CHECK(cufftDestroy(plan));

  // The load callback applies a window. The store callback writes the power to an array of floats.
  CHECK(cufftCreate(&plan));
  CHECK(cufftMakePlan1d(plan, n, CUFFT_C2C, batch, &work));
  set(plan, load_windowed, CUFFT_CB_LD_COMPLEX, weights);
  set(plan, store_magnitude, CUFFT_CB_ST_COMPLEX, scale);
  CHECK(cufftExecC2C(plan, complex, reinterpret_cast<cufftComplex*>(reals), CUFFT_INVERSE));
  CHECK(cudaDeviceSynchronize());
  worst = 0;
  for (int b = 0; b < batch; ++b) {
    std::vector<Number> x(n);
    for (int i = 0; i < n; ++i)
      x[i] = Number(complex[b * n + i].x, complex[b * n + i].y) * static_cast<double>(weights[i]);
    const auto y = transform(x, 1);
    for (int k = 0; k < n; ++k) worst = std::fmax(worst, std::abs(reals[b * n + k] - (std::norm(y[k]) + 3)));
  }
  printf("windowed power: %s\n", worst < 0.1 ? "right" : "wrong");
  // A callback of the wrong kind for the plan is refused.
  cufftCallbackLoadR real_load;
  CHECK(cudaMemcpyFromSymbol(&real_load, load_bytes, sizeof real_load));
  printf("a callback of another type: %d\n", cufftXtSetCallback(plan, reinterpret_cast<void**>(&real_load), CUFFT_CB_LD_REAL, nullptr));
  CHECK(cufftDestroy(plan));

  // Complex to real in two dimensions, in place. The store callback halves the values.
  auto* const plane = managed<cufftComplex>(4 * 5);
  for (int i = 0; i < 4 * 5; ++i) plane[i] = make_cuComplex(0, 0);
  plane[0] = make_cuComplex(8, 0);
  plane[1] = make_cuComplex(2, 0);
  CHECK(cufftCreate(&plan));
  CHECK(cufftMakePlan2d(plan, 4, 8, CUFFT_C2R, &work));
  set(plan, store_half, CUFFT_CB_ST_REAL, nullptr);
  CHECK(cufftExecC2R(plan, plane, reinterpret_cast<float*>(plane)));
  CHECK(cudaDeviceSynchronize());
  const float* const image = reinterpret_cast<float*>(plane);
  printf("halved: %g %g %g, %g\n", std::round(image[0] * 100) / 100, std::round(image[2] * 100) / 100,
         std::round(image[4] * 100) / 100, std::round(image[10] * 100) / 100);
  CHECK(cufftDestroy(plan));

  // In double precision.
  auto* const doubles = managed<double>(n);
  auto* const spectrum = managed<cufftDoubleComplex>(n / 2 + 1);
  for (int i = 0; i < n; ++i) doubles[i] = i;
  CHECK(cufftCreate(&plan));
  CHECK(cufftMakePlan1d(plan, n, CUFFT_D2Z, 1, &work));
  set(plan, load_negative, CUFFT_CB_LD_REAL_DOUBLE, nullptr);
  CHECK(cufftExecD2Z(plan, doubles, spectrum));
  CHECK(cudaDeviceSynchronize());
  printf("negative: %g %g\n", std::round(spectrum[0].x * 1e6) / 1e6, std::round(spectrum[8].x * 1e6) / 1e6);
  CHECK(cufftDestroy(plan));
}
