// Names come from students' files: printable() cleans them for terminals, csv_cell() for spreadsheets.
#include "report/record_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/columns.hpp"
#include "base/csv_row.hpp"
#include "base/utc.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

std::string verdict(const RecordSummary& r, const Style& style) {
  std::string words = r.verdict;
  std::replace(words.begin(), words.end(), '_', ' ');
  return r.verdict == to_string(Verdict::passed) ? style.good(words) : words;
}

/// The student's name. For the user's own gradings, where the files came from.
std::string whose(const RecordSummary& r) {
  return printable(r.student.empty() ? r.origin : r.student);
}

std::string points(const RecordSummary& r) {
  return r.check            ? "check"
         : r.max_points > 0 ? points_text(r.points) + "/" + points_text(r.max_points)
                            : "not graded";
}

bool counts(const RecordSummary& r) {
  return !r.check && r.max_points > 0 && r.verdict != to_string(Verdict::grader_fault);
}

/// Whether a grading is late. Times in this form can be compared as text.
bool late(const RecordSummary& r) {
  return !r.due_at.empty() && !r.received_at.empty() && r.received_at > r.due_at;
}

void add_head(Columns& columns, std::vector<std::string> head, const Style& style) {
  for (std::string& title : head) title = style.strong(title);
  columns.add(std::move(head));
}

}  // namespace

std::string records_text(const std::vector<RecordSummary>& records, const Style& style) {
  int longest = 0;
  for (const RecordSummary& r : records) longest = std::max(longest, display_width(whose(r)));
  const auto with_names_of = [&](int most) {
    Columns columns(
        {Align::right, Align::left, Align::left, Align::left, Align::left, Align::left, Align::right});
    add_head(columns, {"No.", "When (UTC)", "Lab", "Of", "On", "Verdict", "Points"}, style);
    for (const RecordSummary& r : records)
      columns.add({std::to_string(r.id), minute_of(r.started_at), fmt::format("{}.{}", r.lab, r.level),
                   cut_to(whose(r), most), r.backend, verdict(r, style), points(r)});
    return columns.text(0, style.width);
  };
  const std::string text = with_names_of(longest);
  int widest = 0;
  for (const std::string& line : split_lines(text)) widest = std::max(widest, display_width(line));
  return widest <= style.width ? text : with_names_of(std::max(8, longest - (widest - style.width)));
}

std::string history_text(const std::vector<RecordSummary>& records, const Style& style) {
  struct Way {
    std::vector<const RecordSummary*> records;
    std::size_t first = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string, int>, Way> ways;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RecordSummary& r = records[i];
    Way& way = ways[{r.course, whose(r), r.lab, r.level}];
    if (way.records.empty()) way.first = i;
    way.records.push_back(&r);
  }
  std::vector<const Way*> in_order;
  for (const auto& [key, way] : ways) in_order.push_back(&way);
  std::sort(in_order.begin(), in_order.end(), [](const Way* a, const Way* b) { return a->first < b->first; });
  std::string out;
  for (const Way* const way : in_order) {
    const RecordSummary& any = *way->records.front();
    out += (out.empty() ? "" : "\n") +
           cut_to(fmt::format("{}, {} level {}", whose(any), any.lab, any.level), style.width) + "\n";
    Columns columns(
        {Align::right, Align::left, Align::left, Align::left, Align::left, Align::right, Align::right});
    add_head(columns, {"No.", "When (UTC)", "Attempt", "On", "Verdict", "Points", "Best"}, style);
    double best = -1;
    for (const RecordSummary* const r : way->records) {
      if (counts(*r)) best = std::max(best, r->points);
      columns.add({std::to_string(r->id), minute_of(r->started_at),
                   (r->attempt > 0 ? std::to_string(r->attempt) : "") + (late(*r) ? ", late" : ""),
                   r->backend, verdict(*r, style), points(*r), best < 0 ? "" : points_text(best)});
    }
    out += columns.text(1, style.width);
  }
  return out;
}

std::string records_csv(const std::vector<RecordSummary>& records) {
  std::string out =
      "id,started_at,lab,level,course,student,attempt,received_at,due_at,late,origin,backend,device,verdict,"
      "points,"
      "max_points,check,kit_version,sandbox,submission\r\n";
  for (const RecordSummary& r : records)
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", r.id, r.started_at,
                       r.lab, r.level, csv_cell(r.course), csv_cell(r.student),
                       r.attempt > 0 ? std::to_string(r.attempt) : "", r.received_at, r.due_at,
                       r.due_at.empty() || r.received_at.empty() ? ""
                       : late(r)                                 ? "yes"
                                                                 : "no",
                       r.origin, r.backend, csv_cell(r.device), r.verdict, points_text(r.points),
                       points_text(r.max_points), r.check ? "yes" : "no", csv_cell(r.kit_version), r.sandbox,
                       csv_cell(r.submission));
  return out;
}

nlohmann::json to_json(const RecordSummary& r) {
  return {{"id", r.id},           {"started_at", r.started_at},
          {"lab", r.lab},         {"level", r.level},
          {"course", r.course},   {"student", r.student},
          {"attempt", r.attempt}, {"received_at", r.received_at},
          {"due_at", r.due_at},   {"late", late(r)},
          {"origin", r.origin},   {"backend", r.backend},
          {"device", r.device},   {"verdict", r.verdict},
          {"points", r.points},   {"max_points", r.max_points},
          {"check", r.check},     {"kit_version", r.kit_version},
          {"sandbox", r.sandbox}, {"submission", r.submission}};
}

}  // namespace grader
