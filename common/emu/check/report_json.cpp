// Findings for machines: the kit's JSON, and SARIF 2.1.0 for editors and code hosts.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

#include "findings.hpp"
#include "json_text.hpp"

namespace cuemu::check {

namespace {

/// A path for SARIF: relative to the current folder, or with its scheme.
std::string uri_of(const std::string& file) {
  const std::string path = short_path(file);
  std::string text = !path.empty() && path[0] == '/' ? "file://" : "";
  for (const char c : path) {
    char code[8];
    std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/-._~+", c) != nullptr;
    text += plain ? std::string(1, c) : code;
  }
  return text;
}

std::string location_of(const Finding& finding, const Party& party) {
  const Span part = part_of(finding, party);
  std::string region = "\"startLine\": " + std::to_string(std::max(party.line.line, 1));
  if (part.known())
    region +=
        ", \"startColumn\": " + std::to_string(part.begin) + ", \"endColumn\": " + std::to_string(part.end);
  return "{\"physicalLocation\": {\"artifactLocation\": {" + member("uri", uri_of(party.line.file)) +
         "}, \"region\": {" + region + "}}, \"message\": {" + member("text", party.what) + "}}";
}

/// Empty for one thread.
const char* group_name(Group group) {
  static const char* const names[] = {"", "warp", "block", "cluster", "grid"};
  return names[static_cast<std::size_t>(group)];
}

std::string message_of(const Finding& finding) {
  std::string text = finding.headline;
  for (const std::string& note : finding.notes) text += "; " + note;
  if (!finding.first.empty()) text += "; first " + finding.first;
  if (!finding.hint.empty()) text += ". Hint: " + finding.hint;
  return text + ".";
}

std::string result_of(const Finding& finding) {
  std::string text = "{" + member("ruleId", name_of(finding.rule)) + ", " +
                     member("level", is_error(finding.rule) ? "error" : "warning") + ", \"message\": {" +
                     member("text", message_of(finding)) +
                     "}, \"occurrenceCount\": " + std::to_string(finding.count);
  std::vector<Party> known;
  for (const Party& party : finding.parties)
    if (party.line.known()) known.push_back(party);
  if (!known.empty()) {
    const auto location = [&](const Party& party) { return location_of(finding, party); };
    // The last party shows the mistake; the others conflict with it.
    text += ", \"locations\": [" + location(known.back()) + "]";
    known.pop_back();
    if (!known.empty()) text += ", \"relatedLocations\": " + list(known, location);
  }
  return text + "}";
}

}  // namespace

std::string as_json(const std::vector<Finding>& findings, const std::set<std::string>& unwatched) {
  std::string text = "{\"version\": 1, \"findings\": [";
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    const auto party = [&](const Party& one) {
      const Span part = part_of(finding, one);
      return "{" + member("what", one.what) + ", " + member("file", one.line.file) +
             ", \"line\": " + std::to_string(one.line.line) + ", \"column\": " + std::to_string(part.begin) +
             ", \"end_column\": " + std::to_string(part.end) + ", " +
             member("text", one.line.known() ? text_of(one.line) : "") + "}";
    };
    text += std::string(i == 0 ? "" : ",") + "\n  {" + member("rule", name_of(finding.rule)) + ", " +
            member("group", group_of(finding.rule)) +
            ", \"error\": " + (is_error(finding.rule) ? "true" : "false") + ", " +
            member("kernel", finding.kernel) + ", " + member("array", finding.array) + ",\n   " +
            member("headline", finding.headline) + ",\n   \"parties\": " + list(finding.parties, party) +
            ",\n   \"notes\": " + list(finding.notes, json_string) + ", " + member("first", finding.first) +
            ",\n   " + member("hint", finding.hint) + ", \"count\": " + std::to_string(finding.count) +
            ", \"blocks\": " + std::to_string(finding.blocks.size()) + ", " +
            member("between", group_name(finding.between)) + ", " +
            member("within", group_name(finding.missing.within)) + ", " +
            member("missing", name_of(finding.missing.what)) + "}";
  }
  return text + "\n], \"not_checked\": " + list(unwatched, json_string) + "}\n";
}

std::string as_sarif(const std::vector<Finding>& findings, const std::set<std::string>& unwatched) {
  std::vector<std::string> rules;
  for (int rule = 0; rule < rule_count; ++rule) rules.emplace_back(name_of(static_cast<Rule>(rule)));
  const auto rule = [](const std::string& name) { return "{" + member("id", name) + "}"; };
  std::string text =
      "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\",\n"
      " \"runs\": [{\"tool\": {\"driver\": {\"name\": \"cuemu-check\", \"rules\": " +
      list(rules, rule) + "}},\n  \"results\": [";
  for (std::size_t i = 0; i < findings.size(); ++i)
    text += (i == 0 ? "\n   " : ",\n   ") + result_of(findings[i]);
  text += "]";
  if (!unwatched.empty())
    text +=
        ",\n  \"invocations\": [{\"executionSuccessful\": true, \"toolExecutionNotifications\": [{\"level\": "
        "\"note\", \"message\": {" +
        member("text", about_unwatched(unwatched) + ".") + "}}]}]";
  return text + "}]}\n";
}

}  // namespace cuemu::check
