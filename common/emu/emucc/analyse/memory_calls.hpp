/// @file
/// Functions of CUDA and C that only read and write memory: loads and stores with cache hints, copies, and random
/// numbers from a state.
#pragma once
#include <string_view>

#include "parse/syntax.hpp"

namespace emucc {

/// `__ldg`, `__ldcs` … : reads the object that its argument points to.
bool is_load_function(std::string_view name);
/// `__ldcg` and `__ldcv`: the load sees concurrent writes of other threads, so a loop may wait for one.
bool is_fresh_load(std::string_view name);
/// `__stcs` … : writes its second argument to the address in the first one.
bool is_store_function(std::string_view name);
/// `memcpy`, `memset`, …
bool is_block_copy(std::string_view name);
/// `curand_uniform` … : returns the next number of a state in memory, or initialises a state.
bool is_generator_function(std::string_view name);

/// Any of them: it neither waits nor reads the thread's index, but may change memory.
bool is_memory_function(std::string_view name);
/// True if the call at `callee` is one of them. False if the user's text has a function of that name.
bool is_memory_call(const Syntax& syntax, std::size_t callee);

}  // namespace emucc
