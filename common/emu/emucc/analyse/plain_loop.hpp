/// @file
/// Finds kernels whose threads never wait for one another. These kernels can run as plain loops, which the
/// compiler may vectorise.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>

#include "parse/expression.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// Returns true for a word that may precede a parenthesis in such a loop: the word of a statement, a cast, or
/// a function that neither waits nor reads the thread's index.
bool is_independent_name(std::string_view name);
/// Returns true if the call at `callee` calls such a function. Returns false if the user's text has a
/// function of that name, which is analysed like any other function.
bool is_independent_call(const Syntax& syntax, std::size_t callee);

/// \name The effects of CUDA's functions, by name
/// A program may also have its own functions of these names. An analysis of those functions must assume that
/// a call calls CUDA's function.
/// @{
/// Returns true if threads wait for each other in the function.
bool is_meeting_name(std::string_view name);
/// Returns true if the function changes memory that other threads see, orders such changes, or copies. It
/// never waits.
bool is_memory_action(std::string_view name);
/// Returns true if the function changes or prints data that other threads see, but never waits.
bool is_acting_name(std::string_view name);
/// @}

/// Returns true if the inline PTX at `at` only computes: no instruction waits, reads the thread's index or
/// accesses memory.
bool is_computing_assembly(const Syntax& syntax, std::size_t at);

/// True for a name of `volatile` memory, or a member that is `volatile` in any class: a loop may wait until another
/// thread changes it.
bool is_watched(const Syntax& syntax, const Expression& node);

/// True if [begin, end), the body of a kernel, calls only mathematics and casts, has no shared memory, and never
/// waits for memory that others change. False in doubt: then each thread can be suspended, which is always correct.
/// @param plain_functions the user's device functions that qualify
bool is_plain_loop(const Syntax& syntax, std::size_t begin, std::size_t end,
                   const std::unordered_set<std::string>& plain_functions = {});

/// Returns true if a device function qualifies. It must not read the thread's index either.
bool is_plain_function(const Syntax& syntax, std::size_t begin, std::size_t end,
                       const std::unordered_set<std::string>& plain_functions);

}  // namespace emucc
