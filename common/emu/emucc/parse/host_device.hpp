/// @file
/// Joins the two texts that nvcc compiles separately: code for the host and code for the device.
///
/// nvcc preprocesses a file once with `__CUDA_ARCH__` and once without, and a function may exist once for each side
/// under one name. The emulation compiles once, so one text contains both sides. Where a `__host__ __device__`
/// function differs between the sides, its body checks at run time where it runs:
///     __host__ __device__ int side() { if (::cuemu::on_device()) { return 1; } else { return 0; } }
///
/// A host function has the host's body, kernels and device functions have the device's, and declarations of only one
/// side are all kept. A type or a variable that both sides declare differently can exist only once: the device's is
/// kept.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lex/lexer.hpp"

namespace emucc {

/// A host declaration that is left out.
struct LeftOut {
  std::string file;
  std::uint32_t line = 0;
  std::string name;
};

struct JoinedSides {
  std::optional<std::string> text;  ///< the device's text with the host's differences; none: no differences
  std::vector<LeftOut> left_out;
};

/// @param device,host the same file, preprocessed with and without `__CUDA_ARCH__`
JoinedSides join_sides(const TokenStream& device, const TokenStream& host);

}  // namespace emucc
