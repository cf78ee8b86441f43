/// @file
/// Gradings from the records for people, spreadsheets and programs.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "records/records.hpp"

namespace grader {

/// A line for each: number, time, lab, owner, verdict, points; in 80 columns.
std::string records_text(const std::vector<RecordSummary>& records, const Style& style);

/// The history for each student, lab and level: attempts, late or not, and the best so far.
/// @param records the oldest first
std::string history_text(const std::vector<RecordSummary>& records, const Style& style);

/// RFC 4180 with a head; all columns.
std::string records_csv(const std::vector<RecordSummary>& records);

nlohmann::json to_json(const RecordSummary& record);

}  // namespace grader
