// cuRAND's generators in kernels give the library's own numbers, from any subsequence and offset.
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

struct Sample {
  unsigned int bits[6];
  float uniform;
  double uniform_double;
  unsigned int skipped, far;
  float normal[3], log_normal;
  double normal_double, log_normal_double;
  unsigned int poisson;
};

template <typename State>
__global__ void draw(unsigned long long seed, unsigned long long far, Sample* out) {
  const unsigned long long subsequences[] = {0, 1, 77, far >> 8 | 1};
  const unsigned long long offsets[] = {0, 3, 1000003, far};
  State state;
  curand_init(seed, subsequences[threadIdx.x / 4], offsets[threadIdx.x % 4], &state);
  Sample s;
  for (unsigned int& bits : s.bits) bits = curand(&state);
  s.uniform = curand_uniform(&state);
  s.uniform_double = curand_uniform_double(&state);
  skipahead(12345ull, &state);
  s.skipped = curand(&state);
  skipahead_sequence(3ull, &state);
  s.far = curand(&state);
  for (float& normal : s.normal) normal = curand_normal(&state);
  s.normal_double = curand_normal_double(&state);
  s.log_normal = curand_log_normal(&state, 1.0f, 0.5f);
  s.log_normal_double = curand_log_normal_double(&state, 1.0, 0.5);
  s.poisson = curand_poisson(&state, 7.5);
  out[threadIdx.x] = s;
}

// On a GPU, MRG32k3a takes seconds for a skip that the other generators make at once.
template <typename State>
void show(const char* name, unsigned long long far = 0x7000000000000005ull) {
  Sample *device, host[16];
  cudaMalloc(&device, sizeof host);
  for (const unsigned long long seed : {0ull, 1234ull, 0x123456789abcdefull}) {
    draw<State><<<1, 16>>>(seed, far, device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    for (const Sample& s : host) {
      printf("%s", name);
      for (unsigned int bits : s.bits) printf(" %08x", bits);
      printf(" %.9g %.17g %08x %08x", s.uniform, s.uniform_double, s.skipped, s.far);
      // The last digits of sines and logarithms differ between processors.
      for (float normal : s.normal) printf(" %.2f", normal + 10);
      printf(" %.8f %.2f %.7f %u\n", s.normal_double, s.log_normal, s.log_normal_double, s.poisson);
    }
  }
  cudaFree(device);
}

__global__ void by_four(uint4* bits, float4* uniform, double2* wide, float4* normal) {
  curandStatePhilox4_32_10_t state;
  curand_init(99, threadIdx.x, threadIdx.x, &state);
  bits[threadIdx.x] = curand4(&state);
  uniform[threadIdx.x] = curand_uniform4(&state);
  wide[threadIdx.x] = curand_uniform2_double(&state);
  normal[threadIdx.x] = curand_normal4(&state);
}

// Monte Carlo in the usual form: states in global memory, one for each thread.
__global__ void set_up(curandState* states) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(2024, i, 0, states + i);
}
__global__ void circle(curandState* states, int points, unsigned long long* inside) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[i];
  unsigned long long mine = 0;
  for (int p = 0; p < points; ++p) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    mine += x * x + y * y <= 1.0f;
  }
  states[i] = state;
  atomicAdd(inside, mine);
}

__global__ void moments(double mean, double* sums) {
  curandState state;
  curand_init(5, threadIdx.x, 0, &state);
  for (int i = 0; i < 500; ++i) {
    const double x = curand_poisson(&state, mean);
    atomicAdd(sums, x);
    atomicAdd(sums + 1, (x - mean) * (x - mean));
  }
}

int main() {
  show<curandStateXORWOW_t>("xorwow");
  show<curandStatePhilox4_32_10_t>("philox");
  show<curandStateMRG32k3a_t>("mrg32k3a", 0x70000005);

  uint4* bits;
  float4 *uniform, *normal;
  double2* wide;
  cudaMallocManaged(&bits, 4 * sizeof *bits);
  cudaMallocManaged(&uniform, 4 * sizeof *uniform);
  cudaMallocManaged(&wide, 4 * sizeof *wide);
  cudaMallocManaged(&normal, 4 * sizeof *normal);
  by_four<<<1, 4>>>(bits, uniform, wide, normal);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) {
    printf("four %08x %08x %08x %08x %.9g %.9g %.17g %.2f %.2f\n", bits[i].x, bits[i].y, bits[i].z, bits[i].w,
           uniform[i].x, uniform[i].w, wide[i].y, normal[i].x + 10, normal[i].w + 10);
  }

  curandState* states;
  unsigned long long* inside;
  cudaMalloc(&states, 1024 * sizeof *states);
  cudaMallocManaged(&inside, sizeof *inside);
  *inside = 0;
  set_up<<<8, 128>>>(states);
  circle<<<8, 128>>>(states, 100, inside);
  cudaDeviceSynchronize();
  printf("inside %llu of %d\n", *inside, 1024 * 100);

  double* sums;
  cudaMallocManaged(&sums, 2 * sizeof *sums);
  for (const double mean : {3.0, 100.0, 1000.0, 9000.0}) {
    sums[0] = sums[1] = 0;
    moments<<<1, 32>>>(mean, sums);
    cudaDeviceSynchronize();
    const double n = 32 * 500, error = 5 * std::sqrt(mean / n);
    printf("poisson %g: mean %s, variance %s\n", mean,
           std::fabs(sums[0] / n - mean) < error ? "right" : "wrong",
           std::fabs(sums[1] / n / mean - 1) < 0.06 ? "right" : "wrong");
  }
}
