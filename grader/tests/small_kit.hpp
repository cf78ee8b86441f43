/// @file
/// A kit with one lab, y = 2x, in a temporary folder. Tests grade programs in it that misbehave in every way.
#pragma once
#include <regex>

#include "grader_runner.hpp"

namespace grader::testing {

/// @param time_out_s limit of each case in emulation: small for programs that hang, large for those that
///   another limit must stop
inline std::string small_lab_toml(int time_out_s = 60) {
  const std::string text = R"(format = 1
id = "lab9.1"
name = "double"
title = "Every element doubled"
objectives = ["launch a kernel"]
prerequisites = []
levels = 1

[data]
inputs = ["x"]
output = "y"

[[part]]
id = 1
title = "The kernel"
points = 4
hints = ["Each thread has one element.", "Which one? blockIdx, blockDim and threadIdx say.", "y[i] = 2 * x[i];"]

[[case]]
id = "n1000"
args = ["1000"]
timeout_s = { gpu = 5, emu = @TIME_OUT@ }

[[case]]
id = "n7"
args = ["7"]
visibility = "hidden"
timeout_s = { gpu = 5, emu = @TIME_OUT@ }

[[table]]
id = "sizes"
title = "Time by size"
samples = 2
baseline = "100"
axes = [{ argument = "Elements", values = ["100", "10000"] }]
columns = [
  { id = "in", title = "Transfer in", measure = "h2d", unit = "s" },
  { id = "kernel", title = "Execution", measure = "kernel", unit = "s" },
  { id = "ratio", title = "Ratio to 100", measure = "ratio:kernel", unit = "1" },
]
)";
  return std::regex_replace(text, std::regex("@TIME_OUT@"), std::to_string(time_out_s));
}

inline const char* const small_oracle = R"(#include <cstdlib>
#include <cstring>
#include <lab/npy.hpp>
#include <random>
#include <string>
int main(int argc, char** argv) {
  std::string dir;
  unsigned long long seed = 0;
  size_t n = 0;
  for (int i = 2; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--dir")) dir = argv[++i];
    else if (!std::strcmp(argv[i], "--seed")) seed = std::strtoull(argv[++i], nullptr, 10);
    else n = std::strtoull(argv[i], nullptr, 10);
  }
  if (!std::strcmp(argv[1], "inputs")) {
    std::mt19937_64 random(seed);
    std::vector<float> x(n);
    for (float& value : x) value = static_cast<float>(1 + random() % 1000);
    lab::write_npy(dir + "/x.npy", {n}, x.data());
  } else {
    auto x = lab::read_npy<float>(dir + "/x.npy");
    for (float& value : x.data) value *= 2;
    lab::write_npy(dir + "/y.npy", x.shape, x.data.data());
  }
}
)";

/// A right program, in which the kernel's body and the first lines of main can be replaced.
inline std::string small_program(const std::string& kernel_body = "if (i < n) y[i] = 2 * x[i];",
                                 const std::string& before = "", const std::string& after = "") {
  return R"(#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <lab/todo.hpp>
#include <lab/npy.hpp>
#include <sys/stat.h>
#include <unistd.h>

__global__ void twice(float* y, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  )" + kernel_body +
         R"(
}

int main(int argc, char** argv) {
  std::string input, output;
  for (int i = 1; i + 1 < argc; ++i) {
    if (!std::strcmp(argv[i], "--input")) input = argv[i + 1];
    if (!std::strcmp(argv[i], "--output")) output = argv[i + 1];
  }
  )" + before +
         R"(
  auto x = lab::read_npy<float>(input);
  const int n = static_cast<int>(x.data.size());
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr;
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&d_y, bytes);
  cudaMemcpy(d_x, x.data.data(), bytes, cudaMemcpyHostToDevice);
  twice<<<(n + 255) / 256, 256>>>(d_y, d_x, n);
  std::vector<float> y(n);
  if (cudaError_t error = cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost)) {
    std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(error));
    return 3;
  }
  cudaFree(d_x);
  cudaFree(d_y);
  )" + after +
         R"(
  lab::write_npy(output, x.shape, y.data());
  std::puts("Check ok? Passed.");
  return 0;
}
)";
}

/// The path of the student's file in that kit.
inline fs::path students_file(const fs::path& kit) {
  return kit / "work/lab9.1/level1/double.cu";
}

/// Writes the kit below `folder`. `program` is the student's file, and the right program is the solution.
inline fs::path write_small_kit(const fs::path& folder, const std::string& program = small_program(),
                                int time_out_s = 60) {
  const fs::path kit = folder / "kit";
  fs::create_directories(kit);
  fs::create_directory_symlink(fs::path(KIT_SOURCE_DIR) / "common", kit / "common");
  write_file(kit / "labs/lab9.1-double/lab.toml", small_lab_toml(time_out_s));
  write_file(kit / "labs/lab9.1-double/README.md", "# Every element doubled\n");
  write_file(kit / "labs/lab9.1-double/oracle/oracle.cpp", small_oracle);
  write_file(kit / "labs/lab9.1-double/level1/double.cu",
             small_program("// ---- part 1: the kernel ----\n  LAB_TODO(1);\n  // ---- end of part 1 ----"));
  write_file(kit / "solutions/lab9.1-double/double.cu", small_program("if (i < n) y[i] = 2 * x[i];"));
  write_file(students_file(kit), program);
  return kit;
}

}  // namespace grader::testing
