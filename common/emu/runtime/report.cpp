#include "report.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <tuple>

#include "cuda_runtime_api.h"
#include "observer.hpp"
#include "print.hpp"
#include "worker.hpp"

namespace cuemu {

std::string triple(unsigned x, unsigned y, unsigned z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

void report_launch(const Launch& launch, const std::string& why, const Block* block, const std::string& more,
                   const Fiber* fiber) {
  const auto error = static_cast<cudaError_t>(launch.error.load());
  std::string text = "cuemu: kernel " + std::string(launch.kernel->info.name) + " was stopped: " + why + "\n";
  if (block != nullptr) {
    const uint3& at = block->block_index;
    text += "  block " + triple(at.x, at.y, at.z);
    if (fiber != nullptr && fiber->linear == no_thread)
      text += ", one of its threads (compile with emucc --no-fission to learn which)";
    else if (fiber != nullptr)
      text += ", thread " + triple(fiber->thread_index.x, fiber->thread_index.y, fiber->thread_index.z);
    text += "\n  of a launch with grid " + triple(launch.grid.x, launch.grid.y, launch.grid.z) +
            " and block " + triple(launch.block.x, launch.block.y, launch.block.z) + "\n";
  }
  text += more;
  if (error == cudaErrorLaunchTimeout) text += describe_children(launch);
  text += "  the program gets error " + std::to_string(error) + ", " + cudaGetErrorName(error) + "\n";
  const RuntimeSection section;
  flush_device_output();
  std::fputs(text.c_str(), stderr);
}

std::string describe_children(const Launch& launch) {
  const std::size_t waiting = launch.waiting_children();
  if (waiting == 0) return "";
  return "  " + std::to_string(waiting) + (waiting == 1 ? " grid" : " grids") +
         " that it launched will begin when its blocks have ended: a kernel that waits for its\n"
         "  own launches never ends; what needs their results belongs into a tail launch\n";
}

std::string describe_waiting(const Block& block) {
  // Groups of threads that wait for the same thing at the same line, in the order of their first thread.
  struct Group {
    unsigned threads = 0;
    std::uint32_t first = 0;
    std::string line;
  };
  const auto add = [](std::map<std::tuple<int, std::string, int, std::uint32_t>, Group>& groups,
                      const Fiber& fiber, const char* what) {
    const std::string file = fiber.where.file != nullptr ? fiber.where.file : "?";
    const std::uint32_t mask = fiber.wait == Wait::warp_barrier ? fiber.wait_mask : 0;
    Group& group = groups[{static_cast<int>(fiber.wait), file, fiber.where.line, mask}];
    if (group.threads++ == 0) {
      group.first = fiber.linear;
      char lanes[32] = "";
      if (mask != 0) std::snprintf(lanes, sizeof lanes, " with mask 0x%08x", mask);
      group.line = std::string(what) + lanes;
      if (fiber.where.file != nullptr) group.line += " at " + file + ":" + std::to_string(fiber.where.line);
    }
  };
  std::map<std::tuple<int, std::string, int, std::uint32_t>, Group> groups;
  for (const Fiber* fiber = block.barrier.waiting.head; fiber != nullptr; fiber = fiber->next)
    add(groups, *fiber, "wait at __syncthreads()");
  for (unsigned warp = 0; warp * warp_width < block.thread_count; ++warp)
    for (std::uint32_t rest = block.warps[warp].arrived; rest != 0; rest &= rest - 1)
      add(groups, *block.warps[warp].waiting[__builtin_ctz(rest)], "wait for their warp");
  const auto& resident = reinterpret_cast<const Resident&>(block);
  for (const NamedBarrier& barrier : resident.named)
    for (const Fiber* fiber = barrier.waiting.head; fiber != nullptr; fiber = fiber->next)
      add(groups, *fiber, "wait for others of a tile or a numbered barrier");
  for (const Fiber* fiber = resident.outer_waiting.head; fiber != nullptr; fiber = fiber->next)
    add(groups, *fiber, fiber->wait == Wait::grid_barrier ? "wait for the grid" : "wait for the cluster");
  for (const Fiber* fiber = block.ready.head; fiber != nullptr; fiber = fiber->next)
    if (fiber->wait == Wait::yielded)
      add(groups, *fiber, "wait in a loop for memory to change; last seen");
    else if (fiber->wait == Wait::interrupted)
      add(groups, *fiber, "compute, or wait in a loop for memory to change");
  std::string text;
  for (const auto& [key, group] : groups) {
    const dim3& size = block.block_dim;
    text += "  " + std::to_string(group.threads) + " of " + std::to_string(block.thread_count) + " threads " +
            group.line + " (the first is thread " +
            triple(group.first % size.x, group.first / size.x % size.y, group.first / (size.x * size.y)) +
            ")\n";
  }
  if (block.finished != 0) text += "  " + std::to_string(block.finished) + " threads have returned\n";
  return text;
}

void fatal(const char* what) {
  std::fprintf(stderr, "cuemu: %s\n", what);
  std::fflush(stderr);
  if (is_observed()) observer->program_stops();
  std::_Exit(3);
}

}  // namespace cuemu
