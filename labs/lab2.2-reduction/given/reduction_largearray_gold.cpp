// reduction_largearray_gold.cpp: the sum on the CPU, and the comparison. Plain C++; there is nothing to do
// here.
//
// The CPU adds in double, for a reason. One float that adds up number after number stops growing: above
// 2^24 = 16,777,216 a float holds only every second whole number, above 2^25 every fourth, and adding 1 to
// 33,554,432 gives 33,554,432. The GPU's tree does not have this problem, since it adds numbers of similar size.
// If the CPU added in float, the *reference* would be wrong.
#include <lab/sums.hpp>

#include <cstdio>

#include "reduction_largearray.h"

double hostSum(const std::vector<float>& data) {
  double sum = 0;
  for (const float number : data) sum += number;
  return sum;
}

bool checkSum(float device_sum, double host_sum, const std::vector<float>& data) {
  // Equality, as long as every sum of whole numbers fits in a float. Larger sums are rounded in the last
  // levels of the tree, of which there are at most log2(2^30) = 30.
  const double allowed = lab::sum_of(data.data(), data.size()).allowed(30);
  const bool passed = std::fabs(device_sum - host_sum) <= allowed;  // false for NaN
  std::printf("Test %s\n", passed ? "PASSED" : "FAILED");
  std::printf("device: %f  host: %f\n", device_sum, host_sum);
  return passed;
}
