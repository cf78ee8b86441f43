// The common part of all generators of curand_kernel.h: the second number of a Box-Muller pair, stored
// for the next call.
#pragma once

#include "vector_functions.h"

namespace cuemu::curand {

enum class Extra : int { none, normal, log_normal };

/// A Box-Muller transform gives two numbers; the second number is stored here.
struct BoxMullerExtra {
  Extra kind, kind_double;
  float value;
  double value_double;
};

}  // namespace cuemu::curand
