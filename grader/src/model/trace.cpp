#include "model/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/columns.hpp"

namespace grader {

AccessCost cost_of(const TracedStep& step, const TracedArray& array) {
  AccessCost cost;
  if (!step.accesses() || step.where.empty() || step.bytes == 0) return cost;
  const auto address = [&](std::size_t i) {
    return step.where[i] + static_cast<std::int64_t>(array.at) + (std::int64_t{1} << 40);  // no offset is
                                                                                           // negative
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
  // A GPU splits wide accesses into halves or quarters of the warp.
  const unsigned parts = step.bytes <= 4 ? 1 : std::min(step.bytes / 4, 4u);
  std::vector<std::map<std::int64_t, std::set<std::int64_t>>> words(parts);  // the words of each bank
  step.each_lane([&](std::uint32_t thread, std::size_t i, std::int64_t) {
    const auto part = std::size_t{thread % 32} * parts / 32;
    for (std::int64_t word = address(i) / 4; word <= (address(i) + step.bytes - 1) / 4; ++word)
      words[part][word % 32].insert(word);
  });
  for (const auto& part : words) {
    std::size_t most = 0;
    for (const auto& [bank, its] : part) most = std::max(most, its.size());
    cost.wavefronts += static_cast<unsigned>(most);
    cost.least += most > 0 ? 1 : 0;
  }
  return cost;
}

namespace {

/// Whether the checker reports races on the array.
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
  // Warp barriers and atomics order more accesses than block barriers do.
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
    step.each_lane([&](std::uint32_t thread, std::size_t, std::int64_t offset) {
      if (offset < 0) return;
      const auto begin = static_cast<std::size_t>(offset);
      for (std::size_t at = begin / element; at * element < begin + step.bytes; ++at) {
        Cell& cell = cells[{step.array, at}];
        (step.does == TracedStep::Does::write ? cell.writes : cell.reads).push_back({thread, step.place});
      }
    });
  }
  std::vector<TracedClash> clashes;
  for (const auto& entry : cells) {
    const auto& where = entry.first;  // clang before 16: lambdas can't capture structured bindings
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

namespace {

// Estimated bytes of JSON.

/// The length of a number in JSON, with the comma after it.
std::size_t digits(std::int64_t number) {
  std::size_t count = number < 0 ? 3 : 2;
  for (std::int64_t rest = number / 10; rest != 0; rest /= 10) ++count;
  return count;
}

std::size_t bytes_of(const TracedStep& step) {
  std::size_t bytes = 20 + digits(step.place) + digits(step.lanes);
  bool even = step.where.size() > 2;
  for (std::size_t i = 2; i < step.where.size() && even; ++i)
    even = step.where[i] - step.where[i - 1] == step.where[1] - step.where[0];
  for (std::size_t i = 0; i < (even ? 2 : step.where.size()); ++i) bytes += digits(step.where[i]);
  const bool same =
      std::adjacent_find(step.values.begin(), step.values.end(), std::not_equal_to<>()) == step.values.end();
  for (std::size_t i = 0; i < (same ? std::min<std::size_t>(step.values.size(), 1) : step.values.size()); ++i)
    bytes += digits(step.values[i]);
  return bytes;
}

std::size_t bytes_of(const TracedPhase& phase) {
  std::size_t bytes = 100 + 20 * phase.waiting.size();
  for (const TracedWait& wait : phase.waiting) bytes += 10 * wait.threads.size();
  for (const TracedStep& step : phase.steps) bytes += bytes_of(step);
  return bytes;
}

std::size_t bytes_of(const TracedLaunch& launch) {
  std::size_t bytes = 0;
  for (const TracedBlock& block : launch.blocks)
    for (const TracedPhase& phase : block.phases) bytes += bytes_of(phase);
  return bytes;
}

/// Truncates a block to the remaining bytes.
void shrink(TracedBlock& block, std::size_t& room) {
  for (std::size_t p = 0; p < block.phases.size(); ++p) {
    TracedPhase& phase = block.phases[p];
    if (const std::size_t all = bytes_of(phase); all <= room) {
      room -= all;
      continue;
    }
    std::size_t kept = 0;
    const std::size_t all_steps = phase.steps.size();
    while (kept < phase.steps.size() && bytes_of(phase.steps[kept]) <= room)
      room -= bytes_of(phase.steps[kept++]);
    room = 0;
    block.cut = true;
    phase.steps.resize(kept);
    if (kept < all_steps) {  // the end of the phase is missing
      phase.end = "cut";
      phase.waiting.clear();
    }
    block.phases.resize(p + (p == 0 || kept > 0 ? 1 : 0));
    return;
  }
}

std::size_t bytes_of(const Trace& trace) {
  std::size_t bytes = 4096;
  for (const TracedLaunch& launch : trace.launches) bytes += bytes_of(launch);
  for (const std::string& text : trace.values) bytes += text.size() + 3;
  for (const TracedSource& source : trace.sources) bytes += source.text.size() * 11 / 10;
  for (const TracedArray& array : trace.arrays) {
    for (const std::uint32_t value : array.expected) bytes += digits(value);
    for (const std::size_t wrong : array.wrong) bytes += digits(static_cast<std::int64_t>(wrong));
  }
  return bytes;
}

/// Gives the smallest launches their bytes first. The other launches share the rest.
void share(Trace& trace, std::size_t bytes) {
  std::vector<std::pair<std::size_t, TracedLaunch*>> launches;
  for (TracedLaunch& launch : trace.launches) launches.emplace_back(bytes_of(launch), &launch);
  std::stable_sort(launches.begin(), launches.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < launches.size(); ++i) {
    std::size_t room = bytes / (launches.size() - i);
    const auto [needed, launch] = launches[i];
    bytes -= std::min(needed, room);
    if (needed <= room) continue;
    for (std::size_t b = 0; b < launch->blocks.size(); ++b) {
      shrink(launch->blocks[b], room);
      if (room > 0) continue;
      launch->blocks.resize(b + 1);
      break;
    }
  }
}

void drop_unused_values(Trace& trace) {
  constexpr std::uint32_t unused = 0;
  std::vector<std::uint32_t> number(trace.values.size(), unused);
  std::vector<std::string> kept = {trace.values.at(0)};
  const auto keep = [&](std::uint32_t& value) {
    if (value == 0) return;
    if (number[value] == unused) {
      number[value] = static_cast<std::uint32_t>(kept.size());
      kept.push_back(trace.values[value]);
    }
    value = number[value];
  };
  for (TracedLaunch& launch : trace.launches)
    for (TracedBlock& block : launch.blocks)
      for (TracedPhase& phase : block.phases)
        for (TracedStep& step : phase.steps)
          for (std::uint32_t& value : step.values) keep(value);
  for (TracedArray& array : trace.arrays)
    for (std::uint32_t& value : array.expected) keep(value);
  trace.values = std::move(kept);
}

}  // namespace

void shrink(Trace& trace, std::size_t bytes) {
  constexpr std::size_t least = 1000;
  for (std::size_t room = bytes; room > least && bytes_of(trace) > bytes; room -= room / 5) {
    share(trace, room);
    drop_unused_values(trace);
  }
}

std::vector<std::string> left_out_of(const Trace& trace) {
  std::vector<std::string> out;
  if (trace.launches_in_all > trace.launches.size())
    out.push_back(
        !trace.launches.empty() && trace.launches.front().number > 1
            ? fmt::format("Of {} launches {} to {} are recorded.", trace.launches_in_all,
                          trace.launches.front().number, trace.launches.back().number)
            : fmt::format("Of {} launches the first {} recorded.", trace.launches_in_all,
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
                               : fmt::format("launch {} ({})", launch.number, launch.kernel);
    if (launch.blocks.size() < launch.blocks_in_all())
      tell(fmt::format("Of the {} of {} the first {} recorded.", how_many(launch.blocks_in_all(), "block"),
                       of, launch.blocks.size() == 1 ? "is" : fmt::format("{} are", launch.blocks.size())));
    for (const TracedBlock& block : launch.blocks)
      if (block.cut)
        tell(fmt::format(
            "Block ({}) of {} is recorded {} only: it does too much.", fmt::join(block.block, ","), of,
            block.phases.size() > 1 ? fmt::format("up to its barrier {}", block.phases.size() - 1)
                                    : "in its beginning"));
  }
  if (others > 0) out.push_back(fmt::format("Something is left out in {} more.", how_many(others, "place")));
  return out;
}

}  // namespace grader
