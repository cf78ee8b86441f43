/// @file
/// Atomic operations as CUDA writes them: `atomicAdd(&a[i], 1)`, and members of `cuda::atomic` and `cuda::atomic_ref`.
#pragma once
#include <string_view>

#include "parse/expression.hpp"

namespace emucc {

/// `atomicAdd`, `atomicMin_block` … : it gives what was there before.
bool is_atomic_function(std::string_view name);
/// Does it begin as they do?
bool has_atomic_name(std::string_view name);

/// Does the last word of a type name `cuda::atomic`, `cuda::std::atomic_ref` or their like?
bool is_atomic_class(const Syntax& syntax, std::size_t type);
/// Is `member`, which is called, `count.fetch_add` of an object of such a class? `wait` is not among them.
bool is_atomic_member(const Syntax& syntax, const Expression& member);
/// Either of both.
bool is_atomic_call(const Syntax& syntax, const Expression& call);

}  // namespace emucc
