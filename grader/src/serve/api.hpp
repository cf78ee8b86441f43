/// @file
/// Answers that all sites give in the same form, and the reading of paths.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "serve/site.hpp"

namespace grader {

ApiAnswer json_answer(const nlohmann::json& json, int status = 200);
/// {"error", "next", "kind": "usage"}
ApiAnswer refused(int status, const std::string& what, const std::string& next = {});
ApiAnswer not_found(const std::string& path);

/// Whether `path` begins with `prefix`. Removes the prefix then.
bool cut(std::string& path, const std::string& prefix);

}  // namespace grader
