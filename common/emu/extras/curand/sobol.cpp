// Direction vectors of Sobol sequences for 3667 dimensions. They are computed from the initial numbers of S.
// Joe and F. Kuo in Boost's headers (libboost-dev). cuRAND uses the same numbers.
#include <vector>

#include "cuda_runtime.h"
#include "cuemu/curand/sobol.hpp"

#if __has_include(<boost/random/detail/sobol_table.hpp>)
#include <boost/random/detail/sobol_table.hpp>
#endif

namespace cuemu::curand {

namespace {

#if defined(BOOST_RANDOM_SOBOL_MAX_DIMENSION)
using Table = boost::random::detail::qrng_tables::sobol;
constexpr unsigned dimensions = Table::max_dimension;

/// Computes the vectors by the recurrence of a primitive polynomial: `v[k] = v[k - d] ^ v[k - d] >> d ^ …`.
void fill(unsigned dimension, curandDirectionVectors64_t& v) {
  if (dimension == 0) {
    for (unsigned k = 0; k < 64; ++k) v[k] = 1ull << (63 - k);
    return;
  }
  const unsigned polynomial = Table::polynomial(dimension - 1);
  const unsigned degree = 31u - static_cast<unsigned>(__builtin_clz(polynomial));
  for (unsigned k = 0; k < 64; ++k) {
    if (k < degree) {
      v[k] = static_cast<unsigned long long>(Table::minit(dimension - 1, k)) << (63 - k);
      continue;
    }
    v[k] = v[k - degree] ^ v[k - degree] >> degree;
    for (unsigned j = 1; j < degree; ++j)
      if ((polynomial >> (degree - j) & 1u) != 0) v[k] ^= v[k - j];
  }
}
#else
constexpr unsigned dimensions = 0;
void fill(unsigned, curandDirectionVectors64_t&) {}
#endif

struct Vectors {
  curandDirectionVectors64_t* of64;
  curandDirectionVectors32_t* of32;
};

const Vectors& vectors() {
  static const Vectors all = [] {
    Vectors made{new curandDirectionVectors64_t[dimensions + 1],
                 new curandDirectionVectors32_t[dimensions + 1]};
    for (unsigned d = 0; d < dimensions; ++d) {
      fill(d, made.of64[d]);
      for (unsigned k = 0; k < 32; ++k) made.of32[d][k] = static_cast<unsigned>(made.of64[d][k] >> 32);
    }
    return made;
  }();
  return all;
}

}  // namespace

unsigned sobol_dimensions() {
  return dimensions;
}
const curandDirectionVectors64_t* sobol_vectors64() {
  return dimensions == 0 ? nullptr : vectors().of64;
}
const curandDirectionVectors32_t* sobol_vectors32() {
  return dimensions == 0 ? nullptr : vectors().of32;
}

}  // namespace cuemu::curand
