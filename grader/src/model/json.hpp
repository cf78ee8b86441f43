/// @file
/// The machine form of everything that reports. One place decides the names; the reader and the writer are
/// tested against each other.
///
/// Names are those of the struct members, enumerators are their to_string() words, times are seconds.
/// Once released a name stays: readers must ignore names that they do not know,
/// and a missing name is its default.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "base/error.hpp"
#include "model/finding.hpp"
#include "model/grading.hpp"
#include "model/table.hpp"

namespace grader {

/// "after_due_date": the word in JSON, which is Gradescope's too.
const char* to_string(Visibility visibility);

nlohmann::json to_json(const Grading& grading);
nlohmann::json to_json(const Table& table);
nlohmann::json to_json(const Finding& finding);
/// {"error": …, "next": …, "kind": "usage" | "environment" | "fault"}
nlohmann::json to_json(const Error& error);

/// @throws Error (fault) when the JSON is not a grading as to_json() writes it
Grading grading_from_json(const nlohmann::json& json);
/// What a program under the checker leaves (`CUEMU_CHECK=json=FILE`), in the same words.
/// @throws Error (fault) when the JSON is no report of the checker
std::vector<Finding> findings_from_json(const nlohmann::json& json);
/// @throws Error (fault) when the JSON is not a table as to_json() writes it
Table table_from_json(const nlohmann::json& json);

/// JSON as text. Bytes that are not UTF-8,
/// which students' programs may print, become U+FFFD instead of an error.
/// @param indent blanks per level; negative: everything on one line
std::string json_text(const nlohmann::json& json, int indent = 2);

/// Reads text. @throws Error (fault) with `what` ("record 7") as its subject when it is not JSON
nlohmann::json parse_json(const std::string& text, const std::string& what);
/// The same of what may be missing or damaged: null when it is not JSON.
nlohmann::json json_or_null(std::string_view text);
/// The same of reports whose numbers are all whole ones: null where one is not, which as a whole number might be none.
nlohmann::json json_of_whole_numbers(std::string_view text);

}  // namespace grader
