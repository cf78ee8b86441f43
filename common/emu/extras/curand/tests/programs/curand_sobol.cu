// emucc: -lcurand
// Sobol's quasi-random numbers: direction vectors; plain and scrambled numbers of 32 and 64 bits in kernels;
// numbers of several dimensions from the host; and calls that cuRAND refuses.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

__global__ void draw(curandDirectionVectors32_t* vectors, curandDirectionVectors64_t* vectors64, unsigned* bits,
                     unsigned long long* bits64, float* uniform) {
  const int dimension = threadIdx.x;
  curandStateSobol32_t state;
  curand_init(vectors[dimension], 0u, &state);
  for (int i = 0; i < 4; ++i) bits[dimension * 8 + i] = curand(&state);
  skipahead(96u, &state);
  for (int i = 4; i < 8; ++i) bits[dimension * 8 + i] = curand(&state);
  uniform[dimension] = curand_uniform(&state);
  curandStateScrambledSobol32_t scrambled;
  curand_init(vectors[dimension], 0x12345678u + dimension, 10u, &scrambled);
  for (int i = 0; i < 4; ++i) bits[(4 + dimension) * 8 + i] = curand(&scrambled);
  curandStateSobol64_t state64;
  curand_init(vectors64[dimension], 1000ull, &state64);
  for (int i = 0; i < 4; ++i) bits64[dimension * 4 + i] = curand(&state64);
}

// The integral of 4 / (1 + x²) over a circle's quadrant, by pairs of dimensions not used together before.
__global__ void pi(curandDirectionVectors32_t* vectors, float* sums, int each) {
  curandStateSobol32_t x, y;
  curand_init(vectors[3], threadIdx.x * each, &x);
  curand_init(vectors[7], threadIdx.x * each, &y);
  int inside = 0;
  for (int i = 0; i < each; ++i) {
    const float a = curand_uniform(&x), b = curand_uniform(&y);
    inside += double(a) * a + double(b) * b < 1;
  }
  sums[threadIdx.x] = static_cast<float>(inside);
}

__global__ void normals(curandDirectionVectors32_t* vectors, double* sums) {
  curandStateSobol32_t state;
  curand_init(vectors[threadIdx.x], 1u, &state);
  double sum = 0, squares = 0;
  for (int i = 0; i < 4095; ++i) {
    const double x = curand_normal_double(&state);
    sum += x, squares += x * x;
  }
  sums[2 * threadIdx.x] = sum, sums[2 * threadIdx.x + 1] = squares;
}

int main() {
  curandDirectionVectors32_t *host32, *vectors;
  curandDirectionVectors64_t *host64, *vectors64;
  printf("%d", curandGetDirectionVectors32(&host32, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  printf(" %d\n", curandGetDirectionVectors64(&host64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
  unsigned mixed = 0;
  unsigned long long mixed64 = 0;
  for (int d = 0; d < 3667; ++d) {
    for (int k = 0; k < 32; ++k) mixed = mixed * 31 + host32[d][k];
    for (int k = 0; k < 64; ++k) mixed64 = mixed64 * 31 + host64[d][k];
  }
  printf("all vectors: %08x %016llx\n", mixed, mixed64);

  unsigned* bits;
  unsigned long long* bits64;
  float* values;
  double* sums;
  cudaMalloc(&vectors, 100 * sizeof(curandDirectionVectors32_t));
  cudaMalloc(&vectors64, 100 * sizeof(curandDirectionVectors64_t));
  cudaMallocManaged(&bits, 64 * sizeof(unsigned));
  cudaMallocManaged(&bits64, 16 * sizeof(unsigned long long));
  cudaMallocManaged(&values, 1024 * sizeof(float));
  cudaMallocManaged(&sums, 64 * sizeof(double));
  cudaMemcpy(vectors, host32, 100 * sizeof(curandDirectionVectors32_t), cudaMemcpyHostToDevice);
  cudaMemcpy(vectors64, host64, 100 * sizeof(curandDirectionVectors64_t), cudaMemcpyHostToDevice);
  draw<<<1, 4>>>(vectors, vectors64, bits, bits64, values);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    if (i < 32 || i % 8 < 4) printf("%08x%c", bits[i], i % 8 == 7 || (i >= 32 && i % 8 == 3) ? '\n' : ' ');
  for (int i = 0; i < 16; ++i) printf("%016llx%c", bits64[i], i % 4 == 3 ? '\n' : ' ');
  printf("%.6f %.6f\n", values[0], values[3]);
  pi<<<1, 64>>>(vectors, values, 1024);
  cudaDeviceSynchronize();
  double inside = 0;
  for (int i = 0; i < 64; ++i) inside += values[i];
  printf("a quadrant: %d of 65536\n", static_cast<int>(inside));
  normals<<<1, 4>>>(vectors, sums);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i)
    printf("normal: mean %d, variance %d\n", fabs(sums[2 * i] / 4095) < 2e-3, fabs(sums[2 * i + 1] / 4095 - 1) < 2e-2);

  curandGenerator_t generator;
  printf("%d", curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32));
  printf(" %d", curandSetQuasiRandomGeneratorDimensions(generator, 3));
  printf(" %d\n", curandGenerateUniform(generator, values, 12));
  cudaDeviceSynchronize();
  for (int i = 0; i < 12; ++i) printf("%.4f ", values[i]);
  printf("\n%d", curandGenerateUniform(generator, values, 6));
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) printf(" %.4f", values[i]);
  printf("\nfrom the fifth: %d", curandSetGeneratorOffset(generator, 5));
  printf(" %d", curandGenerateNormal(generator, values, 6, 10.0f, 2.0f));
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) printf(" %.3f", values[i]);
  printf("\nno multiple %d, a seed %d, an order %d, no dimension %d\n", curandGenerateUniform(generator, values, 11),
         curandSetPseudoRandomGeneratorSeed(generator, 1),
         curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_BEST),
         curandSetQuasiRandomGeneratorDimensions(generator, 0));
  curandDestroyGenerator(generator);
  printf("%d", curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL64));
  printf(" %d\n", curandGenerateLongLong(generator, bits64, 4));
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) printf("%016llx ", bits64[i]);
  printf("\n");
  curandDestroyGenerator(generator);
  cudaFree(vectors);
  cudaFree(vectors64);
  cudaFree(bits);
  cudaFree(bits64);
  cudaFree(values);
  cudaFree(sums);
  return 0;
}
