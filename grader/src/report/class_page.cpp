// One function makes each section. All text from students passes through foreign_text().
#include "report/class_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/markup.hpp"
#include "base/terminal.hpp"
#include "base/utc.hpp"
#include "model/table.hpp"
#include "report/leaderboard_page.hpp"
#include "report/mark_words.hpp"
#include "report/page.hpp"
#include "report/report.hpp"
#include "report/similarity_report.hpp"

namespace grader {
namespace {

std::string card(const std::string& what, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", what, value);
}

/// The number of students in each tenth of the points. The last tenth includes full points.
std::string distribution(const std::vector<double>& marks, double max_points) {
  std::array<int, 10> bins{};
  for (const double mark : marks)
    ++bins[static_cast<std::size_t>(std::clamp(max_points > 0 ? mark / max_points * 10 : 0, 0.0, 9.0))];
  std::vector<Bar> bars;
  std::string words = "Students by marks.";
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const std::string from = points_text(max_points * static_cast<double>(i) / 10),
                      to = points_text(max_points * static_cast<double>(i + 1) / 10);
    bars.push_back({to, bins[i]});
    words += fmt::format("{} {} to {}: {}", i == 0 ? "" : ";", from, to, bins[i]);
  }
  return bars_svg(bars, "points, up to", words);
}

std::string parts_table(const std::vector<const GradedAttempt*>& counted) {
  struct Sum {
    std::string title;
    double points = 0, most = 0;
    int full = 0, of = 0;
  };
  std::map<int, Sum> parts;
  for (const GradedAttempt* attempt : counted)
    for (const PartResult& part : attempt->grading.parts) {
      if (part.max_points <= 0) continue;
      Sum& sum = parts[part.id];
      sum.title = part.title;
      sum.points += part.points;
      sum.most += part.max_points;
      sum.full += part.points >= part.max_points;
      ++sum.of;
    }
  PageTable table;
  table.id = "parts";
  table.caption = "Parts";
  table.sortable = true;
  table.heads = {"Part", "What", "Points earned", "Students with all of them"};
  table.is_number = {true, false, true, true};
  for (const auto& [id, sum] : parts) {
    const double share = sum.points / sum.most;
    table.rows.push_back({{std::to_string(id)},
                          {foreign_text(sum.title)},
                          {fmt::format("<meter min=0 max=1 value={:.3f}>{:.0f} %</meter> {:.0f} %", share,
                                       100 * share, 100 * share),
                           share},
                          {fmt::format("{} of {}", sum.full, sum.of), static_cast<double>(sum.full)}});
  }
  return table_markup(table);
}

/// A table of names and their numbers of students, the largest number first.
std::string count_table(const std::string& id, const std::string& caption,
                        const std::vector<std::string>& heads,
                        const std::map<std::string, std::set<std::string>>& students_of,
                        const std::map<std::string, std::string>& words_of = {}) {
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [name, students] : students_of) order.emplace_back(students.size(), name);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  PageTable table;
  table.id = id;
  table.caption = caption;
  table.sortable = true;
  table.heads = heads;
  table.is_number = {false, true};
  for (const auto& [count, name] : order) {
    std::vector<PageCell> row = {{foreign_text(name)}, {std::to_string(count)}};
    if (const auto words = words_of.find(name); words != words_of.end())
      row.push_back({foreign_text(words->second)});
    table.rows.push_back(std::move(row));
  }
  return table_markup(table);
}

std::string failures(const std::vector<const GradedAttempt*>& counted) {
  std::map<std::string, std::set<std::string>> students_of;
  std::map<std::string, std::map<std::string, int>> verdicts_of;
  std::map<std::string, std::string> words_of;
  for (const GradedAttempt* attempt : counted)
    for (const CaseResult& one : attempt->grading.cases)
      if (one.verdict != Verdict::passed && one.verdict != Verdict::unsupported) {
        students_of[one.id].insert(attempt->hand_in.student);
        ++verdicts_of[one.id][words(one.verdict)];
      }
  if (students_of.empty()) return "<p>None.\n";
  for (const auto& [id, verdicts] : verdicts_of)
    for (const auto& [verdict, times] : verdicts)
      words_of[id] += fmt::format("{}{} × {}", words_of[id].empty() ? "" : ", ", times, verdict);
  return count_table("cases", "Cases that fail", {"Case", "Students", "Verdicts"}, students_of, words_of);
}

/// The checker's findings, and the patterns of wrong outputs.
std::string findings(const std::vector<const GradedAttempt*>& counted) {
  std::map<std::string, std::set<std::string>> rules, patterns;
  std::map<std::string, std::string> example, explanation;
  for (const GradedAttempt* attempt : counted)
    for (const CaseResult& one : attempt->grading.cases) {
      for (const Finding& finding : one.findings) {
        rules[finding.rule].insert(attempt->hand_in.student);
        example.emplace(finding.rule, finding.headline);
      }
      if (one.mismatch && !one.mismatch->pattern.empty()) {
        patterns[one.mismatch->pattern].insert(attempt->hand_in.student);
        explanation.emplace(one.mismatch->pattern, one.mismatch->explanation);
      }
    }
  return "<h3>By the checker</h3>\n" +
         (rules.empty() ? std::string("<p>Nothing.\n")
                        : count_table("rules", "Findings of the checker", {"Rule", "Students", "One of them"},
                                      rules, example)) +
         "<h3>In wrong outputs</h3>\n" +
         (patterns.empty() ? std::string("<p>Nothing.\n")
                           : count_table("patterns", "Patterns of wrong outputs",
                                         {"Pattern", "Students", "One of them"}, patterns, explanation));
}

/// The run times of each case, with the reference's time and the limit.
std::string timings(const ClassReport& report, const std::vector<const GradedAttempt*>& counted) {
  PageTable table;
  table.id = "times";
  table.caption = "Time of the runs by case";
  table.heads = {"Case", "Runs", "Fastest", "Median", "Slowest", "Reference", "Limit"};
  table.is_number = {false, true, true, true, true, true, true};
  std::vector<TimeLine> lines;
  std::string words = "Time of the runs.";
  for (const Case& one : report.lab.cases) {
    TimeLine line{one.id, {}, {}, report.backend == Backend::gpu ? one.timeout_gpu : one.timeout_emu};
    const auto time_in = [&](const Grading& grading) {
      for (const CaseResult& result : grading.cases)
        if (result.id == one.id) return result.wall_s;
      return 0.0;
    };
    for (const GradedAttempt* attempt : counted)
      if (const double time = time_in(attempt->grading); time > 0) line.values.push_back(time);
    if (line.values.empty()) continue;
    if (report.reference != nullptr)
      if (const double time = time_in(*report.reference); time > 0) line.reference = time;
    const auto [fastest, slowest] = std::minmax_element(line.values.begin(), line.values.end());
    const double median = Measurement{line.values}.median();
    table.rows.push_back({{foreign_text(one.id)},
                          {std::to_string(line.values.size())},
                          {human_time(*fastest)},
                          {human_time(median)},
                          {human_time(*slowest)},
                          {line.reference ? human_time(*line.reference) : "–"},
                          {human_time(*line.limit)}});
    words += fmt::format(" {}: median {}, limit {}.", one.id, human_time(median), human_time(*line.limit));
    lines.push_back(std::move(line));
  }
  if (lines.empty()) return "<p>Nothing was run.\n";
  return times_svg(lines, words) + table_markup(table);
}

/// The verdict, followed by the folded message of the case that gave it.
std::string result_cell(const Mark& mark, const GradedAttempt* attempt) {
  if (mark.attempts == 0) return "nothing handed in";
  if (attempt == nullptr) return "not graded";
  if (mark.verdict == Verdict::passed) return "<span class=good>passed</span>";
  for (const CaseResult& one : attempt->grading.cases)
    if (one.verdict == mark.verdict && !one.message.empty())
      return fmt::format("<details><summary class=bad>{}</summary>Case {}: {}</details>", words(mark.verdict),
                         foreign_text(one.id), foreign_text(one.message));
  return fmt::format("<span class=bad>{}</span>", words(mark.verdict));
}

PageCell number_cell(double value, bool shown) {
  return {shown ? points_text(value) : "", shown ? value : -1.0};
}

/// A column of the students' table.
struct PageColumn {
  const char* head;
  bool is_number;
  bool (*wanted)(const Mark&);                          ///< null: the column is always shown
  PageCell (*cell)(const Mark&, const GradedAttempt*);  ///< the attempt that counts; null: none
};
const PageColumn page_columns[] = {
    {"Student", false, nullptr,
     [](const Mark& m, const GradedAttempt*) { return PageCell{foreign_text(m.student)}; }},
    {"Name", false, [](const Mark& m) { return !m.name.empty(); },
     [](const Mark& m, const GradedAttempt*) { return PageCell{foreign_text(m.name)}; }},
    {"Mark", true, nullptr,
     [](const Mark& m, const GradedAttempt* a) {
       return number_cell(m.mark(), a != nullptr || m.attempts == 0);
     }},
    {"Result", false, nullptr,
     [](const Mark& m, const GradedAttempt* a) { return PageCell{result_cell(m, a)}; }},
    {"Points", true, nullptr,
     [](const Mark& m, const GradedAttempt* a) { return number_cell(m.points, a != nullptr); }},
    {"Late", true, nullptr,
     [](const Mark& m, const GradedAttempt* a) { return number_cell(m.share, a != nullptr && m.share < 1); }},
    {"By hand", false, [](const Mark& m) { return !m.comment.empty(); },
     [](const Mark& m, const GradedAttempt*) {
       return PageCell{foreign_text((m.added != 0 ? added_text(m) + " " : "") + m.comment)};
     }},
    {"Answers", true, [](const Mark& m) { return m.answers || m.answer_points; },
     [](const Mark& m, const GradedAttempt*) {
       const std::string text = answers_text(m);
       return PageCell{m.passed_without_knowing() ? "<span class=bad>" + text + "</span>" : text,
                       m.answers ? static_cast<double>(m.answers->right) : -1.0};
     }},
    {"Group", false, [](const Mark& m) { return !m.group.empty(); },
     [](const Mark& m, const GradedAttempt*) { return PageCell{foreign_text(m.group)}; }},
    {"Attempts", true, nullptr,
     [](const Mark& m, const GradedAttempt*) { return PageCell{std::to_string(m.attempts)}; }},
    {"Handed in (UTC)", false, nullptr, [](const Mark& m, const GradedAttempt*) {
       return PageCell{"<span class=time>" + foreign_text(minute_of(m.received_at)) + "</span>"};
     }}};

std::string students_table(const std::vector<GradedAttempt>& attempts, const std::vector<Mark>& marks) {
  std::vector<PageColumn> shown;
  for (const PageColumn& column : page_columns)
    if (column.wanted == nullptr || std::any_of(marks.begin(), marks.end(), column.wanted))
      shown.push_back(column);
  PageTable table;
  table.id = "students";
  table.caption = "Students";
  table.sortable = true;
  table.filter = "Show those with";
  table.filtered = "students";
  for (const PageColumn& column : shown) {
    table.heads.push_back(column.head);
    table.is_number.push_back(column.is_number);
  }
  for (const Mark& mark : marks) {
    const GradedAttempt* const counted = counted_attempt(attempts, mark);
    std::vector<PageCell> row;
    for (const PageColumn& column : shown) row.push_back(column.cell(mark, counted));
    table.rows.push_back(std::move(row));
  }
  return table_markup(table);
}

/// A kernel that takes less than this share of the solution's time either has a better algorithm or does the
/// wrong work.
constexpr double suspiciously_fast = 1.0 / 3;

/// Oddities of an attempt: its files, forbidden headers, and times that are too good.
std::vector<std::string> oddities(const GradedAttempt& attempt, const Grading* reference) {
  std::vector<std::string> out = attempt.notes;
  for (const std::string& note : attempt.grading.notes)
    if (note.starts_with(not_checked)) out.push_back(note);
  for (const CaseResult& one : attempt.grading.cases) {
    if (one.verdict == Verdict::requirement_failed)  // a hidden case reports no details
      out.push_back(
          fmt::format("case {}: {}", one.id, one.message.empty() ? words(one.verdict) : one.message));
    // Times of the emulation depend on the load of the machine.
    if (reference == nullptr || attempt.grading.backend != Backend::gpu ||
        reference->device != attempt.grading.device)
      continue;
    for (const CaseResult& right : reference->cases) {
      const auto theirs = one.times.find({Measure::Kind::kernel}),
                 its = right.times.find({Measure::Kind::kernel});
      if (right.id == one.id && theirs != one.times.end() && its != right.times.end() &&
          theirs->second < suspiciously_fast * its->second)
        out.push_back(fmt::format("case {}: its kernels take {}, and the solution's {}.", one.id,
                                  human_time(theirs->second), human_time(its->second)));
    }
  }
  return out;
}

std::string notes_list(const ClassReport& report) {
  std::string out;
  for (const std::string& remark : report.remarks) out += "<li>" + foreign_text(remark) + "\n";
  for (const GradedAttempt& attempt : report.attempts)
    for (const std::string& note : oddities(attempt, report.reference))
      out += fmt::format("<li>{}, attempt {}: {}\n", foreign_text(attempt.hand_in.student),
                         attempt.hand_in.attempt, foreign_text(note));
  return out.empty() ? "<p>Nothing.\n" : "<ul class=list>\n" + out + "</ul>\n";
}

}  // namespace

std::string class_page(const ClassReport& report) {
  std::vector<const GradedAttempt*> counted;
  std::vector<double> values;
  int handed_in = 0, full = 0, asked = 0, unknowing = 0;
  double sum = 0, max_points = 0;
  for (const Mark& mark : report.marks) {
    handed_in += mark.attempts > 0;
    max_points = std::max(max_points, mark.max_points);
    asked += mark.answers.has_value();
    unknowing += mark.passed_without_knowing();
    const GradedAttempt* const attempt = counted_attempt(report.attempts, mark);
    if (attempt == nullptr) continue;
    counted.push_back(attempt);
    values.push_back(mark.mark());
    sum += mark.mark();
    full += mark.max_points > 0 && mark.mark() >= mark.max_points;
  }
  const std::size_t n = values.size();
  const std::string title =
      fmt::format("{}: {}", foreign_text(report.lab.id), foreign_text(report.lab.title));
  std::string head = fmt::format("<h1>{}</h1>\n<p class=of>A class of {} students, {} UTC\n", title,
                                 report.marks.size(), foreign_text(minute_of(report.made_at)));
  head +=
      "<dl class=cards>" + card("handed in", fmt::format("{} of {}", handed_in, report.marks.size())) +
      card("full points", std::to_string(full)) +
      card("mean", n == 0 ? "–" : points_text(sum / static_cast<double>(n))) +
      card("median", n == 0 ? "–" : points_text(Measurement{values}.median())) +
      card("points at most", points_text(max_points)) +
      (asked == 0 ? "" : card("passed without knowing", fmt::format("{} of {} asked", unknowing, asked))) +
      "</dl>\n";
  std::string links, body;
  const auto section = [&](const char* id, const char* name, const std::string& content) {
    links += fmt::format("<li><a href=#{}>{}</a>", id, name);
    body += fmt::format("<h2 id={}>{}</h2>\n{}", id, name, content);
  };
  section("all", "Students", students_table(report.attempts, report.marks));
  section("marks", "Marks", distribution(values, max_points));
  section("by-part", "Parts", parts_table(counted));
  section("by-case", "Cases that fail", failures(counted));
  section("found", "Common mistakes", findings(counted));
  section("timing", "Times", timings(report, counted));
  if (report.similarity != nullptr)
    section("alike", "Similar hand-ins", similarity_section(*report.similarity));
  if (report.board != nullptr) section("places", "Leaderboard", leaderboard_section(*report.board, true));
  section("look", "To look at by hand", notes_list(report));
  return page(title, head + "<nav aria-label=\"On this page\"><ul>" + links + "</ul></nav>\n" + body);
}

}  // namespace grader
