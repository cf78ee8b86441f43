/// @file
/// Reads the text that a lab's program prints before it ends early: the lines of lab/check.hpp about a CUDA
/// error, and the line of lab/todo.hpp about a blank. On a GPU these lines are the only source, since no
/// runtime of the kit sends records. In emulation these lines are not read.
#pragma once
#include <optional>
#include <string>

#include "wire/stop.hpp"
#include "wire/todo.hpp"

namespace grader {

/// Removes the lines of the first CUDA error from the text, and returns what they say. No value if there is
/// no such error.
///
///     CUDA error at matrixmul.cu:80: cudaDeviceSynchronize()
///       700 cudaErrorIllegalAddress: an illegal memory access was encountered
///       Likely cause: …
std::optional<kit_wire::CudaError> take_cuda_error(std::string& printed);

/// Reads the first line of the form "part 2 is still to do (matrixmul.cu:30)".
std::optional<kit_wire::Todo> find_todo(const std::string& printed);

}  // namespace grader
