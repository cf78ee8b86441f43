// Questions about the shape of a launch. The first derivation uses the tracer. The second uses the counters'
// launches and the shape of the result.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <set>

#include "ask/question.hpp"
#include "base/columns.hpp"

namespace grader {
namespace {

std::uint64_t product(const std::vector<unsigned>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>());
}

/// The last launch of a drawn kernel, and the counters of that kernel.
struct LastLaunch {
  const TracedLaunch* launch = nullptr;
  const ComparedKernel* counted = nullptr;
};

std::optional<LastLaunch> draw_launch(AskedProgram& program, Draw& draw) {
  const Trace& trace = program.trace();
  if (program.counts().kernels.empty()) return std::nullopt;
  LastLaunch out;
  out.counted = &draw.one_of(program.counts().kernels);
  for (const TracedLaunch& launch : trace.launches)
    if (launch.kernel == out.counted->name) out.launch = &launch;
  if (out.launch == nullptr) return std::nullopt;
  return out;
}

std::optional<Candidate> blocks(AskedProgram& program, Draw& draw) {
  const auto last = draw_launch(program, draw);
  if (!last) return std::nullopt;
  const std::uint64_t blocks = last->launch->blocks_in_all(), threads = last->launch->threads();
  const std::uint64_t x = last->launch->grid_dim[0], y = last->launch->grid_dim[1];
  return Candidate{
      fmt::format("How many blocks has the last launch of {}{}?", last->launch->kernel,
                  program.arguments_text()),
      std::to_string(blocks),
      numbers_near(blocks, {x * (y > 1 ? y - 1 : 2), std::max<std::uint64_t>(1, x - 1) * (y > 1 ? y - 1 : 1),
                            threads, x + 1}),
      [last = *last]() -> std::optional<std::string> {
        return std::to_string(product(last.counted->grid_dim));
      }};
}

/// Asks how many threads or warps a launch has, or how many threads have the same index.
std::optional<Candidate> threads(AskedProgram& program, Draw& draw) {
  const auto last = draw_launch(program, draw);
  if (!last) return std::nullopt;
  const std::uint64_t blocks = last->launch->blocks_in_all(), threads = last->launch->threads();
  return Candidate{
      fmt::format("How many threads does the last launch of {} start{}?", last->launch->kernel,
                  program.arguments_text()),
      std::to_string(blocks * threads),
      numbers_near(blocks * threads, {threads, blocks, blocks + threads, (blocks + 1) * threads}),
      [last = *last]() -> std::optional<std::string> {
        return std::to_string(product(last.counted->grid_dim) * product(last.counted->block_dim));
      }};
}

std::uint64_t warps_of(const TracedLaunch& launch) {
  return launch.blocks_in_all() * ((launch.threads() + 31) / 32);
}

std::optional<Candidate> warps(AskedProgram& program, Draw& draw) {
  const auto last = draw_launch(program, draw);
  if (!last) return std::nullopt;
  const std::uint64_t blocks = last->launch->blocks_in_all(), threads = last->launch->threads(),
                      own = warps_of(*last->launch);
  return Candidate{fmt::format("How many warps does the last launch of {} start{}?", last->launch->kernel,
                               program.arguments_text()),
                   std::to_string(own),
                   numbers_near(own, {(blocks * threads + 31) / 32, blocks * threads, threads, blocks}),
                   [&program, last = *last, own]() -> std::optional<std::string> {
                     std::uint64_t all = 0, launches = 0;
                     for (const TracedLaunch& launch : program.trace().launches) {
                       if (launch.kernel != last.launch->kernel) continue;
                       all += warps_of(launch);
                       ++launches;
                     }
                     if (launches != last.counted->counts.at("launches")) return std::nullopt;
                     return std::to_string(count_in(last.counted->counts, "warps") - (all - own));
                   }};
}

std::optional<Candidate> same_index(AskedProgram& program, Draw& draw) {
  const auto last = draw_launch(program, draw);
  if (!last) return std::nullopt;
  const TracedLaunch& launch = *last->launch;
  std::vector<std::size_t> dimensions;
  for (const std::size_t d : {0, 1, 2})
    if (launch.block_dim[d] > 1) dimensions.push_back(d);
  if (dimensions.size() < 2) return std::nullopt;
  const std::size_t d = draw.one_of(dimensions);
  const auto index = static_cast<unsigned>(draw.below(launch.block_dim[d]));
  std::uint64_t of_block = 0;
  for (std::uint32_t thread = 0; thread < launch.threads(); ++thread)
    of_block += launch.thread(thread)[d] == index;
  const std::uint64_t blocks = launch.blocks_in_all();
  return Candidate{fmt::format("How many threads of the last launch of {} have threadIdx.{} = {}{}?",
                               launch.kernel, "xyz"[d], index, program.arguments_text()),
                   std::to_string(blocks * of_block),
                   numbers_near(blocks * of_block,
                                {of_block, blocks, blocks * launch.block_dim[d], blocks * launch.threads()}),
                   [last = *last, d]() -> std::optional<std::string> {
                     return std::to_string(product(last.counted->grid_dim) *
                                           product(last.counted->block_dim) / last.counted->block_dim[d]);
                   }};
}

/// Asks which thread a lane is, in a block of two or three dimensions.
std::optional<Candidate> lane(AskedProgram& program, Draw& draw) {
  const auto last = draw_launch(program, draw);
  if (!last) return std::nullopt;
  const TracedLaunch& launch = *last->launch;
  if (launch.threads() == launch.block_dim[0]) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(1 + draw.below(launch.threads() - 1));
  const unsigned X = launch.block_dim[0], Y = launch.block_dim[1], Z = launch.block_dim[2];
  std::vector<std::string> wrong = {extents_text({number / (Y * Z) % X, number / Z % Y, number % Z}),
                                    extents_text({number / Y % X, number % Y, number / (X * Y)})};
  for (int i = 0; i < 6; ++i)
    wrong.push_back(thread_text(launch, static_cast<std::uint32_t>(draw.below(launch.threads()))));
  return Candidate{fmt::format("Which thread of each block of {} is lane {} of warp {}, both counted from 0?",
                               launch.kernel, number % 32, number / 32),
                   thread_text(launch, number), wrong,
                   [last = *last, number]() -> std::optional<std::string> {
                     const std::vector<unsigned>& extent = last.counted->block_dim;
                     std::uint32_t at = 0;  // linear index: a warp takes threads along x first, then along y
                     for (unsigned z = 0; z < extent[2]; ++z)
                       for (unsigned y = 0; y < extent[1]; ++y)
                         for (unsigned x = 0; x < extent[0]; ++x)
                           if (at++ == number) return extents_text({x, y, z});
                     return std::nullopt;
                   }};
}

/// Asks how many threads write nothing, if each element of the result has one writer, and each writer one
/// element.
std::optional<Candidate> idle(AskedProgram& program, Draw& draw) {
  const auto last = draw_launch(program, draw);
  if (!last || last->counted->counts.at("launches") != 1) return std::nullopt;
  std::set<std::pair<const TracedBlock*, std::uint32_t>> writers;
  std::size_t written = 0;
  const TracedArray* array = nullptr;
  for (const ElementWrite& write : program.writes()) {
    if (write.launch != last->launch) continue;
    writers.insert({write.block, write.thread});
    ++written;
    const TracedArray* its = &program.trace().arrays[write.array];
    if (array != nullptr && array != its) return std::nullopt;
    array = its;
  }
  if (array == nullptr || writers.size() != written || written != array->bytes / array->element)
    return std::nullopt;
  const std::uint64_t threads = last->launch->blocks_in_all() * last->launch->threads();
  const std::uint64_t answer = threads - writers.size();
  return Candidate{
      fmt::format("How many threads of {} write nothing to {}{}?", last->launch->kernel, array->name,
                  program.arguments_text()),
      std::to_string(answer), numbers_near(answer, {written, threads, last->launch->threads(), 0}),
      [last = *last, array]() -> std::optional<std::string> {
        const auto elements =
            std::accumulate(array->shape.begin(), array->shape.end(), std::uint64_t{1}, std::multiplies<>());
        return std::to_string(product(last.counted->grid_dim) * product(last.counted->block_dim) - elements);
      }};
}

/// Asks which element a thread at the edge writes. The second derivation takes the rule from the writers of
/// two elements.
std::optional<Candidate> edge(AskedProgram& program, Draw& draw) {
  const Trace& trace = program.trace();
  if (trace.launches.size() != 1 || program.writes().empty()) return std::nullopt;
  const ElementWrite first = program.writes().front(), corner = program.writes().back();
  const TracedArray& array = trace.arrays[corner.array];
  if (first.array != corner.array || array.shape.empty() || array.shape.size() > 2) return std::nullopt;
  const TracedLaunch& launch = trace.launches.front();
  const TracedBlock& block = draw.one_of(launch.blocks);
  const auto thread = static_cast<std::uint32_t>(draw.below(launch.threads()));
  const std::string none = fmt::format("none: it writes nothing to {}", array.name);
  std::set<std::size_t> own;
  std::size_t written = 0;
  for (const ElementWrite& write : program.writes()) {
    written += write.array == corner.array ? 1 : 0;
    if (write.block == &block && write.thread == thread) own.insert(write.element);
  }
  // A rule for all elements needs a writer for each element, and two different elements that confirm it.
  if (own.size() > 1 || written < 2 || written != array.bytes / array.element) return std::nullopt;
  const std::size_t columns = array.shape.back(), rows = array.shape.size() == 2 ? array.shape[0] : 1;
  const auto position = [&launch](const std::vector<unsigned>& its_block, std::uint32_t its_thread) {
    const unsigned x = launch.block_dim[0];
    return std::pair{std::size_t{its_block[1]} * launch.block_dim[1] + its_thread / x % launch.block_dim[1],
                     std::size_t{its_block[0]} * x + its_thread % x};
  };
  const auto [row, column] = position(block.block, thread);
  const auto inside = [&](std::size_t r, std::size_t c) {
    return program.element_text(array, r % rows * columns + c % columns);
  };
  const std::string answer = own.empty() ? none : program.element_text(array, *own.begin());
  std::vector<std::string> wrong = {none,
                                    inside(row, column),
                                    inside(column, row),
                                    inside(thread, 0),
                                    inside(row + 1, column),
                                    inside(row, column + 1)};
  return Candidate{
      fmt::format("Which element of {} does thread {} of block {} write{}?", array.name,
                  thread_text(launch, thread), extents_text(block.block), program.arguments_text()),
      answer, wrong,
      [&program, &array, first, corner, none, rows, columns, row = row, column = column,
       &launch]() -> std::optional<std::string> {
        for (const ElementWrite& probe : {first, corner}) {
          const Recording* recording = program.recorded(array, probe.element);
          if (recording == nullptr || recording->writes.empty()) return std::nullopt;
          const RecordedWrite& write = recording->writes.back();
          if (write.thread.size() != 3 || write.block.size() != 3) return std::nullopt;
          const std::size_t r = std::size_t{write.block[1]} * launch.block_dim[1] + write.thread[1],
                            c = std::size_t{write.block[0]} * launch.block_dim[0] + write.thread[0];
          if (r != probe.element / columns || c != probe.element % columns)
            return std::nullopt;  // the rule is a different one
        }
        return row < rows && column < columns ? program.element_text(array, row * columns + column) : none;
      }};
}

}  // namespace

std::vector<QuestionKind> launch_kinds() {
  return {{"blocks", false, blocks, true},
          {"threads", false, threads, true},
          {"warps", false, warps, true},
          {"lane", false, lane},
          {"same-index", false, same_index},
          {"idle", false, idle, true},
          {"edge", false, edge}};
}

}  // namespace grader
