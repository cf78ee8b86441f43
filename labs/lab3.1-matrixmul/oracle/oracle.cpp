/// @file
/// The oracle of lab3.1: draws two square matrices whose product is exact, and multiplies them in double.
/// With --reals=1 they have any values in [-1, 1), and products are rounded.
///
///     oracle inputs --seed N --dir D [n] [--reals=1]     D/M.npy and D/N.npy, float32 (n, n)
///     oracle expect --dir D [n]                          D/P.npy, float32 (n, n): M · N
///     oracle judge --facts FILE                          judge.hpp
#include <lab/npy.hpp>
#include <lab/oracle.hpp>
#include <lab/product.hpp>

#include <algorithm>

#include "judge.hpp"

namespace {

using Matrix = std::vector<float>;

constexpr std::int64_t default_n = 128;
constexpr std::int64_t largest_n = 46340;  // as in the program

bool symmetric(const Matrix& a, std::size_t n) {
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t col = 0; col < row; ++col) {
      if (a[row * n + col] != a[col * n + row]) return false;
    }
  }
  return true;
}

bool constant(const Matrix& a) {
  return std::all_of(a.begin(), a.end(), [&a](float x) { return x == a.front(); });
}

/// Would some wrong program give the right result with these inputs? With n = 1 there is only a single number.
bool trivial(const Matrix& m, const Matrix& n_matrix, std::size_t n) {
  if (n == 1) return m[0] == 0 || n_matrix[0] == 0 || m == n_matrix;
  return m == n_matrix || symmetric(m, n) || symmetric(n_matrix, n) || constant(m) || constant(n_matrix);
}

void draw(const lab::OracleRequest& request) {
  const auto n = static_cast<std::size_t>(request.integer(0, default_n, 1, largest_n));
  const bool reals = request.option("reals", 0, 0, 1) == 1;
  lab::Random random(request.seed);
  const auto matrix = [&] {
    return reals ? lab::draw_reals<float>(random, n) : lab::draw_matrix<float>(random, n);
  };
  for (int attempt = 0; attempt < 100; ++attempt) {
    const Matrix m = matrix();
    const Matrix n_matrix = matrix();
    if (trivial(m, n_matrix, n)) continue;
    lab::write_npy(request.path("M.npy"), {n, n}, m.data());
    lab::write_npy(request.path("N.npy"), {n, n}, n_matrix.data());
    return;
  }
  lab::usage_error("oracle inputs: a hundred attempts gave only trivial matrices; use another seed.");
}

void expect(const lab::OracleRequest& request) {
  const lab::NpyArray<float> m = lab::read_npy<float>(request.path("M.npy"), 2);
  const lab::NpyArray<float> n_matrix = lab::read_npy<float>(request.path("N.npy"), 2);
  const std::size_t n = m.shape[0];
  if (m.shape[1] != n || n_matrix.shape != m.shape) {
    lab::usage_error("oracle expect: M is " + lab::npy_shape_words(m.shape) + " and N is " +
                     lab::npy_shape_words(n_matrix.shape) + ", but both must be (n, n).");
  }
  Matrix p(n * n);
  std::vector<double> sums(n);
  for (std::size_t row = 0; row < n; ++row) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = m.data[row * n + k];
      for (std::size_t col = 0; col < n; ++col) sums[col] += factor * n_matrix.data[k * n + col];
    }
    for (std::size_t col = 0; col < n; ++col) p[row * n + col] = static_cast<float>(sums[col]);
  }
  lab::write_npy(request.path("P.npy"), {n, n}, p.data());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return lab::run_oracle(argc, argv, draw, expect, judge);
  } catch (const lab::NpyError& error) {
    lab::usage_error(error.what());
  }
}
