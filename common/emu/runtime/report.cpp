#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <tuple>
#include <vector>

#include "code_lines.hpp"
#include "cuda_runtime_api.h"
#include "cuemu/failures.hpp"
#include "observer.hpp"
#include "print.hpp"
#include "worker.hpp"

namespace cuemu {

std::string triple(unsigned x, unsigned y, unsigned z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

namespace {

/// The cause of the first stopped kernel. Never freed: exit handlers may read it.
std::string& first_stop() {
  static auto* const text = new std::string;
  return *text;
}

/// Joins lines to a part of a sentence.
std::string in_one_line(const std::string& lines) {
  std::string text;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::size_t first = std::min(lines.find_first_not_of(' ', begin), end);
    if (first < end) {
      const bool goes_on = !text.empty() && text.back() != ':';
      text += (text.empty() ? "" : goes_on ? "; " : " ") + lines.substr(first, end - first);
    }
    begin = end + 1;
  }
  return text;
}

void remember_stop(const Launch& launch, const Block* block, const Fiber* fiber, const std::string& cause) {
  const RuntimeSection section;
  if (!first_stop().empty()) return;
  std::string text = "kernel " + std::string(launch.kernel->info.name);
  if (block != nullptr) {
    text += ", ";
    if (fiber != nullptr && fiber->linear != no_thread)
      text +=
          "thread " + triple(fiber->thread_index.x, fiber->thread_index.y, fiber->thread_index.z) + " of ";
    text += "block " + triple(block->block_index.x, block->block_index.y, block->block_index.z);
  }
  first_stop() = text + ": " + cause;
}

}  // namespace

const char* stopped_kernel() {
  return first_stop().c_str();
}

void report_launch(const Launch& launch, const std::string& why, const Block* block, const std::string& more,
                   const Fiber* fiber, const std::string& cause) {
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
  remember_stop(launch, block, fiber,
                !cause.empty()                                     ? cause
                : error == cudaErrorLaunchTimeout && !more.empty() ? in_one_line(more)
                                                                   : why);
  const RuntimeSection section;
  flush_device_output();
  std::fputs(text.c_str(), stderr);
}

std::string describe_children(const Launch& launch) {
  const std::size_t waiting = launch.waiting_children();
  if (waiting == 0) return "";
  return "  " + std::to_string(waiting) + (waiting == 1 ? " grid" : " grids") +
         " that it launched will begin when its blocks have ended: a kernel that waits for its\n"
         "  own launches never ends; what needs their results belongs in a tail launch\n";
}

namespace {

/// Threads that wait for the same thing at the same line.
struct WaitingGroup {
  unsigned threads = 0;
  std::uint32_t first = 0;
  std::string line;
};

/// A block's groups, in the order of the report.
class WaitingGroups {
 public:
  explicit WaitingGroups(const Block& block) : block_(block) {}

  void add(const Fiber& fiber, const char* what) {
    std::string file = fiber.where.file != nullptr ? fiber.where.file : "";
    file = file.substr(file.rfind('/') + 1);
    add(fiber, what, file.empty() ? file : " at " + file + ":" + std::to_string(fiber.where.line));
  }
  void add(const Fiber& fiber, const char* what, const std::string& place) {
    const std::uint32_t mask = fiber.wait == Wait::warp_barrier ? fiber.wait_mask : 0;
    WaitingGroup& group = groups_[{static_cast<int>(fiber.wait), place, mask}];
    if (group.threads++ != 0) return;
    group.first = fiber.linear;
    char lanes[32] = "";
    if (mask != 0) std::snprintf(lanes, sizeof lanes, " with mask 0x%08x", mask);
    group.line = std::string(what) + lanes + place;
  }

  std::string text() const {
    std::string text;
    const dim3& size = block_.block_dim;
    for (const auto& [key, group] : groups_)
      text += "  " + std::to_string(group.threads) + " of " + std::to_string(block_.thread_count) +
              " threads " + group.line + " (the first is thread " +
              triple(group.first % size.x, group.first / size.x % size.y, group.first / (size.x * size.y)) +
              ")\n";
    return text;
  }

 private:
  const Block& block_;
  std::map<std::tuple<int, std::string, std::uint32_t>, WaitingGroup> groups_;
};

}  // namespace

std::string describe_waiting(const Block& block, const Fiber* except) {
  WaitingGroups groups(block);
  for (const Fiber* fiber = block.barrier.waiting.head; fiber != nullptr; fiber = fiber->next)
    groups.add(*fiber, "wait at __syncthreads()");
  for (unsigned warp = 0; warp * warp_width < block.thread_count; ++warp)
    for (std::uint32_t rest = block.warps[warp].arrived; rest != 0; rest &= rest - 1)
      groups.add(*block.warps[warp].waiting[__builtin_ctz(rest)], "wait for their warp");
  const auto& resident = reinterpret_cast<const Resident&>(block);
  for (const NamedBarrier& barrier : resident.named)
    for (const Fiber* fiber = barrier.waiting.head; fiber != nullptr; fiber = fiber->next)
      groups.add(*fiber, "wait for others of a tile or a numbered barrier");
  for (const FiberList* list : {&resident.grid_joining, &resident.grid_waiting})
    for (const Fiber* fiber = list->head; fiber != nullptr; fiber = fiber->next)
      groups.add(*fiber, "wait for the grid");
  for (const Fiber* fiber = resident.cluster_waiting.head; fiber != nullptr; fiber = fiber->next)
    groups.add(*fiber, "wait for the cluster");
  // Threads that can run may be anywhere in the kernel's code.
  std::vector<const Fiber*> able;
  std::vector<std::uintptr_t> places;
  for (const Fiber* fiber = block.ready.head; fiber != nullptr; fiber = fiber->next)
    if (fiber != except && (fiber->wait == Wait::yielded || fiber->wait == Wait::interrupted)) {
      able.push_back(fiber);
      places.push_back(fiber->instruction);
    }
  const std::vector<std::string> lines = code_lines(places);
  for (std::size_t i = 0; i < able.size(); ++i)
    groups.add(*able[i],
               able[i]->wait == Wait::yielded ? "wait in a loop for memory to change"
                                              : "compute, or wait in a loop for memory to change",
               lines[i].empty() ? "" : " at " + lines[i]);
  std::string text = groups.text();
  if (block.next_thread < block.thread_count)
    text += "  " + std::to_string(block.thread_count - block.next_thread) + " threads have not begun\n";
  if (block.finished != 0) text += "  " + std::to_string(block.finished) + " threads have returned\n";
  return text;
}

void fatal(const char* what) {
  std::fprintf(stderr, "cuemu: %s\n", what);
  std::fflush(stderr);
  notify(&Observer::program_stops, 3);
  std::_Exit(3);
}

}  // namespace cuemu
