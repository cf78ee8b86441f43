/// @file
/// `grader submit`: hands in to a class's server from a terminal.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "workspace/submission.hpp"

namespace grader {

/// @param link  of the student, as the instructor gave it
/// @return the receipt (docs/serve.md) @throws Error (usage) for a text that is no link, and with the server's own
/// sentence for a refusal; (environment) when no server answers
nlohmann::json submit(const std::string& link, const Lab& lab, int level,
                      const std::vector<SubmissionFile>& files);

/// A receipt as people read it, with a line "SHA256  NAME" for each file.
std::string receipt_text(const nlohmann::json& receipt);

}  // namespace grader
