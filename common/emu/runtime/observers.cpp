// The tools that watch the program, and the views of the runtime's objects for them.
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "device.hpp"
#include "observer.hpp"
#include "occupancy.hpp"
#include "services.hpp"
#include "worker.hpp"

namespace cuemu {

Observer* observers[tool_slots + 1] = {};

namespace {

Observer* by_slot[tool_slots] = {};

void program_exits(int status, void*) {
  const int wanted = status_of_tools(status);
  if (wanted == 0) return;
  std::fflush(nullptr);
  _exit(wanted);
}

}  // namespace

int status_of_tools(int status) {
  static bool asked = false;
  if (std::exchange(asked, true)) return 0;
  int wanted = 0;
  for (Observer* const* each = observers; *each != nullptr; ++each) {
    const int own = (*each)->program_exits(status);
    if (wanted == 0) wanted = own;
  }
  return wanted;
}

void watch_with(Observer& tool, ToolSlot slot) {
  if (!is_observed()) on_exit(program_exits, nullptr);
  by_slot[static_cast<unsigned>(slot)] = &tool;
  unsigned count = 0;
  for (Observer* const each : by_slot)
    if (each != nullptr) observers[count++] = each;
}

// ---- views

const LaunchView& BlockView::launch() const {
  return *block_->launch;
}

SharedRange BlockView::shared() const {
  const std::size_t dynamic = block_->launch->dynamic_shared;
  return {reinterpret_cast<std::uintptr_t>(block_->shared),
          reinterpret_cast<std::uintptr_t>(block_->dynamic_shared),
          static_cast<std::size_t>(block_->dynamic_shared - block_->shared) + (dynamic + 15) / 16 * 16,
          dynamic};
}

std::size_t BlockView::own_bytes() const {
  return sizeof(Resident);
}

const SourceLine* BlockView::first_at_grid_barrier() const {
  const Fiber* const first = resident_of(*block_).grid_waiting.head;
  return first != nullptr ? &first->where : nullptr;
}

const SourceLine* BlockView::first_at_cluster_barrier() const {
  const Fiber* const first = block_->cluster != nullptr ? resident_of(*block_).cluster_waiting.head : nullptr;
  return first != nullptr ? &first->where : nullptr;
}

std::vector<WaitingThread> BlockView::waiting() const {
  using For = WaitingThread::For;
  std::vector<WaitingThread> all;
  const auto add = [&all](const FiberList& list, For what) {
    for (const Fiber* fiber = list.head; fiber != nullptr; fiber = fiber->next)
      all.push_back({what, fiber->linear, 0, fiber->where});
  };
  add(block_->barrier.waiting, For::block);
  for (unsigned warp = 0; warp < warps(); ++warp)
    for (std::uint32_t rest = block_->warps[warp].arrived; rest != 0; rest &= rest - 1) {
      const Fiber& fiber = *block_->warps[warp].waiting[__builtin_ctz(rest)];
      all.push_back({For::lanes, fiber.linear, fiber.wait_mask, fiber.where});
    }
  const Resident& resident = resident_of(*block_);
  for (const NamedBarrier& barrier : resident.named) add(barrier.waiting, For::group);
  add(resident.grid_joining, For::grid);
  add(resident.grid_waiting, For::grid);
  add(resident.cluster_waiting, For::cluster);
  return all;
}

// ---- services

const char* device_name() {
  return device_profile().name;
}

int device_major() {
  return device_profile().major;
}

Occupancy occupancy_of(const LaunchView& launch) {
  return occupancy(device_profile(), static_cast<int>(launch.block.x * launch.block.y * launch.block.z),
                   shared_bytes_of(launch));
}

std::size_t shared_bytes_of(const LaunchView& launch) {
  return static_shared_bytes(*launch.kernel) + launch.dynamic_shared;
}

}  // namespace cuemu
