/// @file
/// Which answers of a class are more alike than chance makes them, with the lines that they share side by side.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/terminal.hpp"
#include "course/compare.hpp"

namespace grader {

/// For a terminal: a paragraph for each pair, with its longest passages.
std::string similarity_text(const Lab& lab, const ClassSimilarity& similarity, const Style& style);

/// For a terminal: who has the same answer byte for byte.
std::string identical_text(const ClassSimilarity& similarity, const Style& style);

/// For the class's page: the pairs, each with its passages folded behind it.
std::string similarity_section(const ClassSimilarity& similarity);

/// The pairs, with places and lines: a value of the JSON that docs/class.schema.json describes.
nlohmann::json similarity_json(const ClassSimilarity& similarity);

}  // namespace grader
