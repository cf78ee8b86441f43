// Prefix sums of a long array: out[i] = in[0] + … + in[i].
//
// A thread has a section. The first launch sums up each section, the second one begins with the sum of all sections
// before.
#include "hunt.cuh"

constexpr int n = 1200;      // elements
constexpr int section = 16;  // elements of a thread
constexpr int threads = 32;  // of each block

__global__ void section_sums(const int* in, int* sums) {
  const int s = blockIdx.x * threads + threadIdx.x;
  if (s * section >= n) return;
  int sum = 0;
  for (int i = s * section; i < min((s + 1) * section, n); ++i) sum += in[i];
  sums[s] = sum;
}

__global__ void scan_sections(const int* in, const int* sums, int* out) {
  const int s = blockIdx.x * threads + threadIdx.x;
  if (s * section >= n) return;
  int sum = 0;
  for (int before = 0; before < s; ++before) sum += sums[before];
  for (int i = s * section; i < min((s + 1) * section, n); ++i) out[i] = sum += in[i];
}

int main() {
  const std::vector<int> in = numbers(n);
  const int sections = (n + section - 1) / section;
  const int blocks = (sections + threads - 1) / threads;
  int* const d_in = to_device(in);
  int* const d_sums = device_array<int>(sections);
  int* const d_out = device_array<int>(n);
  section_sums<<<blocks, threads>>>(d_in, d_sums);
  scan_sections<<<blocks, threads>>>(d_in, d_sums, d_out);
  const std::vector<int> out = from_device(d_out, n);
  for (int* array : {d_in, d_sums, d_out}) check(cudaFree(array));

  std::vector<int> expected(n);
  for (int i = 0, sum = 0; i < n; ++i) expected[i] = sum += in[i];
  return compare("out", out, expected);
}
