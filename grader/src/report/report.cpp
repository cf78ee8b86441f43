// The report begins with a headline, which has the verdict, the problem and the next step. Parts, cases, the first
// wrong elements, and times follow.
#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <string_view>

#include "base/columns.hpp"
#include "check/findings.hpp"
#include "grade/grade.hpp"
#include "grade/score.hpp"
#include "report/first_errors.hpp"
#include "report/report_findings.hpp"
#include "report/report_parts.hpp"

namespace grader {
namespace {

constexpr int most_errors = 3;         ///< compile errors without --verbose
constexpr int most_warnings = 3;       ///< compiler's warnings for a failing program
constexpr int most_excerpt_lines = 8;  ///< lines of the program's output
constexpr int most_elements = 4;       ///< wrong elements without --verbose
constexpr std::size_t screen = 20;     ///< lines that stay visible above the shell's prompt

/// A case's mark at the beginning of its line.
std::string mark(Verdict verdict, const Style& style) {
  switch (verdict) {
    case Verdict::passed:
      return style.good("ok");
    case Verdict::todo:
    case Verdict::unsupported:
    case Verdict::grader_fault:
      return style.faint("--");
    default:
      return style.bad("no");
  }
}

std::string painted(Verdict verdict, const std::string& text, const Style& style) {
  switch (verdict) {
    case Verdict::passed:
      return style.good(text);
    case Verdict::todo:
    case Verdict::unsupported:
    case Verdict::grader_fault:
      return style.warn(text);
    default:
      return style.bad(text);
  }
}

std::string backend_words(const Grading& g) {
  if (g.check)
    return g.backend == Backend::emu ? "the checker in emulation" : "compute-sanitizer on " + g.device;
  if (g.backend == Backend::emu) return "emulation";
  return g.device.empty() ? "GPU" : g.device;
}

std::string origin_words(const Grading& g) {
  switch (g.origin) {
    case Origin::student:
      return "";
    case Origin::solution:
      return ", the reference solution";
    case Origin::folder:
      return ", " + g.submission;
  }
  return "";
}

std::string todo_place(const Todo& todo) {
  return fmt::format("{}:{}", todo.file.string(), todo.line);
}

std::string part_title(const Lab& lab, int id) {
  for (const Part& part : lab.parts) {
    if (part.id == id) return part.title;
  }
  return "";
}

/// The message about blanks, which names the first blank and its line.
std::string todo_words(const Lab& lab, const Grading& g) {
  const std::vector<Todo> todos = todo_in_order(lab, g);
  if (todos.empty()) return "A part is still to do.";
  const Todo& first = todos.front();
  std::string out = fmt::format("Part {} is still to do: {} ({})", first.part, part_title(lab, first.part),
                                todo_place(first));
  std::vector<int> others;
  for (const Todo& todo : todos) {
    if (todo.part != first.part && std::find(others.begin(), others.end(), todo.part) == others.end())
      others.push_back(todo.part);
  }
  if (!others.empty())
    out += fmt::format("; then part{} {}", others.size() > 1 ? "s" : "", fmt::join(others, ", "));
  return out + ".";
}

/// The checker's first error in a case; null if there is none.
const Finding* cause_of(const CaseResult& c) {
  const auto found = std::find_if(c.findings.begin(), c.findings.end(),
                                  [](const Finding& finding) { return finding.error; });
  return found == c.findings.end() ? nullptr : &*found;
}

/// The name of a case within a sentence.
std::string case_name(const Grading& g, const CaseResult& c) {
  return fmt::format("{} {}", shows_details(g, c) ? "case" : "hidden case", c.id);
}

std::string what_is_wrong(const Lab& lab, const Grading& g, const CaseResult* c) {
  if (g.verdict == Verdict::compile_error) return "";  // the headline has the message; the errors follow
  if (g.verdict == Verdict::todo) return todo_words(lab, g);
  if (c == nullptr) return "No case could run here.";
  if (g.check && g.verdict == Verdict::finding) return "";  // the findings follow
  if (!shows_details(g, *c)) return fmt::format("Hidden case {}: {}.", c->id, words(c->verdict));
  if (!g.check && c->verdict == Verdict::finding && cause_of(*c) != nullptr)
    return fmt::format("Case {} gives the right output, but only by luck: the checker found a mistake in it.",
                       c->id);
  return fmt::format("Case {}: {}", c->id, c->message.empty() ? words(c->verdict) : c->message);
}

std::string what_to_do(const Lab& lab, const Grading& g, const CaseResult* c) {
  const std::string level = g.level > 1 ? fmt::format(" --level {}", g.level) : "";
  if (g.verdict == Verdict::compile_error) {
    const std::string cause = cause_of_error_in_header(g.diagnostics);
    return (cause.empty() ? "fix the first error" : cause) + ", then run the grader again";
  }
  if (g.verdict == Verdict::todo) {
    const std::vector<Todo> todos = todo_in_order(lab, g);
    const std::string part = todos.empty() ? "" : fmt::format(" --part {}", todos.front().part);
    return fmt::format("write it; for a hint: grader hint {}{}{}", lab.id, level, part);
  }
  if (c == nullptr) return "grader doctor says what is missing on this machine";
  if (g.check && g.verdict == Verdict::finding) return "fix the first one, then: " + check_command(g);
  if (!shows_details(g, *c)) return "try sizes and values that the visible cases do not have";
  if (!g.check && c->verdict == Verdict::finding && cause_of(*c) != nullptr && !cause_of(*c)->hint.empty())
    return cause_of(*c)->hint;
  // A warning, such as that several blocks do the same work, can explain a wrong result, just as an error
  // can.
  if (g.check && g.verdict == Verdict::wrong_answer && !c->findings.empty() &&
      !c->findings.front().hint.empty())
    return c->findings.front().hint;
  if (g.check && g.verdict == Verdict::wrong_answer)
    return fmt::format(
        "the checker sees no mistake in threads or memory, so look at the computation; grader {}{} shows the "
        "first wrong elements",
        lab.id, source_options(g));
  return c->next_step;
}

/// The parts, each with its points and state.
std::string parts_text(const Lab& lab, const Grading& g, const Style& style) {
  if (g.parts.empty()) return "";
  Columns out({Align::right, Align::left, Align::right, Align::left});
  const CaseResult* shared = nullptr;  // a case that several parts failed
  for (const PartReport& report : part_reports(lab, g)) {
    const PartResult& part = report.result;
    if (report.state == PartState::suspect && shared == nullptr) shared = report.failed;
    out.add({std::to_string(part.id), part.title.empty() ? part_title(lab, part.id) : part.title,
             part_points(report), part_state(g, report, style)});
  }
  std::string text = "\n" + style.strong("Parts") + "\n" + out.text(2, style.width, 1);
  if (shared != nullptr) {
    std::string name = case_name(g, *shared);
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    text +=
        hanging("  ",
                style.faint(name + " fails, but needs several parts: it can't tell which of them is wrong."),
                style.width) +
        "\n";
  }
  return text;
}

/// The cases, one line for each: mark, name, verdict, time. The headline and the details describe the
/// problem.
std::string cases_text(const Grading& g, const Style& style, bool times) {
  if (g.cases.empty() || g.verdict == Verdict::compile_error) return "";
  Columns out({Align::left, Align::left, Align::left, Align::right, Align::left});
  for (const CaseResult& c : g.cases) {
    std::string extra;
    if (c.visibility != Visibility::visible) {
      extra = style.faint("hidden");
    } else if (c.mismatch && !c.mismatch->pattern.empty()) {
      extra = c.mismatch->pattern;
    }
    const std::string verdict = c.verdict == Verdict::unsupported
                                    ? style.faint(case_words(g, c))
                                    : painted(c.verdict, case_words(g, c), style);
    // A program that sees a hidden input can encode it in its run time.
    const bool timed = times && c.wall_s > 0 && shows_details(g, c);
    out.add({mark(c.verdict, style), c.id, verdict, timed ? human_time(c.wall_s) : "", extra});
  }
  return "\n" + style.strong("Cases") + "\n" + out.text(2, style.width, 4);
}

std::vector<std::string> coordinate_names(std::size_t dimensions) {
  if (dimensions == 1) return {"index"};
  if (dimensions == 2) return {"row", "column"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < dimensions; ++i) names.push_back(fmt::format("[{}]", i));
  return names;
}

/// The first wrong elements as a small table, and the pattern unless the headline names it.
std::string mismatch_text(const Lab& lab, const CaseResult& c, const Style& style, bool headline_case,
                          bool verbose) {
  const Mismatch& m = *c.mismatch;
  std::string out;
  const auto shown_elements =
      verbose ? m.first
              : std::vector<WrongElement>(
                    m.first.begin(),
                    m.first.begin() + std::min<std::ptrdiff_t>(most_elements, std::ssize(m.first)));
  if (!m.first.empty()) {
    out += "\n" +
           style.strong(lab.output.is_printed()
                            ? fmt::format("Lines that are missing or extra in case {}", c.id)
                            : fmt::format("{} of {} in case {}",
                                          m.wrong == 1 ? "The wrong element" : "First wrong elements",
                                          lab.output.name(), c.id)) +
           fmt::format("  ({} of {})\n", m.wrong, m.total);
    std::size_t dimensions = 0;
    for (const WrongElement& element : m.first) dimensions = std::max(dimensions, element.index.size());
    const std::vector<std::string> arrays =
        lab.output.layout() && dimensions == 2 ? lab.output.layout()->arrays : std::vector<std::string>{};
    std::vector<std::string> head =
        arrays.empty() ? coordinate_names(dimensions) : std::vector<std::string>{"array", "index"};
    head.insert(head.end(), {"expected", "got"});
    Columns table(std::vector<Align>(head.size(), Align::right));
    for (std::string& name : head) name = style.faint(name);
    table.add(head);
    for (const WrongElement& element : shown_elements) {
      std::vector<std::string> line;
      for (std::size_t i = 0; i < dimensions; ++i) {
        const std::string index = i < element.index.size() ? std::to_string(element.index[i]) : "";
        line.push_back(i == 0 && !index.empty() && element.index[0] < arrays.size() ? arrays[element.index[0]]
                                                                                    : index);
      }
      line.push_back(printable(element.expected));
      line.push_back(style.bad(printable(element.got)));
      table.add(line);
    }
    out += table.text(2, style.width);
  }
  if (!headline_case && !m.explanation.empty()) out += "  " + wrap(m.explanation, style.width - 2, 2) + "\n";
  return out;
}

/// A line of a program's output, wrapped at blanks, or truncated if it has none.
std::string excerpt_line(const std::string& line, const Style& style) {
  const std::string prefix = "  " + style.faint("|") + " ";
  const std::string wrapped = hanging(prefix, line, style.width);
  const std::vector<std::string> parts = split_lines(wrapped);
  const bool fits = std::all_of(parts.begin(), parts.end(),
                                [&](const std::string& part) { return display_width(part) <= style.width; });
  return (fits ? wrapped : prefix + cut_to(line, style.width - 4)) + "\n";
}

std::string excerpt_text(const CaseResult& c, const Style& style, bool verbose) {
  std::vector<std::string> lines = split_lines(c.output_excerpt);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  if (lines.empty()) return "";
  const std::size_t most = verbose ? lines.size() : most_excerpt_lines;
  const std::size_t first = lines.size() > most ? lines.size() - most : 0;
  std::string out = "\n" + style.strong(fmt::format("What the program printed in case {}", c.id));
  out += first > 0 ? fmt::format("  (the last {} lines)\n", most) : "\n";
  for (std::size_t i = first; i < lines.size(); ++i) {
    out += excerpt_line(printable(lines[i]), style);
  }
  return out;
}

/// A case's evidence: its first wrong elements, and its output.
std::string evidence_text(const Lab& lab, const CaseResult& c, const Style& style, bool explained,
                          bool verbose) {
  return (c.mismatch ? mismatch_text(lab, c, style, explained, verbose) : "") +
         excerpt_text(c, style, verbose);
}

/// All other failed cases, in full.
std::string details_text(const Lab& lab, const Grading& g, const CaseResult* leading, const CaseResult* also,
                         const Style& style) {
  std::string out;
  for (const CaseResult& c : g.cases) {
    if (c.verdict == Verdict::passed || c.verdict == Verdict::unsupported || !shows_details(g, c)) continue;
    if (&c == leading || &c == also) continue;
    if (!c.message.empty()) {
      out += "\n" + wrap(fmt::format("Case {}: {}", c.id, printable(c.message)), style.width, 2) + "\n";
      if (!c.next_step.empty()) out += hanging("  Next: ", printable(c.next_step), style.width) + "\n";
    }
    out += evidence_text(lab, c, style, !c.message.empty(), true);
  }
  return out;
}

/// The first visible case that is wrong and needs only filled-in parts, while another part is still blank.
const CaseResult* also_wrong(const Grading& g) {
  if (g.verdict != Verdict::todo) return nullptr;
  for (const CaseResult& c : g.cases)
    if (failed_itself(c.verdict) && shows_details(g, c)) return &c;
  return nullptr;
}

std::string also_wrong_text(const Lab& lab, const Grading& g, const CaseResult& c, const Style& style) {
  std::string parts;
  for (const PartReport& part : part_reports(lab, g))
    if (part.state == PartState::wrong && part.failed == &c)
      parts = fmt::format(" (part {})", part.result.id);
  std::string out =
      wrap(printable(fmt::format("Already wrong:{} case {}: {}", parts, c.id, c.message)), style.width) +
      "\n";
  if (!c.next_step.empty())
    out += hanging(style.strong("Next:") + " ", printable(c.next_step), style.width) + "\n";
  return out;
}

/// The compiler's warnings: with --verbose all of them, otherwise those that may explain why the program
/// fails.
std::string warnings_text(const Grading& g, const Style& style, bool verbose) {
  if (verbose)
    return "\n" + style.strong("The compiler's warnings") + "\n" + printable(g.diagnostics, true) + "\n";
  if (g.verdict == Verdict::passed || g.verdict == Verdict::todo) return "";
  int left_out = 0;
  const std::vector<std::string> warnings = first_warnings(g.diagnostics, most_warnings, left_out);
  if (warnings.empty()) return "";
  std::string out = "\n" + style.strong("The compiler warns") + "\n";
  for (const std::string& line : warnings) out += hanging("  ", printable(line), style.width) + "\n";
  if (left_out > 0)
    out += style.faint(fmt::format("  … and {} more warning{}; --verbose shows all of them", left_out,
                                   left_out > 1 ? "s" : "")) +
           "\n";
  return out;
}

std::string compile_text(const Grading& g, const Style& style, bool verbose) {
  if (g.diagnostics.empty()) return "";
  if (g.verdict != Verdict::compile_error) return warnings_text(g, style, verbose);
  int left_out = 0;
  std::string errors = verbose ? g.diagnostics : first_errors(g.diagnostics, most_errors, left_out);
  while (!errors.empty() && errors.back() == '\n') errors.pop_back();
  std::string out = "\n";
  for (const std::string& line : split_lines(printable(errors, true)))
    out += (verbose ? line : cut_to(line, 3 * style.width)) + "\n";
  if (left_out > 0) {
    out += style.faint(fmt::format("… and {} more error{}; --verbose shows all that the compiler said",
                                   left_out, left_out > 1 ? "s" : "")) +
           "\n";
  }
  return out;
}

/// The device times of each passed case: a column for each measure that occurs.
std::string times_text(const Grading& g, const Style& style) {
  static constexpr std::array<std::pair<Measure::Kind, const char*>, 3> known = {
      {{Measure::Kind::h2d, "transfer in"},
       {Measure::Kind::kernel, "kernels"},
       {Measure::Kind::d2h, "transfer out"}}};
  std::vector<Measure> measures;
  std::vector<std::string> head = {style.faint("case")};
  for (const auto& [kind, title] : known) {
    const Measure measure{kind};
    const bool seen = std::any_of(g.cases.begin(), g.cases.end(),
                                  [&](const CaseResult& c) { return c.times.count(measure) > 0; });
    if (!seen) continue;
    measures.push_back(measure);
    head.push_back(style.faint(title));
  }
  if (measures.empty()) return "";
  std::vector<Align> alignment(head.size(), Align::right);
  alignment[0] = Align::left;
  Columns table(alignment);
  table.add(head);
  for (const CaseResult& c : g.cases) {
    if (c.times.empty()) continue;
    std::vector<std::string> line = {c.id};
    for (const Measure& measure : measures) {
      const auto found = c.times.find(measure);
      line.push_back(found == c.times.end() ? "–" : human_time(found->second));
    }
    table.add(line);
  }
  const char* source = g.backend == Backend::emu  ? "  (emulation: they say nothing about a GPU)"
                       : g.time_source == "cupti" ? "  (from CUPTI)"
                                                  : "  (from the program's own timers)";
  return "\n" + style.strong("Times") + source + "\n" + table.text(2, style.width);
}

/// Whether the part that a row's option selects is blank because this level does not require it. The cases
/// with the same option show this: each of them needs such a part.
bool is_blank(const Lab& lab, const std::set<int>& blank_parts,
              const std::function<bool(const Case&)>& has_option) {
  bool any = false;
  for (const Case& c : lab.cases) {
    if (!has_option(c)) continue;
    any = true;
    if (std::none_of(c.parts.begin(), c.parts.end(), [&](int part) { return blank_parts.count(part) != 0; }))
      return false;
  }
  return any;
}

/// Whether a table has a row that can be measured while these parts are blank. Its rows are all combinations of its
/// axes' values.
bool has_row(const Lab& lab, const TableSpec& table, const std::set<int>& blank_parts, Backend backend) {
  return std::all_of(table.axes.begin(), table.axes.end(), [&](const Axis& axis) {
    const std::vector<std::string>& values = axis.values_on(backend);
    return values.empty() || std::any_of(values.begin(), values.end(), [&](const std::string& value) {
             if (axis.kind == Axis::Kind::argument && !value.starts_with("--")) return true;  // a size
             return !is_blank(lab, blank_parts, [&](const Case& c) {
               const auto macro = c.macros.find(axis.name);
               return axis.kind == Axis::Kind::macro
                          ? macro != c.macros.end() && macro->second == value
                          : std::find(c.args.begin(), c.args.end(), value) != c.args.end();
             });
           });
  });
}

/// The text after a full pass, which says what to do next.
std::string onward_text(const Lab& lab, const Grading& g, const Style& style, const ReportOptions& options) {
  Columns out({Align::left, Align::left});
  if (g.level < lab.levels) {
    out.add({fmt::format("grader {} --level {}", lab.id, g.level + 1), "the same with less given"});
  }
  for (const TableSpec& table : lab.tables) {
    if (!has_row(lab, table, options.blank_parts, g.backend)) continue;
    out.add({fmt::format("grader table {}{}{}", lab.id, source_options(g),
                         lab.tables.size() > 1 ? " --id " + table.id : ""),
             "\"" + table.title + "\""});
  }
  if (!options.next_lab.empty()) out.add({"grader " + options.next_lab, "the next lab"});
  const std::string text = out.text(2, style.width, 1);
  return text.empty() ? "" : "\n" + style.strong("What to try next") + "\n" + text;
}

std::string seconds_text(const Grading& g, const Style& style) {
  const double own = std::max(0.0, g.total_s - g.build_s - g.run_s);
  return "\n" +
         style.faint(fmt::format("Took {}: building {}, running {}, verifying {}.", human_time(g.total_s),
                                 human_time(g.build_s), human_time(g.run_s), human_time(own))) +
         "\n";
}

}  // namespace

namespace {

/// "lab2.1 level 2: the kernel is yours", then the lab's title and the device.
std::string title_text(const Lab& lab, const Grading& g, const Style& style) {
  const std::string level = lab.level(g.level).title;
  const std::string name = fmt::format("{} level {}", lab.id, g.level);
  const std::string where = fmt::format(" ({}{})", backend_words(g), printable(origin_words(g)));
  if (level.empty())
    return hanging(style.strong(name + ": "), style.strong(lab.title) + where, style.width) + "\n";
  return hanging(style.strong(name + ": "), style.strong(level), style.width) + "\n" +
         wrap(lab.title + where, style.width) + "\n";
}

std::string verdict_text(const Grading& g, const Headline& headline, const Style& style) {
  std::string verdict = headline.verdict;
  std::transform(verdict.begin(), verdict.end(), verdict.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return painted(g.verdict, style.strong(verdict), style) +
         (headline.points.empty() ? "" : "  " + headline.points) + "\n";
}

}  // namespace

Headline headline_of(const Lab& lab, const Grading& g) {
  const bool found = g.verdict == Verdict::finding;
  // Findings that occur only in hidden cases are not shown above the text about a visible case.
  const CaseResult* const leading = leading_case(g);
  const bool elsewhere =
      found && leading != nullptr && leading->verdict != Verdict::finding && findings_of(g).empty();
  Headline out;
  out.verdict = elsewhere ? words(leading->verdict) : g.check || found ? check_verdict(g) : words(g.verdict);
  if (!g.check && is_graded(g) && g.max_points > 0)
    out.points = fmt::format("{} of {} points", points_text(g.points), points_text(g.max_points));
  else if (!g.check)
    out.points = "not graded";
  if (g.verdict != Verdict::passed) out.wrong = printable(what_is_wrong(lab, g, leading));
  return out;
}

std::vector<Advice> advice_of(const Lab& lab, const Grading& g) {
  if (g.verdict == Verdict::passed) return {};
  const CaseResult* const leading = leading_case(g);
  std::vector<Advice> all;
  if (const std::string next = printable(what_to_do(lab, g, leading)); !next.empty())
    all.push_back({"Next:", next});
  if (checker_may_help(g)) all.push_back({"To see why:", check_command(g)});
  if (leading != nullptr)
    if (const std::string command = view_command(lab, g, *leading); !command.empty())
      all.push_back({"To see it run:", command});
  return all;
}

std::string report_text(const Lab& lab, const Grading& g, const Style& terminal,
                        const ReportOptions& options) {
  Style style = terminal;
  style.width = std::clamp(style.width, 40, 100);
  const bool passed = g.verdict == Verdict::passed;
  const bool times = passed || options.times || options.verbose;
  const CaseResult* leading = passed ? nullptr : leading_case(g);
  const CaseResult* also = also_wrong(g);
  std::string next;
  for (const Advice& one : advice_of(lab, g))
    next += hanging(style.strong(one.label) + " ", one.text, style.width) + "\n";

  const Headline headline = headline_of(lab, g);
  std::string out = title_text(lab, g, style) + verdict_text(g, headline, style);
  if (!headline.wrong.empty()) out += wrap(headline.wrong, style.width) + "\n";
  out += next;
  if (also != nullptr) out += also_wrong_text(lab, g, *also, style);
  out += compile_text(g, style, options.verbose);
  out += findings_text(g, style);
  if (g.verdict != Verdict::compile_error) {
    for (const CaseResult* c : {leading, also})
      if (c != nullptr && shows_details(g, *c)) out += evidence_text(lab, *c, style, true, options.verbose);
  }
  out += parts_text(lab, g, style);
  out += cases_text(g, style, times);
  if (g.verdict != Verdict::compile_error && options.verbose)
    out += details_text(lab, g, leading, also, style);
  if (times) out += times_text(g, style);
  if (passed && !g.check && g.origin != Origin::solution) out += onward_text(lab, g, style, options);
  if (!g.notes.empty()) out += "\n";
  for (const std::string& note : g.notes)
    out += hanging(style.faint("note:") + " ", printable(note), style.width) + "\n";
  if (options.verbose) out += seconds_text(g, style);
  if (split_lines(out).size() > screen) out += "\n" + verdict_text(g, headline, style) + next;
  return out;
}

std::string part_points(const PartReport& part) {
  if (part.state == PartState::not_gradable) return "";
  const bool open = part.state == PartState::suspect || part.state == PartState::not_judged;
  return fmt::format("{} of {}", open && part.result.points == 0 ? "–" : points_text(part.result.points),
                     points_text(part.result.max_points));
}

std::string part_state(const Grading& g, const PartReport& part, const Style& style) {
  switch (part.state) {
    case PartState::to_do:
      return style.warn(part.todo == nullptr ? "to do" : "to do " + printable(todo_place(*part.todo)));
    case PartState::not_gradable:
      return style.faint(is_graded(g) ? "not graded here" : "not graded");
    case PartState::done:
      return style.good("done");
    case PartState::wrong:
      return style.bad("wrong: " + case_name(g, *part.failed));
    case PartState::right_so_far:
      return style.faint("right so far");
    case PartState::suspect:
    case PartState::not_judged:
      return style.faint("written, not yet judged");
  }
  return "";
}

std::string case_words(const Grading& g, const CaseResult& c) {
  if (c.verdict != Verdict::unsupported) return words(c.verdict);
  return g.backend == Backend::emu ? "runs on a GPU only" : "runs in emulation only";
}

std::string points_text(double points) {
  std::string out = fmt::format("{:.2f}", points);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

}  // namespace grader
