// Questions about a program without one of its lines. The first derivation runs this program. The second uses
// the recorded run of the whole program, or another build.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ask/question.hpp"

namespace grader {
namespace {

/// Lines of the program at which blocks wait at a barrier.
std::vector<std::uint32_t> barriers_of(const AskedProgram& program) {
  const Trace& trace = program.trace();
  std::set<std::uint32_t> found;
  for (const TracedLaunch& launch : trace.launches)
    for (const TracedBlock& block : launch.blocks)
      for (const TracedPhase& phase : block.phases)
        if (phase.end == "barrier")
          for (const TracedWait& wait : phase.waiting) found.insert(wait.place);
  std::vector<std::uint32_t> out;
  for (const std::uint32_t place : found)
    if (!trace.places[place].file.empty() && program.can_go(trace.places[place])) out.push_back(place);
  return out;
}

/// Finds, from the recorded accesses, arrays in which a missing barrier leaves two threads unordered.
class UnorderedWithout {
 public:
  UnorderedWithout(const Trace& trace, std::uint32_t barrier) : trace_(trace), barrier_(barrier) {}

  std::set<std::string> arrays() {
    for (const TracedLaunch& launch : trace_.launches)
      for (const TracedBlock& block : launch.blocks) {
        cells_.clear();
        for (const TracedPhase& phase : block.phases) {
          for (const TracedStep& step : phase.steps) add(step);
          const bool goes = phase.end == "barrier" &&
                            std::any_of(phase.waiting.begin(), phase.waiting.end(),
                                        [&](const TracedWait& wait) { return wait.place == barrier_; });
          if (!goes) cells_.clear();
        }
      }
    return found_;
  }

 private:
  struct Cell {
    std::set<std::uint32_t> readers, writers;
  };

  void add(const TracedStep& step) {
    const TracedArray& array = trace_.arrays[step.array];
    const bool writes = step.does != TracedStep::Does::read;
    for (const LaneAccess& lane : accesses_of(step, array)) {
      Cell& cell = cells_[{step.array, lane.element}];
      const auto other = [&](const std::set<std::uint32_t>& threads) {
        return threads.size() > threads.count(lane.thread);
      };
      if (other(cell.writers) || (writes && other(cell.readers))) found_.insert(array.name);
      (writes ? cell.writers : cell.readers).insert(lane.thread);
    }
  }

  const Trace& trace_;
  const std::uint32_t barrier_;
  std::map<std::pair<std::uint32_t, std::size_t>, Cell> cells_;
  std::set<std::string> found_;
};

/// Whether only barriers of a block order accesses. Warp barriers and atomics would order more.
bool only_barriers_order(const Trace& trace) {
  for (const TracedLaunch& launch : trace.launches)
    for (const TracedBlock& block : launch.blocks)
      for (const TracedPhase& phase : block.phases)
        for (const TracedStep& step : phase.steps)
          if (step.does >= TracedStep::Does::atomic) return false;
  return true;
}

std::string words_of(const std::set<std::string>& arrays) {
  return arrays.empty() ? "on none: the program has no race then"
                        : fmt::format("{}", fmt::join(arrays, " and "));
}

std::set<std::string> racing_without(AskedProgram& program, std::uint32_t barrier) {
  std::set<std::string> out;
  for (const Finding& finding :
       program.run_without(program.trace().places[barrier], Instrument::check).findings)
    if (finding.rule == "race") out.insert(finding.array);
  return out;
}

std::optional<Candidate> barrier_arrays(AskedProgram& program, Draw& draw) {
  const Trace& trace = program.trace();
  const std::vector<std::uint32_t> barriers = barriers_of(program);
  if (barriers.empty() || !only_barriers_order(trace)) return std::nullopt;
  const std::uint32_t barrier = draw.one_of(barriers);
  std::vector<std::string> names;
  for (const TracedArray& array : trace.arrays)
    if (!array.name.empty()) names.push_back(array.name);
  std::vector<std::string> wrong = {words_of({})};
  for (const std::string& name : names) wrong.push_back(name);
  for (const std::string& one : names)
    for (const std::string& other : names)
      if (one < other) wrong.push_back(words_of({one, other}));
  draw.shuffle(wrong);
  return Candidate{fmt::format("On which arrays do threads race if the barrier at {} is left out?",
                               program.place_text(trace.places[barrier])),
                   words_of(racing_without(program, barrier)), wrong, [&trace, barrier]() {
                     return std::optional(words_of(UnorderedWithout(trace, barrier).arrays()));
                   }};
}

std::optional<Candidate> needless_barrier(AskedProgram& program, Draw&) {
  const Trace& trace = program.trace();
  const std::vector<std::uint32_t> barriers = barriers_of(program);
  if (barriers.size() < 2 || !only_barriers_order(trace)) return std::nullopt;
  const auto words = [&](const std::vector<std::uint32_t>& needless) {
    std::vector<std::string> lines;
    for (const std::uint32_t one : needless)
      lines.push_back("the one at " + program.place_text(trace.places[one]));
    return lines.empty() ? std::string("none of them") : fmt::format("{}", fmt::join(lines, ", or "));
  };
  std::vector<std::uint32_t> by_checker, by_trace;
  for (const std::uint32_t barrier : barriers) {
    if (racing_without(program, barrier).empty()) by_checker.push_back(barrier);
    if (UnorderedWithout(trace, barrier).arrays().empty()) by_trace.push_back(barrier);
  }
  std::vector<std::string> wrong = {words({}), words(barriers)};
  for (const std::uint32_t barrier : barriers) wrong.push_back(words({barrier}));
  return Candidate{"Which barrier can be left out alone, without a race?", words(by_checker), wrong,
                   [again = words(by_trace)]() { return std::optional(again); }};
}

std::string words_of(const AskedProgram& program, const ChangedRun& run) {
  if (!run.compiles) return "the program does not compile";
  if (!run.ends) return "the program does not reach its end";
  if (run.right == true) return "nothing: the result is right all the same";
  for (const TracedArray& array : program.trace().arrays)
    if (array.output && run.first_wrong) return program.element_text(array, *run.first_wrong);
  return "";
}

/// Asks which element is the first wrong one if a line is missing: in a run under the checker, and again in a
/// plain build.
std::optional<Candidate> left_out(AskedProgram& program, Draw& draw) {
  const Trace& trace = program.trace();
  const auto drawn = draw_place(trace, draw);
  if (!drawn || !program.can_go(*drawn)) return std::nullopt;
  const TracedPlace place = *drawn;
  const std::vector<std::uint32_t> barriers = barriers_of(program);
  if (std::any_of(barriers.begin(), barriers.end(),
                  [&](std::uint32_t barrier) { return trace.places[barrier] == place; }))
    return std::nullopt;
  const std::string answer = words_of(program, program.run_without(place, Instrument::check));
  if (answer.empty() || program.writes().empty()) return std::nullopt;
  std::vector<std::string> wrong = {"nothing: the result is right all the same",
                                    "the program does not compile", "the program does not reach its end"};
  const ElementWrite& other = draw.one_of(program.writes());
  wrong.insert(wrong.begin() + 1, program.element_text(trace.arrays[other.array], other.element));
  return Candidate{
      fmt::format("Which element of the result is wrong first if {} is left out?", program.place_text(place)),
      answer, wrong, [&program, place]() {
        return std::optional(words_of(program, program.run_without(place, Instrument::none)));
      }};
}

}  // namespace

std::vector<QuestionKind> changed_kinds() {
  return {{"barrier-arrays", true, barrier_arrays},
          {"needless-barrier", true, needless_barrier, true},
          {"left-out", true, left_out}};
}

}  // namespace grader
