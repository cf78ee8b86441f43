/// @file
/// Recognises CUDA's atomic operations: `atomicAdd(&a[i], 1)`, and members of `cuda::atomic` and `cuda::atomic_ref`.
#pragma once
#include <string_view>

#include "parse/expression.hpp"

namespace emucc {

/// True for `atomicAdd`, `atomicMin_block` and other functions that return the previous value.
bool is_atomic_function(std::string_view name);
/// True if the callee's name begins like that of an atomic function. False if a user's function may have that
/// name.
bool has_atomic_name(const Syntax& syntax, std::size_t callee);

/// True if the last word of a type names `cuda::atomic`, `cuda::std::atomic_ref` or another atomic class.
bool is_atomic_class(const Syntax& syntax, std::size_t type);
/// True if `member` is an atomic operation of such an object, as in `count.fetch_add`. False for `wait`.
bool is_atomic_member(const Syntax& syntax, const Expression& member);
/// True if the call is that of an atomic function or an atomic member. A user's function with such a name is
/// assumed to be atomic.
bool is_atomic_call(const Syntax& syntax, const Expression& call);

}  // namespace emucc
