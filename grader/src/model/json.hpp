/// @file
/// Converts all reports to JSON for programs. Only the code here defines the names, and tests compare each
/// reader with its writer.
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

/// The word in JSON, such as "after_due_date". Gradescope uses the same words.
const char* to_string(Visibility visibility);

nlohmann::json to_json(const Grading& grading);
nlohmann::json to_json(const CaseResult& result);
nlohmann::json to_json(const KernelCounts& counts);
nlohmann::json to_json(const Table& table);
nlohmann::json to_json(const Finding& finding);
/// {"error": …, "next": …, "kind": "usage" | "environment" | "fault"}
nlohmann::json to_json(const Error& error);

/// @throws Error (fault) when the JSON is not a grading as to_json() writes it
Grading grading_from_json(const nlohmann::json& json);
/// Reads the report of a program under the checker (`CUEMU_CHECK=json=FILE`), whose findings have the same
/// form.
/// @throws Error (fault) when the JSON is not a report of the checker
std::vector<Finding> findings_from_json(const nlohmann::json& json);
/// @throws Error (fault) when the JSON is not a table as to_json() writes it
Table table_from_json(const nlohmann::json& json);

/// JSON as text. Bytes that are not UTF-8, which students' programs may print, become U+FFFD.
/// @param indent blanks per level; negative: everything on one line
std::string json_text(const nlohmann::json& json, int indent = 2);

/// Parses text. @throws Error (fault), with `what` ("record 7") as the subject, when the text is not JSON
nlohmann::json parse_json(const std::string& text, const std::string& what);
/// Parses text that may be missing or damaged. Null if it is not JSON.
nlohmann::json json_or_null(std::string_view text);
/// Parses a report that should contain only whole numbers. Null if any other number occurs, since its
/// conversion could overflow.
nlohmann::json json_of_whole_numbers(std::string_view text);

}  // namespace grader
