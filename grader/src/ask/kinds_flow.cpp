// Questions about how inputs reach results: which elements a thread reads, and which a partial sum in shared
// memory contains. The first derivation follows the tracer's accesses. The second uses the recorder, or adds
// the values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ask/question.hpp"
#include "base/columns.hpp"

namespace grader {
namespace {

/// The positions in global arrays that a thread reads over its whole block, by array. No value if elements
/// are vectors, since the recorder counts whole vectors.
std::map<std::uint32_t, std::set<std::size_t>> reads_of(const Trace& trace, const ElementWrite& write) {
  std::map<std::uint32_t, std::set<std::size_t>> out;
  for (const TracedPhase& phase : write.block->phases)
    for (const TracedStep& step : phase.steps) {
      const TracedArray& array = trace.arrays[step.array];
      if (!step.accesses() || array.shared || array.name.empty()) continue;
      if (step.does != TracedStep::Does::read) continue;
      for (const LaneAccess& lane : accesses_of(step, array)) {
        if (lane.thread != write.thread) continue;
        if (step.bytes != array.element) return {};
        out[step.array].insert(lane.element);
      }
    }
  return out;
}

/// Asks which elements a thread reads, for a thread that writes one element.
std::optional<Candidate> inputs(AskedProgram& program, Draw& draw) {
  if (program.writes().empty()) return std::nullopt;
  const Trace& trace = program.trace();
  const ElementWrite write = draw.one_of(program.writes());
  if (program.written_by(*write.block, write.thread, write.array).size() != 1) return std::nullopt;
  std::vector<std::pair<std::uint32_t, std::set<std::size_t>>> read;
  for (const auto& [array, positions] : reads_of(trace, write))
    if (array != write.array) read.emplace_back(array, positions);
  if (read.empty()) return std::nullopt;
  const auto& [number, positions] = draw.one_of(read);
  const TracedArray& array = trace.arrays[number];
  const std::string answer = elements_text(program, array, positions);
  if (answer.empty()) return std::nullopt;
  std::vector<std::string> wrong;
  for (const auto& choice : positions_near(array, positions))
    wrong.push_back(elements_text(program, array, choice));
  return Candidate{
      fmt::format("Which elements of {} does thread {} of block {} read in global memory{}?", array.name,
                  thread_text(*write.launch, write.thread), extents_text(write.block->block),
                  program.launch_text(*write.launch)),
      answer, wrong, [&program, write, &array]() -> std::optional<std::string> {
        const Recording* recording = program.recorded(program.trace().arrays[write.array], write.element);
        if (recording == nullptr) return std::nullopt;
        std::set<std::size_t> again;
        for (const RecordedWrite& its : recording->writes) {
          if (its.launch != write.launch->number || its.thread.empty()) continue;
          if (its.left_out > 0) return std::nullopt;
          for (const RecordedRead& one : its.reads)
            if (!one.shared && one.element.array == array.name)
              again.insert(program.position_of(array, one.element));
        }
        return again.empty() ? std::nullopt : std::optional(elements_text(program, array, again));
      }};
}

/// Elements of global arrays: array and position.
using Origin = std::set<std::pair<std::uint32_t, std::size_t>>;

/// The input elements that are in each shared element of a block after each barrier. This assumes that each
/// write combines everything that its thread has read since its previous write.
class Flow {
 public:
  using Cell = std::pair<std::uint32_t, std::size_t>;  ///< array and position
  using Values = std::map<Cell, double>;

  struct Partial {
    std::size_t barrier;  ///< number of the barrier, from 1
    std::uint32_t array;
    std::size_t element;
    Origin origin;
    double value;
  };

  Flow(const Trace& trace, const TracedBlock& block) : trace_(trace) {
    std::size_t barrier = 0;
    for (const TracedPhase& phase : block.phases) {
      for (const TracedStep& step : phase.steps) add(step);
      if (phase.end != "barrier") break;
      ++barrier;
      for (const auto& [cell, origin] : cells_)
        if (origin.size() > 1 && changed_.count(cell) != 0)
          partials_.push_back({barrier, cell.first, cell.second, origin, held_[cell]});
      changed_.clear();
    }
  }

  const std::vector<Partial>& partials() const { return partials_; }
  /// The values of the global elements that the block has read.
  const Values& values() const { return values_; }

 private:
  void add(const TracedStep& step) {
    const TracedArray& array = trace_.arrays[step.array];
    if (!step.accesses() || step.bytes != array.element || step.values.empty()) return;
    step.each_lane([&](std::uint32_t thread, std::size_t i, std::int64_t offset) {
      if (offset < 0) return;
      const Cell cell{step.array, static_cast<std::size_t>(offset) / array.element};
      const std::uint32_t value = step.values[step.values.size() == 1 ? 0 : i];
      const double number = std::strtod(trace_.values[value].c_str(), nullptr);
      Origin& read = read_[thread];
      if (step.does != TracedStep::Does::read) {
        if (array.shared) {
          cells_[cell] = std::exchange(read, {});
          held_[cell] = number;
          changed_.insert(cell);
        }
      } else if (!array.shared) {
        read.insert(cell);
        values_.emplace(cell, number);  // a value read later is not an input
      } else if (const auto held = cells_.find(cell); held != cells_.end()) {
        read.insert(held->second.begin(), held->second.end());
      }
    });
  }

  const Trace& trace_;
  std::map<Cell, Origin> cells_;
  Values values_;                         ///< of global elements, at their first read
  Values held_;                           ///< of shared elements, at their last write
  std::map<std::uint32_t, Origin> read_;  ///< what each thread has read
  std::set<Cell> changed_;                ///< since the previous barrier
  std::vector<Partial> partials_;
};

/// The choice whose elements add up to this value. No value if several choices do or none does, because the
/// value is no sum or was rounded. Nor if the value is one of the elements, as a minimum is.
std::optional<std::string> only_sum(const AskedProgram& program, const TracedArray& input,
                                    std::uint32_t source, const std::vector<std::set<std::size_t>>& choices,
                                    double wanted, const Flow::Values& values) {
  std::set<std::string> fitting;
  for (const auto& choice : choices) {
    double sum = 0;
    for (const std::size_t position : choice) {
      const auto found = values.find({source, position});
      const double value = found == values.end() ? NAN : found->second;
      if (value == wanted) return std::nullopt;
      sum += value;
    }
    if (sum == wanted) fitting.insert(elements_text(program, input, choice));
  }
  return fitting.size() == 1 ? std::optional(*fitting.begin()) : std::nullopt;
}

/// Asks which elements' sum a shared element contains after a barrier. The second derivation adds up the
/// elements of each choice.
std::optional<Candidate> partial(AskedProgram& program, Draw& draw) {
  const Trace& trace = program.trace();
  if (trace.launches.empty()) return std::nullopt;
  const TracedLaunch& launch = draw.one_of(trace.launches);
  if (launch.blocks.empty()) return std::nullopt;
  const TracedBlock& block = draw.one_of(launch.blocks);
  const Flow flow(trace, block);
  if (flow.partials().empty()) return std::nullopt;
  const Flow::Partial& drawn = draw.one_of(flow.partials());
  const std::uint32_t source = drawn.origin.begin()->first;
  std::set<std::size_t> positions;
  for (const auto& [array, position] : drawn.origin) {
    if (array != source) return std::nullopt;
    positions.insert(position);
  }
  const TracedArray &input = trace.arrays[source], &shared = trace.arrays[drawn.array];
  const std::string answer = elements_text(program, input, positions);
  if (answer.empty() || input.name.empty() || shared.name.empty()) return std::nullopt;
  std::vector<std::string> wrong;
  std::vector<std::set<std::size_t>> choices = positions_near(input, positions);
  for (const auto& choice : choices) wrong.push_back(elements_text(program, input, choice));
  choices.push_back(positions);
  return Candidate{
      fmt::format("Which elements of {} are added up in {} of block {} after the block's {} barrier{}?",
                  input.name, program.element_text(shared, drawn.element), extents_text(block.block),
                  ordinal(drawn.barrier), program.launch_text(launch)),
      answer, wrong, [&program, &input, source, choices, drawn, values = flow.values()] {
        return only_sum(program, input, source, choices, drawn.value, values);
      }};
}

}  // namespace

std::vector<QuestionKind> flow_kinds() {
  return {{"inputs", false, inputs}, {"partial-sum", false, partial}};
}

}  // namespace grader
