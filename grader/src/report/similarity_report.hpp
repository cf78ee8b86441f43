/// @file
/// Shows answers of a class that are more alike than chance explains, with their common lines side by side.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/terminal.hpp"
#include "course/compare.hpp"
#include "similarity/nearest.hpp"

namespace grader {

/// The text for a terminal: a paragraph for each pair, with its longest passages.
std::string similarity_text(const Lab& lab, const ClassSimilarity& similarity, const Style& style);

/// The text for a terminal: groups of students whose answers are equal byte for byte.
std::string identical_text(const ClassSimilarity& similarity, const Style& style);

/// The nearest pairs, one line for each.
std::string nearest_text(const ClassSimilarity& similarity, const Nearest& nearest, const Style& style);
nlohmann::json nearest_json(const ClassSimilarity& similarity, const Nearest& nearest);

/// The section of the class's page: the pairs, each followed by its folded passages.
std::string similarity_section(const ClassSimilarity& similarity);

/// The pairs with their places and lines, as a value in the JSON of docs/class.schema.json.
nlohmann::json similarity_json(const ClassSimilarity& similarity);

}  // namespace grader
