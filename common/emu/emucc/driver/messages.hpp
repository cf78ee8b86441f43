/// @file
/// Rewrites the host compiler's messages about translated code, so that they refer to the user's code.
#pragma once
#include <string>

namespace emucc {

/// A kernel's code may occur several times in the translation, inside lambdas. Of messages that differ only
/// in the column, one is kept, without its lines about the lambda. Messages about the translation of
/// `__shared__` variables are replaced.
std::string tidy_messages(const std::string& messages);

/// Returns the option with which an object was compiled and that the link command lacks, according to the
/// linker's messages: "--check or --record". Empty if the link failed for another reason.
std::string missing_instrument(const std::string& messages);

}  // namespace emucc
