// Programs made at random, whose kernels have races and whatever else comes of barriers that are missing: what the
// checker says of them must not depend on the host compiler.
#pragma once

#include <string>

namespace cuemu::check::tests {

/// The source of a program with `kernels` kernels, each launched once.
std::string random_program(unsigned seed, int kernels);

}  // namespace cuemu::check::tests
