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

/// Returns the cause of the first stopped kernel. It is never freed, since exit handlers may read it.
std::string& first_stop() {
  static auto* const text = new std::string;
  return *text;
}

std::string triple(const unsigned (&of)[3]) {
  return cuemu::triple(of[0], of[1], of[2]);
}

std::string at_place(const kit_wire::Place& place) {
  return place.known() ? " at " + words_of(place) : std::string();
}

/// Joins lines so that they can be a part of a sentence.
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

std::string lines_of(const kit_wire::BlockState& state) {
  std::string text;
  for (const kit_wire::ThreadGroup& group : state.groups) {
    char lanes[32] = "";
    if (group.mask != 0) std::snprintf(lanes, sizeof lanes, " with mask 0x%08x", group.mask);
    text += "  " + std::to_string(group.threads) + " of " + std::to_string(state.threads) + " threads " +
            words_of(group.doing) + lanes + at_place(group.place) + " (the first is thread " +
            triple(group.first) + ")\n";
  }
  if (state.not_begun != 0) text += "  " + std::to_string(state.not_begun) + " threads have not begun\n";
  if (state.returned != 0) text += "  " + std::to_string(state.returned) + " threads have returned\n";
  return text;
}

/// Lines that describe where the threads are, beginning with the threads of the block at fault.
std::string lines_of_threads(const kit_wire::Stop& stop) {
  std::string text;
  if (stop.was_running) text = "  this thread was running" + at_place(stop.place) + "\n";
  for (std::size_t i = 0; i < stop.blocks.size(); ++i)
    text += (i == 0 ? "" : "  block " + triple(stop.blocks[i].block) + ":\n") + lines_of(stop.blocks[i]);
  if (stop.more_blocks != 0) text += "  and " + std::to_string(stop.more_blocks) + " more blocks\n";
  return text;
}

std::string lines_of(const kit_wire::Stop& stop, const std::string& said, const std::string& hints) {
  std::string text = "cuemu: kernel " + stop.kernel + " was stopped: " + said + "\n";
  if (stop.who != kit_wire::Who::none) {
    text += "  block " + triple(stop.block);
    text += stop.who == kit_wire::Who::thread ? ", thread " + triple(stop.thread)
            : stop.thread_hidden ? ", one of its threads (compile with emucc --no-fission to learn which)"
                                 : "";
    text += "\n  of a launch with grid " + triple(stop.grid) + " and block " + triple(stop.block_dim) + "\n";
  }
  text += lines_of_threads(stop) + hints;
  if (!stop.was_running && stop.place.known()) text += "  at " + words_of(stop.place) + "\n";
  return text + about_children(stop.children) + "  the program gets error " + std::to_string(stop.error) +
         ", " + cudaGetErrorName(static_cast<cudaError_t>(stop.error)) + "\n";
}

void remember_stop(const kit_wire::Stop& stop, const std::string& cause) {
  const RuntimeSection section;
  if (!first_stop().empty()) return;
  std::string text = "kernel " + stop.kernel;
  if (stop.who != kit_wire::Who::none) {
    text += ", ";
    if (stop.who == kit_wire::Who::thread) text += "thread " + triple(stop.thread) + " of ";
    text += "block " + triple(stop.block);
  }
  first_stop() = text + ": " + cause;
}

void set_three(unsigned (&to)[3], unsigned x, unsigned y, unsigned z) {
  to[0] = x;
  to[1] = y;
  to[2] = z;
}

void add_launch(kit_wire::Stop& stop, const Launch& launch, StoppedAt at) {
  stop.kernel = launch.kernel->info.name;
  stop.error = launch.error.load();
  set_three(stop.grid, launch.grid.x, launch.grid.y, launch.grid.z);
  set_three(stop.block_dim, launch.block.x, launch.block.y, launch.block.z);
  if (stop.error == cudaErrorLaunchTimeout) stop.children = launch.waiting_children();
  if (at.block == nullptr) return;
  stop.who = kit_wire::Who::block;
  set_three(stop.block, at.block->block_index.x, at.block->block_index.y, at.block->block_index.z);
  if (at.fiber == nullptr) return;
  stop.thread_hidden = at.fiber->linear == no_thread;
  if (stop.thread_hidden) return;
  stop.who = kit_wire::Who::thread;
  set_three(stop.thread, at.fiber->thread_index.x, at.fiber->thread_index.y, at.fiber->thread_index.z);
}

}  // namespace

const char* stopped_kernel() {
  return first_stop().c_str();
}

kit_wire::Place place_of_line(const std::string& line) {
  const std::size_t colon = line.rfind(':');
  if (colon == line.npos) return {};
  return {line.substr(0, colon), std::atoi(line.c_str() + colon + 1)};
}

kit_wire::Stop time_limit_stop() {
  kit_wire::Stop stop;
  stop.reason = kit_wire::Reason::time_limit;
  stop.why = "it ran longer than CUEMU_TIMEOUT allows";
  return stop;
}

void report_stop(const Launch& launch, kit_wire::Stop stop, StoppedAt at, const std::string& said,
                 const std::string& hints) {
  add_launch(stop, launch, at);
  const std::string threads = stop.error == cudaErrorLaunchTimeout ? in_one_line(lines_of_threads(stop)) : "";
  remember_stop(stop, threads.empty() ? stop.why : threads);
  const RuntimeSection section;
  flush_device_output();
  if (has_channel())
    write_channel(stop_line(stop));
  else
    std::fputs(lines_of(stop, said.empty() ? stop.why : said, hints).c_str(), stderr);
}

std::string about_children(std::size_t waiting) {
  if (waiting == 0) return "";
  return "  " + std::to_string(waiting) + (waiting == 1 ? " grid" : " grids") +
         " that it launched will begin when its blocks have ended: a kernel that waits for its\n"
         "  own launches never ends; what needs their results belongs in a tail launch\n";
}

namespace {

/// The groups of a block's threads, in the order of the report. A group waits for the same thing at the same line.
class WaitingGroups {
 public:
  explicit WaitingGroups(const Block& block) : block_(block) {}

  void add(const Fiber& fiber, kit_wire::Doing doing) {
    std::string file = fiber.where.file != nullptr ? fiber.where.file : "";
    file = file.substr(file.rfind('/') + 1);
    add(fiber, doing, {file, static_cast<int>(fiber.where.line)});
  }
  void add(const Fiber& fiber, kit_wire::Doing doing, const kit_wire::Place& place) {
    const std::uint32_t mask = fiber.wait == Wait::warp_barrier ? fiber.wait_mask : 0;
    kit_wire::ThreadGroup& group = groups_[{static_cast<int>(fiber.wait), words_of(place), mask}];
    if (group.threads++ != 0) return;
    const dim3& size = block_.block_dim;
    const std::uint32_t linear = fiber.linear;
    set_three(group.first, linear % size.x, linear / size.x % size.y, linear / (size.x * size.y));
    group.doing = doing;
    group.mask = mask;
    group.place = place;
  }

  kit_wire::BlockState state() const {
    kit_wire::BlockState state;
    set_three(state.block, block_.block_index.x, block_.block_index.y, block_.block_index.z);
    state.threads = block_.thread_count;
    state.returned = block_.finished;
    if (block_.next_thread < block_.thread_count) state.not_begun = block_.thread_count - block_.next_thread;
    for (const auto& [key, group] : groups_) state.groups.push_back(group);
    return state;
  }

 private:
  const Block& block_;
  std::map<std::tuple<int, std::string, std::uint32_t>, kit_wire::ThreadGroup> groups_;
};

}  // namespace

kit_wire::BlockState waiting_in(const Block& block, const Fiber* except) {
  using kit_wire::Doing;
  WaitingGroups groups(block);
  for (const Fiber* fiber = block.barrier.waiting.head; fiber != nullptr; fiber = fiber->next)
    groups.add(*fiber, Doing::block_barrier);
  for (unsigned warp = 0; warp * warp_width < block.thread_count; ++warp)
    for (std::uint32_t rest = block.warps[warp].arrived; rest != 0; rest &= rest - 1)
      groups.add(*block.warps[warp].waiting[__builtin_ctz(rest)], Doing::warp);
  const auto& resident = reinterpret_cast<const Resident&>(block);
  for (const NamedBarrier& barrier : resident.named)
    for (const Fiber* fiber = barrier.waiting.head; fiber != nullptr; fiber = fiber->next)
      groups.add(*fiber, Doing::tile);
  for (const FiberList* list : {&resident.grid_joining, &resident.grid_waiting})
    for (const Fiber* fiber = list->head; fiber != nullptr; fiber = fiber->next)
      groups.add(*fiber, Doing::grid);
  for (const Fiber* fiber = resident.cluster_waiting.head; fiber != nullptr; fiber = fiber->next)
    groups.add(*fiber, Doing::cluster);
  // Threads that can run may be at any place in the kernel's code.
  std::vector<const Fiber*> able;
  std::vector<std::uintptr_t> places;
  for (const Fiber* fiber = block.ready.head; fiber != nullptr; fiber = fiber->next)
    if (fiber != except && (fiber->wait == Wait::yielded || fiber->wait == Wait::interrupted)) {
      able.push_back(fiber);
      places.push_back(fiber->instruction);
    }
  const std::vector<std::string> lines = code_lines(places);
  for (std::size_t i = 0; i < able.size(); ++i)
    groups.add(*able[i], able[i]->wait == Wait::yielded ? Doing::polling : Doing::computing,
               place_of_line(lines[i]));
  return groups.state();
}

void fatal(const char* what) {
  std::fprintf(stderr, "cuemu: %s\n", what);
  std::fflush(stderr);
  notify(&Observer::program_stops, 3);
  std::_Exit(3);
}

}  // namespace cuemu
