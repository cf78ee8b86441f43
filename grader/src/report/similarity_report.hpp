/// @file
/// Answers of a class that are more alike than chance, with their common lines side by side.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/terminal.hpp"
#include "course/compare.hpp"
#include "similarity/nearest.hpp"

namespace grader {

/// For a terminal: a paragraph for each pair, with its longest passages.
std::string similarity_text(const Lab& lab, const ClassSimilarity& similarity, const Style& style);

/// For a terminal: groups of students with the same answer, byte for byte.
std::string identical_text(const ClassSimilarity& similarity, const Style& style);

/// The nearest pairs, a line each.
std::string nearest_text(const ClassSimilarity& similarity, const Nearest& nearest, const Style& style);
nlohmann::json nearest_json(const ClassSimilarity& similarity, const Nearest& nearest);

/// For the class's page: the pairs, each followed by its folded passages.
std::string similarity_section(const ClassSimilarity& similarity);

/// The pairs, with places and lines: a value in the JSON of docs/class.schema.json.
nlohmann::json similarity_json(const ClassSimilarity& similarity);

}  // namespace grader
