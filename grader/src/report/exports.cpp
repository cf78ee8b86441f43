// Each format has its own names for the same few values: a case, its points, and its result.
#include "report/exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/markup.hpp"
#include "grade/score.hpp"
#include "model/json.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

/// The text below a case's name.
/// @param shown whether the reader may see more than the verdict, or receives it from a person who observes the due
///         date
std::string words_of(const CaseResult& one, bool shown) {
  if (one.verdict == Verdict::passed) return "";
  if (!shown) return words(one.verdict);
  std::string text = one.message.empty() ? words(one.verdict) : one.message;
  if (!one.next_step.empty()) text += "\nNext: " + one.next_step;
  return printable(text, true);
}

/// Text for an XML attribute, in which a plain line break would be read as a blank.
std::string xml_text(const std::string& text) {
  return replace_all(foreign_text(text), "\n", "&#10;");
}

}  // namespace

namespace {

/// The time to report. A program that sees a hidden input can encode it in its run time, so the times of hidden cases
/// and the total time are omitted.
double reported_time(const Grading& grading, const CaseResult& one) {
  return shows_details(grading, one) ? one.wall_s : 0;
}

double reported_time(const Grading& grading) {
  double seconds = 0;
  for (const CaseResult& one : grading.cases) seconds += reported_time(grading, one);
  return seconds;
}

}  // namespace

std::string gradescope_json(const Lab& lab, const Grading& grading) {
  std::map<const CaseResult*, CaseShare> of_case;  // summed over parts, so that the tests add up to the score
  for (const CaseShare& share : case_shares(lab, grading)) {
    of_case[share.result].points += share.points;
    of_case[share.result].max_points += share.max_points;
  }
  nlohmann::json tests = nlohmann::json::array();
  std::optional<double> kernel;
  for (const CaseResult& one : grading.cases) {
    if (one.verdict == Verdict::unsupported) continue;
    tests.push_back({{"name", one.id},
                     {"score", of_case[&one].points},
                     {"max_score", of_case[&one].max_points},
                     {"status", one.verdict == Verdict::passed ? "passed" : "failed"},
                     {"output", words_of(one, true)},
                     {"visibility", to_string(one.visibility)}});
    const auto time = one.times.find(Measure{Measure::Kind::kernel});
    if (time != one.times.end()) kernel = time->second;
  }
  nlohmann::json out = {{"score", grading.points},
                        {"execution_time", reported_time(grading)},
                        {"output", report_text(lab, grading, Style{})},
                        {"output_format", "text"},  // the default is HTML
                        {"stdout_visibility", "hidden"},
                        {"tests", tests}};
  // Times of the emulation depend on the machine's load, so they give no places on the leaderboard.
  if (grading.verdict == Verdict::passed && grading.backend == Backend::gpu && kernel)
    out["leaderboard"] = {{{"name", "kernel time (ms)"}, {"value", *kernel * 1e3}, {"order", "asc"}}};
  return json_text(out) + "\n";
}

std::string autolab_line(const Grading& grading) {
  nlohmann::json scores = nlohmann::json::object();
  for (const PartResult& part : grading.parts) scores[fmt::format("part {}", part.id)] = part.points;
  return json_text({{"scores", scores}}, -1) + "\n";
}

std::string classroom_result(const Grading& grading) {
  nlohmann::json tests = nlohmann::json::array();
  const bool passed = grading.verdict == Verdict::passed;
  std::string why;  // the message of the first case that explains the verdict
  for (const CaseResult& one : grading.cases)
    if (why.empty() && one.verdict == grading.verdict) why = words_of(one, shows_details(grading, one));
  for (const PartResult& part : grading.parts) {
    const bool whole = part.points >= part.max_points;
    tests.push_back(
        {{"name", fmt::format("Part {}: {}", part.id, part.title)},
         {"status", whole ? "pass" : "fail"},
         {"score", part.points},
         {"message", whole ? nlohmann::json() : nlohmann::json(why.empty() ? words(grading.verdict) : why)},
         {"test_code", ""},
         {"filename", ""},
         {"line_no", 0},
         {"execution_time", fmt::format("{:.1f}s", reported_time(grading))}});
  }
  const nlohmann::json out = {{"version", 1},
                              {"status", passed ? "pass" : "fail"},
                              {"max_score", grading.max_points},
                              {"tests", tests}};
  return base64(json_text(out, -1)) + "\n";
}

std::string junit_xml(const Lab& lab, const Grading& grading) {
  int failures = 0, faults = 0, skipped = 0;
  std::string cases;
  for (const CaseResult& one : grading.cases) {
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", xml_text(lab.id),
                         xml_text(one.id), reported_time(grading, one));
    if (one.verdict == Verdict::passed) {
      cases += "/>\n";
      continue;
    }
    const std::string text = xml_text(words_of(one, shows_details(grading, one)));
    if (one.verdict == Verdict::unsupported) {
      ++skipped;
      cases += fmt::format("><skipped message=\"{}\"/></testcase>\n", text);
    } else if (one.verdict == Verdict::grader_fault) {
      ++faults;
      cases += fmt::format("><error type=\"{}\" message=\"{}\"/></testcase>\n", to_string(one.verdict), text);
    } else {
      ++failures;
      cases +=
          fmt::format("><failure type=\"{}\" message=\"{}\"/></testcase>\n", to_string(one.verdict), text);
    }
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\" "
      "timestamp=\"{}\">\n"
      "{}  </testsuite>\n</testsuites>\n",
      xml_text(lab.id), grading.cases.size(), failures, faults, skipped, reported_time(grading),
      xml_text(grading.started_at.substr(0, 19)), cases);
}

}  // namespace grader
