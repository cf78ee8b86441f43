/// @file
/// Secrets of this grader, drawn on first use. Neither another user nor, in the sandbox, a submission can read them.
#pragma once
#include <string>

#include "base/filesystem.hpp"

namespace grader {

/// The secret from which the cases of all classes are drawn: a file in the kit's state.
constexpr const char* class_secret_file = "class.secret";
/// The secret from which leaderboards' nicknames are drawn.
constexpr const char* nickname_secret_file = "nicknames.secret";

/// Writes, atomically, a file that only its owner can read. @throws Error (environment) when it can't be
/// written
void write_private_file(const fs::path& file, const std::string& text);

/// The secret in a file, which is drawn if the file does not exist.
/// @throws Error (environment) when the file can't be written or read
std::string kept_secret(const fs::path& file);

}  // namespace grader
