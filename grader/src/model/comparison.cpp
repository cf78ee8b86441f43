#include "model/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "base/columns.hpp"

namespace grader {
namespace {

/// How to compute a measure: a sum of counters, divided by another sum unless that is empty.
struct MeasureRule {
  const char* id;
  const char* title;
  std::vector<const char*> of, per;
};

const std::vector<MeasureRule>& rules() {
  static const std::vector<MeasureRule> all = {
      {"launches", "launches", {"launches"}, {}},
      {"blocks", "blocks", {"blocks"}, {}},
      {"warps", "warps", {"warps"}, {}},
      {"global_loads", "global loads: requests of warps", {"global_loads"}, {}},
      {"global_load_sectors", "  sectors of 32 bytes", {"global_load_sectors"}, {}},
      {"sectors_per_load", "  sectors per request", {"global_load_sectors"}, {"global_loads"}},
      {"global_stores", "global stores: requests of warps", {"global_stores"}, {}},
      {"global_store_sectors", "  sectors of 32 bytes", {"global_store_sectors"}, {}},
      {"sectors_per_store", "  sectors per request", {"global_store_sectors"}, {"global_stores"}},
      {"shared_requests", "shared memory: requests of warps", {"shared_loads", "shared_stores"}, {}},
      {"shared_turns", "  turns of the 32 banks", {"shared_load_wavefronts", "shared_store_wavefronts"}, {}},
      {"conflicts", "  of these, bank conflicts", {"shared_load_conflicts", "shared_store_conflicts"}, {}},
      {"atomics", "atomic operations: requests of warps", {"atomics"}, {}},
      {"shared_atomics", "  of these, to shared memory", {"shared_atomics"}, {}},
      {"atomic_turns", "  more turns for the same address", {"atomic_turns"}, {}},
      {"constant_loads", "constant loads: requests of warps", {"constant_loads"}, {}},
      {"constant_turns", "  more turns for other addresses", {"constant_turns"}, {}},
      {"barriers", "barriers of blocks", {"barriers"}, {}},
      {"divergent_branches", "divergent branches", {"divergent_branches"}, {}},
      {"steps", "instructions of warps: accesses, branches", {"steps"}, {}},
      {"active_lanes", "  lanes that take part, of 32", {"lanes"}, {"steps"}},
  };
  return all;
}

CountsByName total_of(const ComparedSide& side) {
  CountsByName sum;
  for (const ComparedKernel& kernel : side.kernels)
    for (const auto& [name, value] : kernel.counts) sum[name] += value;
  return sum;
}

std::optional<double> value_of(const MeasureRule& rule, const CountsByName& counts) {
  const auto sum = [&](const std::vector<const char*>& names) {
    std::uint64_t out = 0;
    for (const char* const name : names) out += count_in(counts, name);
    return static_cast<double>(out);
  };
  if (rule.per.empty()) return sum(rule.of);
  const double per = sum(rule.per);
  return per == 0 ? std::nullopt : std::optional<double>(sum(rule.of) / per);
}

/// The number of the threads' accesses, which is known only for recorded blocks.
ComparedMeasure accesses_in(const RunsBeside& comparison, bool shared) {
  const auto sum = [&](const ComparedSide& side) -> std::optional<double> {
    if (!side.whole) return std::nullopt;
    std::uint64_t out = 0;
    for (const ComparedArray& array : side.arrays) out += array.shared == shared ? array.accesses : 0;
    return static_cast<double>(out);
  };
  return {shared ? "shared_accesses" : "global_accesses",
          shared ? "  accesses of threads" : "global memory: accesses of threads", sum(comparison.a),
          sum(comparison.b)};
}

bool is_nothing(const std::optional<double>& value) {
  return !value || *value == 0;
}

}  // namespace

std::uint64_t count_in(const CountsByName& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found != counts.end() ? found->second : 0;
}

std::vector<ComparedMeasure> measures_of(const RunsBeside& comparison) {
  const CountsByName a = total_of(comparison.a), b = total_of(comparison.b);
  std::vector<ComparedMeasure> out;
  const auto add = [&](ComparedMeasure measure) {
    if (!is_nothing(measure.a) || !is_nothing(measure.b)) out.push_back(std::move(measure));
  };
  for (const MeasureRule& rule : rules()) {
    if (std::string_view(rule.id) == "global_loads") add(accesses_in(comparison, false));
    add({rule.id, rule.title, value_of(rule, a), value_of(rule, b)});
    if (std::string_view(rule.id) == "shared_requests") add(accesses_in(comparison, true));
  }
  return out;
}

std::string measure_text(const std::optional<double>& value) {
  if (!value) return "–";
  if (*value == std::floor(*value)) return fmt::format("{:.0f}", *value);
  std::string text = fmt::format("{:.2f}", *value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string change_text(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b) return "";
  if (*a == *b) return "=";
  if (*a == 0) return "new";
  if (*b == 0) return "none";
  return *b < *a ? "÷ " + measure_text(*a / *b) : "× " + measure_text(*b / *a);
}

std::string line_cost_text(const CountsByName& counts) {
  std::string out;
  const auto add = [&](std::uint64_t count, const std::string& one, const std::string& many = {}) {
    if (count > 0) out += (out.empty() ? "" : ", ") + how_many(count, one, many);
  };
  const auto of = [&](const char* name) { return count_in(counts, name); };
  add(of("global_loads"), "load");
  add(of("global_stores"), "store");
  add(of("global_load_sectors") + of("global_store_sectors"), "sector");
  add(of("shared_loads") + of("shared_stores"), "shared", "shared");
  add(of("shared_load_conflicts") + of("shared_store_conflicts"), "conflict");
  add(of("atomics"), "atomic");
  add(of("atomic_turns"), "atomic turn");
  add(of("constant_loads"), "constant load");
  add(of("constant_turns"), "constant turn");
  add(of("divergent_branches"), "diverge", "diverge");
  add(of("barriers"), "barrier");
  return out;
}

std::vector<LinePair> paired_lines(const std::string& a, const std::string& b) {
  const std::vector<std::string> lines_a = split_lines(a), lines_b = split_lines(b);
  const std::size_t n = lines_a.size(), m = lines_b.size();
  constexpr std::size_t most = std::size_t{1} << 24;  // larger sources are not paired
  std::vector<LinePair> out;
  // common holds the length of the longest common subsequence of the remaining lines.
  std::vector<std::uint32_t> common(n * m <= most ? (n + 1) * (m + 1) : 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (m + 1) + j]; };
  if (!common.empty())
    for (std::size_t i = n; i-- > 0;)
      for (std::size_t j = m; j-- > 0;)
        at(i, j) = lines_a[i] == lines_b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::size_t i = 0, j = 0;
  std::vector<unsigned> only_a, only_b;
  const auto flush = [&] {
    for (std::size_t k = 0; k < std::max(only_a.size(), only_b.size()); ++k)
      out.push_back({k < only_a.size() ? only_a[k] : 0, k < only_b.size() ? only_b[k] : 0, false});
    only_a.clear();
    only_b.clear();
  };
  while (i < n || j < m) {
    if (i < n && j < m && lines_a[i] == lines_b[j] && !common.empty()) {
      flush();
      out.push_back({static_cast<unsigned>(++i), static_cast<unsigned>(++j), true});
    } else if (j == m || (i < n && (common.empty() || at(i + 1, j) >= at(i, j + 1)))) {
      only_a.push_back(static_cast<unsigned>(++i));
    } else {
      only_b.push_back(static_cast<unsigned>(++j));
    }
  }
  flush();
  return out;
}

std::vector<std::pair<int, int>> paired_sources(const RunsBeside& comparison) {
  const std::vector<TracedSource>&a = comparison.a.sources, &b = comparison.b.sources;
  std::vector<std::pair<int, int>> out;
  std::vector<int> left_a, left_b;
  std::vector<bool> taken(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto same =
        std::find_if(b.begin(), b.end(), [&](const TracedSource& one) { return one.file == a[i].file; });
    if (same == b.end()) {
      left_a.push_back(static_cast<int>(i));
      continue;
    }
    taken[static_cast<std::size_t>(same - b.begin())] = true;
    out.emplace_back(static_cast<int>(i), static_cast<int>(same - b.begin()));
  }
  for (std::size_t j = 0; j < b.size(); ++j)
    if (!taken[j]) left_b.push_back(static_cast<int>(j));
  for (std::size_t k = 0; k < std::max(left_a.size(), left_b.size()); ++k)
    out.emplace_back(k < left_a.size() ? left_a[k] : -1, k < left_b.size() ? left_b[k] : -1);
  return out;
}

std::vector<ComparedArray> arrays_in(const Trace& trace) {
  std::vector<ComparedArray> out;
  const auto row_of = [&](const TracedArray& array, TracedStep::Does does) -> ComparedArray& {
    const std::string name = !array.name.empty()       ? array.name
                             : array.on_device.empty() ? "an array"
                                                       : array.on_device;
    const auto found = std::find_if(out.begin(), out.end(), [&](const ComparedArray& one) {
      return one.name == name && one.shared == array.shared && one.does == does;
    });
    if (found != out.end()) return *found;
    out.push_back({name, array.shared, does});
    return out.back();
  };
  for (const TracedLaunch& launch : trace.launches)
    for (const TracedBlock& block : launch.blocks)
      for (const TracedPhase& phase : block.phases)
        for (const TracedStep& step : phase.steps) {
          if (!step.accesses()) continue;
          const TracedArray& array = trace.arrays[step.array];
          ComparedArray& row = row_of(array, step.does);
          const AccessCost cost = cost_of(step, array);
          row.accesses += static_cast<std::uint64_t>(std::popcount(step.lanes));
          ++row.requests;
          row.sectors += cost.sectors;
          row.turns += cost.wavefronts;
          row.conflicts += array.shared ? cost.wavefronts - cost.least : 0;
        }
  // Global memory comes first. For each array, reads come before writes, whatever their order in the code.
  std::stable_sort(out.begin(), out.end(), [](const ComparedArray& x, const ComparedArray& y) {
    return std::tie(x.shared, x.name, x.does) < std::tie(y.shared, y.name, y.does);
  });
  return out;
}

bool is_whole(const Trace& trace) {
  return trace.launches.size() == trace.launches_in_all &&
         std::all_of(trace.launches.begin(), trace.launches.end(), [](const TracedLaunch& launch) {
           return launch.blocks.size() == launch.blocks_in_all() &&
                  std::none_of(launch.blocks.begin(), launch.blocks.end(),
                               [](const TracedBlock& block) { return block.cut; });
         });
}

}  // namespace grader
