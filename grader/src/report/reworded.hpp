/// @file
/// Rewords a stored grading in the current grader's words.
#pragma once
#include <string>
#include <vector>

#include "model/grading.hpp"
#include "model/lab.hpp"

namespace grader {

/// Makes the messages and next steps of a grading's cases again, from the facts that it stores.
/// @return the failed cases that keep their recorded words, because the record lacks facts or the lab no longer has
///   the case
std::vector<std::string> reword(const Lab& lab, Grading& grading);

}  // namespace grader
