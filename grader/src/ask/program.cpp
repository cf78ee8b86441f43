#include "ask/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/regex.hpp"
#include "check/compared.hpp"
#include "check/recording.hpp"
#include "check/tracing.hpp"
#include "judge/judge.hpp"
#include "run/counting.hpp"

namespace grader {
namespace {

constexpr std::size_t most_blocks = 1024;    // of each launch
constexpr std::size_t most_cases = 3;        // tried to find one that is recorded as a whole
constexpr std::uint64_t usual_seed = 20111;  // fixed, so that the same program gets the same questions

/// Product of the numbers among a case's arguments.
double size_of(const Case& c) {
  double size = 1;
  for (const std::string& argument : c.args)
    if (!argument.empty() && argument.size() < 10 &&
        argument.find_first_not_of("0123456789") == std::string::npos)
      size *= std::max(1.0, std::stod(argument));
  return size;
}

std::vector<Case> cases_to_ask(const Lab& lab, const std::string& id) {
  std::vector<Case> out;
  for (const Case& c : checkable_lab(lab).cases)
    if (c.visibility == Visibility::visible && c.runs_on(Backend::emu) &&
        (id.empty() ? c.macros.empty() : c.id == id))
      out.push_back(c);
  std::stable_sort(out.begin(), out.end(),
                   [](const Case& a, const Case& b) { return size_of(a) > size_of(b); });
  if (out.size() > most_cases) out.resize(most_cases);
  if (out.empty())
    throw Error(ErrorKind::usage, fmt::format("{} has no case {} for questions.", lab.id, id),
                fmt::format("grader ask {}", lab.id));
  return out;
}

ElementName name_of(const TracedArray& array, std::size_t element) {
  return {array.name, indices_of(element, array.shape)};
}

Error not_right(const Lab& lab, const std::string& why) {
  return {ErrorKind::usage, "grader ask needs a right program, and " + why, fmt::format("grader {}", lab.id)};
}

std::string without_comment(const std::string& line) {
  return std::string(trimmed(std::string_view(line).substr(0, line.find("//"))));
}

}  // namespace

std::vector<LaneAccess> accesses_of(const TracedStep& step, const TracedArray& array) {
  std::vector<LaneAccess> out;
  if (!step.accesses()) return out;
  step.each_lane([&](std::uint32_t thread, std::size_t, std::int64_t offset) {
    if (offset >= 0) out.push_back({thread, static_cast<std::size_t>(offset) / array.element});
  });
  return out;
}

std::string extents_text(const std::vector<unsigned>& extents) {
  return fmt::format("({})", fmt::join(extents, ","));
}

std::string thread_text(const TracedLaunch& launch, std::uint32_t thread) {
  const auto [x, y, z] = launch.thread(thread);
  return extents_text({x, y, z});
}

AskedProgram::AskedProgram(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
                           const std::string& case_id, fs::path folder)
    : kit_(kit), toolchain_(toolchain), submission_(submission), folder_(std::move(folder)) {
  const Lab& lab = *submission.lab;
  if (!submission.todo.empty()) throw not_right(lab, "yours still has blanks to do.");
  oracle_ = build_oracle(kit, toolchain, lab);
  for (const Case& c : cases_to_ask(lab, case_id)) {
    trace_of(c);
    if (is_whole(trace_)) break;
  }
  if (trace_.verdict != Verdict::passed)
    throw not_right(lab, fmt::format("yours fails case {}: {}", case_.id, trace_.message));
}

void AskedProgram::trace_of(const Case& c) {
  case_ = c;
  if (!case_.seed) case_.seed = usual_seed;
  data_ = prepare_case(kit_, *submission_.lab, case_, oracle_, folder_ / "data");
  const BuildResult built = build_of(submission_, Instrument::check);
  if (!built.ok) throw not_right(*submission_.lab, "yours does not compile.");
  checked_ = built.program;
  trace_ = trace_case(toolchain_, submission_, case_, checked_, data_, folder_ / "run", most_blocks);
}

BuildResult AskedProgram::build_of(const Submission& submission, Instrument instrument) const {
  return build(kit_, toolchain_, submission, Backend::emu, case_.macros, instrument);
}

const std::vector<ElementWrite>& AskedProgram::writes() {
  if (writes_) return *writes_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::pair<ElementWrite, int>> found;
  for (const TracedLaunch& launch : trace_.launches)
    for (const TracedBlock& block : launch.blocks)
      for (const TracedPhase& phase : block.phases)
        for (const TracedStep& step : phase.steps) {
          if (!step.accesses() || step.does == TracedStep::Does::read) continue;
          const TracedArray& array = trace_.arrays[step.array];
          if (array.shared || array.name.empty()) continue;
          const std::size_t elements = std::max<std::size_t>(1, step.bytes / array.element);
          for (const LaneAccess& lane : accesses_of(step, array))
            for (std::size_t e = lane.element; e < lane.element + elements; ++e) {
              auto& [write, count] = found[{step.array, e}];
              write = {step.array, e, &launch, &block, lane.thread};
              ++count;
            }
        }
  writes_.emplace();
  const auto named_alike = [&](const TracedArray& array) {
    return std::count_if(trace_.arrays.begin(), trace_.arrays.end(),
                         [&](const TracedArray& other) { return other.name == array.name; });
  };
  for (const auto& entry : found)
    if (entry.second.second == 1 && named_alike(trace_.arrays[entry.first.first]) == 1)
      writes_->push_back(entry.second.first);
  return *writes_;
}

const ComparedSide& AskedProgram::counts() {
  if (counts_) return *counts_;
  counts_.emplace();
  const BuildResult built = build_of(submission_, Instrument::counters);
  if (!built.ok) return *counts_;
  const CountedRun counted = run_counted(toolchain_, submission_, case_, Backend::emu, built.program, data_,
                                         folder_ / "counted", {});
  if (!read_counters(*counts_, counted.report, submission_)) counts_.emplace();
  return *counts_;
}

const Recording* AskedProgram::recorded(const TracedArray& array, std::size_t element) {
  const ElementName name = name_of(array, element);
  const auto [at, is_new] = recorded_.try_emplace(name.text());
  if (is_new) {
    try {
      at->second =
          record_element(toolchain_, submission_, case_, checked_, data_, folder_ / "recorded", name);
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::usage) throw;  // the recorder does not know the array
    }
  }
  return at->second ? &*at->second : nullptr;
}

const ChangedRun& AskedProgram::run_without(const TracedPlace& line, Instrument instrument) {
  const auto [at, is_new] = changed_.try_emplace({line, instrument});
  ChangedRun& out = at->second;
  if (!is_new) return out;
  Submission changed = submission_;
  for (SubmissionFile& file : changed.files) {
    if (file.name != line.file) continue;
    std::vector<std::string> lines = split_lines(file.text);
    lines.at(line.line - 1).clear();
    file.text = fmt::format("{}\n", fmt::join(lines, "\n"));
  }
  summarise(changed);
  const BuildResult built = build_of(changed, instrument);
  out.compiles = built.ok;
  if (!built.ok) return out;
  RunResult run;
  if (instrument == Instrument::check) {
    CheckedRun checked = run_checked(toolchain_, changed, case_, built.program, data_, folder_ / "changed");
    run = std::move(checked.run);
    out.findings = checked.findings.value_or(std::vector<Finding>());
  } else {
    run = run_case(toolchain_, *changed.lab, case_, Backend::emu, built.program, data_, folder_ / "changed");
  }
  out.ends = ends_in_order(run);
  const Judgement judgement = judge(*changed.lab, case_, run, data_, {});
  out.right = judgement.right;
  const auto wrong = std::find(judgement.wrong.begin(), judgement.wrong.end(), true);
  if (wrong != judgement.wrong.end())
    out.first_wrong = static_cast<std::size_t>(wrong - judgement.wrong.begin());
  return out;
}

std::string AskedProgram::line_text(const std::string& file, unsigned line) const {
  for (const SubmissionFile& one : submission_.files) {
    if (one.name != file) continue;
    const std::vector<std::string> lines = split_lines(one.text);
    if (line >= 1 && line <= lines.size()) return without_comment(lines[line - 1]);
  }
  return "";
}

bool AskedProgram::can_go(const TracedPlace& place) const {
  static const Regex more_than_a_statement(
      R"(^(if|else|for|while|do|return|case|switch|const|auto|break|continue)\b|[{}]|^[A-Za-z_][\w:<>]*[ *&]+[A-Za-z_]\w*\s*(=[^=]|;|\[|\())");
  const std::string text = line_text(place.file, place.line);
  if (text.empty() || text.back() != ';' || more_than_a_statement.search(text)) return false;
  if (std::count(text.begin(), text.end(), '(') != std::count(text.begin(), text.end(), ')')) return false;
  for (unsigned before = place.line - 1; before > 0; --before) {
    const std::string earlier = line_text(place.file, before);
    if (!earlier.empty()) return earlier.back() == ';' || earlier.back() == '{' || earlier.back() == '}';
  }
  return false;
}

std::string AskedProgram::element_text(const TracedArray& array, std::size_t element) const {
  return name_of(array, element).text();
}

std::string AskedProgram::place_text(const TracedPlace& place) const {
  const bool only_file =
      std::all_of(trace_.places.begin(), trace_.places.end(),
                  [&](const TracedPlace& other) { return other.file.empty() || other.file == place.file; });
  return only_file ? fmt::format("line {}", place.line)
                   : fmt::format("line {} of {}", place.line, place.file);
}

}  // namespace grader
