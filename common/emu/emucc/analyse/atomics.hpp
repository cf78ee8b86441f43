/// @file
/// Atomic operations as CUDA writes them: `atomicAdd(&a[i], 1)`, and members of `cuda::atomic` and `cuda::atomic_ref`.
#pragma once
#include <string_view>

#include "parse/expression.hpp"

namespace emucc {

/// `atomicAdd`, `atomicMin_block` … : it gives what was there before.
bool is_atomic_function(std::string_view name);
/// Does the name that is called begin as they do? Not where a function of the user's may be called like one of them.
bool has_atomic_name(const Syntax& syntax, std::size_t callee);

/// Does the last word of a type name `cuda::atomic`, `cuda::std::atomic_ref` or their like?
bool is_atomic_class(const Syntax& syntax, std::size_t type);
/// Is `member`, which is called, `count.fetch_add` of an object of such a class? `wait` is not among them.
bool is_atomic_member(const Syntax& syntax, const Expression& member);
/// Either of both. Of a function of the user's that is called so it is taken for granted.
bool is_atomic_call(const Syntax& syntax, const Expression& call);

}  // namespace emucc
