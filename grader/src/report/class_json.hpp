/// @file
/// All of a class's results as JSON, described by docs/class.schema.json.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "report/class_page.hpp"

namespace grader {

/// @param level of the lab
nlohmann::json class_json(const ClassReport& report, int level);

}  // namespace grader
