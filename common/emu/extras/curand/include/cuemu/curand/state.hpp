// The common part of all generators in curand_kernel.h. It stores the second number of a Box-Muller pair for
// the next call.
#pragma once

#include "vector_functions.h"

namespace cuemu::curand {

enum class Extra : int { none, normal, log_normal };

/// The second number of a Box-Muller transform, which makes two numbers.
struct BoxMullerExtra {
  Extra kind, kind_double;
  float value;
  double value_double;
};

}  // namespace cuemu::curand
