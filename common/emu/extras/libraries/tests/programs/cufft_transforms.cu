// emucc: -lcufft
// cuFFT: transforms of one to three dimensions against the defining sum; batches, strides, places, streams.
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void require(cufftResult result, int line) {
  if (result == CUFFT_SUCCESS) return;
  std::printf("line %d: cuFFT says %d\n", line, static_cast<int>(result));
  std::exit(1);
}
#define REQUIRE(CALL) require(CALL, __LINE__)

using Wide = std::complex<double>;

/// Reproducible numbers in [−1, 1).
static double number() {
  static unsigned state = 2718;
  state = state * 1664525u + 1013904223u;
  return static_cast<int>(state >> 8) / 8388608.0 - 1;
}

template <class T>
struct Memory {
  std::vector<T> host;
  T* device = nullptr;
  explicit Memory(std::size_t count) : host(count) { cudaMalloc(&device, count * sizeof(T)); }
  ~Memory() { cudaFree(device); }
  Memory(const Memory&) = delete;
  void upload() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
  void download() { cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost); }
};

/// The discrete Fourier transform of nx × ny × nz numbers by its definition, one dimension after another.
static std::vector<Wide> transformed(std::vector<Wide> x, const int (&n)[3], int direction) {
  const int strides[3] = {n[1] * n[2], n[2], 1};
  const int total = n[0] * n[1] * n[2];
  for (int d = 0; d < 3; ++d) {
    std::vector<Wide> next(total);
    for (int i = 0; i < total; ++i) {
      const int at = i / strides[d] % n[d], begin = i - at * strides[d];
      for (int p = 0; p < n[d]; ++p)
        next[i] += x[begin + p * strides[d]] * std::polar(1.0, direction * 2 * M_PI * at * p / n[d]);
    }
    x = next;
  }
  return x;
}

/// A transform's error is at most a small multiple of eps · log2(n) times the size of its input.
struct Judge {
  double bound;
  int wrong = 0;
  template <class T>
  Judge(const std::vector<Wide>& in, T) {
    double squares = 0;
    for (const Wide& one : in) squares += std::norm(one);
    const double n = static_cast<double>(in.size());
    bound = 8 * (sizeof(T) == 4 ? 6e-8 : 1.1e-16) * (std::log2(n) + 1) * std::sqrt(squares * n);
  }
  void see(Wide got, Wide right) { wrong += !(std::abs(got - right) <= bound); }
};

/// The functions of one precision.
struct Single {
  using Real = cufftReal;
  using Complex = cufftComplex;
  static constexpr cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
  static cufftResult both(cufftHandle p, Complex* a, Complex* b, int d) { return cufftExecC2C(p, a, b, d); }
  static cufftResult forward(cufftHandle p, Real* a, Complex* b) { return cufftExecR2C(p, a, b); }
  static cufftResult inverse(cufftHandle p, Complex* a, Real* b) { return cufftExecC2R(p, a, b); }
};
struct Twice {
  using Real = cufftDoubleReal;
  using Complex = cufftDoubleComplex;
  static constexpr cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
  static cufftResult both(cufftHandle p, Complex* a, Complex* b, int d) { return cufftExecZ2Z(p, a, b, d); }
  static cufftResult forward(cufftHandle p, Real* a, Complex* b) { return cufftExecD2Z(p, a, b); }
  static cufftResult inverse(cufftHandle p, Complex* a, Real* b) { return cufftExecZ2D(p, a, b); }
};

static cufftHandle plan_of(int rank, const int (&n)[3], cufftType type) {
  cufftHandle plan;
  if (rank == 1) REQUIRE(cufftPlan1d(&plan, n[2], type, 1));
  if (rank == 2) REQUIRE(cufftPlan2d(&plan, n[1], n[2], type));
  if (rank == 3) REQUIRE(cufftPlan3d(&plan, n[0], n[1], n[2], type));
  return plan;
}

/// Transforms forward and backward, out of place and in place.
template <class F>
void dimensions(const char* name, int rank, const int (&n)[3]) {
  const int total = n[0] * n[1] * n[2], half = n[2] / 2 + 1, lines = n[0] * n[1];
  std::vector<Wide> x(total), reals(total);
  for (Wide& one : x) {
    const double re = number();
    one = {re, number()};
  }
  for (Wide& one : reals) one = number();
  using Real = typename F::Real;
  int wrong[4] = {};
  {
    const cufftHandle plan = plan_of(rank, n, F::c2c);
    for (int placed = 0; placed < 2; ++placed) {
      Memory<typename F::Complex> in(total), out(total);
      for (int i = 0; i < total; ++i) in.host[i] = {static_cast<Real>(x[i].real()), static_cast<Real>(x[i].imag())};
      in.upload();
      auto& result = placed ? in : out;
      REQUIRE(F::both(plan, in.device, result.device, CUFFT_FORWARD));
      result.download();
      const auto right = transformed(x, n, -1);
      Judge judge(x, Real());
      for (int i = 0; i < total; ++i) judge.see(Wide(result.host[i].x, result.host[i].y), right[i]);
      // After both transforms, the numbers are n times as large.
      REQUIRE(F::both(plan, result.device, result.device, CUFFT_INVERSE));
      result.download();
      Judge back(right, Real());
      for (int i = 0; i < total; ++i) back.see(Wide(result.host[i].x, result.host[i].y), x[i] * static_cast<double>(total));
      wrong[placed] = judge.wrong + back.wrong;
    }
    REQUIRE(cufftDestroy(plan));
  }
  const cufftHandle forward = plan_of(rank, n, F::r2c), inverse = plan_of(rank, n, F::c2r);
  const auto right = transformed(reals, n, -1);
  for (int placed = 0; placed < 2; ++placed) {
    // In place, each row of reals is padded to the length of its row of complex numbers.
    const int pitch = placed ? 2 * half : n[2];
    Memory<Real> in(lines * pitch), back(lines * pitch);
    Memory<typename F::Complex> out(lines * half);
    for (int line = 0; line < lines; ++line)
      for (int i = 0; i < n[2]; ++i) in.host[line * pitch + i] = static_cast<Real>(reals[line * n[2] + i].real());
    in.upload();
    auto* const result = placed ? reinterpret_cast<typename F::Complex*>(in.device) : out.device;
    REQUIRE(F::forward(forward, in.device, result));
    cudaMemcpy(out.host.data(), result, out.host.size() * sizeof(out.host[0]), cudaMemcpyDeviceToHost);
    Judge judge(reals, Real());
    for (int line = 0; line < lines; ++line)
      for (int i = 0; i < half; ++i) {
        const auto& got = out.host[line * half + i];
        judge.see(Wide(got.x, got.y), right[line * n[2] + i]);
      }
    Real* const target = placed ? in.device : back.device;
    REQUIRE(F::inverse(inverse, result, target));
    cudaMemcpy(back.host.data(), target, back.host.size() * sizeof(Real), cudaMemcpyDeviceToHost);
    Judge returned(right, Real());
    for (int line = 0; line < lines; ++line)
      for (int i = 0; i < n[2]; ++i)
        returned.see(back.host[line * pitch + i], reals[line * n[2] + i] * static_cast<double>(total));
    wrong[2 + placed] = judge.wrong + returned.wrong;
  }
  REQUIRE(cufftDestroy(forward));
  REQUIRE(cufftDestroy(inverse));
  std::printf("%s, %d x %d x %d: complex %d wrong, in place %d; real %d, in place %d\n", name, n[0], n[1], n[2], wrong[0], wrong[1],
              wrong[2], wrong[3]);
}

/// Four interleaved transforms of 12 numbers: the elements of one transform are three apart.
static void strides() {
  int size[] = {12}, embed[] = {12};
  cufftHandle plan;
  REQUIRE(cufftPlanMany(&plan, 1, size, embed, 5, 1, embed, 1, 13, CUFFT_C2C, 4));
  Memory<cufftComplex> in(60), out(52);
  for (auto& one : in.host) one = {static_cast<float>(number()), static_cast<float>(number())};
  for (auto& one : out.host) one = {7, 7};
  in.upload(), out.upload();
  REQUIRE(cufftExecC2C(plan, in.device, out.device, CUFFT_FORWARD));
  out.download();
  int wrong = 0, touched = 0;
  for (int b = 0; b < 4; ++b) {
    std::vector<Wide> x(12);
    for (int i = 0; i < 12; ++i) x[i] = {in.host[b + 5 * i].x, in.host[b + 5 * i].y};
    const auto right = transformed(x, {1, 1, 12}, -1);
    Judge judge(x, float());
    for (int i = 0; i < 12; ++i) judge.see(Wide(out.host[13 * b + i].x, out.host[13 * b + i].y), right[i]);
    wrong += judge.wrong;
    touched += out.host[13 * b + 12].x != 7;
  }
  std::printf("strides: %d wrong, %d touched between them\n", wrong, touched);
  REQUIRE(cufftDestroy(plan));

  // A batch of real transforms, dense.
  REQUIRE(cufftPlan1d(&plan, 10, CUFFT_R2C, 3));
  Memory<float> reals(30);
  Memory<cufftComplex> spectra(18);
  for (auto& one : reals.host) one = static_cast<float>(number());
  reals.upload();
  REQUIRE(cufftExecR2C(plan, reals.device, spectra.device));
  spectra.download();
  wrong = 0;
  for (int b = 0; b < 3; ++b) {
    std::vector<Wide> x(10);
    for (int i = 0; i < 10; ++i) x[i] = reals.host[10 * b + i];
    const auto right = transformed(x, {1, 1, 10}, -1);
    Judge judge(x, float());
    for (int i = 0; i < 6; ++i) judge.see(Wide(spectra.host[6 * b + i].x, spectra.host[6 * b + i].y), right[i]);
    wrong += judge.wrong;
  }
  std::printf("batch: %d wrong\n", wrong);
  REQUIRE(cufftDestroy(plan));
}

__global__ void fill_late(cufftComplex* x, int count, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  for (int i = threadIdx.x; i < count; i += blockDim.x) x[i] = make_cuComplex(i == 1 ? 1.0f : 0.0f, 0.0f);
}
__global__ void scale(cufftComplex* x, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) x[i].x *= 100;
}

/// A transform between two kernels of its stream.
static void in_a_stream() {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cufftHandle plan;
  std::size_t work = 1;
  REQUIRE(cufftCreate(&plan));
  REQUIRE(cufftSetStream(plan, stream));
  REQUIRE(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &work));
  Memory<cufftComplex> x(8);
  fill_late<<<1, 32, 0, stream>>>(x.device, 8, 20000000);
  REQUIRE(cufftExecC2C(plan, x.device, x.device, CUFFT_FORWARD));
  scale<<<1, 32, 0, stream>>>(x.device, 8);
  cudaStreamSynchronize(stream);
  x.download();
  for (const auto& one : x.host) std::printf("%ld ", std::lround(one.x));
  std::printf("\n");
  REQUIRE(cufftDestroy(plan));
  std::printf("again: %d\n", cufftDestroy(plan));
  std::printf("no elements: %d\n", cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
  cudaStreamDestroy(stream);
}

int main() {
  dimensions<Single>("float", 1, {1, 1, 16});
  dimensions<Single>("float", 1, {1, 1, 15});
  dimensions<Single>("float", 1, {1, 1, 101});
  dimensions<Single>("float", 2, {1, 6, 9});
  dimensions<Single>("float", 3, {4, 3, 10});
  dimensions<Twice>("double", 1, {1, 1, 24});
  dimensions<Twice>("double", 2, {1, 5, 8});
  dimensions<Twice>("double", 3, {3, 4, 7});
  strides();
  in_a_stream();
  return 0;
}
