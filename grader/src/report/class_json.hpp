/// @file
/// All of a class's results as JSON, which docs/class.schema.json describes.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "report/class_page.hpp"

namespace grader {

/// @param level of the lab
nlohmann::json class_json(const ClassReport& report, int level);

}  // namespace grader
