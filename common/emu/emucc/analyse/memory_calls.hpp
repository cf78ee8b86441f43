/// @file
/// Functions of CUDA's and C's that do no more than read and write memory: loads and stores with a hint for the caches, copies, and random numbers
/// from a state.
#pragma once
#include <string_view>

#include "parse/syntax.hpp"

namespace emucc {

/// `__ldg`, `__ldcs` … : reads what its argument points to.
bool is_load_function(std::string_view name);
/// `__ldcg` and `__ldcv`: the load sees what other threads write meanwhile, so a loop may wait for that.
bool is_fresh_load(std::string_view name);
/// `__stcs` … : writes its second argument where the first one points to.
bool is_store_function(std::string_view name);
/// `memcpy` and its like.
bool is_block_copy(std::string_view name);
/// `curand_uniform` … : gives the next number of a state in memory, or begins one.
bool is_generator_function(std::string_view name);

/// Any of them: neither waits nor asks which thread calls, but memory may be other than before.
bool is_memory_function(std::string_view name);
/// Is the call of what is named at `callee` one of them? Not where the user's text has a function of that name.
bool is_memory_call(const Syntax& syntax, std::size_t callee);

}  // namespace emucc
