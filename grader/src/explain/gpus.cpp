#include "explain/gpus.hpp"

#include <iterator>

namespace grader {
namespace {

// Lanes per cycle: CUDA C++ Programming Guide, table "Throughput of Native Arithmetic Instructions". Issue
// and L1: NVIDIA's whitepapers on Turing, Ampere A100 and Hopper. Four schedulers issue one instruction per
// cycle each, and the L1 cache delivers 128 bytes per cycle, 64 on Turing. L2: 64 bytes per cycle for each
// multiprocessor (the same whitepapers). The whole cache of an A100 delivers 5,120; Turing's 1.27 TB/s is
// measured in Jia et al., "Dissecting the NVidia Turing T4 GPU via Microbenchmarking", 2019. Latencies: Jia
// et al. 2019 for the T4; Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture", 2024,
// for the A100 and H100. Links: PCIe 3, 4 and 5 with 16 lanes, at the rates that `cudaMemcpy` reaches.
// clang-format off
constexpr Architecture architectures[] = {
    //     name      issue fp32 fp64 int special turns L2  L2 of all  latencies        link
    {9, 0, "Hopper", 4,    128, 64,  64, 16,     1,    64, 5120,      33, 262, 560,    50e9},
    {8, 0, "Ampere", 4,    64,  32,  64, 16,     1,    64, 5120,      33, 200, 470,    24e9},
    {7, 5, "Turing", 4,    64,  2,   64, 16,     0.5,  64, 800,       32, 188, 400,    12e9},
};
// clang-format on

std::vector<KnownGpu> known() {
  std::vector<KnownGpu> all;
  for (const auto& device : cuda_lab_profile::devices)
    for (const Architecture& architecture : architectures)
      if (device.major == architecture.major && device.minor == architecture.minor)
        all.push_back({&device, &architecture});
  return all;
}

}  // namespace

const std::vector<KnownGpu>& gpus() {
  static const std::vector<KnownGpu> all = known();
  return all;
}

const KnownGpu* find_gpu(const std::string& key) {
  for (const KnownGpu& gpu : gpus())
    if (key == gpu.device->key) return &gpu;
  return nullptr;
}

}  // namespace grader
