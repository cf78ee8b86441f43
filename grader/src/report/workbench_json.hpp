/// @file
/// The data on labs and gradings that pages in a browser show, as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "catalog/catalog.hpp"
#include "model/grading.hpp"
#include "records/records.hpp"
#include "workspace/hints.hpp"

namespace grader {

/// The labs with the student's best points. @param records the records; null if no grading exists yet
nlohmann::json labs_json(const Catalog& catalog, const Records* records);

/// A grading as to_json() writes it, with further values for people: "words" of its verdict, "points_words", the
/// sentence "wrong", "parts" with their "state" in words, "cases" with their "words", "places" by line, and "advice".
/// A place is {"file", "line", "column", "severity", "message"}: an error of the compiler, a blank, or a finding.
nlohmann::json grading_page_json(const Lab& lab, const Grading& grading);

/// {"format", "kind": "hints", "lab", "hints": [{"part", "part_title", "number", "of", "text"}]}
nlohmann::json hints_json(const Lab& lab, const std::vector<HintGiven>& hints);

}  // namespace grader
