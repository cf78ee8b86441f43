/// @file
/// Gradings on record for people, spreadsheets and programs.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "records/records.hpp"

namespace grader {

/// A line for each: number, moment, lab, whose, verdict, points; in 80 columns.
std::string records_text(const std::vector<RecordSummary>& records, const Style& style);

/// For each student, lab and level what came one after the other: attempts, late or not, and the best so far.
/// @param records the oldest first
std::string history_text(const std::vector<RecordSummary>& records, const Style& style);

/// RFC 4180 with a head; every column that there is.
std::string records_csv(const std::vector<RecordSummary>& records);

nlohmann::json to_json(const RecordSummary& record);

}  // namespace grader
