// Measures the cost of a check. Runs one kernel of kernels.cu and prints two numbers: the processor time of one run in
// seconds, and the memory in KiB that the kernel's data and its first run took.
//
//   check_cost KERNEL RUNS        KERNEL: a name from the table below, or "list"
//
// check_cost.sh builds this program three times: with emucc's default options, with --no-fission and with --check. It
// prints a table of the three results.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "kernels.hpp"

namespace {

constexpr int product = 256;
constexpr int elements = 1 << 20;

struct Memory {
  float *a, *b, *c;
  unsigned char* bytes;
  unsigned* counts;
};

struct Kernel {
  const char* name;
  double device_bytes;  ///< bytes of device memory that the kernel touches
  void (*run)(const Memory&);
};

constexpr double square = 4.0 * product * product;
const Kernel kernels[] = {
    {"naive_product", 3 * square, [](const Memory& m) { split::naive_product(m.a, m.b, m.c, product); }},
    {"tiled_product", 3 * square, [](const Memory& m) { split::tiled_product(m.a, m.b, m.c, product); }},
    {"tree_reduction", 4.0 * elements, [](const Memory& m) { split::tree_reduction(m.a, m.c, elements); }},
    {"shuffle_reduction", 4.0 * elements,
     [](const Memory& m) { split::shuffle_reduction(m.a, m.c, elements); }},
    {"vector_addition", 12.0 * elements,
     [](const Memory& m) { split::vector_addition(m.a, m.b, m.c, elements); }},
    {"histogram", 1.0 * elements, [](const Memory& m) { split::histogram(m.bytes, m.counts, elements); }},
};

long resident_kib() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("VmRSS:", 0) == 0) return std::atol(line.c_str() + 6);
  return 0;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <class T>
T* on_device(std::size_t count) {
  const std::vector<T> zeros(count);
  T* device = nullptr;
  if (cudaMalloc(&device, count * sizeof(T)) != cudaSuccess ||
      cudaMemcpy(device, zeros.data(), count * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess)
    std::exit(1);
  return device;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "list") == 0) {
    for (const Kernel& kernel : kernels) std::puts(kernel.name);
    return 0;
  }
  const int runs = argc == 3 ? std::atoi(argv[2]) : 0;
  for (const Kernel& kernel : kernels) {
    if (runs < 1 || std::strcmp(kernel.name, argv[1]) != 0) continue;
    const Memory memory = {on_device<float>(elements), on_device<float>(elements), on_device<float>(elements),
                           on_device<unsigned char>(elements), on_device<unsigned>(256)};
    const long before = resident_kib();
    kernel.run(memory);
    const long after = resident_kib();
    const double begin = processor_seconds();
    for (int i = 0; i < runs; ++i) kernel.run(memory);
    const double seconds = (processor_seconds() - begin) / runs;
    std::printf("%.6f %ld %.0f\n", seconds, after - before, kernel.device_bytes);
    return 0;
  }
  std::fputs("usage: check_cost KERNEL RUNS, or check_cost list\n", stderr);
  return 2;
}
