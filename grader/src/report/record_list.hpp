/// @file
/// Lists the gradings in the records, for people, spreadsheets and programs.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "records/records.hpp"

namespace grader {

/// A line of at most 80 columns for each grading: number, time, lab, owner, verdict, points.
std::string records_text(const std::vector<RecordSummary>& records, const Style& style);

/// The history for each student, lab and level: all attempts, whether they were late, and the best so far.
/// @param records the records, with the oldest first
std::string history_text(const std::vector<RecordSummary>& records, const Style& style);

/// The records as CSV (RFC 4180), with a heading and all columns.
std::string records_csv(const std::vector<RecordSummary>& records);

nlohmann::json to_json(const RecordSummary& record);

}  // namespace grader
