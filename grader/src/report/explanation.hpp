/// @file
/// Explains a kernel's time to people, by the prediction of the model of limits (explain/limits.hpp).
#pragma once
#include <optional>

#include "base/terminal.hpp"
#include "explain/repairs.hpp"

namespace grader {

/// The bytes that the program copies.
struct Copies {
  double to_device = 0, to_host = 0;  ///< bytes
  int count = 0;
};

struct Explained {
  std::vector<KernelWork> works;
  Copies copies;
  bool registers_known = false;  ///< whether the compiler reported the registers
};

/// @param gpu the GPU to explain for; the other GPUs get one line each
std::string explanation_text(const Explained& explained, const KnownGpu& gpu, const Style& style);

}  // namespace grader
