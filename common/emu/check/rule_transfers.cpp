// Reports data races of copies, fills and host code with kernels and with each other. Each copy stores its
// box of bytes with the memory. rule_races.cpp compares accesses of kernels with these boxes. This file
// compares later copies and accesses of the host.
#include <algorithm>

#include "checker.hpp"
#include "marks.hpp"
#include "memory_map.hpp"
#include "race_report.hpp"

namespace cuemu::check {

namespace {

class TransferRule final : public RuleObserver {
 public:
  explicit TransferRule(MemoryMap& map) : map_(map) {}

  void copied(const CopyView& plan) override;
  void filled(const FillView& plan) override;
  void host_accessed(const HostAccess& access) override;

 private:
  void transfer(const Place& place, const Box& box, bool write, std::uint32_t era);
  void check_boxes(const Region& region, const BoxAccess& mine);
  void check_cells(Region& region, const BoxAccess& mine);
  std::uint32_t begin_era(Doing doing);

  MemoryMap& map_;
};

std::uint32_t TransferRule::begin_era(Doing doing) {
  Era era;
  era.doing = doing;
  return Timeline::get().begin_era(std::move(era), [this] { map_.forget(); });
}

void TransferRule::copied(const CopyView& plan) {
  const std::uint32_t era = begin_era(Doing::copy);
  transfer(plan.from, plan.box, false, era);
  transfer(plan.to, plan.box, true, era);
}

void TransferRule::filled(const FillView& plan) {
  transfer(plan.to, plan.box, true, begin_era(Doing::fill));
}

/// Whether the mark represents an access that does not happen before the calling thread's operation.
bool is_unknown(const Mark& mark) {
  if (mark.empty() || Timeline::get().saw_here(epochs[mark.epoch()].era)) return false;
  const LaunchPoint* const launched_at = Timeline::get().now().launched_at.get();
  return launched_at == nullptr || !launched_at->covers(mark.stamp());
}

template <class Visit>
void each_row(const BoxAccess& box, const Visit& visit) {
  for (std::size_t z = 0; z < box.depth; ++z)
    for (std::size_t y = 0; y < box.height; ++y) visit(box.begin + z * box.slice + y * box.row);
}

void TransferRule::transfer(const Place& place, const Box& box, bool write, std::uint32_t era) {
  const auto begin = reinterpret_cast<std::uintptr_t>(place.at);
  Region* const region = map_.at(begin);
  if (region == nullptr || region->retired() || box.bytes() == 0) return;
  BoxAccess mine;
  mine.begin = begin;
  mine.width = box.width;
  mine.height = box.height;
  mine.depth = box.depth;
  mine.row = box.height > 1 ? place.row : 0;
  mine.slice = box.depth > 1 ? place.slice : 0;
  mine.era = era;
  mine.write = write;
  check_boxes(*region, mine);
  if (!Timeline::get().knows_all(Timeline::get().now())) check_cells(*region, mine);
  // Operations that the host has waited for have ended before all operations that the host queues later.
  std::vector<BoxAccess>& boxes = region->boxes;
  boxes.erase(std::remove_if(boxes.begin(), boxes.end(),
                             [](const BoxAccess& old) { return Timeline::get().is_settled(old.era); }),
              boxes.end());
  boxes.push_back(mine);
  region->leave_fast_path();
  region->open_for = 0;
}

void TransferRule::check_boxes(const Region& region, const BoxAccess& mine) {
  for (const BoxAccess& other : region.boxes) {
    if ((!mine.write && !other.write) || Timeline::get().saw_here(other.era)) continue;
    std::uintptr_t where = 0;
    each_row(mine, [&](std::uintptr_t row) {
      if (where == 0 && other.touches(row, mine.width)) where = std::max(row, other.begin);
    });
    if (where != 0) return report_unordered(region, where, 0, actor_of(other), actor_of(mine));
  }
}

void TransferRule::check_cells(Region& region, const BoxAccess& mine) {
  bool found = false;
  each_row(mine, [&](std::uintptr_t row) {
    if (found || !region.contains(row, mine.width)) return;
    region.each_cell(row, mine.width, [&](std::uintptr_t at, const Cell& cell) {
      const bool with_write = is_unknown(cell.write);
      found = with_write || (mine.write && is_unknown(cell.read));
      if (found)
        report_unordered(region, at, 0, actor_of((with_write ? cell.write : cell.read).stamp(), with_write),
                         actor_of(mine));
      return !found;
    });
  });
}

void TransferRule::host_accessed(const HostAccess& access) {
  Timeline& timeline = Timeline::get();
  const bool write = (access.kind & writes) != 0;
  const std::uint32_t era = timeline.host_era();
  const Mark me(timeline.host_epoch(), 0, (access.kind & (is_atomic | is_volatile)) != 0, false, access.site);
  const Actor now{era, access.kind, access.site, 0, 0};
  for (const BoxAccess& box : access.region.boxes)
    if ((write || box.write) && box.touches(access.address, access.size) && !timeline.saw_here(box.era))
      return report_unordered(access.region, access.address, access.size, actor_of(box), now);
  for (std::size_t i = 0; i < access.cell_count; ++i) {
    Cell& cell = access.cells[i];
    const auto races = [&](const Mark& other) {
      return is_unknown(other) && !(other.atomic() && me.atomic());
    };
    const bool with_write = races(cell.write);
    if (with_write || (write && races(cell.read))) {
      report_unordered(access.region, access.address_of_cell(i), access.size,
                       actor_of((with_write ? cell.write : cell.read).stamp(), with_write), now);
      return;
    }
    (write ? cell.write : cell.read) = me;
    if (write) cell.read = Mark();
  }
}

}  // namespace

RulePtr make_transfer_rule(MemoryMap& map) {
  return std::make_unique<TransferRule>(map);
}

}  // namespace cuemu::check
