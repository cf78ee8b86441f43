/// @file
/// Secrets of this grader, which are drawn when they are first asked for. Nobody else can read them: neither another user nor,
/// in the sandbox, what was handed in.
#pragma once
#include <string>

#include "base/filesystem.hpp"

namespace grader {

/// @param file that keeps it @throws Error (environment) when it can't be written or read
std::string kept_secret(const fs::path& file);

}  // namespace grader
