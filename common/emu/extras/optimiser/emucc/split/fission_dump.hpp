/// @file
/// Writes the output of `emucc --dump=fission` for a split kernel: the kernel's variables, and the block's
/// steps.
#pragma once
#include <string>

#include "split/fission.hpp"

namespace emucc {

/// @return indented lines
std::string dump_fission(const Syntax& syntax, const Fission& plan);

}  // namespace emucc
