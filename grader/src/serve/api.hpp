/// @file
/// Answers that have the same form on all sites, and a function that reads paths.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "serve/site.hpp"

namespace grader {

ApiAnswer json_answer(const nlohmann::json& json, int status = 200);
/// The answer {"error", "next", "kind": "usage"}.
ApiAnswer refused(int status, const std::string& what, const std::string& next = {});
ApiAnswer not_found(const std::string& path);

/// Whether `path` begins with `prefix`. If so, removes the prefix.
bool cut(std::string& path, const std::string& prefix);

}  // namespace grader
