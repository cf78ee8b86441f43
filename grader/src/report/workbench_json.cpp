#include "report/workbench_json.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/regex.hpp"
#include "model/json.hpp"
#include "report/places.hpp"
#include "report/report.hpp"
#include "workspace/editor_files.hpp"

namespace grader {
namespace {

nlohmann::json level_json(const Lab& lab, int level, const Records* records) {
  nlohmann::json out = {{"level", level}, {"graded", false}};
  const std::optional<RecordSummary> best = records != nullptr ? records->best(lab.id, level) : std::nullopt;
  if (best)
    out.update({{"graded", true},
                {"verdict", best->verdict},
                {"points", best->points},
                {"max_points", best->max_points}});
  return out;
}

nlohmann::json place_json(const Place& place) {
  nlohmann::json out = {{"file", place.file},
                        {"line", place.line},
                        {"column", place.column},
                        {"severity", place.severity},
                        {"message", place.message}};
  if (!place.rule.empty()) out["rule"] = place.rule;
  if (!place.what.empty())
    out["message"] =
        place.severity == "note" ? place.what : fmt::format("{} ({})", place.message, place.what);
  if (!place.hint.empty()) out["hint"] = place.hint;
  return out;
}

/// The place that a line of the compiler's messages names; null if it names none.
nlohmann::json compilers_place(const Grading& grading, const std::string& line) {
  struct Reader {
    const ProblemPattern& pattern;
    Regex regex;
  };
  static const std::vector<std::unique_ptr<Reader>> readers = [] {
    std::vector<std::unique_ptr<Reader>> out;
    for (const ProblemPattern& pattern : problem_patterns())
      out.emplace_back(new Reader{pattern, Regex(pattern.regexp.c_str())});
    return out;
  }();
  for (const auto& reader : readers) {
    const ProblemPattern& pattern = reader->pattern;
    const auto match = reader->regex.match(line);
    if (!match) continue;
    const auto group = [&](int number) {
      return number == 0 ? std::string() : (*match)[static_cast<std::size_t>(number)];
    };
    const auto number = [&](int of) { return static_cast<unsigned>(std::atoi(group(of).c_str())); };
    const fs::path file = fs::path(group(pattern.file)).lexically_normal();
    const fs::path own = pattern.absolute ? file.lexically_relative(grading.submission) : file;
    return place_json({.file = own.generic_string(),
                       .line = number(pattern.line),
                       .column = number(pattern.column),
                       .severity = group(pattern.severity),
                       .message = printable(group(pattern.message))});
  }
  return nullptr;
}

nlohmann::json places_json(const Grading& grading) {
  nlohmann::json out = nlohmann::json::array();
  for (const std::string& line : split_lines(grading.diagnostics))
    if (nlohmann::json place = compilers_place(grading, line); !place.is_null())
      out.push_back(std::move(place));
  for (const Place& place : places_of(grading)) out.push_back(place_json(place));
  return out;
}

}  // namespace

nlohmann::json grading_page_json(const Lab& lab, const Grading& grading) {
  nlohmann::json out = to_json(grading);
  const Headline headline = headline_of(lab, grading);
  out["words"] = headline.verdict;
  out["points_words"] = headline.points;
  out["wrong"] = headline.wrong;
  out["places"] = places_json(grading);
  out["parts"] = nlohmann::json::array();
  if (!grading.check)
    for (const PartReport& part : part_reports(lab, grading))
      out["parts"].push_back({{"id", part.result.id},
                              {"title", part.result.title},
                              {"points", part_points(part)},
                              {"done", part.state == PartState::done},
                              {"state", part_state(grading, part, Style{})}});
  for (std::size_t i = 0; i < grading.cases.size(); ++i)
    out["cases"][i]["words"] = case_words(grading, grading.cases[i]);
  out["advice"] = nlohmann::json::array();
  for (const Advice& advice : advice_of(lab, grading))
    out["advice"].push_back({{"label", advice.label}, {"text", advice.text}});
  return out;
}

nlohmann::json labs_json(const Catalog& catalog, const Records* records) {
  nlohmann::json labs = nlohmann::json::array(), broken = nlohmann::json::array();
  for (const Lab& lab : catalog.labs()) {
    nlohmann::json levels = nlohmann::json::array();
    for (int level = 1; level <= lab.levels; ++level) levels.push_back(level_json(lab, level, records));
    labs.push_back({{"id", lab.id},
                    {"name", lab.name},
                    {"title", lab.title},
                    {"prerequisites", lab.prerequisites},
                    {"levels", std::move(levels)}});
  }
  for (const BrokenLab& lab : catalog.broken())
    broken.push_back({{"id", lab.id()}, {"folder", lab.folder.string()}, {"error", lab.error.what()}});
  return {{"format", 1}, {"kind", "labs"}, {"labs", std::move(labs)}, {"broken", std::move(broken)}};
}

nlohmann::json hints_json(const Lab& lab, const std::vector<HintGiven>& hints) {
  nlohmann::json list = nlohmann::json::array();
  for (const HintGiven& hint : hints)
    list.push_back({{"part", hint.part},
                    {"part_title", hint.part_title},
                    {"number", hint.number},
                    {"of", hint.of},
                    {"text", hint.text}});
  return {{"format", 1}, {"kind", "hints"}, {"lab", lab.id}, {"hints", std::move(list)}};
}

}  // namespace grader
