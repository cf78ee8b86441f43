#include "histogram.h"

#include <cmath>
#include <iostream>

int main() {
  const size_t n = 512 * 512;
  std::vector<unsigned char> pixels(n);
  for (size_t i = 0; i < n; ++i) pixels[i] = static_cast<unsigned char>((i * i + i / 512 * 37) % 251);
  std::vector<unsigned> expected(NUM_BINS);
  for (unsigned char p : pixels) ++expected[p];
  int failures = 0;
  try {
    for (const auto& r : histograms(pixels.data(), n)) {
      const bool ok = r.bins == expected;
      failures += !ok;
      std::cout << r.method << ": " << (ok ? "matches" : "DIFFERS") << ", bin 7 has " << r.bins[7] << std::endl;
      std::cerr << r.milliseconds << " ms" << std::endl;
    }
  } catch (const std::exception& e) {
    std::cerr << e.what() << std::endl;
    return 1;
  }
  return failures;
}
