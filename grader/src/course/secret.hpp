/// @file
/// Secrets of this grader, which are drawn when they are first asked for. Nobody else can read them: neither another user nor,
/// in the sandbox, what was handed in.
#pragma once
#include <string>

#include "base/filesystem.hpp"

namespace grader {

/// In the kit's state: what the cases of all classes are drawn from.
constexpr const char* class_secret_file = "class.secret";

/// A file that nobody else can read, whole. @throws Error (environment) when it can't be written
void write_private_file(const fs::path& file, const std::string& text);

/// @param file that keeps it @throws Error (environment) when it can't be written or read
std::string kept_secret(const fs::path& file);

}  // namespace grader
