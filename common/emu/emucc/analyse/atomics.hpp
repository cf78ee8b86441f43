/// @file
/// Recognises CUDA's atomic operations: `atomicAdd(&a[i], 1)`, and members of `cuda::atomic` and `cuda::atomic_ref`.
#pragma once
#include <string_view>

#include "parse/expression.hpp"

namespace emucc {

/// Returns true for `atomicAdd`, `atomicMin_block` and other functions that return the previous value.
bool is_atomic_function(std::string_view name);
/// Returns true if the callee's name begins like that of an atomic function. Returns false if a user's
/// function may have that name.
bool has_atomic_name(const Syntax& syntax, std::size_t callee);

/// Returns true if the last word of a type names `cuda::atomic`, `cuda::std::atomic_ref` or another atomic
/// class.
bool is_atomic_class(const Syntax& syntax, std::size_t type);
/// Returns true if `member` is an atomic operation of such an object, as in `count.fetch_add`. Returns
/// false for `wait`.
bool is_atomic_member(const Syntax& syntax, const Expression& member);
/// Returns true if the call is that of an atomic function or an atomic member. A user's function with such a
/// name is assumed to be atomic.
bool is_atomic_call(const Syntax& syntax, const Expression& call);

}  // namespace emucc
