// Writes findings as JSON: in the kit's own format, and in SARIF 2.1.0 for editors and code hosts.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

#include "findings.hpp"

namespace cuemu::check {

namespace {

using kit_wire::json_array;
using kit_wire::Object;

/// Returns a path for SARIF: relative to the current folder, or with its scheme.
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

std::string message_object(const std::string& text) {
  return Object().add("text", text).text();
}

std::string location_of(const Finding& finding, const Party& party) {
  const Span part = part_of(finding, party);
  Object region;
  region.add("startLine", std::max(party.line.line, 1));
  if (part.known()) region.add("startColumn", part.begin).add("endColumn", part.end);
  Object physical;
  physical.json("artifactLocation", Object().add("uri", uri_of(party.line.file)).text())
      .json("region", region.text());
  return Object()
      .json("physicalLocation", physical.text())
      .json("message", message_object(party.what))
      .text();
}

/// The group's name; empty for a single thread.
const char* group_name(Group group) {
  static const char* const names[] = {"", "warp", "block", "cluster", "grid"};
  return names[static_cast<std::size_t>(group)];
}

kit_wire::Finding record_of(const Finding& finding) {
  kit_wire::Finding record;
  record.rule = name_of(finding.rule);
  record.group = group_of(finding.rule);
  record.error = is_error(finding.rule);
  record.kernel = finding.kernel;
  record.array = finding.array;
  record.element = finding.element;
  record.headline = finding.headline;
  for (const Party& party : finding.parties) {
    const Span part = part_of(finding, party);
    record.parties.push_back({party.what,
                              {party.line.file, party.line.line},
                              part.begin,
                              part.end,
                              party.line.known() ? text_of(party.line) : "",
                              party.access,
                              party.thread,
                              party.block});
  }
  record.notes = finding.notes;
  record.first = finding.first;
  record.hint = finding.hint;
  record.count = finding.count;
  record.blocks = finding.blocks.size();
  record.between = group_name(finding.between);
  record.within = group_name(finding.missing.within);
  record.missing = name_of(finding.missing.what);
  record.barrier_lines = finding.missing.lines;
  return record;
}

std::string message_of(const Finding& finding) {
  std::string text = finding.headline;
  for (const std::string& note : finding.notes) text += "; " + note;
  if (!finding.first.empty()) text += "; first " + finding.first;
  if (!finding.hint.empty()) text += ". Hint: " + finding.hint;
  return text + ".";
}

std::string result_of(const Finding& finding) {
  Object result;
  result.add("ruleId", name_of(finding.rule))
      .add("level", is_error(finding.rule) ? "error" : "warning")
      .json("message", message_object(message_of(finding)))
      .add("occurrenceCount", finding.count);
  std::vector<Party> known;
  for (const Party& party : finding.parties)
    if (party.line.known()) known.push_back(party);
  if (!known.empty()) {
    const auto location = [&](const Party& party) { return location_of(finding, party); };
    // The last party shows the mistake. The other parties conflict with it.
    result.json("locations", "[" + location(known.back()) + "]");
    known.pop_back();
    if (!known.empty()) result.json("relatedLocations", json_array(known, location));
  }
  return result.text();
}

}  // namespace

std::string as_json(const std::vector<Finding>& findings, const std::set<std::string>& unwatched) {
  std::vector<kit_wire::Finding> records;
  for (const Finding& finding : findings) records.push_back(record_of(finding));
  return kit_wire::findings_json(records, unwatched);
}

std::string as_sarif(const std::vector<Finding>& findings, const std::set<std::string>& unwatched) {
  std::vector<std::string> rules;
  for (int rule = 0; rule < rule_count; ++rule) rules.emplace_back(name_of(static_cast<Rule>(rule)));
  Object driver;
  driver.add("name", "cuemu-check").json("rules", json_array(rules, [](const std::string& id) {
                                           return Object().add("id", id).text();
                                         }));
  Object run;
  run.json("tool", Object().json("driver", driver.text()).text())
      .json("results", json_array(findings, result_of));
  if (!unwatched.empty()) {
    Object note;
    note.add("level", "note").json("message", message_object(about_unwatched(unwatched) + "."));
    Object invocation;
    invocation.add("executionSuccessful", true).json("toolExecutionNotifications", "[" + note.text() + "]");
    run.json("invocations", "[" + invocation.text() + "]");
  }
  return Object()
             .add("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
             .add("version", "2.1.0")
             .json("runs", "[" + run.text() + "]")
             .text() +
         "\n";
}

}  // namespace cuemu::check
