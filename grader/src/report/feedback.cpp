// Both forms show the same grading, own_grading(), which contains no details that its student may not see.
#include "report/feedback.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/markup.hpp"
#include "base/terminal.hpp"
#include "base/utc.hpp"
#include "grade/score.hpp"
#include "report/mark_words.hpp"
#include "report/page.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

Grading own_grading(const Feedback& f) {
  Grading own = f.attempt.grading;
  own.origin = Origin::student;
  for (CaseResult& one : own.cases)
    if (one.visibility == Visibility::after_due_date && f.past_due) one.visibility = Visibility::visible;
  // Notes on the files themselves come first. The caller provides them.
  for (const std::string& note : f.attempt.notes)
    own.notes.erase(std::remove(own.notes.begin(), own.notes.end(), note), own.notes.end());
  return own;
}

std::string card(const char* what, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", what, value);
}

/// A list with a title; empty if there are no lines.
std::string list(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string out = fmt::format("<h2>{}</h2>\n<ul class=list>\n", title);
  for (const std::string& line : lines) out += "<li>" + foreign_text(line) + "\n";
  return out + "</ul>\n";
}

std::string parts_table(const Lab& lab, const Grading& own) {
  PageTable table{.id = "parts",
                  .caption = "Parts",
                  .heads = {"Part", "What", "Points", "State"},
                  .is_number = {false, false, true, false},
                  .rows = {}};
  for (const PartReport& part : part_reports(lab, own))
    table.rows.push_back({{std::to_string(part.result.id)},
                          {foreign_text(part.result.title)},
                          {part_points(part)},
                          {"<div class=words>" + foreign_text(part_state(own, part, Style{})) + "</div>"}});
  return table_markup(table);
}

/// The next step is below the observation, so that both are visible on a phone.
std::string cases_table(const Grading& own) {
  PageTable table{.id = "cases",
                  .caption = "Cases",
                  .heads = {"Case", "Result", "What was seen, and the next step"},
                  .is_number = {false, false, false},
                  .rows = {}};
  for (const CaseResult& one : own.cases) {
    const bool shown = shows_details(own, one);
    const char* const kind = one.verdict == Verdict::passed ? "good"
                             : failed_itself(one.verdict)   ? "bad"
                                                            : "";
    std::string seen = shown ? foreign_text(one.message) : "hidden";
    if (shown && !one.next_step.empty())
      seen += (seen.empty() ? "" : "<br>") + ("Next: " + foreign_text(one.next_step));
    table.rows.push_back({{foreign_text(one.id)},
                          {fmt::format("<span class=\"{}\">{}</span>", kind, case_words(own, one))},
                          {"<div class=words>" + seen + "</div>"}});
  }
  return table_markup(table);
}

}  // namespace

Feedback feedback_on(const Lab& lab, const ClassFile& course, const GradedAttempt& attempt, const Mark& mark,
                     const std::string& now) {
  const auto due_at = due(course, mark.student);
  return {lab, attempt, mark, due_at && seconds_of(now) >= due_at};
}

std::string feedback_text(const Feedback& f) {
  const Grading own = own_grading(f);
  std::string text;
  for (const std::string& line : mark_lines(f.lab, own, f.mark))
    text += hanging("", printable(line), Style{}.width) + "\n";
  if (!text.empty()) text += "\n";
  for (const std::string& note : f.attempt.notes)
    text += hanging("", printable(note), Style{}.width) + "\n\n";
  return text + report_text(f.lab, own, Style{});
}

std::string feedback_page(const Feedback& f) {
  const Grading own = own_grading(f);
  const std::string title = fmt::format("{}: {}", foreign_text(f.lab.id), foreign_text(f.lab.title));
  const std::string& name = f.mark.name.empty() ? f.mark.student : f.mark.name;
  std::string body = fmt::format("<h1>{}</h1>\n<p class=of>{}, attempt {} of {}{}\n", title,
                                 foreign_text(name), f.mark.counted, f.mark.attempts,
                                 f.mark.received_at.empty()
                                     ? ""
                                     : ", handed in " + foreign_text(minute_of(f.mark.received_at)) + " UTC");
  body += "<dl class=cards>" + card("result", words(own.verdict)) +
          card("points", points_text(own.points) + " of " + points_text(own.max_points)) +
          (f.mark.mark() != own.points ? card("mark", points_text(f.mark.mark())) : "") + "</dl>\n";
  body += list("Your mark", mark_lines(f.lab, own, f.mark)) + list("Your files", f.attempt.notes);
  if (!own.parts.empty()) body += "<h2>Parts</h2>\n" + parts_table(f.lab, own);
  if (!own.cases.empty()) body += "<h2>Cases</h2>\n" + cases_table(own);
  body += "<h2>The report</h2>\n<pre class=words tabindex=0>" +
          foreign_text(report_text(f.lab, own, Style{})) + "</pre>\n";
  return page(title, body);
}

}  // namespace grader
