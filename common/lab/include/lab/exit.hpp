/// @file
/// Functions that end a lab's program early, with a sentence.
///
/// Host code only.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>

#include "exit_codes.hpp"
#include "inline.hpp"

namespace lab {

/// Ends the program with a sentence on standard error. Flushes earlier output first.
[[noreturn, gnu::cold]] void stop(Exit code, const std::string& sentence);

/// Ends the program because the user's input is wrong.
/// @param sentence what is wrong and what was expected
[[noreturn, gnu::cold]] void usage_error(const std::string& sentence);

/// Ends the program because its result is complete, but a requirement is not met.
/// @param sentence which requirement is not met, and by how much
[[noreturn, gnu::cold]] void missed(const std::string& sentence);

}  // namespace lab

#ifndef LAB_LIBRARY
#include "impl/exit.hpp"
#endif
