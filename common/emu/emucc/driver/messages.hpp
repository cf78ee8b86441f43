/// @file
/// What the host compiler says of translated code, in the words of the code that the user wrote.
#pragma once
#include <string>

namespace emucc {

/// A kernel's code may stand in the translation more than once, inside of lambdas: of messages that are the
/// same but for the column one is kept, and nothing is said of the lambdas. What refers to the translation of
/// `__shared__` variables alone is said anew.
std::string tidy_messages(const std::string& messages);

/// The option with which an object was compiled, of what the linker says where it is linked without: "--check or --record".
/// Empty: that is not why it fails.
std::string missing_instrument(const std::string& messages);

}  // namespace emucc
