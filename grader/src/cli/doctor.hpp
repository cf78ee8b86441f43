/// @file
/// `grader doctor` lists the tools of this machine. For each missing tool it says what is impossible without
/// it, and how to get it.
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
  std::string meaning;  ///< what is impossible if it is missing
  std::string mend;     ///< the remedy
};
std::vector<DoctorItem> doctor(const Kit& kit, const Toolchain& toolchain);

}  // namespace grader
