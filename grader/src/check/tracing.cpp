// The student's process wrote the report, so the report is not trusted: numbers are checked against their
// bounds, texts are truncated, and an invalid report counts as missing.
#include "check/tracing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/columns.hpp"
#include "check/checking.hpp"
#include "check/recorded.hpp"
#include "judge/judge.hpp"
#include "model/data_file.hpp"
#include "model/json.hpp"
#include "verify/array.hpp"

namespace grader {
namespace {

using nlohmann::json;

constexpr std::uintmax_t largest_trace = 16 << 20;
constexpr std::size_t most_bytes = 16;  ///< bytes of an access whose value is reported
constexpr std::uint32_t largest_access = 1 << 12;
constexpr std::size_t largest_element = 1024, most_extents = 4;
constexpr std::size_t most_reported = std::size_t{4} << 20;  ///< bytes of JSON: a page has less than 5 MB
constexpr std::size_t most_expected = std::size_t{1} << 16;

/// Throws, because the report is not a valid trace.
[[noreturn]] void misfit() {
  throw std::invalid_argument("no trace");
}

void need(bool fits) {
  if (!fits) misfit();
}

/// The texts of the values in a trace, with their numbers.
class Values {
 public:
  explicit Values(std::vector<std::string>& texts) : texts_(texts) { texts_ = {""}; }
  std::uint32_t number(const std::string& text) {
    const auto [known, added] = numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (added) texts_.push_back(text);
    return known->second;
  }
  static constexpr std::uint32_t never_written = 0;

 private:
  std::vector<std::string>& texts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

class Reader {
 public:
  Reader(const TraceContext& context, Trace& out) : context_(context), out_(out), values_(out.values) {}

  void read(const TraceRecords& records) {
    for (const json& place : records.places)
      out_.places.push_back({file_in(place, context_.files), place.value("line", 0u)});
    for (const json& array : records.arrays) read_array(array);
    find_elements(records);
    out_.launches_in_all = records.launches_in_all;
    for (std::size_t i = 0; i < records.launches.size(); ++i)
      read_launch(records.launches[i], records.blocks[i]);
  }

  /// Adds the right value of each element of the result, and marks the wrong elements.
  /// @param wrong for each element, whether it is wrong; empty: no element is wrong
  void show_expected(const Array& expected, const std::vector<bool>& wrong) {
    for (TracedArray& array : out_.arrays) {
      if (!array.output || expected.size() > most_expected) continue;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        array.expected.push_back(values_.number(expected.text(i)));
        if (!wrong.empty() && wrong[i]) array.wrong.push_back(i);
      }
    }
  }

 private:
  void read_array(const json& from) {
    TracedArray array;
    array.on_device = text_in(from, "array");
    array.name = array.on_device;
    array.type = text_in(from, "type");
    array.shared = from.at("shared").get<bool>();
    array.bytes = from.at("bytes").get<std::size_t>();
    array.at = from.at("at").get<unsigned>() % 128;
    array.shape = from.at("extents").get<std::vector<std::size_t>>();
    std::string dtype = dtype_of_type(array.type);
    std::size_t element = from.at("element").get<std::size_t>();
    if (!array.shared) {
      if (element == 0) element = bytes_of_type(array.type);
      array.type.clear();  // for device memory it is the text of a source line
    }
    // Finds the array by its name for users, or else by its name in the source. A padded array does not equal
    // an array of the case, but the user may have given its shape.
    for (const char* const called : {"name", "array"}) {
      const auto its = context_.known.find(text_in(from, called));
      if (array.shared || its == context_.known.end()) continue;
      const KnownArray& known = its->second;
      const std::size_t count = size_of(known.shape);
      const std::size_t bytes =
          known.dtype.empty() && count > 0 ? array.bytes / count : bytes_of(known.dtype);
      if (count * bytes != array.bytes || bytes == 0) continue;
      array.name = its->first;
      array.shape = known.shape;
      array.output = its->first == context_.output;
      if (!known.dtype.empty()) dtype = known.dtype;
      element = bytes;
      break;
    }
    need(array.shape.size() <= most_extents);
    array.element =
        element <= largest_element ? element : 0;  // for a large structure, the accesses give the size
    dtypes_.push_back(dtype);
    known_values_.emplace_back();
    out_.arrays.push_back(std::move(array));
  }

  /// If the element size is unknown, the smallest access gives it.
  void find_elements(const TraceRecords& records) {
    std::vector<std::size_t> least(out_.arrays.size(), largest_element);
    for (const std::vector<json>& blocks : records.blocks)
      for (const json& block : blocks)
        for (const json& phase : block.at("phases"))
          for (const json& step : phase.at("steps"))
            if (step.size() > 5) {
              std::size_t& size =
                  least.at(step.at(2).get<std::size_t>());  // for a copied structure, its own size
              size = std::min(size, std::max<std::size_t>(step.at(5).get<std::size_t>(), 1));
            }
    for (std::size_t i = 0; i < out_.arrays.size(); ++i) {
      TracedArray& array = out_.arrays[i];
      if (array.element == 0 || (array.shape.empty() && array.shared)) array.element = least[i];
      if (array.shape.empty() || size_of(array.shape) * array.element != array.bytes)
        array.shape = {array.bytes / array.element};
      // If the members of vectors or structures are accessed separately, each member is an element.
      const std::size_t scalar = dtypes_[i].empty() ? 1 : bytes_of(dtypes_[i]);
      if (least[i] >= scalar && least[i] < array.element && array.element % least[i] == 0 &&
          array.shape.size() < most_extents) {
        array.shape.push_back(array.element / least[i]);
        array.element = least[i];
      }
    }
  }

  void read_launch(const json& from, const std::vector<json>& blocks) {
    TracedLaunch launch;
    launch.number = from.at("launch").get<std::uint64_t>();
    launch.kernel = text_in(from, "kernel");
    launch.grid_dim = numbers_in(from, "grid");
    launch.block_dim = numbers_in(from, "block");
    need(launch.grid_dim.size() == 3 && launch.block_dim.size() == 3);
    need(launch.threads() >= 1 && launch.threads() <= 1024 && launch.blocks_in_all() >= 1);
    for (const json& block : blocks) {
      TracedBlock one;
      one.block = numbers_in(block, "block");
      need(one.block.size() == 3);
      one.cut = block.at("cut").get<bool>();
      for (const json& phase : block.at("phases")) one.phases.push_back(phase_in(phase, launch));
      launch.blocks.push_back(std::move(one));
    }
    out_.launches.push_back(std::move(launch));
  }

  TracedPhase phase_in(const json& from, const TracedLaunch& launch) {
    TracedPhase phase;
    phase.end = text_in(from, "end");
    for (const json& group : from.at("waiting")) {
      TracedWait wait;
      wait.place = place_in(group.at("place"));
      const auto flat = group.at("threads").get<std::vector<std::uint32_t>>();
      need(flat.size() % 2 == 0);
      for (std::size_t i = 0; i < flat.size(); i += 2) {
        need(flat[i] <= flat[i + 1] && flat[i + 1] < launch.threads());
        wait.threads.emplace_back(flat[i], flat[i + 1]);
      }
      phase.waiting.push_back(std::move(wait));
    }
    for (const json& step : from.at("steps")) phase.steps.push_back(step_in(step, launch));
    return phase;
  }

  std::uint32_t place_in(const json& from) const {
    const auto place = from.get<std::uint32_t>();
    need(place < out_.places.size());
    return place;
  }

  TracedStep step_in(const json& from, const TracedLaunch& launch) {
    TracedStep step;
    step.warp = from.at(0).get<std::uint32_t>();
    step.place = place_in(from.at(1));
    step.array = from.at(2).get<std::uint32_t>();
    const auto does = from.at(3).get<unsigned>();
    step.lanes = from.at(4).get<std::uint32_t>();
    need(step.warp < (launch.threads() + 31) / 32 && does <= 4 && step.lanes != 0);
    need((step.warp * 32 + 32 - static_cast<std::size_t>(std::countl_zero(step.lanes))) <= launch.threads());
    step.does = static_cast<TracedStep::Does>(does);
    if (!step.accesses()) return step;
    need(step.array < out_.arrays.size());
    step.bytes = std::min(from.at(5).get<std::uint32_t>(), largest_access);
    const auto parsed = from.at(6).get<std::vector<std::int64_t>>();
    const auto count = static_cast<std::size_t>(std::popcount(step.lanes));
    const bool even = from.at(7).get<int>() == 1;
    need(step.bytes >= 1 && parsed.size() == (even ? 2 : count));
    constexpr std::int64_t far = std::int64_t{1} << 45;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t first = parsed[0], way = parsed.size() > 1 ? parsed[1] : 0;
      need(first < far && first > -far && way < far && way > -far);
      step.where.push_back(even ? first + static_cast<std::int64_t>(i) * way : parsed[i]);
    }
    read_values(step, from.at(8).get<std::string>(), count);
    return step;
  }

  void read_values(TracedStep& step, const std::string& hex, std::size_t count) {
    const TracedArray& array = out_.arrays[step.array];
    const std::size_t digits = 2 * std::min<std::size_t>(step.bytes, most_bytes);
    if (hex.empty()) return;
    need(hex.size() == digits || hex.size() == digits * count);
    const std::size_t element = std::min<std::size_t>(array.element, step.bytes);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::string its = hex.size() == digits ? hex : hex.substr(lane * digits, digits);
      if (lane > 0 && hex.size() == digits) {  // all lanes have the same value
        const std::size_t per_lane = step.values.size() / lane;
        for (std::size_t i = 0; i < per_lane; ++i) step.values.push_back(step.values[i]);
        continue;
      }
      if (const auto known = known_values_[step.array].find(its); known != known_values_[step.array].end()) {
        step.values.push_back(known->second);
        continue;
      }
      if (its[0] == 'x') {  // outside of the array
        step.values.insert(step.values.end(), std::max<std::size_t>(step.bytes / array.element, 1),
                           values_.number("?"));
        continue;
      }
      const std::size_t known = std::min(element, digits / 2);  // only the beginning of a structure is known
      for (std::size_t at = 0; at + known <= digits / 2; at += known) {
        const std::string one = its.substr(2 * at, 2 * known);
        step.values.push_back(is_fresh(one, array.shared)
                                  ? Values::never_written
                                  : values_.number(element_text(one, element, dtypes_[step.array])));
      }
      if (known == digits / 2) known_values_[step.array][its] = step.values.back();
    }
  }

  /// The text of a number, a vector, or the first words of a structure.
  static std::string element_text(const std::string& hex, std::size_t bytes, const std::string& dtype) {
    const std::size_t number = dtype.empty() ? 4 : bytes_of(dtype);
    if (bytes <= 8 && (dtype.empty() || number == bytes)) return number_text(bytes_in(hex), 0, bytes, dtype);
    std::string text = value_text(hex, dtype);
    if (2 * bytes > hex.size())
      text = (text.ends_with(')') ? text.substr(0, text.size() - 1) : "(" + text) + ", …)";
    return text;
  }

  const TraceContext& context_;
  Trace& out_;
  Values values_;
  std::vector<std::string> dtypes_;
  std::vector<std::unordered_map<std::string, std::uint32_t>> known_values_;  ///< for each array
};

/// Puts findings in earlier kernels first, because later findings may follow from them. Otherwise keeps the
/// order.
void order_by_launch(Trace& trace) {
  const auto first_launch = [&](const Finding& finding) {
    const auto launch = std::find_if(trace.launches.begin(), trace.launches.end(),
                                     [&](const TracedLaunch& one) { return one.kernel == finding.kernel; });
    return std::make_pair(!finding.error, launch - trace.launches.begin());
  };
  std::stable_sort(trace.findings.begin(), trace.findings.end(),
                   [&](const Finding& a, const Finding& b) { return first_launch(a) < first_launch(b); });
}

/// Adds the files in which an event of the trace is.
void add_sources(Trace& trace, const std::vector<SubmissionFile>& files) {
  for (const SubmissionFile& file : files) {
    const auto lies_there = [&](const TracedPlace& place) { return place.file == file.name; };
    const auto tells = [&](const Finding& finding) {
      return std::any_of(finding.parties.begin(), finding.parties.end(),
                         [&](const FindingParty& party) { return party.file == file.name; });
    };
    if (std::any_of(trace.places.begin(), trace.places.end(), lies_there) ||
        std::any_of(trace.findings.begin(), trace.findings.end(), tells))
      trace.sources.push_back({file.name.string(), printable(file.text, true)});
  }
}

/// Judges the case as `grader check` does. Adds the elements of the result if each was compared.
void judge_case(Trace& out, Reader& reader, const Lab& lab, const Case& c, const CheckedRun& checked,
                const CaseData& data) {
  Judgement judgement = judge(lab, c, checked.run, data, JudgeContext{});
  if (!ends_in_order(checked.run)) out.end = describe_end(checked.run.process);
  out.judged = judgement.right.has_value();
  out.right = judgement.right.value_or(true);
  judge_findings(judgement.result, checked);
  out.verdict = judgement.result.verdict;
  out.message = judgement.result.message;
  const bool by_element = judgement.right == true || !judgement.wrong.empty();
  if (by_element && c.verify != Verify::sample && !data.expected.empty() && is_npy(data.expected))
    reader.show_expected(Array::read(data.expected), judgement.wrong);
}

/// @return whether all records are valid
bool read_report(Reader& reader, const TraceRecords& records) {
  try {
    reader.read(records);
    return true;
  } catch (const std::exception&) {  // from JSON, from number parsing, from need()
    return false;
  }
}

bool read_report(Reader& reader, const std::string& report) {
  if (report.size() > largest_trace) return false;
  TraceRecords records;
  try {
    json parsed = json_of_whole_numbers(report);
    need(parsed.is_array());
    for (json& record : parsed) records.add(std::move(record));
  } catch (const std::exception&) {
    return false;
  }
  return read_report(reader, records);
}

template <class Report>
std::optional<Trace> read_alone(const Report& report, const TraceContext& context) {
  Trace out;
  Reader reader(context, out);
  if (!read_report(reader, report)) return std::nullopt;
  out.findings = context.findings;
  order_by_launch(out);
  add_sources(out, context.files);
  shrink(out, most_reported);
  return out;
}

}  // namespace

void TraceRecords::add(json record) {
  const std::string kind = record.value("kind", "");
  if (kind == "place") {
    places.push_back(std::move(record));
  } else if (kind == "array") {
    arrays.push_back(std::move(record));
  } else if (kind == "launch") {
    launches_in_all = std::max(launches_in_all, record.at("launch").get<std::uint64_t>());
    launches.push_back(std::move(record));
    blocks.emplace_back();
  } else if (kind == "block") {
    blocks.at(record.at("of").get<std::size_t>()).push_back(std::move(record));
  } else if (kind == "launches") {
    launches_in_all = std::max(launches_in_all, record.at("count").get<std::uint64_t>());
  }
}

std::optional<Trace> read_trace(const std::string& report, const TraceContext& context) {
  return read_alone(report, context);
}

std::optional<Trace> read_trace(const TraceRecords& records, const TraceContext& context) {
  return read_alone(records, context);
}

Trace trace_case(const Toolchain& toolchain, const Submission& submission, const Case& c,
                 const fs::path& program, const CaseData& data, const fs::path& work_folder,
                 std::size_t blocks, const Machine& machine) {
  const Lab& lab = *submission.lab;
  const CheckedRun checked = run_checked_as(fmt::format("limit=0,trace={}", blocks), toolchain, submission, c,
                                            program, data, work_folder, machine);
  const RunResult& run = checked.run;
  const auto report = run.reports.find("trace");
  Trace out;
  out.lab = lab.id;
  out.title = lab.title;
  out.case_id = c.id;
  out.args = c.args;
  out.solution = submission.origin == Origin::solution;
  TraceContext context{submission.files, known_arrays(lab, data), lab.output.name()};
  // lab.toml may give shapes to arrays that are not files of the case.
  if (lab.view)
    for (const auto& [name, shape] : lab.view->shapes) context.known.emplace(name, KnownArray{"", shape});
  Reader reader(context, out);
  if (report == run.reports.end() || !read_report(reader, report->second))
    throw Error(ErrorKind::usage,
                fmt::format("The program {}, so nothing was recorded.", describe_end(run.process)),
                "grader check " + lab.id);
  if (out.launches.empty())
    throw Error(ErrorKind::usage, "No kernel ran, so there is nothing to see.", "grader check " + lab.id);
  if (checked.findings) out.findings = *checked.findings;
  order_by_launch(out);
  judge_case(out, reader, lab, c, checked, data);
  add_sources(out, submission.files);
  shrink(out, most_reported);
  return out;
}

bool shows_a_mistake(const Trace& trace) {
  return trace.verdict ? *trace.verdict != Verdict::passed : any_error(trace.findings);
}

namespace {

json to_json(const TracedStep& step) {
  json out = {step.warp, step.place, step.array, static_cast<unsigned>(step.does), step.lanes};
  if (!step.accesses()) return out;
  out.push_back(step.bytes);
  const auto way = step.where.size() > 1 ? step.where[1] - step.where[0] : 0;
  bool even = step.where.size() > 2;
  for (std::size_t i = 1; i < step.where.size(); ++i) even &= step.where[i] - step.where[i - 1] == way;
  out.push_back(even ? json{step.where[0], way} : json(step.where));
  out.push_back(std::adjacent_find(step.values.begin(), step.values.end(), std::not_equal_to<>()) ==
                            step.values.end() &&
                        !step.values.empty()
                    ? json{step.values[0]}
                    : json(step.values));
  return out;
}

json to_json(const TracedBlock& block) {
  json phases = json::array();
  for (const TracedPhase& phase : block.phases) {
    json waiting = json::array(), steps = json::array();
    for (const TracedWait& wait : phase.waiting)
      waiting.push_back({{"place", wait.place}, {"threads", wait.threads}});
    for (const TracedStep& step : phase.steps) steps.push_back(to_json(step));
    phases.push_back({{"end", phase.end}, {"waiting", std::move(waiting)}, {"steps", std::move(steps)}});
  }
  return {{"block", block.block}, {"cut", block.cut}, {"phases", std::move(phases)}};
}

}  // namespace

json to_json(const Trace& trace) {
  json out = {{"format", 1},
              {"kind", "kernel"},
              {"lab", trace.lab},
              {"program", trace.program},
              {"title", trace.title},
              {"case", trace.case_id},
              {"args", trace.args},
              {"right", trace.judged ? json(trace.right) : json(nullptr)},
              {"verdict", trace.verdict ? json(to_string(*trace.verdict)) : json(nullptr)},
              {"message", trace.message},
              {"end", trace.end},
              {"solution", trace.solution},
              {"left_out", left_out_of(trace)},
              {"launches_in_all", trace.launches_in_all},
              {"values", trace.values}};
  for (const char* list : {"arrays", "places", "sources", "launches", "findings"}) out[list] = json::array();
  for (const TracedArray& array : trace.arrays) {
    json one = {{"name", array.name},    {"on_device", array.on_device},
                {"type", array.type},    {"shared", array.shared},
                {"bytes", array.bytes},  {"element", array.element},
                {"shape", array.shape},  {"at", array.at},
                {"output", array.output}};
    if (!array.expected.empty()) {
      one["expected"] = array.expected;
      one["wrong"] = array.wrong;
    }
    out["arrays"].push_back(std::move(one));
  }
  for (const TracedPlace& place : trace.places)
    out["places"].push_back({{"file", place.file}, {"line", place.line}});
  for (const TracedSource& source : trace.sources)
    out["sources"].push_back({{"file", source.file}, {"text", source.text}});
  for (const Finding& finding : trace.findings) out["findings"].push_back(to_json(finding));
  for (const TracedLaunch& launch : trace.launches) {
    json blocks = json::array();
    for (const TracedBlock& block : launch.blocks) blocks.push_back(to_json(block));
    out["launches"].push_back({{"launch", launch.number},
                               {"kernel", launch.kernel},
                               {"grid", launch.grid_dim},
                               {"block", launch.block_dim},
                               {"blocks_in_all", launch.blocks_in_all()},
                               {"blocks", std::move(blocks)}});
  }
  return out;
}

}  // namespace grader
