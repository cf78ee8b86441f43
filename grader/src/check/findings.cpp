// The student's process wrote the report, so the report is not trusted: if it does not parse, it counts as
// missing.
#include "check/findings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

constexpr std::size_t most_findings = 100;

const SubmissionFile* file_of(const std::vector<SubmissionFile>& files, const std::string& name) {
  const fs::path normal = fs::path(name).lexically_normal();
  for (const SubmissionFile& file : files)
    if (file.name == normal) return &file;
  return nullptr;
}

/// The lines of both accesses, in the same order whichever access came first.
std::vector<std::pair<std::string, unsigned>> places(const Finding& finding) {
  std::vector<std::pair<std::string, unsigned>> out;
  for (const FindingParty& party : finding.parties) out.emplace_back(party.file, party.line);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

void fit_to_sources(std::vector<Finding>& findings, const std::vector<SubmissionFile>& files) {
  for (Finding& finding : findings) {
    for (FindingParty& party : finding.parties) {
      const SubmissionFile* file = file_of(files, party.file);
      if (file == nullptr) continue;
      party.file = file->name.string();
      const std::vector<std::string> lines = split_lines(file->text);
      if (party.line < 1 || party.line > lines.size()) continue;
      const std::string& line = lines[party.line - 1];
      party.text = trimmed(line);
      party.indent = static_cast<unsigned>(std::min(line.find_first_not_of(" \t"), line.size()));
    }
  }
}

std::optional<std::vector<Finding>> read_findings(const std::optional<std::string>& report,
                                                  const std::vector<SubmissionFile>& files) {
  if (!report) return std::nullopt;
  try {
    std::vector<Finding> findings = findings_from_json(parse_json(*report, "The report of the checker"));
    if (findings.size() > most_findings) findings.resize(most_findings);
    fit_to_sources(findings, files);
    return findings;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool same_finding(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.array == b.array && places(a) == places(b) &&
         (!a.parties.empty() || a.headline == b.headline);
}

bool any_error(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& one) { return one.error; });
}

std::vector<SeenFinding> findings_of(const Grading& grading) {
  std::vector<SeenFinding> all;
  for (const CaseResult& c : grading.cases) {
    for (const Finding& finding : c.findings) {
      const auto known = std::find_if(all.begin(), all.end(), [&](const SeenFinding& seen) {
        return same_finding(seen.finding, finding);
      });
      if (known == all.end()) {
        all.push_back({finding, {c.id}});
      } else {
        known->finding.count += finding.count;
        known->finding.blocks += finding.blocks;
        if (known->cases.back() != c.id) known->cases.push_back(c.id);
      }
    }
  }
  std::stable_partition(all.begin(), all.end(), [](const SeenFinding& seen) { return seen.finding.error; });
  return all;
}

}  // namespace grader
