// roots.h: other ways from the number of a block to its place, to be measured beside the map ltm (table `roots`).
// None of them corrects its row by whole numbers as ltm does, so each is right up to some size alone.
//
//   Uncorrected<Root::single>   ltm's guess as it is
//   Uncorrected<Root::fast>     a * rsqrtf(a) for sqrtf(a): one instruction and a product
//   Uncorrected<Root::wide>     sqrt in double
//   UpperTriangular             utm: the upper triangle, whose rows become shorter
#ifndef ROOTS_H
#define ROOTS_H

#include "maps.h"

enum class Root { single, fast, wide };

// Blocks numbered row by row, as in ltm.
template <Root root>
struct Uncorrected {
  int n;
  explicit Uncorrected(int blocks) : n(blocks) {}

  int launches() const { return 1; }
  dim3 grid(int) const { return dim3(static_cast<unsigned>(std::int64_t{n} * (n + 1) / 2)); }
  __device__ Place place(int, int x, int) const {
    const int row = rowOf(x);
    const std::int64_t col = x - std::int64_t{row} * (row + 1) / 2;
    if (col < 0) return nowhere();  // the row is one too many: stay out of the memory before the result
    return {static_cast<int>(col), row};
  }

 private:
  __device__ static int rowOf(int x) {
    const float a = 2.0f * static_cast<float>(x) + 0.25f;
    if constexpr (root == Root::wide) return static_cast<int>(sqrt(2.0 * x + 0.25) - 0.5);
    // rsqrtf may be 2 units of its last digit too small, which would lose a row's first block: hence 0.4999.
    if constexpr (root == Root::fast) return static_cast<int>(a * rsqrtf(a) - 0.4999f);
    return static_cast<int>(sqrtf(a) - 0.5f);
  }
};

// Q. Avril, V. Gouranton and B. Arnaldi, "Fast collision culling in large-scale environments using GPU mapping
// function" (2012). Pairs a < b of 1 … m have the numbers k = 1, 2, 3, …: first those of a = 1, then those of
// a = 2. With m = n + 1 the pair (a, b) is the block (a - 1, b - 2) of a triangle with its diagonal.
// The root's argument is a small difference of large numbers when k is large, so a float loses more here
// than in ltm. As its authors do, two conditions move a pair by one line.
struct UpperTriangular {
  int n;
  explicit UpperTriangular(int blocks) : n(blocks) {}

  int launches() const { return 1; }
  dim3 grid(int) const { return dim3(static_cast<unsigned>(std::int64_t{n} * (n + 1) / 2)); }
  __device__ Place place(int, int x, int) const {
    const std::int64_t m = n + 1, k = std::int64_t{x} + 1;
    const auto width = static_cast<float>(m);
    const float a4 = 4 * width * (width - 1) - 8 * static_cast<float>(k) + 1;
    std::int64_t a = static_cast<int>((2 * width + 1 - sqrtf(a4 > 0 ? a4 : 0)) / 2);
    std::int64_t b = a + k - (a - 1) * (2 * m - a) / 2;
    if (b > m) {
      ++a;
      b = a + (b - m);
    }
    if (a >= b) {
      b = m - (a - b);
      --a;
    }
    if (a < 1 || b - 2 < a - 1) return nowhere();
    return {static_cast<int>(a - 1), static_cast<int>(b - 2)};
  }
};

#endif
