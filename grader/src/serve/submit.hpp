/// @file
/// Runs `grader submit`, which hands in to a class's server from a terminal.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "workspace/submission.hpp"

namespace grader {

/// @param link the student's link, as the instructor sent it
/// @return the receipt (docs/serve.md)
/// @throws Error (usage) for a text that is not a link, and with the server's sentence if it refuses;
///   (environment) when no server answers
nlohmann::json submit(const std::string& link, const Lab& lab, int level,
                      const std::vector<SubmissionFile>& files);

/// A receipt as people read it, with a line "SHA256  NAME" for each file.
std::string receipt_text(const nlohmann::json& receipt);

}  // namespace grader
