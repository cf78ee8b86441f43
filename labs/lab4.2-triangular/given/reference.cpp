// reference.cpp: what must come out, computed on the CPU in double loops, without any map.
#include <cmath>
#include <cstring>

#include "triangular.h"

std::vector<std::uint64_t> rightChecksums(const Task& task, bool solid, const std::vector<float>& points) {
  const int N = task.N;
  std::vector<std::uint64_t> sums(N);
  std::uint64_t number = 0;  // of a cell, from 1 on
  for (int row = 0; row < N; ++row) {
    for (int y = solid ? 0 : row; y <= row; ++y) {
      for (int col = 0; col <= y; ++col) {
        std::uint64_t cell = task.work == Work::count ? 1 : ++number;
        if (task.work == Work::distance) {
          const double dx = points[2 * col] - points[2 * row], dy = points[2 * col + 1] - points[2 * row + 1];
          const auto distance = static_cast<float>(std::sqrt(dx * dx + dy * dy));
          std::uint32_t bits;
          std::memcpy(&bits, &distance, sizeof bits);
          cell = bits;
        }
        const std::uint64_t before = solid ? static_cast<std::uint64_t>(y) * N : 0;
        sums[row] = (sums[row] + cell * (before + col + 1)) & checksum_mask;
      }
    }
  }
  return sums;
}

std::vector<std::uint64_t> rightNeighbours(const std::vector<float>& points, int N) {
  constexpr float radius = 100;
  std::vector<std::uint64_t> found(N);
  for (int row = 0; row < N; ++row) {
    for (int col = 0; col < row; ++col) {
      const float dx = points[2 * col] - points[2 * row], dy = points[2 * col + 1] - points[2 * row + 1];
      found[row] += dx * dx + dy * dy <= radius * radius;
    }
  }
  return found;
}
