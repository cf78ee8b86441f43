#include "report/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/columns.hpp"
#include "check/findings.hpp"
#include "grade/score.hpp"

namespace grader {

std::vector<Place> places_of(const Grading& grading) {
  std::vector<Place> out;
  for (const Todo& todo : grading.todo)
    out.push_back({.file = printable(todo.file.string()),
                   .line = todo.line,
                   .severity = "warning",
                   .message = fmt::format("part {} is still to do", todo.part)});
  for (const CaseResult& one : grading.cases) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const Place& place) {
      return place.file == one.place.file && place.line == one.place.line;
    });
    if (one.place.file.empty() || known || !shows_details(grading, one)) continue;
    out.push_back({.file = printable(one.place.file),
                   .line = one.place.line,
                   .severity = "error",
                   .message = printable(fmt::format("case {}: {}", one.id, one.message))});
  }
  for (const SeenFinding& seen : findings_of(grading)) {
    const Finding& finding = seen.finding;
    const char* severity = finding.error ? "error" : "warning";
    std::string hint = printable(finding.hint);
    for (const FindingParty& party : finding.parties) {
      if (party.file.empty() || party.line == 0) continue;
      out.push_back({.file = printable(party.file),
                     .line = party.line,
                     .column = party.column,
                     .severity = severity,
                     .rule = printable(finding.rule),
                     .message = printable(finding.headline),
                     .what = printable(party.what),
                     .hint = std::exchange(hint, "")});
      severity = "note";
    }
  }
  return out;
}

std::string places_text(const Grading& grading) {
  std::string out;
  for (const Place& place : places_of(grading)) {
    const std::string column = place.column > 0 ? fmt::format(":{}", place.column) : "";
    const std::string rule = place.rule.empty() ? "" : place.rule + ": ";
    const std::string what = place.what.empty() ? "" : fmt::format(" ({})", place.what);
    out += fmt::format("{}:{}{}: {}: {}{}{}\n", place.file, place.line, column, place.severity, rule,
                       place.message, what);
  }
  return out;
}

}  // namespace grader
