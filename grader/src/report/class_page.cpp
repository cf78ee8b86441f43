// The page works without its script too: the script sorts and filters what is there. Everything that comes from students goes
// through foreign_text(); the page has no other way to put text in.
#include "report/class_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "report/markup.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

constexpr const char* page_style = R"(
:root{--ink:#1a1d21;--paper:#fff;--soft:#f2f4f7;--line:#c9d0d9;--blue:#1f5fa8;--bad:#a3271c;--good:#1c6b3c}
@media(prefers-color-scheme:dark){:root{--ink:#e7eaee;--paper:#15181c;--soft:#20252b;--line:#434b55;--blue:#7db4f0;--bad:#f09a90;--good:#7fd3a0}}
*{box-sizing:border-box}body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.45 system-ui,sans-serif}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}p.of{margin:0;color:var(--ink)}
dl.cards{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}dl.cards div{background:var(--soft);border-radius:.4rem;padding:.5rem .9rem;min-width:7rem}
dl.cards dt{font-size:.85rem}dl.cards dd{margin:0;font-size:1.4rem;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
td.time{white-space:nowrap}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}th button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-decoration:underline dotted}
th[aria-sort=ascending] button::after{content:" \25B2"}th[aria-sort=descending] button::after{content:" \25BC"}
.good{color:var(--good)}.bad{color:var(--bad)}label{display:block;margin:.5rem 0}input{font:inherit;padding:.3rem .5rem;width:min(24rem,100%)}
:focus-visible{outline:3px solid var(--blue);outline-offset:2px}svg{max-width:100%;height:auto}svg text{fill:var(--ink);font:13px system-ui,sans-serif}
.bar{fill:var(--blue)}meter{width:8rem}summary{cursor:pointer}
@media print{label,th button::after{display:none}body{max-width:none}details[open] summary{list-style:none}}
)";

constexpr const char* page_script = R"(
"use strict";
const table=document.getElementById("students"),body=table.tBodies[0],count=document.getElementById("count");
for(const button of table.querySelectorAll("th button"))button.addEventListener("click",()=>{
 const th=button.closest("th"),column=th.cellIndex,up=th.getAttribute("aria-sort")!=="ascending";
 for(const other of th.parentNode.cells)other.removeAttribute("aria-sort");
 th.setAttribute("aria-sort",up?"ascending":"descending");
 const key=row=>row.cells[column].dataset.key??row.cells[column].textContent;
 const number=th.classList.contains("n");
 [...body.rows].sort((a,b)=>(number?Number(key(a))-Number(key(b)):key(a).localeCompare(key(b)))*(up?1:-1)).forEach(row=>body.append(row));
});
document.getElementById("filter").addEventListener("input",event=>{
 const wanted=event.target.value.toLowerCase();let shown=0;
 for(const row of body.rows){row.hidden=!row.textContent.toLowerCase().includes(wanted);shown+=!row.hidden}
 count.textContent=shown+" of "+body.rows.length+" students";
});
)";

std::string card(const std::string& what, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", what, value);
}

/// How many students lie in each tenth of the points, as bars with their numbers; the last one has full points too.
std::string distribution(const std::vector<double>& marks, double max_points) {
  std::array<int, 10> bins{};
  for (const double mark : marks)
    ++bins[static_cast<std::size_t>(std::clamp(max_points > 0 ? mark / max_points * 10 : 0, 0.0, 9.0))];
  const int most = std::max(1, *std::max_element(bins.begin(), bins.end()));
  std::string bars, words;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double height = 120.0 * bins[i] / most, x = 10 + 60.0 * static_cast<double>(i);
    const std::string from = points_text(max_points * static_cast<double>(i) / 10),
                      to = points_text(max_points * static_cast<double>(i + 1) / 10);
    bars += fmt::format(
        "<rect class=bar x={:.0f} y={:.1f} width=52 height={:.1f} /><text x={:.0f} y={:.1f} "
        "text-anchor=middle>{}</text>"
        "<text x={:.0f} y=168 text-anchor=middle>{}</text>",
        x, 148 - height, height, x + 26, 142 - height, bins[i], x + 26, to);
    words += fmt::format("{}{} to {}: {}", i == 0 ? "" : "; ", from, to, bins[i]);
  }
  return fmt::format(
      "<svg viewBox=\"0 0 620 190\" width=620 role=img aria-label=\"Students by points. {}\">{}"
      "<text x=310 y=187 text-anchor=middle>points, up to</text></svg>\n",
      words, bars);
}

/// A table that can be scrolled, also by the keyboard.
std::string scrolled(const std::string& what, const std::string& table) {
  return fmt::format("<div class=scroll tabindex=0 role=region aria-label=\"{}\">{}</div>\n", what, table);
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
  std::string rows;
  for (const auto& [id, sum] : parts)
    rows += fmt::format(
        "<tr><td class=n>{}<td>{}<td><meter min=0 max=1 value={:.3f}>{:.0f} %</meter> {:.0f} %<td class=n>{} "
        "of {}\n",
        id, foreign_text(sum.title), sum.points / sum.most, 100 * sum.points / sum.most,
        100 * sum.points / sum.most, sum.full, sum.of);
  return scrolled(
      "parts",
      "<table><thead><tr><th class=n>Part<th>What<th>Points earned<th class=n>Students with all of "
      "them<tbody>\n" +
          rows + "</table>");
}

/// Which cases fail most, and which mistakes were found most.
std::string failures(const std::vector<const GradedAttempt*>& counted) {
  std::map<std::string, std::map<std::string, int>> cases;  // case → verdict → how often
  std::map<std::string, std::set<std::string>> findings;    // rule → students
  for (const GradedAttempt* attempt : counted)
    for (const CaseResult& one : attempt->grading.cases) {
      if (one.verdict != Verdict::passed && one.verdict != Verdict::unsupported)
        ++cases[one.id][words(one.verdict)];
      for (const Finding& finding : one.findings) findings[finding.rule].insert(attempt->hand_in.student);
    }
  std::vector<std::pair<int, std::string>> rows;
  for (const auto& [id, verdicts] : cases) {
    int all = 0;
    std::string list;
    for (const auto& [verdict, times] : verdicts) {
      all += times;
      list += fmt::format("{}{} × {}", list.empty() ? "" : ", ", times, verdict);
    }
    rows.emplace_back(all, fmt::format("<tr><td>{}<td class=n>{}<td>{}\n", foreign_text(id), all, list));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string table = "<table><thead><tr><th>Case<th class=n>Students<th>Verdicts<tbody>\n";
  for (const auto& row : rows) table += row.second;
  const std::string out = (rows.empty() ? "<p>None.\n" : scrolled("cases", table + "</table>")) +
                          "<h2>What the checker found</h2>\n";
  if (findings.empty()) return out + "<p>Nothing.\n";
  table = "<table><thead><tr><th>Rule<th class=n>Students<tbody>\n";
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const auto& [rule, students] : findings) found.emplace_back(students.size(), rule);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [students, rule] : found)
    table += fmt::format("<tr><td>{}<td class=n>{}\n", foreign_text(rule), students);
  return out + scrolled("rules", table + "</table>");
}

/// "2030-01-02 03:04" of "2030-01-02T03:04:05Z".
std::string minute_of(const std::string& time) {
  return time.size() < 16 ? time : time.substr(0, 10) + " " + time.substr(11, 5);
}

/// The verdict; behind it, folded, what the case says that gave it.
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

std::string number_cell(double value, bool shown) {
  return fmt::format("<td class=n data-key={:.6f}>{}", shown ? value : -1.0, shown ? points_text(value) : "");
}

/// A column of the students' table.
struct PageColumn {
  const char* head;
  bool is_number;
  std::string Mark::*optional;                             ///< left out where it is empty for all
  std::string (*cell)(const Mark&, const GradedAttempt*);  ///< the attempt that counts; null: none
};
const PageColumn page_columns[] = {
    {"Student", false, nullptr,
     [](const Mark& m, const GradedAttempt*) { return "<th scope=row>" + foreign_text(m.student); }},
    {"Name", false, &Mark::name,
     [](const Mark& m, const GradedAttempt*) { return "<td>" + foreign_text(m.name); }},
    {"Mark", true, nullptr,
     [](const Mark& m, const GradedAttempt* a) {
       return number_cell(m.mark(), a != nullptr || m.attempts == 0);
     }},
    {"Result", false, nullptr,
     [](const Mark& m, const GradedAttempt* a) { return "<td>" + result_cell(m, a); }},
    {"Points", true, nullptr,
     [](const Mark& m, const GradedAttempt* a) { return number_cell(m.points, a != nullptr); }},
    {"Late", true, nullptr,
     [](const Mark& m, const GradedAttempt* a) { return number_cell(m.share, a != nullptr && m.share < 1); }},
    {"Group", false, &Mark::group,
     [](const Mark& m, const GradedAttempt*) { return "<td>" + foreign_text(m.group); }},
    {"Attempts", true, nullptr,
     [](const Mark& m, const GradedAttempt*) { return fmt::format("<td class=n>{}", m.attempts); }},
    {"Handed in", false, nullptr, [](const Mark& m, const GradedAttempt*) {
       return "<td class=time>" + foreign_text(minute_of(m.received_at));
     }}};

std::string students_table(const std::vector<GradedAttempt>& attempts, const std::vector<Mark>& marks) {
  std::vector<PageColumn> shown;
  for (const PageColumn& column : page_columns)
    if (column.optional == nullptr || std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
          return !(mark.*column.optional).empty();
        }))
      shown.push_back(column);
  std::string head, rows;
  for (const PageColumn& column : shown)
    head += fmt::format("<th scope=col{}><button type=button>{}</button>", column.is_number ? " class=n" : "",
                        column.head);
  for (const Mark& mark : marks) {
    const GradedAttempt* const counted = counted_attempt(attempts, mark);
    rows += "<tr>";
    for (const PageColumn& column : shown) rows += column.cell(mark, counted);
    rows += "\n";
  }
  return fmt::format(
             "<label>Show those with <input id=filter type=search placeholder=\"a name, a verdict "
             "…\"></label>\n"
             "<p id=count aria-live=polite>{} students</p>\n",
             marks.size()) +
         scrolled("students", fmt::format("<table id=students><thead><tr>{}<tbody>\n{}</table>", head, rows));
}

std::string notes_list(const std::vector<GradedAttempt>& attempts) {
  std::string out;
  for (const GradedAttempt& attempt : attempts)
    for (const std::string& note : attempt.notes)
      out += fmt::format("<li>{}, attempt {}: {}\n", foreign_text(attempt.hand_in.student),
                         attempt.hand_in.attempt, foreign_text(note));
  return out.empty() ? "<p>Nothing.\n" : "<ul>\n" + out + "</ul>\n";
}

}  // namespace

std::string class_page(const Lab& lab, const std::vector<GradedAttempt>& attempts,
                       const std::vector<Mark>& marks, const std::string& made_at) {
  std::vector<const GradedAttempt*> counted;
  std::vector<double> values;
  int handed_in = 0, full = 0;
  double sum = 0, max_points = 0;
  for (const Mark& mark : marks) {
    handed_in += mark.attempts > 0;
    max_points = std::max(max_points, mark.max_points);
    const GradedAttempt* const attempt = counted_attempt(attempts, mark);
    if (attempt == nullptr) continue;
    counted.push_back(attempt);
    values.push_back(mark.mark());
    sum += mark.mark();
    full += mark.max_points > 0 && mark.mark() >= mark.max_points;
  }
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const double median = n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
  const std::string title = fmt::format("{}: {}", foreign_text(lab.id), foreign_text(lab.title));
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width\">\n"
      "<title>{}</title><style>{}</style>\n<main><h1>{}</h1>\n<p class=of>A class of {} students, {} UTC\n",
      title, page_style, title, marks.size(), foreign_text(minute_of(made_at)));
  out += "<dl class=cards>" + card("handed in", fmt::format("{} of {}", handed_in, marks.size())) +
         card("full points", std::to_string(full)) +
         card("mean", n == 0 ? "–" : points_text(sum / static_cast<double>(n))) +
         card("median", n == 0 ? "–" : points_text(median)) +
         card("points at most", points_text(max_points)) + "</dl>\n";
  out += "<h2>Students</h2>\n" + students_table(attempts, marks);
  out += "<h2>Marks</h2>\n" + distribution(values, max_points);
  out += "<h2>Parts</h2>\n" + parts_table(counted);
  out += "<h2>Cases that fail</h2>\n" + failures(counted);
  out += "<h2>To look at by hand</h2>\n" + notes_list(attempts);
  return out + "</main>\n<script>" + page_script + "</script>\n";
}

}  // namespace grader
