// reader_stream.cpp: the report's way to read, one number after another with std::ifstream >>. There is nothing to
// do here. It is short, right, and slow: an operator >> looks up the locale, asks the stream's buffer for each
// character, and writes the number into a string before it converts it.
#include <fstream>

#include "matrices.hpp"
#include "minmatrix.h"
#include "minmatrix_layout.h"

Matrices roomFor(const char* path, long long m, int n) {
  if (m < 1) lab::refuse_matrices(path, n);
  if (static_cast<std::size_t>(m) > MOST_NUMBERS / (std::size_t(n) * n))
    lab::usage_error(std::string("Input ") + path + " says that it holds " + std::to_string(m) +
                     " matrices: of " + std::to_string(n) + "×" + std::to_string(n) + " there may be " +
                     std::to_string(MOST_NUMBERS / (std::size_t(n) * n)) + ".");
  lab::require_host_memory(4.0 * static_cast<double>(m) * n * n, std::to_string(m) + " matrices");
  Matrices matrices;
  matrices.m = static_cast<int>(m);
  matrices.n = n;
  matrices.values.reset(new int[matrices.count()]);
  return matrices;
}

Matrices readStream(const char* path, int n, Layout layout) {
  lab::MappedFile{path};  // reports a bad path
  std::ifstream file(path);
  long long m = 0;
  std::string word;
  if (!(file >> m >> word) || !lab::is_separator(word)) lab::refuse_matrices(path, n);
  Matrices matrices = roomFor(path, m, n);
  const lab::Strides strides = stridesOf(layout, matrices.m, matrices.numbers());
  for (int k = 0; k < matrices.m; ++k) {
    for (int p = 0; p < matrices.numbers(); ++p) {
      if (!(file >> matrices.values[k * strides.matrix + p * strides.position]))
        lab::refuse_matrices(path, n);
    }
    const bool separated = (file >> word) && lab::is_separator(word);
    const bool last = k + 1 == matrices.m && file.eof();
    if (!separated && !last) lab::refuse_matrices(path, n);
  }
  if (file >> word) lab::refuse_matrices(path, n);
  return matrices;
}
