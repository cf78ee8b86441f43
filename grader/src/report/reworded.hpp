/// @file
/// Replaces the words of a stored grading by those of the current grader.
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
