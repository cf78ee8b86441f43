/// @file
/// Finds kernels whose threads can run as a plain loop,
/// which the compiler may vectorise: they never wait for one another.
#pragma once
#include <string>
#include <unordered_set>

#include "parse/syntax.hpp"

namespace emucc {

/// A word that may stand before a parenthesis in such a loop: of a statement, a cast, or a function that
/// neither waits nor asks which thread calls.
bool is_harmless_name(std::string_view name);
/// Is the call of what is named at `callee` one of them? Not where the user's text has a function of that name, which
/// is to be followed as any other.
bool is_harmless_call(const Syntax& syntax, std::size_t callee);

/// Is the inline PTX at `at` made of instructions that only compute? They neither wait nor ask which thread runs,
/// nor touch memory.
bool is_computing_assembly(const Syntax& syntax, std::size_t at);

/// True when [begin, end), the body of a kernel, calls nothing but mathematics and casts, has no shared
/// memory, and watches no memory that others change. When in doubt false: then each thread can be suspended,
/// which is always right.
/// @param plain_functions device functions of the user's that are known to be of the same kind
bool is_plain_loop(const Syntax& syntax, std::size_t begin, std::size_t end,
                   const std::unordered_set<std::string>& plain_functions = {});

/// The same for a device function, which besides must not ask for the thread's index.
bool is_plain_function(const Syntax& syntax, std::size_t begin, std::size_t end,
                       const std::unordered_set<std::string>& plain_functions);

}  // namespace emucc
