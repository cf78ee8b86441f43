// Questions about an element's writer and source. The first way uses the tracer; the second way uses the recorder of
// that element.
#include <fmt/format.h>

#include <algorithm>

#include "ask/question.hpp"

namespace grader {
namespace {

/// The last write of an element by a thread, as the recorder saw it.
const RecordedWrite* last_write(AskedProgram& program, const ElementWrite& write) {
  const Recording* recording = program.recorded(program.trace().arrays[write.array], write.element);
  if (recording == nullptr) return nullptr;
  for (auto at = recording->writes.rbegin(); at != recording->writes.rend(); ++at)
    if (!at->thread.empty()) return &*at;
  return nullptr;
}

std::string element_of(AskedProgram& program, const ElementWrite& write) {
  return program.element_text(program.trace().arrays[write.array], write.element);
}

/// Mistaken for a thread: with x and y exchanged, or a neighbour.
std::vector<std::string> threads_near(const TracedLaunch& launch, std::uint32_t thread, Draw& draw) {
  const auto x_extent = launch.block_dim[0];
  const std::uint32_t threads = static_cast<std::uint32_t>(launch.threads());
  std::vector<std::string> out = {extents_text({thread / x_extent % launch.block_dim[1], thread % x_extent,
                                                thread / (x_extent * launch.block_dim[1])})};
  for (const std::uint32_t way : {1u, x_extent, threads - 1, threads - x_extent})
    out.push_back(thread_text(launch, (thread + way) % threads));
  for (int i = 0; i < 3; ++i)
    out.push_back(thread_text(launch, static_cast<std::uint32_t>(draw.below(threads))));
  return out;
}

std::optional<Candidate> writer(AskedProgram& program, Draw& draw) {
  if (program.writes().empty()) return std::nullopt;
  const ElementWrite write = draw.one_of(program.writes());
  return Candidate{fmt::format("Which thread of its block writes {}?", element_of(program, write)),
                   thread_text(*write.launch, write.thread), threads_near(*write.launch, write.thread, draw),
                   [&program, write]() -> std::optional<std::string> {
                     const RecordedWrite* again = last_write(program, write);
                     return again ? std::optional(extents_text(again->thread)) : std::nullopt;
                   }};
}

std::optional<Candidate> block(AskedProgram& program, Draw& draw) {
  if (program.writes().empty()) return std::nullopt;
  const ElementWrite write = draw.one_of(program.writes());
  std::vector<std::string> wrong = {
      extents_text({write.block->block[1], write.block->block[0], write.block->block[2]})};
  std::vector<std::string> others;
  for (const TracedBlock& other : write.launch->blocks) others.push_back(extents_text(other.block));
  draw.shuffle(others);
  wrong.insert(wrong.end(), others.begin(), others.end());
  return Candidate{fmt::format("Which block writes {}?", element_of(program, write)),
                   extents_text(write.block->block), wrong,
                   [&program, write]() -> std::optional<std::string> {
                     const RecordedWrite* again = last_write(program, write);
                     return again ? std::optional(extents_text(again->block)) : std::nullopt;
                   }};
}

/// The element that a thread of a drawn block writes, for a thread that writes exactly one.
std::optional<Candidate> element(AskedProgram& program, Draw& draw) {
  if (program.writes().empty()) return std::nullopt;
  const ElementWrite write = draw.one_of(program.writes());
  const TracedArray& array = program.trace().arrays[write.array];
  std::size_t by_it = 0;
  std::vector<std::string> others;
  for (const ElementWrite& other : program.writes()) {
    by_it += other.block == write.block && other.thread == write.thread && other.array == write.array ? 1 : 0;
    if (other.array == write.array && other.block == write.block)
      others.push_back(element_of(program, other));
  }
  if (by_it != 1) return std::nullopt;
  std::vector<std::string> wrong;
  if (array.shape.size() == 2 && array.shape[0] == array.shape[1])
    wrong.push_back(program.element_text(
        array, write.element % array.shape[1] * array.shape[1] + write.element / array.shape[1]));
  wrong.push_back(fmt::format("none: it writes nothing to {}", array.name));
  draw.shuffle(others);
  wrong.insert(wrong.end(), others.begin(), others.end());
  const std::string launch = write.launch->kernel;
  return Candidate{
      fmt::format("Which element of {} does thread {} of block {} write in {}?", array.name,
                  thread_text(*write.launch, write.thread), extents_text(write.block->block), launch),
      element_of(program, write), wrong, [&program, write]() -> std::optional<std::string> {
        const RecordedWrite* again = last_write(program, write);
        if (again == nullptr) return std::nullopt;
        const bool same = again->block == write.block->block &&
                          extents_text(again->thread) == thread_text(*write.launch, write.thread);
        return same ? element_of(program, write) : "another element";
      }};
}

/// The writer of a thread's first element in shared memory at a line.
std::optional<Candidate> source(AskedProgram& program, Draw& draw) {
  if (program.writes().empty()) return std::nullopt;
  const Trace& trace = program.trace();
  const ElementWrite write = draw.one_of(program.writes());
  std::size_t by_it = 0;
  for (const ElementWrite& other : program.writes())
    by_it += other.block == write.block && other.thread == write.thread ? 1 : 0;
  if (by_it != 1) return std::nullopt;
  struct Read {
    const TracedStep* step;
    std::size_t element;
    std::optional<std::uint32_t> put_by;
  };
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> last;  // writer by array and element
  std::map<std::pair<std::uint32_t, std::uint32_t>, Read> first;        // by place and array
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
          first.try_emplace(
              {step.place, step.array},
              Read{&step, lane.element, put == last.end() ? std::nullopt : std::optional(put->second)});
        }
      }
    }
  }
  std::vector<Read> reads;
  for (const auto& entry : first)
    if (entry.second.put_by) reads.push_back(entry.second);
  if (reads.empty()) return std::nullopt;
  const Read read = draw.one_of(reads);
  const TracedPlace place = trace.places[read.step->place];
  const std::string array = trace.arrays[read.step->array].name;
  std::vector<std::string> wrong = {thread_text(*write.launch, write.thread)};
  for (std::string& near : threads_near(*write.launch, *read.put_by, draw)) wrong.push_back(std::move(near));
  return Candidate{
      fmt::format(
          "Thread {} of block {} reads {} at {} for the first time. Which thread has written that element?",
          thread_text(*write.launch, write.thread), extents_text(write.block->block), array,
          program.place_text(place)),
      thread_text(*write.launch, *read.put_by), wrong,
      [&program, write, place, array]() -> std::optional<std::string> {
        const RecordedWrite* again = last_write(program, write);
        if (again == nullptr) return std::nullopt;
        for (const RecordedRead& one : again->reads)
          if (one.shared && one.line == place.line && one.file == place.file && one.element.array == array)
            return one.put_by.empty() ? std::nullopt : std::optional(extents_text(one.put_by));
        return std::nullopt;
      }};
}

}  // namespace

std::vector<QuestionKind> element_kinds() {
  return {{"writer", false, writer},
          {"block", false, block},
          {"element", false, element},
          {"source", false, source}};
}

}  // namespace grader
