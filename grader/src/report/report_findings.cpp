// Findings have the checker's own format, for 80 columns: a headline, the places with their source lines, a hint.
#include "report/report_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/columns.hpp"
#include "check/findings.hpp"
#include "grade/grade.hpp"

namespace grader {
namespace {

constexpr std::size_t most_cases_named = 4;

std::string place(const FindingParty& party) {
  return party.line == 0 ? party.file : fmt::format("{}:{}", party.file, party.line);
}

/// The source line, truncated to the page's width so that its expression stays visible, with carets below the
/// expression.
std::string source_text(const FindingParty& party, const Style& style) {
  constexpr int indent = 6;
  const auto width = static_cast<std::size_t>(style.width - indent);
  std::string text = printable(party.text);
  std::size_t caret = party.column > party.indent ? party.column - 1 - party.indent : text.size();
  std::size_t length = party.end_column > party.column ? party.end_column - party.column : 0;
  if (text.size() > width && caret + length > width) {  // counts bytes: code has few multi-byte characters
    const std::size_t cut = std::min(caret, caret + length - width + 3);
    text = "…" + text.substr(cut);
    caret = caret - cut + 1;
  }
  std::string out = std::string(indent, ' ') + cut_to(text, static_cast<int>(width)) + "\n";
  if (length > 0 && caret + length <= width)
    out += std::string(indent + caret, ' ') + style.good("^" + std::string(length - 1, '~')) + "\n";
  return out;
}

/// The threads and their places, each followed by its source line.
std::string parties_text(const Finding& finding, const Style& style) {
  int widest = 0;
  int farthest = 0;
  for (const FindingParty& party : finding.parties) {
    widest = std::max(widest, display_width(printable(party.what)));
    farthest = std::max(farthest, display_width(printable(place(party))));
  }
  const bool below = 2 + widest + 3 + farthest > style.width;  // the line number is never truncated
  std::string out;
  for (const FindingParty& party : finding.parties) {
    const std::string what = printable(party.what);
    const auto blanks = static_cast<std::size_t>(widest - display_width(what));
    const std::string between = below ? "\n      " : std::string(blanks + 3, ' ');
    out += "  " + cut_to(what, style.width - 2) + between + printable(place(party));
    out += "\n";
    if (!party.text.empty()) out += source_text(party, style);
  }
  return out;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string how_often(const SeenFinding& seen) {
  const Finding& finding = seen.finding;
  std::string out = finding.count == 1 ? "seen once" : fmt::format("seen {} times", grouped(finding.count));
  if (finding.blocks > 1) out += fmt::format(" in {} blocks", grouped(finding.blocks));
  if (!finding.kernel.empty()) out += " in kernel " + finding.kernel;
  const auto named = std::min(seen.cases.size(), most_cases_named);
  if (named > 0)
    out += fmt::format(
        ", case{} {}", seen.cases.size() == 1 ? "" : "s",
        fmt::join(seen.cases.begin(), seen.cases.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (named < seen.cases.size()) out += fmt::format(" and {} more", seen.cases.size() - named);
  if (!finding.first.empty()) out += "; first " + finding.first;
  return out;
}

std::string finding_text(const SeenFinding& seen, const Style& style) {
  const Finding& finding = seen.finding;
  const std::string rule = (finding.error ? "" : "warning: ") + printable(finding.rule) + ":";
  std::string out = "\n" +
                    hanging((finding.error ? style.bad(rule) : style.warn(rule)) + " ",
                            printable(finding.headline), style.width) +
                    "\n";
  out += parties_text(finding, style);
  for (const std::string& note : finding.notes) out += hanging("  ", printable(note), style.width) + "\n";
  out += hanging("  ", style.faint(printable(how_often(seen))), style.width) + "\n";
  if (!finding.hint.empty()) out += hanging("  hint: ", printable(finding.hint), style.width) + "\n";
  return out;
}

}  // namespace

std::string findings_text(const Grading& grading, const Style& style) {
  std::string out;
  for (const SeenFinding& seen : findings_of(grading)) out += finding_text(seen, style);
  return out;
}

std::string whole_finding_text(const Finding& finding, const Style& style) {
  return finding_text(SeenFinding{finding, {}}, style);
}

std::string check_verdict(const Grading& grading) {
  if (grading.verdict == Verdict::passed) return "no mistake found";
  if (grading.verdict != Verdict::finding) return words(grading.verdict);
  const std::vector<SeenFinding> all = findings_of(grading);
  const auto mistakes =
      std::count_if(all.begin(), all.end(), [](const SeenFinding& seen) { return seen.finding.error; });
  if (mistakes == 0) return "a mistake found";  // the mistakes are in a hidden case
  return mistakes == 1 ? "1 mistake found" : fmt::format("{} mistakes found", mistakes);
}

std::string check_command(const Grading& grading) {
  return "grader check " + grading.lab + source_options(grading);
}

std::string view_command(const Lab& lab, const Grading& grading, const CaseResult& result) {
  if (grading.check || grading.backend != Backend::emu || result.visibility != Visibility::visible) return "";
  if (result.verdict != Verdict::wrong_answer && result.verdict != Verdict::finding) return "";
  const auto its =
      std::find_if(lab.cases.begin(), lab.cases.end(), [&](const Case& c) { return c.id == result.id; });
  if (its == lab.cases.end() || !its->checked) return "";
  std::string command = "grader view " + lab.id + source_options(grading);
  if (!result.element.empty())
    return fmt::format("{} --element '{}' --case {}", command, result.element, result.id);
  return command + (lab.film ? " --kernel" : "") + " --case " + result.id;
}

bool checker_may_help(const Grading& grading) {
  const bool asked = std::any_of(grading.cases.begin(), grading.cases.end(),
                                 [](const CaseResult& c) { return any_error(c.findings); });
  const CaseResult* const leading = leading_case(grading);
  if (grading.check || asked || (leading != nullptr && leading->checker_silent)) return false;
  switch (grading.verdict) {
    case Verdict::crash:
    case Verdict::time_out:
      return true;
    case Verdict::wrong_answer:
      // A named pattern explains the result, unless it is a pattern that any stray access may cause.
      return std::none_of(grading.cases.begin(), grading.cases.end(), [](const CaseResult& c) {
        return c.mismatch && !c.mismatch->pattern.empty() && c.mismatch->pattern != "unwritten" &&
               c.mismatch->pattern != "nan";
      });
    default:
      return false;
  }
}

}  // namespace grader
