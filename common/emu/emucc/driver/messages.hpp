/// @file
/// Rewrites the host compiler's messages about translated code in terms of the user's code.
#pragma once
#include <string>

namespace emucc {

/// A kernel's code may occur several times in the translation, inside lambdas. If messages differ only in the column,
/// one of them is kept, and the lambdas are not mentioned. Messages that refer only to the translation of
/// `__shared__` variables are replaced.
std::string tidy_messages(const std::string& messages);

/// The option that an object was compiled with and the link command lacks, according to the linker's messages:
/// "--check or --record". Empty if the link failed for another reason.
std::string missing_instrument(const std::string& messages);

}  // namespace emucc
