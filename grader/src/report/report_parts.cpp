// Derives a part's state from the verdicts of the cases that prove it.
#include "report/report_parts.hpp"

#include <algorithm>

namespace grader {
namespace {

std::size_t place_of(const Lab& lab, int part) {
  const auto found =
      std::find_if(lab.parts.begin(), lab.parts.end(), [part](const Part& p) { return p.id == part; });
  return static_cast<std::size_t>(found - lab.parts.begin());
}

bool proves(const Lab& lab, const CaseResult& result, int part) {
  const auto c = std::find_if(lab.cases.begin(), lab.cases.end(),
                              [&](const Case& known) { return known.id == result.id; });
  if (c == lab.cases.end() || c->parts.empty()) return true;
  return std::find(c->parts.begin(), c->parts.end(), part) != c->parts.end();
}

/// The first pass, which judges each part alone: a part that fails is a suspect.
PartReport first_look(const Lab& lab, const Grading& g, const PartResult& part) {
  PartReport report;
  report.result = part;
  for (const Todo& todo : g.todo)
    if (todo.part == part.id && report.todo == nullptr) report.todo = &todo;
  if (part.todo) {
    report.state = PartState::to_do;
  } else if (part.max_points <= 0) {
    report.state = PartState::not_gradable;
  } else if (part.points >= part.max_points) {
    report.state = PartState::done;
  } else {
    for (const CaseResult& c : g.cases) {
      if (!proves(lab, c, part.id)) continue;
      if (c.verdict == Verdict::passed) report.state = PartState::right_so_far;
      if (!failed_itself(c.verdict)) continue;
      report.state = PartState::suspect;
      report.failed = &c;
      break;
    }
  }
  return report;
}

}  // namespace

bool failed_itself(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
    case Verdict::todo:
    case Verdict::compile_error:
    case Verdict::unsupported:
    case Verdict::grader_fault:
      return false;
    default:
      return true;
  }
}

std::vector<PartReport> part_reports(const Lab& lab, const Grading& g) {
  std::vector<PartReport> reports;
  for (const PartResult& part : g.parts) reports.push_back(first_look(lab, g, part));
  std::stable_sort(reports.begin(), reports.end(), [&](const PartReport& a, const PartReport& b) {
    return place_of(lab, a.result.id) < place_of(lab, b.result.id);
  });
  const auto may_be_wrong = [](const PartReport& r) {
    return r.state == PartState::suspect || r.state == PartState::wrong;
  };
  // If no case passes, the cause may be in code that every case needs, so no part can be called wrong.
  const bool works_somewhere = std::any_of(g.cases.begin(), g.cases.end(),
                                           [](const CaseResult& c) { return c.verdict == Verdict::passed; });
  for (const CaseResult& c : g.cases) {
    if (!works_somewhere || !failed_itself(c.verdict)) continue;
    std::vector<PartReport*> suspects;
    for (PartReport& report : reports)
      if (may_be_wrong(report) && proves(lab, c, report.result.id)) suspects.push_back(&report);
    if (suspects.size() != 1 || suspects.front()->state == PartState::wrong) continue;
    suspects.front()->state = PartState::wrong;
    suspects.front()->failed = &c;
  }
  return reports;
}

std::vector<Todo> todo_in_order(const Lab& lab, const Grading& g) {
  std::vector<Todo> todo = g.todo;
  std::stable_sort(todo.begin(), todo.end(), [&](const Todo& a, const Todo& b) {
    return place_of(lab, a.part) < place_of(lab, b.part);
  });
  return todo;
}

int part_to_help_with(const Lab& lab, const Grading& g) {
  const std::vector<PartReport> reports = part_reports(lab, g);
  for (const PartState state : {PartState::wrong, PartState::to_do, PartState::suspect}) {
    const auto found =
        std::find_if(reports.begin(), reports.end(), [=](const PartReport& r) { return r.state == state; });
    if (found != reports.end()) return found->result.id;
  }
  return 0;
}

}  // namespace grader
