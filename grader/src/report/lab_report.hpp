/// @file
/// A student's report on a lab. It is created once from a template; later only its tables change.
///
/// {{lab}}, {{title}}, {{tables}} and {{questions}} are replaced in the template. A table's place in a report is
///
///     <!-- table sizes -->
///     … the last measured table
///     <!-- end of table -->
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "model/lab.hpp"

namespace grader {

/// Makes a new report with empty tables. @param form the template @param handout the text of the handout
std::string new_report(const std::string& form, const Lab& lab, const std::string& handout);

/// Returns the text of the table with this id, or no value if the table is not measured.
using TableText = std::function<std::string(const std::string& id)>;

/// Puts the current tables into the report. All other text is unchanged.
/// @param missing receives the ids of unmeasured tables
std::string fill_report(const std::string& report, const TableText& table, std::vector<std::string>& missing);

}  // namespace grader
