/// @file
/// Joins the two texts that nvcc compiles separately: the code for the host and the code for the device.
///
/// nvcc preprocesses a file once with `__CUDA_ARCH__` and once without. So each side may have its own
/// function of the same name. The emulation compiles only once, so one text contains both sides. If a
/// `__host__ __device__` function differs between the sides, its body tests at run time on which side it
/// runs:
///     __host__ __device__ int side() { if (::cuemu::on_device()) { return 1; } else { return 0; } }
///
/// A host function gets the host's body. Kernels and device functions get the device's body. Declarations
/// that exist on only one side are kept. If the sides declare a type or a variable differently, only the
/// device's declaration is kept, since it can exist only once.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lex/lexer.hpp"

namespace emucc {

/// A host declaration that the joined text leaves out.
struct LeftOut {
  std::string file;
  std::uint32_t line = 0;
  std::string name;
};

struct JoinedSides {
  std::optional<std::string> text;  ///< the device's text with the host's differences; none: no differences
  std::vector<LeftOut> left_out;
};

/// @param device,host the tokens of one file, preprocessed with and without `__CUDA_ARCH__`
JoinedSides join_sides(const TokenStream& device, const TokenStream& host);

}  // namespace emucc
