// Questions about who wrote an element, and where its value comes from. The first derivation uses the tracer.
// The second uses the recorder of that element.
#include <fmt/format.h>

#include <algorithm>

#include "ask/question.hpp"

namespace grader {
namespace {

/// The thread's write of an element in a launch, as the recorder saw it. The recorder may have seen another
/// array of the same name.
const RecordedWrite* recorded_write(AskedProgram& program, const ElementWrite& write) {
  const Recording* recording = program.recorded(program.trace().arrays[write.array], write.element);
  if (recording == nullptr) return nullptr;
  for (const RecordedWrite& one : recording->writes)
    if (!one.thread.empty() && one.launch == write.launch->number) return &one;
  return nullptr;
}

std::string element_of(AskedProgram& program, const ElementWrite& write) {
  return program.element_text(program.trace().arrays[write.array], write.element);
}

/// Threads that may be mistaken for this one: those with x and y exchanged, and neighbours.
std::vector<std::string> threads_near(const TracedLaunch& launch, std::uint32_t thread, Draw& draw) {
  const auto x_extent = launch.block_dim[0];
  const std::uint32_t threads = static_cast<std::uint32_t>(launch.threads());
  std::vector<std::string> out;
  const unsigned x = thread % x_extent, y = thread / x_extent % launch.block_dim[1];
  if (y < x_extent && x < launch.block_dim[1])
    out.push_back(extents_text({y, x, thread / (x_extent * launch.block_dim[1])}));
  for (const std::uint32_t way : {1u, x_extent, threads - 1, threads - x_extent})
    out.push_back(thread_text(launch, (thread + way) % threads));
  for (int i = 0; i < 3; ++i)
    out.push_back(thread_text(launch, static_cast<std::uint32_t>(draw.below(threads))));
  return out;
}

std::optional<Candidate> writer(AskedProgram& program, Draw& draw) {
  if (program.writes().empty()) return std::nullopt;
  const ElementWrite write = draw.one_of(program.writes());
  return Candidate{fmt::format("Which thread of its block writes {}{}?", element_of(program, write),
                               program.launch_text(*write.launch)),
                   thread_text(*write.launch, write.thread), threads_near(*write.launch, write.thread, draw),
                   [&program, write]() -> std::optional<std::string> {
                     const RecordedWrite* again = recorded_write(program, write);
                     return again ? std::optional(extents_text(again->thread)) : std::nullopt;
                   }};
}

std::optional<Candidate> block(AskedProgram& program, Draw& draw) {
  if (program.writes().empty()) return std::nullopt;
  const ElementWrite write = draw.one_of(program.writes());
  std::vector<std::string> wrong;
  const auto [x, y] = std::pair(write.block->block[0], write.block->block[1]);
  if (y < write.launch->grid_dim[0] && x < write.launch->grid_dim[1])
    wrong.push_back(extents_text({y, x, write.block->block[2]}));
  std::vector<std::string> others;
  for (const TracedBlock& other : write.launch->blocks) others.push_back(extents_text(other.block));
  draw.shuffle(others);
  wrong.insert(wrong.end(), others.begin(), others.end());
  return Candidate{
      fmt::format("Which block writes {}{}?", element_of(program, write), program.launch_text(*write.launch)),
      extents_text(write.block->block), wrong, [&program, write]() -> std::optional<std::string> {
        const RecordedWrite* again = recorded_write(program, write);
        return again ? std::optional(extents_text(again->block)) : std::nullopt;
      }};
}

/// Asks which element a thread of a drawn block writes, for a thread that writes exactly one.
std::optional<Candidate> element(AskedProgram& program, Draw& draw) {
  if (program.writes().empty()) return std::nullopt;
  const ElementWrite write = draw.one_of(program.writes());
  const TracedArray& array = program.trace().arrays[write.array];
  if (program.written_by(*write.block, write.thread, write.array).size() != 1) return std::nullopt;
  std::vector<std::string> others;
  for (const ElementWrite& other : program.writes())
    if (other.array == write.array && other.block == write.block)
      others.push_back(element_of(program, other));
  std::vector<std::string> wrong;
  if (array.shape.size() == 2 && array.shape[0] == array.shape[1])
    wrong.push_back(program.element_text(
        array, write.element % array.shape[1] * array.shape[1] + write.element / array.shape[1]));
  wrong.push_back(fmt::format("none: it writes nothing to {}", array.name));
  draw.shuffle(others);
  wrong.insert(wrong.end(), others.begin(), others.end());
  return Candidate{fmt::format("Which element of {} does thread {} of block {} write{}?", array.name,
                               thread_text(*write.launch, write.thread), extents_text(write.block->block),
                               program.launch_text(*write.launch)),
                   element_of(program, write), wrong, [&program, write]() -> std::optional<std::string> {
                     const RecordedWrite* again = recorded_write(program, write);
                     if (again == nullptr) return std::nullopt;
                     const bool same =
                         again->block == write.block->block &&
                         extents_text(again->thread) == thread_text(*write.launch, write.thread);
                     return same ? element_of(program, write) : "another element";
                   }};
}

/// Asks which thread wrote the first element of shared memory that a thread reads at a line.
std::optional<Candidate> source(AskedProgram& program, Draw& draw) {
  if (program.writes().empty()) return std::nullopt;
  const Trace& trace = program.trace();
  const ElementWrite write = draw.one_of(program.writes());
  if (program.written_by(*write.block, write.thread, write.array).size() != 1) return std::nullopt;
  struct Read {
    const TracedStep* step;
    std::size_t element;
    bool once;  ///< whether the line reads only one element, so that the question need not name it
    std::optional<std::uint32_t> put_by;
  };
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> last;  // writer, by array and element
  // By place and array, and also by element if a line reads several elements.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t>, Read> first;
  for (const TracedPhase& phase : write.block->phases) {
    for (const TracedStep& step : phase.steps) {
      const TracedArray& array = trace.arrays[step.array];
      if (!step.accesses() || !array.shared || array.name.empty() || trace.places[step.place].file.empty())
        continue;
      for (const LaneAccess& lane : accesses_of(step, array)) {
        if (step.does != TracedStep::Does::read) {
          last[{step.array, lane.element}] = lane.thread;
        } else if (lane.thread == write.thread) {
          const auto put = last.find({step.array, lane.element});
          const bool once = program.reads_once(trace.places[step.place], array);
          first.try_emplace(
              {step.place, step.array, once ? 0 : lane.element},
              Read{&step, lane.element, once, put == last.end() ? std::nullopt : std::optional(put->second)});
        }
      }
    }
  }
  std::vector<Read> reads;
  for (const auto& entry : first)
    if (entry.second.put_by && *entry.second.put_by != write.thread) reads.push_back(entry.second);
  if (reads.empty()) return std::nullopt;
  const Read read = draw.one_of(reads);
  const TracedPlace place = trace.places[read.step->place];
  const std::string array = trace.arrays[read.step->array].name;
  const std::string element = program.element_text(trace.arrays[read.step->array], read.element);
  std::vector<std::string> wrong = {thread_text(*write.launch, write.thread)};
  for (std::string& near : threads_near(*write.launch, *read.put_by, draw)) wrong.push_back(std::move(near));
  return Candidate{
      fmt::format(
          "Thread {} of block {} reads {} at {}{} for the first time. Which thread has written that element?",
          thread_text(*write.launch, write.thread), extents_text(write.block->block),
          read.once ? array : element, program.place_text(place), program.launch_text(*write.launch)),
      thread_text(*write.launch, *read.put_by), wrong,
      [&program, write, place, array, element, once = read.once]() -> std::optional<std::string> {
        const RecordedWrite* again = recorded_write(program, write);
        if (again == nullptr) return std::nullopt;
        for (const RecordedRead& one : again->reads)
          if (one.shared && one.line == place.line && one.file == place.file && one.element.array == array &&
              (once || one.element.text() == element))
            return one.put_by.empty() ? std::nullopt : std::optional(extents_text(one.put_by));
        return std::nullopt;
      }};
}

std::optional<Candidate> times(AskedProgram& program, Draw& draw) {
  if (program.rewritten().empty()) return std::nullopt;
  const WrittenElement written = draw.one_of(program.rewritten());
  const std::uint64_t launches = program.trace().launches.size();
  return Candidate{
      fmt::format("How often do threads write {} in the whole run{}?", element_of(program, written.last),
                  program.arguments_text()),
      std::to_string(written.times),
      numbers_near(written.times, {launches, 1, written.last.launch->threads()}),
      [&program, last = written.last]() -> std::optional<std::string> {
        const Recording* recording = program.recorded(program.trace().arrays[last.array], last.element);
        if (recording == nullptr || recording->count != recording->writes.size()) return std::nullopt;
        return std::to_string(std::count_if(recording->writes.begin(), recording->writes.end(),
                                            [](const RecordedWrite& one) { return !one.thread.empty(); }));
      }};
}

std::optional<Candidate> last_launch(AskedProgram& program, Draw& draw) {
  if (program.rewritten().empty()) return std::nullopt;
  const ElementWrite write = draw.one_of(program.rewritten()).last;
  const auto words = [](std::uint64_t number, const std::string& kernel) {
    return fmt::format("launch {} ({})", number, kernel);
  };
  std::vector<std::string> wrong;
  for (const TracedLaunch& launch : program.trace().launches)
    wrong.push_back(words(launch.number, launch.kernel));
  draw.shuffle(wrong);
  return Candidate{fmt::format("Which launch is the last one that writes {}{}?", element_of(program, write),
                               program.arguments_text()),
                   words(write.launch->number, write.launch->kernel), wrong,
                   [&program, write, words]() -> std::optional<std::string> {
                     const Recording* recording =
                         program.recorded(program.trace().arrays[write.array], write.element);
                     if (recording == nullptr) return std::nullopt;
                     for (auto at = recording->writes.rbegin(); at != recording->writes.rend(); ++at)
                       if (!at->thread.empty()) return words(at->launch, at->kernel);
                     return std::nullopt;
                   }};
}

}  // namespace

std::vector<QuestionKind> element_kinds() {
  return {{"times", false, times}, {"last-launch", false, last_launch}, {"writer", false, writer},
          {"block", false, block}, {"element", false, element},         {"source", false, source}};
}

}  // namespace grader
