/// @file
/// A student's report on a lab: made once from a template, and afterwards only its tables change.
///
/// In the template {{lab}}, {{title}}, {{tables}} and {{questions}} are replaced. A table's place in a report is
///
///     <!-- table sizes -->
///     … what was measured last
///     <!-- end of table -->
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "model/lab.hpp"

namespace grader {

/// The numbered questions of a handout, those behind a heading that begins with "Questions", each in one line.
std::vector<std::string> handout_questions(const std::string& handout);

/// A new report, its tables still empty. @param handout its text
std::string new_report(const std::string& form, const Lab& lab, const std::string& handout);

/// The text of the table with this id, or nothing when it was not measured.
using TableText = std::function<std::string(const std::string& id)>;

/// The report with its tables as they are now; all else stays as it was written.
/// @param missing gets the ids of tables that have not been measured
std::string fill_report(const std::string& report, const TableText& table, std::vector<std::string>& missing);

}  // namespace grader
