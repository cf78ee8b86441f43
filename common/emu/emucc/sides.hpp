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
/// only one side has are all there.
#pragma once
#include <optional>
#include <string>

#include "lexer.hpp"

namespace emucc {

/// The device's text with the host's differences in it; nothing where there is none.
/// @param device,host the same file, preprocessed with and without `__CUDA_ARCH__`
std::optional<std::string> join_sides(const TokenStream& device, const TokenStream& host);

}  // namespace emucc
