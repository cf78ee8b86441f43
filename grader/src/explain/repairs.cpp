#include "explain/repairs.hpp"

#include <algorithm>

namespace grader {
namespace {

constexpr double sectors_of_turn = 4;  // a turn of the L1 cache gives 128 bytes

/// The work, with other counts for one of its lines.
KernelWork changed(KernelWork work, std::size_t line, const Counts& now) {
  work.counts -= work.lines[line].counts;
  work.counts += now;
  work.lines[line].counts = now;
  return work;
}

struct Candidate {
  const char* change;
  const char* unit;
  Counts now;
  double saved, of;
};

/// Repair: lanes cause no bank conflicts in shared memory.
void without_conflicts(const Counts& c, std::vector<Candidate>& all) {
  const double conflicts = c[Counter::shared_load_conflicts] + c[Counter::shared_store_conflicts];
  if (conflicts == 0) return;
  Counts now = c;
  now[Counter::shared_load_wavefronts] -= c[Counter::shared_load_conflicts];
  now[Counter::shared_store_wavefronts] -= c[Counter::shared_store_conflicts];
  now[Counter::shared_load_conflicts] = now[Counter::shared_store_conflicts] = 0;
  all.push_back({"A layout without bank conflicts, such as a padded column,", "turns of shared memory", now,
                 conflicts, c[Counter::shared_load_wavefronts] + c[Counter::shared_store_wavefronts]});
}

/// Repair: lanes that touch more cache lines than their bytes need access them together.
void coalesced(const Counts& c, std::vector<Candidate>& all) {
  Counts now = c;
  double before = 0, after = 0;
  const auto join = [&](Counter requests, Counter turns, Counter sectors, Counter firsts, Counter bytes) {
    if (c[requests] == 0) return;
    now[turns] = std::min(c[turns], std::max(c[requests], c[bytes] / 128));
    now[sectors] = std::min(c[sectors], std::max(c[requests], c[bytes] / 32));
    if (c[sectors] > 0) now[firsts] *= now[sectors] / c[sectors];
    before += c[turns];
    after += now[turns];
  };
  join(Counter::global_loads, Counter::global_load_turns, Counter::global_load_sectors,
       Counter::global_load_firsts, Counter::global_load_bytes);
  join(Counter::global_stores, Counter::global_store_turns, Counter::global_store_sectors,
       Counter::global_store_firsts, Counter::global_store_bytes);
  if (before > after)
    all.push_back({"A warp whose lanes access neighbouring elements", "turns of the L1 cache", now,
                   before - after, before});
}

/// Repair: the block keeps data that it has already loaded.
void kept(const Counts& c, std::vector<Candidate>& all) {
  const double again = c[Counter::global_load_sectors] - c[Counter::global_load_firsts];
  if (again < 3 * c[Counter::global_load_firsts] || again == 0) return;
  Counts now = c;
  const double requests = c[Counter::global_loads];
  now[Counter::global_load_turns] = c[Counter::global_load_firsts] / sectors_of_turn;
  now[Counter::global_loads] = now[Counter::global_load_turns];
  now[Counter::global_load_sectors] = c[Counter::global_load_firsts];
  now[Counter::shared_loads] += requests;
  now[Counter::shared_load_wavefronts] += requests;
  all.push_back({"A tile in shared memory, which the block loads once,", "sectors", now, again,
                 c[Counter::global_load_sectors]});
}

/// Repair: values are kept in registers, if each load from shared memory serves only one result.
void in_registers(const Counts& c, std::vector<Candidate>& all) {
  if (c[Counter::shared_loads] == 0) return;
  Counts now = c;
  for (const Counter counter :
       {Counter::shared_loads, Counter::shared_load_wavefronts, Counter::shared_load_conflicts})
    now[counter] /= 2;
  all.push_back({"Values that stay in registers for 2 × 2 results of a thread", "turns of shared memory", now,
                 c[Counter::shared_load_wavefronts] / 2, c[Counter::shared_load_wavefronts]});
}

/// Repair: lanes don't access the same address atomically.
void without_contention(const Counts& c, std::vector<Candidate>& all) {
  if (c[Counter::atomic_turns] == 0) return;
  Counts now = c;
  now[Counter::atomic_turns] = 0;
  all.push_back({"One atomic operation for a warp, which adds its lanes up first,",
                 "turns at the same address", now, c[Counter::atomic_turns],
                 c[Counter::atomic_turns] + c[Counter::atomics]});
}

}  // namespace

std::vector<Repair> repairs_of(const KernelWork& work, const KnownGpu& gpu, double least) {
  const double before = predict(work, gpu).seconds;
  std::vector<Repair> repairs;
  const auto consider = [&](Repair repair, const KernelWork& now) {
    repair.seconds = predict(now, gpu).seconds;
    repair.gain = 1 - repair.seconds / before;
    if (repair.gain >= least) repairs.push_back(std::move(repair));
  };
  for (std::size_t i = 0; i < work.lines.size(); ++i) {
    std::vector<Candidate> candidates;
    for (const auto propose : {without_conflicts, coalesced, kept, in_registers, without_contention})
      propose(work.lines[i].counts, candidates);
    for (const Candidate& one : candidates)
      consider(
          {static_cast<int>(i), one.change, one.saved * work.scale(), one.of * work.scale(), one.unit, 0, 0},
          changed(work, i, one.now));
  }
  KernelWork larger = work;
  larger.blocks /= 2;
  larger.counted_blocks /= 2;
  larger.threads *= 2;
  larger.shared *= 2;
  if (larger.threads <= gpu.device->threads_per_block && larger.blocks >= gpu.multiprocessors())
    consider({-1, "Blocks of twice as many threads", work.blocks / 2, work.blocks, "blocks", 0, 0}, larger);
  std::stable_sort(repairs.begin(), repairs.end(),
                   [](const Repair& a, const Repair& b) { return a.gain > b.gain; });
  return repairs;
}

}  // namespace grader
