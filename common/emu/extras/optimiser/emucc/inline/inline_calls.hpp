/// @file
/// Writes a kernel a second time. In the copy, the bodies of called functions replace the calls.
///
/// A kernel is split only at barriers in its own body (fission.hpp). If a `__device__` function contains a barrier,
/// the kernel's tokens are copied to the end of the stream, the function's body replaces the call, and the copy is
/// split:
///
///   __device__ float block_sum(float v) {      sum = block_sum(x * x);
///     __shared__ float s[256];
///     s[threadIdx.x] = v;                      →   { float cuemu_1_v = x * x;
///     __syncthreads();                               s_in_block_sum[threadIdx.x] = cuemu_1_v;
///     …                                              __syncthreads(); …
///     return s[0];                                   sum = static_cast<float>(s_in_block_sum[0]); }
///   }
///
/// Parameters become variables, or the argument's name replaces them where that is equivalent. Local
/// variables get new names. `__shared__` variables are declared once at the kernel's beginning, since all
/// calls share them. Names are looked up in the function's own namespace. If a name has another meaning in
/// the kernel, the copy qualifies it from the global namespace.
///
/// Anything that the copy can't express exactly is refused: a `return` from a loop, recursion, a call that may be
/// skipped (`a && f()`), names declared after the kernel, and template arguments that can't be deduced here.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "facts/namespaces.hpp"
#include "facts/nonblocking.hpp"
#include "parse/parameters.hpp"

namespace emucc {

/// The definition of a device function.
struct DeviceFunction {
  Declaration found;
  std::string scope;                  ///< the namespace that declares the function: "::a::b"
  std::size_t from;                   ///< the first declaration: the function may be called after it
  std::vector<Parameter> parameters;  ///< with default arguments of any declaration
};
using DeviceFunctions = std::unordered_map<std::string, std::vector<DeviceFunction>>;

struct InlinedKernel {
  std::string refusal;  ///< the reason why there is no copy; empty: there is one
  bool needed = false;  ///< the kernel calls functions that might be inlined
  Declaration found;    ///< the copy, after the original tokens
};

/// @param kernel a kernel in namespace `scope`
/// @param syntax the syntax of `stream`; both are extended
InlinedKernel inline_calls(TokenStream& stream, Syntax& syntax, const Declaration& kernel,
                           const std::string& scope, const DeviceFunctions& functions,
                           const Namespaces& namespaces, const KnownNames& names);

/// Returns the copy as text, with one line for each line of its sources.
std::string inlined_text(const TokenStream& stream, const Declaration& copy);

}  // namespace emucc
