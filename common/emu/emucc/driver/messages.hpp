/// @file
/// Rewrites the host compiler's messages about translated code in terms of the user's code.
#pragma once
#include <string>

namespace emucc {

/// A kernel's code may occur several times in the translation, inside lambdas. Of messages that differ only in the
/// column one is kept, and the lambdas are not mentioned. Messages that refer only to the translation of `__shared__`
/// variables are replaced.
std::string tidy_messages(const std::string& messages);

/// The option with which an object was compiled, from the linker's messages when it is linked without: "--check or
/// --record". Empty: the link fails for another reason.
std::string missing_instrument(const std::string& messages);

}  // namespace emucc
