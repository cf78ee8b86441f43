#include "ask/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/columns.hpp"
#include "base/regex.hpp"
#include "check/compared.hpp"
#include "check/recording.hpp"
#include "check/tracing.hpp"
#include "judge/judge.hpp"
#include "run/counting.hpp"

namespace grader {
namespace {

constexpr std::size_t most_blocks = 1024;    // recorded blocks of each launch
constexpr std::size_t most_cases = 3;        // cases that are tried to find one that is recorded completely
constexpr std::uint64_t usual_seed = 20111;  // fixed, so that the same program gets the same questions

/// The product of the numbers in a case's arguments.
double size_of(const Case& c) {
  double size = 1;
  for (const std::string& argument : c.args)
    if (!argument.empty() && argument.size() < 10 &&
        argument.find_first_not_of("0123456789") == std::string::npos)
      size *= std::max(1.0, std::stod(argument));
  return size;
}

/// The cases that the lab's view shows at the student's level, and after them the others, the largest first.
std::vector<Case> cases_to_ask(const Lab& lab, int level, const std::string& id) {
  std::set<std::string> shown;
  if (lab.view) {
    shown.insert(lab.view->case_id);
    for (const StillPanel& panel : lab.view->panels) shown.insert(panel.case_id);
  }
  std::vector<Case> out;
  for (const Case& c : checkable_lab(lab).cases)
    if (c.visibility == Visibility::visible && c.runs_on(Backend::emu) &&
        (id.empty() ? (c.macros.empty() || shown.count(c.id) != 0) && lab.counts_at(level, c.parts)
                    : c.id == id))
      out.push_back(c);
  const auto rank = [&](const Case& c) { return std::pair(shown.count(c.id), size_of(c)); };
  std::stable_sort(out.begin(), out.end(), [&](const Case& a, const Case& b) { return rank(a) > rank(b); });
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

/// Whether all blocks of the launches are recorded, and at least one launch has several blocks.
bool has_whole_blocks(const Trace& trace) {
  bool several = false;
  for (const TracedLaunch& launch : trace.launches) {
    several = several || launch.blocks.size() > 1;
    if (launch.blocks.size() != launch.blocks_in_all()) return false;
    for (const TracedBlock& block : launch.blocks)
      if (block.cut) return false;
  }
  return several;
}

/// The bytes of an element of an array whose type is unknown. If lanes access the same member of several
/// structures, the distances are multiples of the structure's size. 0 if there is no such access.
std::size_t distance_of_lanes(const Trace& trace, std::uint32_t array) {
  std::int64_t distance = 0;
  for (const TracedLaunch& launch : trace.launches)
    for (const TracedBlock& block : launch.blocks)
      for (const TracedPhase& phase : block.phases)
        for (const TracedStep& step : phase.steps) {
          if (!step.accesses() || step.array != array || step.where.size() < 2) continue;
          std::optional<std::int64_t> first;
          step.each_lane([&](std::uint32_t, std::size_t, std::int64_t offset) {
            if (!first) first = offset;
            distance = std::gcd(distance, offset - *first);
          });
        }
  return static_cast<std::size_t>(distance);
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
  const std::vector<Case> cases = cases_to_ask(lab, submission.level, case_id);
  for (const Case& c : cases) {
    trace_of(c);
    if (has_whole_blocks(trace_)) break;
  }
  if (!has_whole_blocks(trace_) && cases.size() > 1) trace_of(cases.front());
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
  for (std::uint32_t i = 0; i < trace_.arrays.size(); ++i) {
    TracedArray& array = trace_.arrays[i];
    const std::size_t distance = distance_of_lanes(trace_, i);
    constexpr std::size_t member = 4;  // a larger access is to a whole element
    if (array.shared || array.shape.size() > 1 || array.element > member || distance <= member ||
        is_scalar(array))
      continue;
    array.element = distance;
    array.shape = {array.bytes / distance};
  }
}

bool AskedProgram::is_scalar(const TracedArray& array) const {
  const std::string& name = array.on_device.empty() ? array.name : array.on_device;
  if (name.empty() || array.output) return true;
  const std::string pattern =
      fmt::format(R"(\b(float|double|int|unsigned|char|std::u?int\d+_t)\b[^;(){{}}]*\b{}\b)",
                  name.substr(name.find_last_of(".>") + 1));
  const Regex declared(pattern.c_str());
  return std::any_of(submission_.files.begin(), submission_.files.end(),
                     [&](const SubmissionFile& file) { return declared.search(file.text); });
}

BuildResult AskedProgram::build_of(const Submission& submission, Instrument instrument) const {
  return build(kit_, toolchain_, submission, Backend::emu, case_.macros, instrument);
}

void AskedProgram::find_writes() {
  if (writes_) return;
  writes_.emplace();
  std::map<std::pair<std::uint32_t, std::size_t>, WrittenElement> in_run;
  for (const TracedLaunch& launch : trace_.launches) {
    std::map<std::pair<std::uint32_t, std::size_t>, WrittenElement> in_launch;
    bool whole = launch.blocks.size() == launch.blocks_in_all();
    for (const TracedBlock& block : launch.blocks) {
      whole = whole && !block.cut;
      for (const TracedPhase& phase : block.phases)
        for (const TracedStep& step : phase.steps) {
          if (!step.accesses() || step.does == TracedStep::Does::read) continue;
          const TracedArray& array = trace_.arrays[step.array];
          if (array.shared || array.name.empty()) continue;
          const std::size_t elements = std::max<std::size_t>(1, step.bytes / array.element);
          for (const LaneAccess& lane : accesses_of(step, array))
            for (std::size_t e = lane.element; e < lane.element + elements; ++e) {
              WrittenElement& written = in_launch[{step.array, e}];
              const bool again = written.last.block == &block && written.last.thread == lane.thread;
              written.one_thread = written.times == 0 || (written.one_thread && again);
              written.in_parts = written.in_parts || step.bytes < array.element;
              ++written.times;
              written.last = {step.array, e, &launch, &block, lane.thread};
              written_by_[{&block, lane.thread, step.array}].insert(e);
            }
        }
    }
    for (const auto& [element, written] : in_launch) {
      if (whole && written.one_thread) writes_->push_back(written.last);
      WrittenElement& all = in_run[element];
      all.times += written.times;
      all.in_parts = all.in_parts || written.in_parts;
      all.last = written.last;
    }
  }
  if (!is_whole(trace_)) return;
  for (const auto& [element, written] : in_run)
    if (written.times > 1 && !written.in_parts) rewritten_.push_back(written);
}

const std::vector<ElementWrite>& AskedProgram::writes() {
  find_writes();
  return *writes_;
}

const std::vector<WrittenElement>& AskedProgram::rewritten() {
  find_writes();
  return rewritten_;
}

const std::set<std::size_t>& AskedProgram::written_by(const TracedBlock& block, std::uint32_t thread,
                                                      std::uint32_t array) {
  find_writes();
  return written_by_[{&block, thread, array}];
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

bool AskedProgram::is_counted(const TracedLaunch& launch) {
  const auto kernel = std::find_if(counts().kernels.begin(), counts().kernels.end(),
                                   [&](const ComparedKernel& one) { return one.name == launch.kernel; });
  if (kernel == counts().kernels.end()) return false;
  const auto from_here =
      std::count_if(trace_.launches.begin(), trace_.launches.end(), [&](const TracedLaunch& other) {
        return other.kernel == launch.kernel && other.number >= launch.number;
      });
  return static_cast<std::uint64_t>(from_here) <= count_in(kernel->counts, "launches");
}

const Recording* AskedProgram::recorded(const TracedArray& array, std::size_t element) {
  const ElementName name = name_of(array, element);
  const auto [at, is_new] = recorded_.try_emplace(name.text());
  if (is_new) {
    try {
      at->second = record_element(toolchain_, submission_, case_, checked_, data_, folder_ / "recorded", name,
                                  this_machine(), array.element);
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

bool AskedProgram::reads_once(const TracedPlace& place, const TracedArray& array) const {
  const std::string text = line_text(place.file, place.line);
  const std::string& name = array.on_device.empty() ? array.name : array.on_device;
  const std::size_t first = text.find(name);
  return first == std::string::npos || text.find(name, first + name.size()) == std::string::npos;
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

std::size_t AskedProgram::position_of(const TracedArray& array, const ElementName& element) {
  std::size_t position = 0;
  for (std::size_t i = 0; i < element.indices.size(); ++i)
    position =
        position * (element.indices.size() == array.shape.size() ? array.shape[i] : 1) + element.indices[i];
  return position;
}

std::string AskedProgram::place_text(const TracedPlace& place) const {
  const bool only_file =
      std::all_of(trace_.places.begin(), trace_.places.end(),
                  [&](const TracedPlace& other) { return other.file.empty() || other.file == place.file; });
  return only_file ? fmt::format("line {}", place.line)
                   : fmt::format("line {} of {}", place.line, place.file);
}

std::string AskedProgram::launch_text(const TracedLaunch& launch) const {
  return trace_.launches.size() == 1 ? "" : fmt::format(" in launch {} ({})", launch.number, launch.kernel);
}

std::string AskedProgram::arguments_text() const {
  return case_.args.empty() ? "" : fmt::format(", with the arguments {}", fmt::join(case_.args, " "));
}

}  // namespace grader
