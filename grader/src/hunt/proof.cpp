#include "hunt/proof.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/columns.hpp"

namespace grader {
namespace {

/// Whether two findings may have one cause: the same rule, and the same array or a line in common.
bool alike(const Finding& a, const Finding& b) {
  if (a.rule != b.rule) return false;
  if (a.array == b.array) return true;
  return std::any_of(a.parties.begin(), a.parties.end(), [&](const FindingParty& one) {
    return std::any_of(b.parties.begin(), b.parties.end(), [&](const FindingParty& other) {
      return one.file == other.file && one.line == other.line;
    });
  });
}

/// Searches the place of each edit by the edit's text. @return whether each place is among the lines that
/// differ
bool edits_are_in_lines(const Planted& planted) {
  const std::vector<std::string> lines = split_lines(planted.wrong);
  for (const TextChange& change : planted.mistake->changes) {
    // This text has the program's own names, so that the text of the edit is found.
    std::string text = planted.program->text;
    const std::size_t at = text.find(change.find);
    for (const TextChange& one : planted.mistake->changes)
      apply_change(text, one, planted.program->file(), planted.mistake->name);
    std::size_t differs = 0;
    while (differs < std::min(change.find.size(), change.replace.size()) &&
           change.find[differs] == change.replace[differs])
      ++differs;
    const auto line = static_cast<unsigned>(
        1 + std::count(text.begin(),
                       text.begin() + static_cast<std::ptrdiff_t>(std::min(at + differs, text.size())),
                       '\n'));
    if (std::none_of(planted.changed.begin(), planted.changed.end(), [&](const ChangedLines& changed) {
          return line >= changed.first && line <= changed.last;
        }))
      return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> prove_repair(const HuntBench& bench, const Planted& planted,
                                      const fs::path& folder) {
  const Trial right = bench.run(planted.program->file(), planted.right, folder);
  if (is_mended(right)) return {};
  return {fmt::format("{}: the right program prints \"{}\", and the checker finds {}{}", planted.repair_key(),
                      right.printed, how_many(right.findings.size(), "mistake"),
                      right.compiles ? "" : ": " + right.diagnostics)};
}

HuntProof prove_hunt(const HuntBench& bench, Planted planted, const fs::path& folder) {
  HuntProof out{std::move(planted), {}};
  const Planted& its = out.planted;
  const auto fail = [&](const std::string& sentence) {
    out.problems.push_back(fmt::format("{}: {}", its.key(), sentence));
  };
  const Trial wrong = bench.run(its.program->file(), its.wrong, folder);
  if (!wrong.compiles) {
    fail("it does not compile: " + wrong.diagnostics);
    return out;
  }
  out.found = !wrong.findings.empty();
  if (out.found && !std::all_of(wrong.findings.begin(), wrong.findings.end(), [&](const Finding& finding) {
        return alike(finding, wrong.findings.front());
      })) {
    std::vector<std::string> texts;
    for (const Finding& finding : wrong.findings) texts.push_back(finding.rule + ": " + finding.headline);
    fail(fmt::format("the checker finds several causes: {}", fmt::join(texts, "; ")));
  }
  if (!out.found && wrong.right) fail("nothing shows the mistake");
  const std::string rule = out.found ? wrong.findings.front().rule : "";
  if (rule != its.mistake->rule)
    fail(fmt::format("the rule is \"{}\", not \"{}\"{}", rule, its.mistake->rule,
                     out.found ? ": " + wrong.findings.front().headline : ", printed: " + wrong.printed));

  if (!edits_are_in_lines(its)) fail("the edits and the lines that differ are not at the same place");
  const std::vector<std::string> lines = split_lines(its.wrong);
  std::size_t accepted = 0;
  for (unsigned line = 1; line <= lines.size(); ++line)
    accepted += judge_line(its, wrong, line) == Answered::right ? 1 : 0;
  constexpr std::size_t one_of = 3;  // at most a third of the lines is right, so that guessing does not pay
  if (accepted == 0 || accepted * one_of > lines.size())
    fail(fmt::format("{} of {} lines are a right answer", accepted, lines.size()));
  for (const Finding& finding : wrong.findings) {
    const std::vector<unsigned>& named = finding.barrier_lines;
    if (!named.empty() && std::none_of(named.begin(), named.end(), [&](unsigned line) {
          return judge_line(its, wrong, line) == Answered::right;
        }))
      fail(fmt::format("the checker's hint names no line that is a right answer: {}", finding.hint));
  }
  const Clue clue = clue_of(its, wrong);
  out.clue = clue.about;
  if (clue.about != Clue::About::nothing && judge_clue(clue, clue.answer) != Answered::right)
    fail(fmt::format("the checker's answer {} is refused", clue.answer));
  return out;
}

}  // namespace grader
