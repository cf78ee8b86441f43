// Headers that programs include besides the runtime's:
// complex numbers, cuda::std, barriers in C, targets, NVTX.
#include <cuComplex.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
#include <vector_functions.h>

#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <nv/target>

__global__ void julia(int* steps) {
  cuFloatComplex z = make_cuFloatComplex(threadIdx.x * 0.25f - 1.5f, threadIdx.y * 0.25f - 1.0f);
  const cuFloatComplex c = make_cuFloatComplex(-0.75f, 0.125f);
  int n = 0;
  while (n < 3 && cuCabsf(z) < 2.0f) {  // few iterations, so that every step is exact
    z = cuCaddf(cuCmulf(z, z), c);
    ++n;
  }
  steps[threadIdx.y * blockDim.x + threadIdx.x] = n;
}

__global__ void divide(double* out) {
  const cuDoubleComplex q = cuCdiv(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, -4));
  out[0] = cuCreal(q), out[1] = cuCimag(q), out[2] = cuCabs(make_cuDoubleComplex(3e200, 4e200)) / 1e200;
  const cuda::std::complex<double> z(1, 1), w = z * z;
  out[3] = w.imag();
}

__global__ void standard(int* out) {
  cuda::std::array<int, 4> values = {4, 3, 2, 1};
  const auto both = cuda::std::make_tuple(values[0], 2.5f);
  cuda::std::pair<int, int> pair(7, 8);
  cuda::std::swap(pair.first, pair.second);
  static_assert(cuda::std::is_same<cuda::std::remove_reference_t<int&>, int>::value, "as in <type_traits>");
  out[0] = cuda::std::get<0>(both) + static_cast<int>(values.size()) + pair.first;
  out[1] = cuda::std::numeric_limits<int>::max() == 0x7fffffff;
  NV_IF_TARGET(NV_IS_DEVICE, (out[2] = 1;))
}

__device__ cuda::std::atomic<int> total{0};

__global__ void meet(int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int value;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 5) value = 42;
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  total.fetch_add(value);
  __syncthreads();
  if (threadIdx.x == 0) *out = total.load();
}

int main() {
  int* steps;
  double* out;
  cudaMallocManaged(&steps, 64 * sizeof *steps);
  cudaMallocManaged(&out, 4 * sizeof *out);
  nvtxRangePushA("julia");
  julia<<<1, dim3(8, 8)>>>(steps);
  cudaDeviceSynchronize();
  nvtxRangePop();
  for (int i = 0; i < 64; ++i) printf("%d%c", steps[i], i % 8 == 7 ? '\n' : ' ');
  divide<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%.6f %.6f %.6f %g\n", out[0], out[1], out[2], out[3]);
  steps[2] = 0;
  standard<<<1, 1>>>(steps);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", steps[0], steps[1], steps[2]);
  meet<<<1, 64>>>(steps);
  cudaDeviceSynchronize();
  printf("met %d\n", steps[0]);
  cudaProfilerStop();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
