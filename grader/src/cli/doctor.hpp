/// @file
/// `grader doctor`: what this machine has, what a lack means, and how to mend it.
#pragma once
#include <string>
#include <vector>

#include "build/toolchain.hpp"

namespace grader {

/// One line of `grader doctor`.
struct DoctorItem {
  enum class State { good, missing, warning } state;
  std::string name;
  std::string found;    ///< version or path
  std::string meaning;  ///< what its lack means
  std::string mend;     ///< how to mend it
};
std::vector<DoctorItem> doctor(const Kit& kit, const Toolchain& toolchain);

}  // namespace grader
