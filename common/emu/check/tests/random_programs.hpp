// Makes random programs whose kernels have races and other effects of missing barriers. The checker's
// findings about them must not depend on the host compiler.
#pragma once

#include <string>

namespace cuemu::check::tests {

/// Returns the source of a program with `kernels` kernels. The program launches each kernel once.
std::string random_program(unsigned seed, int kernels);

}  // namespace cuemu::check::tests
