#include "explain/limits.hpp"

#include <algorithm>
#include <cmath>

namespace grader {
namespace {

constexpr double sector = 32;

/// The cycles of a load. It misses the L1 cache with probability `missing`, and after such a miss also the L2
/// cache with probability `far`.
double load_latency(const Architecture& sm, double missing, double far) {
  return sm.l1_latency + missing * (sm.l2_latency - sm.l1_latency + far * (sm.dram_latency - sm.l2_latency));
}

/// The cycles from the start of a block to its end, if only latencies delayed its warps.
double path_of(const KernelWork& work, const Architecture& sm, double instructions, double far) {
  const double blocks = work.counted_blocks, warps = blocks * work.warps_of_block();
  const double warps_of_block = warps / blocks;
  const double intervals = 1 + work.counts[Counter::barriers] / blocks;
  double cycles = work.counts[Counter::barriers] / blocks * model::barrier_cycles;
  cycles +=
      instructions / work.warps() * model::instruction_cycles / 2;  // half of them depend on the preceding
                                                                    // instruction
  for (const WorkLine& line : work.lines) {
    const Counts& c = line.counts;
    const double requests = c[Counter::global_loads] + c[Counter::shared_loads] + c[Counter::atomics];
    if (requests == 0) continue;
    const double each = requests / warps / std::max(1, line.accesses);  // how often a warp runs the access
    const double overlap = std::clamp(each / intervals, 1.0, model::parallelism);
    // The first warp of a block that needs a sector waits for it, and the other warps wait at the same time.
    const double missing =
        c[Counter::global_load_sectors] > 0
            ? std::min(1.0, c[Counter::global_load_firsts] / c[Counter::global_load_sectors] * warps_of_block)
            : 0;
    const double latency =
        (c[Counter::global_loads] * load_latency(sm, missing, far) +
         c[Counter::shared_loads] * sm.l1_latency + c[Counter::atomics] * load_latency(sm, 1, 0)) /
        requests;
    cycles += std::max(each, each > 0 ? 1.0 : 0.0) * latency / overlap;
  }
  return cycles;
}

}  // namespace

const char* name_of(Limit limit) {
  constexpr const char* names[] = {
      "instructions issued",
      "single precision pipes",
      "double precision pipes",
      "integer pipes",
      "special functions",
      "turns of L1 cache and shared memory",
      "bytes of the L2 cache",
      "bytes of device memory",
      "atomics on the same address",
      "begins of blocks",
      "latency",
      "the launch itself",
  };
  static_assert(std::size(names) == limit_count);
  return names[static_cast<unsigned>(limit)];
}

Prediction predict(const KernelWork& work, const KnownGpu& gpu) {
  const Architecture& sm = *gpu.architecture;
  const auto& device = *gpu.device;
  Prediction p;
  const cuda_lab_profile::Multiprocessor room{
      device.threads_per_multiprocessor, device.blocks_per_multiprocessor,
      device.registers_per_multiprocessor, device.shared_per_multiprocessor, device.shared_reserved};
  p.occupancy = cuda_lab_profile::occupancy(room, work.threads, work.registers, work.shared);
  const double resident = std::max(1, p.occupancy.blocks);

  Counts c = work.counts;
  c *= work.scale();
  Mix mix = work.mix * work.scale();
  mix.integer *= model::unrolled;
  const double accesses = c[Counter::global_loads] + c[Counter::global_stores] + c[Counter::shared_loads] +
                          c[Counter::shared_stores] + c[Counter::atomics] + c[Counter::constant_loads];
  const double branches = std::max(0.0, c[Counter::steps] - accesses) * model::unrolled;
  p.instructions =
      accesses + branches + c[Counter::warp_barriers] + mix.fp32 + mix.fp64 + mix.integer + mix.special;

  // Blocks are not divided, so the multiprocessor with the most blocks determines the time.
  const double sms = gpu.multiprocessors(), clock = gpu.clock();
  const double busiest = std::ceil(work.blocks / sms) / work.blocks;
  const double per_sm = busiest / clock;
  const auto set = [&p](Limit limit, double seconds) { p.by_limit[static_cast<unsigned>(limit)] = seconds; };
  set(Limit::issue, p.instructions / sm.issue * per_sm);
  set(Limit::fp32, mix.fp32 * 32 / sm.fp32 * per_sm);
  set(Limit::fp64, mix.fp64 * 32 / sm.fp64 * per_sm);
  set(Limit::integer, mix.integer * 32 / sm.integer * per_sm);
  set(Limit::special, mix.special * 32 / sm.special * per_sm);
  const double turns = c[Counter::global_load_turns] + c[Counter::global_store_turns] +
                       c[Counter::shared_load_wavefronts] + c[Counter::shared_store_wavefronts] +
                       c[Counter::atomics] + c[Counter::shared_atomics] + c[Counter::constant_turns];
  set(Limit::turns, turns / sm.load_turns * per_sm);

  // The L1 cache serves data that a block loads again. Stores bypass the L1 cache.
  const double l2_loads = c[Counter::global_load_firsts] * sector,
               l2_stores = c[Counter::global_store_sectors] * sector;
  p.l2_bytes = l2_loads + l2_stores + c[Counter::atomics] * sector;
  set(Limit::l2,
      std::max(p.l2_bytes / sm.l2_bytes * per_sm, p.l2_bytes / (sm.l2_total * model::l2_efficiency * clock)));
  // The L2 cache serves data that several blocks load. If the data fit into it, they are still there from the
  // preceding copy or kernel.
  const double loaded = std::min(l2_loads, work.loaded_bytes);
  const double stored = std::min(c[Counter::global_store_firsts] * sector, work.stored_bytes);
  p.in_l2 = loaded + stored < model::l2_usable * device.l2_bytes;
  p.dram_bytes = p.in_l2 ? 0 : loaded + stored;
  set(Limit::dram, p.dram_bytes / (gpu.dram() * model::dram_efficiency));
  set(Limit::atomics, (c[Counter::atomic_turns]) * model::atomic_cycles * per_sm);
  set(Limit::begin, work.blocks * model::block_cycles / clock);
  const double far = p.l2_bytes > 0 ? std::min(1.0, p.dram_bytes / p.l2_bytes) : 0;
  const double rounds = std::max(1.0, work.blocks / (sms * resident));
  set(Limit::latency, rounds * path_of(work, sm, p.instructions, far) / clock);

  double sum = 0;
  for (int i = 0; i < static_cast<int>(Limit::launch); ++i)
    sum += std::pow(p.by_limit[static_cast<unsigned>(i)] * 1e6, model::smoothness);
  const double busy = std::pow(sum, 1 / model::smoothness) * 1e-6;
  set(Limit::launch, model::launch_s);
  p.seconds = model::launch_s + busy;
  p.lowest = p.seconds / model::spread;
  p.highest = p.seconds * model::spread;
  p.binds = static_cast<Limit>(std::max_element(p.by_limit.begin(), p.by_limit.end()) - p.by_limit.begin());
  return p;
}

Counts& Counts::operator+=(const Counts& other) {
  for (std::size_t i = 0; i < counter_count; ++i) values[i] += other.values[i];
  return *this;
}
Counts& Counts::operator-=(const Counts& other) {
  for (std::size_t i = 0; i < counter_count; ++i) values[i] -= other.values[i];
  return *this;
}
Counts& Counts::operator*=(double factor) {
  for (double& value : values) value *= factor;
  return *this;
}
Mix& Mix::operator+=(const Mix& other) {
  fp32 += other.fp32;
  fp64 += other.fp64;
  integer += other.integer;
  special += other.special;
  flops += other.flops;
  return *this;
}
Mix Mix::operator*(double factor) const {
  return {fp32 * factor, fp64 * factor, integer * factor, special * factor, flops * factor};
}

}  // namespace grader
