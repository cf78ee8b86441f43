// Questions about the cost of a line. The first derivation takes one warp's access from the tracer. The
// second takes the line's counter and subtracts the other accesses.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "ask/question.hpp"
#include "base/columns.hpp"

namespace grader {
namespace {

/// An access of a warp, and where in the run it is.
struct WarpAccess {
  const TracedLaunch* launch;
  const TracedBlock* block;
  const TracedStep* step;
  std::size_t number;  ///< number, from 1, among this warp's accesses to that array at that line
};

using Does = TracedStep::Does;

const char* counter_name(const TracedArray& array, Does does, bool requests) {
  if (array.shared)
    return does == Does::read ? (requests ? "shared_loads" : "shared_load_wavefronts")
                              : (requests ? "shared_stores" : "shared_store_wavefronts");
  return does == Does::read ? (requests ? "global_loads" : "global_load_sectors")
                            : (requests ? "global_stores" : "global_store_sectors");
}

/// The accesses that one counter of one line counts: those at the same place, in the same direction, to the
/// same kind of memory.
std::vector<WarpAccess> counted_together(AskedProgram& program, const TracedPlace& place, Does does,
                                         bool shared) {
  const Trace& trace = program.trace();
  std::vector<WarpAccess> out;
  for (const TracedLaunch& launch : trace.launches) {
    if (!program.is_counted(launch)) continue;
    for (const TracedBlock& block : launch.blocks) {
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> numbers;
      for (const TracedPhase& phase : block.phases)
        for (const TracedStep& step : phase.steps)
          if (step.does == does && trace.places[step.place] == place &&
              trace.arrays[step.array].shared == shared)
            out.push_back({&launch, &block, &step, ++numbers[{step.warp, step.array}]});
    }
  }
  return out;
}

/// The counter of a line. No value if other counters count some of the line's accesses.
std::optional<std::uint64_t> count_at(AskedProgram& program, const TracedPlace& place, const char* name) {
  for (const ComparedLine& line : program.counts().lines)
    if (line.file == place.file && line.line == place.line &&
        count_in(line.counts, "constant_loads") + count_in(line.counts, "atomics") == 0)
      return count_in(line.counts, name);
  return std::nullopt;
}

struct DrawnAccess {
  TracedPlace place;
  std::vector<WarpAccess> together;
  WarpAccess access;

  /// How many more requests a counter has than the tracer. After a branch, lanes may continue together or
  /// separately. No value if counter and tracer group the lanes of a warp differently, since the line then
  /// has no unique answer.
  std::optional<std::int64_t> requests_beyond(AskedProgram& program) const {
    const TracedStep& step = *access.step;
    const auto all =
        count_at(program, place, counter_name(program.trace().arrays[step.array], step.does, true));
    if (!all) return std::nullopt;
    const auto beyond = static_cast<std::int64_t>(*all) - static_cast<std::int64_t>(together.size());
    std::map<std::pair<const TracedBlock*, std::uint32_t>, std::uint32_t> lanes;
    const bool vary = std::any_of(together.begin(), together.end(), [&](const WarpAccess& one) {
      return lanes.try_emplace({one.block, one.step->warp}, one.step->lanes).first->second != one.step->lanes;
    });
    return beyond != 0 && vary ? std::nullopt : std::optional(beyond);
  }
};

std::optional<DrawnAccess> draw_access(AskedProgram& program, Draw& draw) {
  const Trace& trace = program.trace();
  const auto place = draw_place(trace, draw);
  if (!place || !is_whole(trace)) return std::nullopt;
  const bool shared = draw.below(2) == 0;
  const Does does = draw.below(2) == 0 ? Does::read : Does::write;
  DrawnAccess out{*place, counted_together(program, *place, does, shared), {}};
  // A copy of a structure, for example of 12 bytes, may be several accesses.
  const bool in_parts = std::any_of(out.together.begin(), out.together.end(), [](const WarpAccess& one) {
    return !std::has_single_bit(one.step->bytes);
  });
  if (out.together.empty() || in_parts) return std::nullopt;
  out.access = draw.one_of(out.together);
  const TracedArray& array = trace.arrays[out.access.step->array];
  if (array.name.empty() || (does == Does::read && !program.reads_once(*place, array))) return std::nullopt;
  return out;
}

std::string who(const AskedProgram& program, const WarpAccess& access) {
  const std::uint32_t first = access.step->warp * 32;
  const auto last =
      std::min<std::uint32_t>(first + 31, static_cast<std::uint32_t>(access.launch->threads()) - 1);
  return fmt::format("the warp of threads {} to {} of block {}{}", thread_text(*access.launch, first),
                     thread_text(*access.launch, last), extents_text(access.block->block),
                     program.launch_text(*access.launch));
}

unsigned price(const Trace& trace, const WarpAccess& access) {
  const TracedArray& array = trace.arrays[access.step->array];
  const AccessCost cost = cost_of(*access.step, array);
  return array.shared ? cost.wavefronts : cost.sectors;
}

/// Asks how many sectors of global memory, or turns of the banks, one access takes.
std::optional<Candidate> cost(AskedProgram& program, Draw& draw) {
  const auto drawn = draw_access(program, draw);
  if (!drawn) return std::nullopt;
  const Trace& trace = program.trace();
  const WarpAccess access = drawn->access;
  const TracedArray& array = trace.arrays[access.step->array];
  const std::uint64_t own = price(trace, access);
  const auto lanes = static_cast<std::uint64_t>(accesses_of(*access.step, array).size());
  const AccessCost parts = cost_of(*access.step, array);
  const bool reads = access.step->does == Does::read;
  return Candidate{
      fmt::format("T{} {} {} at {}. How many {} does its {} access there take?",
                  who(program, access).substr(1), reads ? "reads" : "writes", array.name,
                  program.place_text(drawn->place),
                  array.shared ? "turns of the banks" : "sectors of 32 bytes", ordinal(access.number)),
      std::to_string(own), numbers_near(own, {lanes, parts.least, 32, 1, 16}),
      [&program, drawn = *drawn, &trace, &array, own, reads]() -> std::optional<std::string> {
        const auto all =
            count_at(program, drawn.place, counter_name(array, reads ? Does::read : Does::write, false));
        // If the counter has other requests, the sectors of this access can't be separated.
        if (!all || drawn.requests_beyond(program).value_or(1) != 0) return std::nullopt;
        std::uint64_t others = 0;
        for (const WarpAccess& one : drawn.together) others += price(trace, one);
        return std::to_string(static_cast<std::int64_t>(*all) - static_cast<std::int64_t>(others - own));
      }};
}

/// Asks how often a warp makes an access.
std::optional<Candidate> repeats(AskedProgram& program, Draw& draw) {
  const auto drawn = draw_access(program, draw);
  if (!drawn) return std::nullopt;
  const Trace& trace = program.trace();
  const WarpAccess access = drawn->access;
  const TracedArray& array = trace.arrays[access.step->array];
  const auto own = static_cast<std::uint64_t>(
      std::count_if(drawn->together.begin(), drawn->together.end(), [&](const WarpAccess& one) {
        return one.launch == access.launch && one.block == access.block &&
               one.step->warp == access.step->warp && one.step->array == access.step->array;
      }));
  if (own == 1) return std::nullopt;  // not in a loop
  const bool reads = access.step->does == Does::read;
  const std::uint64_t block_x = access.launch->block_dim[0], grid_x = access.launch->grid_dim[0];
  return Candidate{fmt::format("How often does {} {} {} at {}?", who(program, access),
                               reads ? "read" : "write", array.name, program.place_text(drawn->place)),
                   std::to_string(own), numbers_near(own, {own - 1, own + 1, block_x, grid_x}),
                   [&program, drawn = *drawn, own]() -> std::optional<std::string> {
                     const auto beyond = drawn.requests_beyond(program);
                     return beyond ? std::optional(std::to_string(static_cast<std::int64_t>(own) + *beyond))
                                   : std::nullopt;
                   }};
}

/// Asks how many threads of a warp take part in an access, at a line where this number varies or is less than
/// the warp's.
std::optional<Candidate> active(AskedProgram& program, Draw& draw) {
  const auto drawn = draw_access(program, draw);
  if (!drawn) return std::nullopt;
  const WarpAccess access = drawn->access;
  const auto lanes_of = [](const WarpAccess& one) {
    return static_cast<std::uint64_t>(std::popcount(one.step->lanes));
  };
  const std::uint64_t own = lanes_of(access),
                      warp = std::min<std::uint64_t>(32, access.launch->threads() - access.step->warp * 32);
  const bool partly = std::any_of(drawn->together.begin(), drawn->together.end(), [&](const WarpAccess& one) {
    return lanes_of(one) < std::min<std::uint64_t>(32, one.launch->threads());
  });
  if (!partly) return std::nullopt;
  const bool reads = access.step->does == Does::read;
  const TracedArray& array = program.trace().arrays[access.step->array];
  return Candidate{
      fmt::format("T{} {} {} at {}. How many of its threads take part in its {} access there?",
                  who(program, access).substr(1), reads ? "reads" : "writes", array.name,
                  program.place_text(drawn->place), ordinal(access.number)),
      std::to_string(own),
      numbers_near(own, {warp, own == warp ? warp / 2 : warp - own, std::max<std::uint64_t>(1, own / 2), 1}),
      [&program, drawn = *drawn, own, lanes_of]() -> std::optional<std::string> {
        // The line's counter also includes its branches and accesses of other kinds. In that case it proves
        // nothing.
        const auto steps = count_at(program, drawn.place, "steps"),
                   lanes = count_at(program, drawn.place, "lanes");
        if (!steps || *steps != drawn.together.size()) return std::nullopt;
        std::uint64_t others = 0;
        for (const WarpAccess& one : drawn.together) others += lanes_of(one);
        return std::to_string(static_cast<std::int64_t>(*lanes) - static_cast<std::int64_t>(others - own));
      }};
}

}  // namespace

std::vector<QuestionKind> cost_kinds() {
  return {{"cost", false, cost}, {"repeats", false, repeats}, {"active", false, active}};
}

}  // namespace grader
