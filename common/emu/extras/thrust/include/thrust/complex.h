// Complex numbers for host and device code.
#pragma once

#include <complex>

namespace thrust {
using std::abs;
using std::arg;
using std::complex;
using std::conj;
using std::exp;
using std::norm;
using std::polar;
}  // namespace thrust
