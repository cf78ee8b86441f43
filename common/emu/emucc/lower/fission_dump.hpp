/// @file
/// What `emucc --dump=fission` prints of a kernel that is split: its variables, and what the block does, step by
/// step.
#pragma once
#include <string>

#include "lower/fission.hpp"

namespace emucc {

/// @return lines that begin with blanks
std::string dump_fission(const Syntax& syntax, const Fission& plan);

}  // namespace emucc
