/// @file
/// Secrets of this grader, drawn on first use. Neither another user nor, in the sandbox, a submission can read them.
#pragma once
#include <string>

#include "base/filesystem.hpp"

namespace grader {

/// In the kit's state: the secret from which the cases of all classes are drawn.
constexpr const char* class_secret_file = "class.secret";
/// The secret from which the nicknames of leaderboards are drawn.
constexpr const char* nickname_secret_file = "nicknames.secret";

/// Writes a file that only its owner can read, atomically. @throws Error (environment) when it can't be written
void write_private_file(const fs::path& file, const std::string& text);

/// @param file that holds it @throws Error (environment) when it can't be written or read
std::string kept_secret(const fs::path& file);

}  // namespace grader
