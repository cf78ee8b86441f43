/// @file
/// A stored grading in today's words.
#pragma once
#include <string>
#include <vector>

#include "model/grading.hpp"
#include "model/lab.hpp"

namespace grader {

/// Makes the messages and next steps of a grading's cases again, from the facts that it stores.
/// @return the failed cases whose words stay as they were recorded: the record lacks facts, or the lab the case
std::vector<std::string> reword(const Lab& lab, Grading& grading);

}  // namespace grader
