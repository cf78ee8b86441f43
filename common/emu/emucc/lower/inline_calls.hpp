/// @file
/// Writes a kernel a second time, with the bodies of functions where it calls them.
///
/// A kernel is split only at barriers that stand in its own body (fission.hpp). Where a barrier stands in a
/// `__device__` function, the kernel's tokens are copied to the end of the stream with that function's body in the
/// place of the call, and the copy is what is split:
///
///   __device__ float block_sum(float v) {      sum = block_sum(x * x);
///     __shared__ float s[256];
///     s[threadIdx.x] = v;                      →   { float cuemu_1_v = x * x;
///     __syncthreads();                               s_in_block_sum[threadIdx.x] = cuemu_1_v;
///     …                                              __syncthreads(); …
///     return s[0];                                   sum = static_cast<float>(s_in_block_sum[0]); }
///   }
///
/// Parameters become variables, or are left out where the argument's own name serves as well; local variables get
/// names of their own; `__shared__` variables stand once at the kernel's beginning, since all calls have the same.
/// What its names mean is looked up in the function's own namespace, and spelled from the root where the kernel's
/// place would give them another meaning.
/// What the copy can't express exactly it refuses: a `return` from a loop, recursion, a call that may be left out
/// (`a && f()`), names that are not declared yet where the kernel stands, template arguments that don't show.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "analyse/namespaces.hpp"
#include "analyse/nonblocking.hpp"
#include "parse/parameters.hpp"

namespace emucc {

/// Definitions of device functions, by name.
struct DeviceFunction {
  Declaration found;
  std::string scope;                  ///< the namespace that it is declared in: "::a::b"
  std::size_t from;                   ///< the first of its declarations: it may be called behind that
  std::vector<Parameter> parameters;  ///< with default arguments of any declaration
};
using DeviceFunctions = std::unordered_map<std::string, std::vector<DeviceFunction>>;

struct InlinedKernel {
  std::string refusal;  ///< why there is none; empty: there is one
  bool needed = false;  ///< it calls functions that might be inlined
  Declaration found;    ///< the copy, behind the tokens that were there
};

/// @param kernel in namespace `scope`
/// @param syntax of `stream`, which is extended
InlinedKernel inline_calls(TokenStream& stream, Syntax& syntax, const Declaration& kernel,
                           const std::string& scope, const DeviceFunctions& functions,
                           const Namespaces& namespaces, const KnownNames& names);

/// The copy as text, a line for each that it was made of.
std::string inlined_text(const TokenStream& stream, const Declaration& copy);

}  // namespace emucc
