/// @file
/// Reads the text that a lab's program prints before it ends early: lab/check.hpp's lines on a CUDA error, and
/// lab/todo.hpp's line on a blank. On a GPU these lines are the only source, since no runtime of the kit sends
/// records. In emulation these lines are not read.
#pragma once
#include <optional>
#include <string>

#include "wire/stop.hpp"
#include "wire/todo.hpp"

namespace grader {

/// Removes the first error's lines from the text and returns their contents; no value if there is no such error.
///
///     CUDA error at matrixmul.cu:80: cudaDeviceSynchronize()
///       700 cudaErrorIllegalAddress: an illegal memory access was encountered
///       Likely cause: …
std::optional<kit_wire::CudaError> take_cuda_error(std::string& printed);

/// The first line "part 2 is still to do (matrixmul.cu:30)".
std::optional<kit_wire::Todo> find_todo(const std::string& printed);

}  // namespace grader
