/// @file
/// Recognises functions of CUDA and C that only read and write memory: loads and stores with cache hints,
/// copies, and generators of random numbers with a state.
#pragma once
#include <string_view>

#include "parse/syntax.hpp"

namespace emucc {

/// Returns true for `__ldg`, `__ldcs` and similar functions, which read the object that their argument points
/// to.
bool is_load_function(std::string_view name);
/// Returns true for `__ldcg` and `__ldcv`. These loads see concurrent writes by other threads, so a loop may
/// wait for such a write.
bool is_fresh_load(std::string_view name);
/// Returns true for `__stcs` and similar functions, which write their second argument to the address in the
/// first one.
bool is_store_function(std::string_view name);
/// Returns true for `memcpy`, `memset` and similar functions.
bool is_block_copy(std::string_view name);
/// Returns true for `curand_uniform` and similar functions, which return the next number of a state in
/// memory, or initialise a state.
bool is_generator_function(std::string_view name);

/// Returns true for all of these functions. They neither wait nor read the thread's index, but may change
/// memory.
bool is_memory_function(std::string_view name);
/// Returns true if the call at `callee` calls one of these functions. Returns false if the user's text has a
/// function with that name.
bool is_memory_call(const Syntax& syntax, std::size_t callee);

}  // namespace emucc
