#include "model/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "base/columns.hpp"

namespace grader {

AccessCost cost_of(const TracedStep& step, const TracedArray& array) {
  AccessCost cost;
  if (!step.accesses() || step.where.empty() || step.bytes == 0) return cost;
  const auto address = [&](std::size_t i) {
    return step.where[i] + static_cast<std::int64_t>(array.at) + (std::int64_t{1} << 40);  // none is negative
  };
  if (!array.shared) {
    std::set<std::int64_t> sectors, lines, bytes;
    for (std::size_t i = 0; i < step.where.size(); ++i) {
      bytes.insert(address(i));
      for (std::int64_t at = address(i) / 32; at <= (address(i) + step.bytes - 1) / 32; ++at) {
        sectors.insert(at);
        lines.insert(at / 4);
      }
    }
    cost.sectors = static_cast<unsigned>(sectors.size());
    cost.lines = static_cast<unsigned>(lines.size());
    cost.least = static_cast<unsigned>((bytes.size() * step.bytes + 31) / 32);
    return cost;
  }
  // Wide accesses take a turn for each half or quarter of the warp.
  const unsigned parts = step.bytes <= 4 ? 1 : std::min(step.bytes / 4, 4u);
  std::vector<std::map<std::int64_t, std::set<std::int64_t>>> words(parts);  // by bank
  std::size_t i = 0;
  for (std::uint32_t rest = step.lanes; rest != 0 && i < step.where.size(); rest &= rest - 1, ++i) {
    const auto part = static_cast<std::size_t>(std::countr_zero(rest)) * parts / 32;
    for (std::int64_t word = address(i) / 4; word <= (address(i) + step.bytes - 1) / 4; ++word)
      words[part][word % 32].insert(word);
  }
  for (const auto& part : words) {
    std::size_t most = 0;
    for (const auto& [bank, its] : part) most = std::max(most, its.size());
    cost.wavefronts += static_cast<unsigned>(most);
    cost.least += most > 0 ? 1 : 0;
  }
  return cost;
}

namespace {

/// Does the checker say that accesses to it race?
bool races(const TracedArray& array, const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.rule == "race" && !finding.array.empty() &&
           (finding.array == array.name || finding.array == array.on_device);
  });
}

struct Touch {
  std::uint32_t thread, place;
};

}  // namespace

std::vector<TracedClash> clashes_in(const TracedPhase& phase, const Trace& trace) {
  // Where lanes meet, or atomics hand something on, more is ordered than barriers tell.
  std::set<std::uint32_t> meeting;
  for (const TracedStep& step : phase.steps) {
    if (step.does == TracedStep::Does::atomic || step.does == TracedStep::Does::group_meets) return {};
    if (step.does == TracedStep::Does::warp_meets) meeting.insert(step.warp);
  }
  struct Cell {
    std::vector<Touch> reads, writes;
  };
  std::map<std::pair<std::uint32_t, std::size_t>, Cell> cells;
  for (const TracedStep& step : phase.steps) {
    if (!step.accesses() || !races(trace.arrays[step.array], trace.findings)) continue;
    const std::size_t element = trace.arrays[step.array].element;
    std::size_t i = 0;
    for (std::uint32_t rest = step.lanes; rest != 0 && i < step.where.size(); rest &= rest - 1, ++i) {
      if (step.where[i] < 0) continue;
      const Touch touch{step.warp * 32 + static_cast<std::uint32_t>(std::countr_zero(rest)), step.place};
      for (std::size_t at = static_cast<std::size_t>(step.where[i]) / element;
           at * element < static_cast<std::size_t>(step.where[i]) + step.bytes; ++at) {
        Cell& cell = cells[{step.array, at}];
        (step.does == TracedStep::Does::write ? cell.writes : cell.reads).push_back(touch);
      }
    }
  }
  std::vector<TracedClash> clashes;
  for (const auto& entry : cells) {
    const auto& where = entry.first;  // clang before 16 lets no lambda have a structured binding
    const Cell& cell = entry.second;
    const auto add = [&](const std::vector<Touch>& others, bool writes) {
      for (const Touch& writer : cell.writes)
        for (const Touch& other : others) {
          if (writer.thread == other.thread) continue;
          if (writer.thread / 32 == other.thread / 32 && meeting.count(writer.thread / 32) != 0) continue;
          clashes.push_back(
              {where.first, where.second, writer.thread, other.thread, writer.place, other.place, writes});
          return true;
        }
      return false;
    };
    if (!add(cell.reads, false)) add(cell.writes, true);
  }
  return clashes;
}

namespace {}  // namespace

std::vector<std::string> left_out_of(const Trace& trace) {
  std::vector<std::string> out;
  if (trace.launches_in_all > trace.launches.size())
    out.push_back(
        fmt::format("Of {} launches the first {} recorded.", trace.launches_in_all,
                    trace.launches.size() == 1 ? "is" : fmt::format("{} are", trace.launches.size())));
  constexpr std::size_t most = 3;
  std::size_t others = 0;
  const auto tell = [&](std::string sentence) {
    if (out.size() < most)
      out.push_back(std::move(sentence));
    else
      ++others;
  };
  for (const TracedLaunch& launch : trace.launches) {
    const std::string of = trace.launches.size() == 1
                               ? launch.kernel
                               : fmt::format("launch {}, {}", launch.number, launch.kernel);
    if (launch.blocks.size() < launch.blocks_in_all())
      tell(fmt::format("Of the {} of {} the first {} recorded.", how_many(launch.blocks_in_all(), "block"),
                       of, launch.blocks.size() == 1 ? "is" : fmt::format("{} are", launch.blocks.size())));
    for (const TracedBlock& block : launch.blocks)
      if (block.cut)
        tell(fmt::format("Block ({}) of {} is recorded up to its barrier {} only: it does too much.",
                         fmt::join(block.block, ","), of, block.phases.size()));
  }
  if (others > 0) out.push_back(fmt::format("Something is left out in {} more.", how_many(others, "place")));
  return out;
}

}  // namespace grader
