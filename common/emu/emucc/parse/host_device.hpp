/// @file
/// Joins what nvcc compiles twice: code for the host and code for the device.
///
/// nvcc preprocesses a file once with `__CUDA_ARCH__` and once without, and a function may exist once for
/// each side under one name. The emulation compiles once, so that both sides stand in one text: where a
/// `__host__ __device__` function differs between the sides, its body asks where it runs,
///
///     __host__ __device__ int side() { if (::cuemu::on_device()) { return 1; } else { return 0; } }
///
/// a host function has the host's body, kernels and device functions have the device's, and declarations that
/// only one side has are all there. A type or a variable that both declare, each in its own way, can be there
/// only once: it is the device's.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lex/lexer.hpp"

namespace emucc {

/// A declaration of the host's that is left out.
struct LeftOut {
  std::string file;
  std::uint32_t line = 0;
  std::string name;
};

struct JoinedSides {
  std::optional<std::string> text;  ///< the device's with the host's differences in it; none: there are none
  std::vector<LeftOut> left_out;
};

/// @param device,host the same file, preprocessed with and without `__CUDA_ARCH__`
JoinedSides join_sides(const TokenStream& device, const TokenStream& host);

}  // namespace emucc
