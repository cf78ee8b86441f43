/// @file
/// All results of a class as JSON. docs/class.schema.json describes the format.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "report/class_page.hpp"

namespace grader {

/// @param level the lab's level
nlohmann::json class_json(const ClassReport& report, int level);

}  // namespace grader
