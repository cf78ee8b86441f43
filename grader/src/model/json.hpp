/// @file
/// The machine form of all reports. Only this code defines the names, and tests compare reader and writer with each
/// other.
///
/// Names are the names of the struct members, enumerators are written as their to_string() words, and times are
/// seconds. Released names never change: readers must ignore unknown names, and a missing name means its default.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "base/error.hpp"
#include "model/finding.hpp"
#include "model/grading.hpp"
#include "model/table.hpp"

namespace grader {

/// "after_due_date": the word in JSON, also used by Gradescope.
const char* to_string(Visibility visibility);

nlohmann::json to_json(const Grading& grading);
nlohmann::json to_json(const CaseResult& result);
nlohmann::json to_json(const KernelCounts& counts);
nlohmann::json to_json(const Table& table);
nlohmann::json to_json(const Finding& finding);
/// {"error": …, "next": …, "kind": "usage" | "environment" | "fault"}
nlohmann::json to_json(const Error& error);

/// @throws Error (fault) when the JSON is not a grading in to_json()'s form
Grading grading_from_json(const nlohmann::json& json);
/// The report of a program under the checker (`CUEMU_CHECK=json=FILE`), in the same form.
/// @throws Error (fault) when the JSON is not a report of the checker
std::vector<Finding> findings_from_json(const nlohmann::json& json);
/// @throws Error (fault) when the JSON is not a table in to_json()'s form
Table table_from_json(const nlohmann::json& json);

/// JSON as text. Bytes that are not UTF-8, which students' programs may print, become U+FFFD.
/// @param indent blanks per level; negative: everything on one line
std::string json_text(const nlohmann::json& json, int indent = 2);

/// Parses text. @throws Error (fault) with `what` ("record 7") as its subject when it is not JSON
nlohmann::json parse_json(const std::string& text, const std::string& what);
/// Does the same for text that may be missing or damaged: returns null if the text is not JSON.
nlohmann::json json_or_null(std::string_view text);
/// Does the same for reports that contain only whole numbers: returns null if any other number occurs, since its
/// conversion could overflow.
nlohmann::json json_of_whole_numbers(std::string_view text);

}  // namespace grader
