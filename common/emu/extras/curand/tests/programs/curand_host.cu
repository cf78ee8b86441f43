// emucc: -lcurand
// cuRAND's host API: each generator gives the library's own numbers, in device and host memory, and continues
// them from call to call.
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

void numbers(const char* name, curandRngType_t type) {
  const int n = 200000;
  unsigned* bits;
  float* uniform;
  double *wide, *normal;
  cudaMalloc(&bits, n * sizeof *bits);
  cudaMalloc(&uniform, n * sizeof *uniform);
  cudaMalloc(&wide, n * sizeof *wide);
  cudaMalloc(&normal, n * sizeof *normal);
  std::vector<unsigned> host_bits(n), again(10);
  std::vector<float> host_uniform(n);
  std::vector<double> host_wide(n), host_normal(n);
  const auto fresh = [&](bool on_host) {
    curandGenerator_t generator;
    if (on_host)
      curandCreateGeneratorHost(&generator, type);
    else
      curandCreateGenerator(&generator, type);
    curandSetPseudoRandomGeneratorSeed(generator, 1234ULL);
    return generator;
  };
  curandGenerator_t generator = fresh(false);
  curandGenerate(generator, bits, 10);
  curandGenerate(generator, bits + 10, n - 10);  // continues where the first call ended
  cudaMemcpy(host_bits.data(), bits, n * sizeof *bits, cudaMemcpyDeviceToHost);
  curandDestroyGenerator(generator);
  generator = fresh(false);
  curandGenerateUniform(generator, uniform, n);
  curandDestroyGenerator(generator);
  generator = fresh(false);
  curandGenerateUniformDouble(generator, wide, n);
  curandDestroyGenerator(generator);
  generator = fresh(false);
  curandGenerateNormalDouble(generator, normal, n, 10.0, 2.0);
  cudaMemcpy(host_uniform.data(), uniform, n * sizeof *uniform, cudaMemcpyDeviceToHost);
  cudaMemcpy(host_wide.data(), wide, n * sizeof *wide, cudaMemcpyDeviceToHost);
  cudaMemcpy(host_normal.data(), normal, n * sizeof *normal, cudaMemcpyDeviceToHost);
  curandDestroyGenerator(generator);
  generator = fresh(true);
  curandSetGeneratorOffset(generator, 7);
  curandGenerate(generator, again.data(), again.size());
  curandDestroyGenerator(generator);
  printf("%s", name);
  for (const int i : {0, 1, 2, 3, 4, 5, 4095, 4096, 81920, 100000, 199999}) printf(" %08x", host_bits[i]);
  printf("\n offset");
  for (int i = 0; i < 4; ++i) printf(" %08x", again[i]);
  printf("\n real");
  for (const int i : {0, 1, 5, 8192, 163841})
    printf(" %.9g %.17g %.6f", host_uniform[i], host_wide[i], host_normal[i]);
  double sum = 0, squares = 0;
  for (const double x : host_normal) sum += x, squares += (x - 10) * (x - 10);
  printf("\n normal: mean %.1f, deviation %.1f\n", sum / n, std::sqrt(squares / n));
  cudaFree(bits), cudaFree(uniform), cudaFree(wide), cudaFree(normal);
}

int main() {
  numbers("xorwow", CURAND_RNG_PSEUDO_XORWOW);
  numbers("mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
  numbers("philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandGenerator_t generator;
  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MT19937);
  std::vector<float> uniform(10000);
  curandGenerateUniform(generator, uniform.data(), uniform.size());
  double middle = 0;
  for (const float x : uniform) middle += x / 10000.0;
  printf("mt19937: %s\n", std::fabs(middle - 0.5) < 0.02 ? "right" : "wrong");
  curandDestroyGenerator(generator);
  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW);
  std::vector<unsigned> bits(1000);
  float normal[3];
  printf("odd count: %d\n", curandGenerateNormal(generator, normal, 3, 0, 1));
  curandGeneratePoisson(generator, bits.data(), bits.size(), 20.0);
  double mean = 0;
  for (const unsigned count : bits) mean += count / 1000.0;
  printf("poisson: %s\n", std::fabs(mean - 20) < 1 ? "right" : "wrong");
  curandDestroyGenerator(generator);
}
