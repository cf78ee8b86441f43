// What the runtime tells: launches, blocks, barriers, memory, errors, and the end of the program.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "checker.hpp"
#include "copy.hpp"
#include "cuda_runtime_api.h"
#include "errors.hpp"
#include "launch_state.hpp"
#include "options.hpp"
#include "plan.hpp"
#include "report.hpp"

extern "C" const char __executable_start;
extern "C" const char etext;

namespace cuemu::check {

namespace {

constexpr std::size_t page_bytes = 4096;

/// Runs before the program's own initialisation, which registers variables and may allocate.
__attribute__((constructor(101))) void begin_to_observe() {
  observer = &Checker::get();
  std::atexit([] {
    if (const int status = Checker::get().report(); status != 0) {
      std::fflush(nullptr);
      _exit(status);
    }
  });
}

RegionKind kind_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
      return RegionKind::device;
    case MemoryKind::managed:
      return RegionKind::managed;
    case MemoryKind::pinned:
      return RegionKind::pinned;
    case MemoryKind::registered:
      return RegionKind::registered;
  }
  return RegionKind::device;
}

/// "… [with T = float [32][33]; Tag = kernel()::cuemu_shared_tile_3]" as name, type and extents.
SharedArray describe(const char* description) {
  const std::string text = description;
  SharedArray array;
  if (const std::size_t open = text.find("T = "); open != text.npos) {
    std::size_t end = open + 4;
    for (int depth = 0; end < text.size(); ++end) {
      const char c = text[end];
      if (depth == 0 && (c == ';' || c == ',')) break;
      depth += c == '[' || c == '<' || c == '(' ? 1 : c == ']' || c == '>' || c == ')' ? -1 : 0;
    }
    array.type = text.substr(open + 4, end - open - 4);
  }
  array.type.erase(std::remove(array.type.begin(), array.type.end(), ' '), array.type.end());
  const char* const stem = "cuemu_shared_";
  if (const std::size_t at = text.rfind(stem); at != text.npos) {
    array.name = text.substr(at + std::strlen(stem));
    array.name = array.name.substr(0, array.name.find_first_of("];> "));
    array.name = array.name.substr(0, array.name.rfind('_'));
  }
  if (array.type.find("cuemu_") != array.type.npos) array.type = "memory";
  for (std::size_t at = array.type.find('['); at != array.type.npos; at = array.type.find('[', at + 1)) {
    const unsigned long extent = std::strtoul(array.type.c_str() + at + 1, nullptr, 10);
    if (extent != 0) array.extents.push_back(extent);
  }
  if (array.name.empty()) array.name = "a shared variable";
  return array;
}

}  // namespace

Checker& Checker::get() {
  static auto* const checker = new Checker;
  return *checker;
}

Checker::Checker() : code_class_(static_cast<std::size_t>(&etext - &__executable_start)) {}

// ---- launches

void Checker::launch_begins(Launch&) {
  launches_.lock();
  if (++eras_ >= most_eras) {
    eras_ = 1;
    const std::lock_guard<std::mutex> lock(mutex_);
    // Marks of so long ago would seem to be this launch's.
    for (auto& [begin, region] : regions_) {
      region->forget();
      region->initialised = true;  // what was written is forgotten with it
    }
  }
  first_era_ = eras_;
  channels_.clear();
  for (const auto& trace : traces_) {
    trace->depth = 0;
    trace->block_scope = false;
  }
}

void Checker::launch_ends(Launch&) {
  for (auto& [block, state] : blocks_) const_cast<Block*>(block)->observed = nullptr;
  blocks_.clear();
  launches_.unlock();
}

void Checker::launch_refused(const Kernel& kernel, cudaError_t error) {
  const std::lock_guard<std::mutex> lock(mutex_);
  refused_.push_back({kernel.info.name, error, call_stack()});
}

void Checker::error_asked() {
  const std::lock_guard<std::mutex> lock(mutex_);
  refused_.clear();
}

void Checker::grid_synchronised(Launch&) {
  ++eras_;
  for (auto& [block, state] : blocks_) state->clocks.grid_barrier(eras_);
}

// ---- blocks

void Checker::block_begins(Block& block) {
  std::unique_ptr<BlockState>& state = blocks_[&block];
  if (state == nullptr) state = std::make_unique<BlockState>();
  Launch& launch = *block.launch;
  state->launch = &launch;
  state->first_era = first_era_;
  const uint3& at = block.block_index;
  state->clocks.begin(eras_, at.x + launch.grid.x * (at.y + launch.grid.y * at.z), block.thread_count);
  const std::size_t bytes =
      static_cast<std::size_t>(block.dynamic_shared - block.shared) + (launch.dynamic_shared + 15) / 16 * 16;
  const auto begin = reinterpret_cast<std::uintptr_t>(block.shared);
  if (state->arena == nullptr || state->arena->begin != begin || state->arena->bytes != bytes)
    state->arena = std::make_unique<Region>(RegionKind::shared, begin, bytes);
  std::unique_ptr<SharedLayout>& layout = layouts_[launch.kernel];
  if (layout == nullptr) layout = std::make_unique<SharedLayout>();
  layout->owner.resize(bytes / 4);
  state->layout = layout.get();
  block.observed = state.get();
}

void Checker::block_ends(Block& block) {
  block.observed = nullptr;
}

void Checker::shared_placed(Block& block, const char* description, std::uint32_t offset,
                            std::uint32_t bytes) {
  const Uninterrupted whole(*current_fiber);  // what is allocated here is not the kernel's
  auto& layout = *static_cast<BlockState*>(block.observed)->layout;
  for (const SharedArray& known : layout.arrays)
    if (known.offset == offset) return;
  SharedArray array = describe(description);
  array.offset = offset;
  array.bytes = bytes;
  layout.arrays.push_back(std::move(array));
  if (layout.arrays.size() > 254) return;
  const auto number = static_cast<std::uint8_t>(layout.arrays.size());
  for (std::uint32_t word = offset / 4; word < (offset + bytes + 3) / 4; ++word) layout.owner[word] = number;
}

namespace {

std::string block_name(const Block& block) {
  const uint3& at = block.block_index;
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

Line line_of(const SourceLine& where) {
  return where.file != nullptr ? Line{where.file, where.line} : Line{};
}

}  // namespace

void Checker::block_synchronised(Block& block) {
  auto& state = *static_cast<BlockState*>(block.observed);
  const Fiber* const first = block.barrier.waiting.head;
  const Fiber* other = nullptr;
  for (const Fiber* fiber = first; fiber != nullptr && other == nullptr; fiber = fiber->next)
    if (fiber->where.line != first->where.line) other = fiber;
  if (other != nullptr) {
    Findings::get().add(
        {static_cast<std::uint64_t>(Rule::barrier), static_cast<std::uint64_t>(first->where.line),
         static_cast<std::uint64_t>(other->where.line)},
        state.id(), [&] {
          Finding finding;
          finding.rule = Rule::barrier;
          finding.kernel = state.launch->kernel->info.name;
          finding.headline = "threads of block " + block_name(block) + " meet at different barriers";
          for (const Fiber* fiber : {first, other})
            finding.parties.push_back({"waits: thread (" + std::to_string(fiber->thread_index.x) + "," +
                                           std::to_string(fiber->thread_index.y) + "," +
                                           std::to_string(fiber->thread_index.z) + ")",
                                       line_of(fiber->where)});
          finding.hint =
              "__syncthreads() in a branch is allowed only where all threads of the block take the "
              "same branch: move it out of the if";
          return finding;
        });
  }
  state.clocks.block_barrier();
}

void Checker::warp_synchronised(Block& block, unsigned warp, std::uint32_t lanes) {
  auto& state = *static_cast<BlockState*>(block.observed);
  const WarpState& all = block.warps[warp];
  state.clocks.warp_barrier(warp, lanes, lanes == (all.populated & ~all.exited));
}

void Checker::group_synchronised(Block& block, const FiberList& members) {
  std::vector<unsigned> threads;
  for (const Fiber* fiber = members.head; fiber != nullptr; fiber = fiber->next)
    threads.push_back(fiber->linear);
  static_cast<BlockState*>(block.observed)->clocks.group_barrier(threads);
}

void Checker::block_deadlocked(Block& block) {
  const auto& state = *static_cast<BlockState*>(block.observed);
  Finding finding;
  finding.rule = Rule::barrier;
  finding.kernel = state.launch->kernel->info.name;
  finding.headline = "threads of block " + block_name(block) + " wait for others that never come";
  std::string waiting = describe_waiting(block);
  for (std::size_t at = 0; at < waiting.size();) {
    const std::size_t end = std::min(waiting.find('\n', at), waiting.size());
    const std::size_t begin = std::min(waiting.find_first_not_of(' ', at), end);
    finding.notes.push_back(waiting.substr(begin, end - begin));
    at = end + 1;
  }
  const Fiber* first = block.barrier.waiting.head;
  for (unsigned warp = 0; first == nullptr && warp * warp_width < block.thread_count; ++warp)
    if (block.warps[warp].arrived != 0)
      first = block.warps[warp].waiting[__builtin_ctz(block.warps[warp].arrived)];
  if (first != nullptr)
    finding.parties = {{"waits: thread (" + std::to_string(first->thread_index.x) + "," +
                            std::to_string(first->thread_index.y) + "," +
                            std::to_string(first->thread_index.z) + ")",
                        line_of(first->where)}};
  finding.hint =
      "a barrier needs every thread that it names: put it where all of them come, outside of branches "
      "and loops that only some of them take";
  Findings::get().add(std::move(finding), state.id());
}

void Checker::kernel_stopped(const char* why) {
  const auto* const state = static_cast<const BlockState*>(current_fiber->block->observed);
  const std::string text = why;
  // Messages on warp functions begin with their place: "x.cu:12: lane 3 calls …".
  const std::size_t mark = text.find(": lane ");
  const std::size_t colon = mark != text.npos ? text.rfind(':', mark - 1) : text.npos;
  if (state == nullptr || colon == text.npos) return;
  Finding finding;
  finding.rule = Rule::barrier;
  finding.kernel = state->launch->kernel->info.name;
  const std::string sentence = text.substr(mark + 2);
  finding.headline = sentence.substr(0, sentence.find_first_of(";:"));
  finding.parties = {{"call", {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)}}};
  const std::size_t more = sentence.find_first_of(";:");
  if (more != sentence.npos) finding.hint = sentence.substr(more + 2);
  Findings::get().add(std::move(finding), state->id());
}

// ---- memory

void Checker::add_region(std::unique_ptr<Region> region) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (pages_ == nullptr) {
    device_ = device_space();
    void* const table = mmap(nullptr, device_.bytes / page_bytes * sizeof(Region*), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED) fatal("no address space is left for the checker");
    pages_ = static_cast<Region**>(table);
  }
  Region* const added = region.get();
  std::unique_ptr<Region>& place = regions_[added->begin];
  if (place != nullptr) retired_.push_back(std::move(place));
  place = std::move(region);
  if (added->kind == RegionKind::device) {
    const std::size_t first = (added->begin - device_.begin) / page_bytes;
    const std::size_t last = (added->begin + added->bytes - 1 - device_.begin) / page_bytes;
    for (std::size_t page = first; page <= last; ++page) pages_[page] = added;
    return;
  }
  auto* const sorted = new std::vector<Region*>;
  for (const auto& [begin, known] : regions_)
    if (known->kind != RegionKind::device && !known->retired()) sorted->push_back(known.get());
  others_.store(sorted, std::memory_order_release);  // the old one may still be read
}

void Checker::allocated(const Allocation& made) {
  auto region = std::make_unique<Region>(kind_of(made.kind), made.begin, made.bytes);
  region->number = made.number;
  region->made_at = call_stack();
  region->of_runtime = in_kernel();                       // the device's heap
  region->initialised = made.kind != MemoryKind::device;  // the host writes to the rest unseen
  add_region(std::move(region));
}

void Checker::freed(const Allocation& allocation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = regions_.find(allocation.begin);
  if (found == regions_.end()) return;
  found->second->freed_at = call_stack();
  found->second->retire();
}

void Checker::heap_given(const void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  Region* const region = region_of(begin);
  if (region != nullptr && region->contains(begin, bytes)) region->empty(begin, bytes);
}

void Checker::free_refused(const void* pointer) {
  const Line line = check::line_of(call_stack());
  if (!line.known()) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = regions_.find(reinterpret_cast<std::uintptr_t>(pointer));
  Finding finding;
  finding.rule = Rule::bad_free;
  finding.parties = {{"free", line}};
  if (found != regions_.end() && found->second->retired()) {
    finding.headline = "memory is freed a second time";
    if (const Line first = check::line_of(found->second->freed_at); first.known())
      finding.parties.insert(finding.parties.begin(), {"first free", first});
    finding.hint = "set the pointer to nullptr behind the first cudaFree: freeing that does nothing";
  } else {
    finding.headline = "a pointer is freed that no allocation call gave";
    finding.hint =
        "free the very pointer that cudaMalloc filled, with cudaFree; cudaMallocHost's with cudaFreeHost";
  }
  Findings::get().add(std::move(finding), 0);
}

void Checker::symbol_known(const char* name, const volatile void* address, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(const_cast<const void*>(address));
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = regions_.find(begin); known != regions_.end() && !known->second->retired()) return;
  }
  auto region = std::make_unique<Region>(RegionKind::symbol, begin, bytes);
  region->name = name;
  region->initialised = true;
  add_region(std::move(region));
}

void Checker::mark_written(const void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  Region* const region = pages_ != nullptr ? region_of(begin) : nullptr;
  if (region == nullptr || region->initialised || region->retired() || !region->contains(begin, bytes))
    return;
  if (region->begin == begin && region->bytes == bytes) {
    region->initialised = true;
    return;
  }
  region->mark_written(begin, bytes);
}

void Checker::copied(const CopyPlan& plan) {
  const Box& box = plan.box;
  for (std::size_t z = 0; z < box.depth; ++z)
    for (std::size_t y = 0; y < box.height; ++y)
      mark_written(plan.to.at + z * plan.to.slice + y * plan.to.row, box.width);
}

void Checker::filled(const FillPlan& plan) {
  for (std::size_t z = 0; z < plan.box.depth; ++z)
    for (std::size_t y = 0; y < plan.box.height; ++y)
      mark_written(plan.to.at + z * plan.to.slice + y * plan.to.row, plan.box.width);
}

void Checker::copy_refused(const CopyPlan& plan, cudaError_t error) {
  const Line line = check::line_of(call_stack());
  if (!line.known() || pages_ == nullptr) return;
  Finding finding;
  finding.rule = Rule::copy;
  finding.parties = {{"copy", line}};
  const std::size_t bytes = plan.box.bytes();
  for (const auto& [place, to] : {std::pair(plan.to.at, true), std::pair(plan.from.at, false)}) {
    Region* const region = region_of(reinterpret_cast<std::uintptr_t>(place));
    const bool device_side =
        plan.direction == cudaMemcpyDeviceToDevice ||
        (to ? plan.direction == cudaMemcpyHostToDevice : plan.direction == cudaMemcpyDeviceToHost);
    const bool is_device = region != nullptr && region->kind == RegionKind::device;
    const std::string side = to ? "destination" : "source";
    if (is_device && !device_side && plan.direction != cudaMemcpyDefault) {
      finding.headline = "the " + side + " of a copy is memory of the device, but its direction says host";
      finding.hint =
          "cudaMemcpy(to, from, bytes, kind): the kind names the source first, as in cudaMemcpyHostToDevice";
    } else if (region == nullptr && device_side) {
      finding.headline =
          "the " + side + " of a copy should be memory of the device by its direction, but is not";
      finding.hint =
          "are the pointers in the right order (destination first), and is the direction the right one?";
    } else if (is_device && reinterpret_cast<std::uintptr_t>(place) - region->begin + bytes > region->bytes) {
      finding.headline = "a copy of " + grouped(bytes) + " bytes does not fit its " + side + ", which has " +
                         grouped(region->bytes - (reinterpret_cast<std::uintptr_t>(place) - region->begin));
      finding.hint = "sizes are in bytes: count * sizeof(type), the same at the allocation and at the copy";
    } else {
      continue;
    }
    break;
  }
  if (finding.headline.empty())
    finding.headline = std::string("a copy was refused: ") + cudaGetErrorString(error);
  Findings::get().add(std::move(finding), 0);
}

// ---- the end

void Checker::report_leaks() {
  if (context_destroyed(0)) return;  // nothing can be freed any more
  std::map<Line, Finding> by_line;
  for (const auto& [begin, region] : regions_) {
    if (region->retired() || region->of_runtime || region->kind == RegionKind::symbol ||
        region->kind == RegionKind::registered)
      continue;
    const Line line = check::line_of(region->made_at);
    if (!line.known()) continue;
    Finding& finding = by_line[line];
    if (finding.parties.empty()) {
      finding.rule = Rule::leak;
      finding.array = pointer_filled_at(line);
      finding.parties = {{"allocation", line}};
      finding.headline = (finding.array.empty() ? std::string("memory") : finding.array) + " (" +
                         grouped(region->bytes) + " bytes) is never freed";
      finding.hint = "call cudaFree (cudaFreeHost for pinned memory) when it is no longer needed";
    } else {
      ++finding.count;
    }
  }
  for (auto& [line, finding] : by_line) Findings::get().add(std::move(finding), 0);
}

int Checker::report() {
  static bool done = false;
  if (std::exchange(done, true)) return 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Refused& refused : refused_) {
      Finding finding;
      finding.rule = Rule::launch;
      finding.kernel = refused.kernel;
      finding.headline = "kernel " + refused.kernel + " never ran (" + cudaGetErrorName(refused.error) +
                         "), and the program did not ask";
      finding.parties = {{"kernel", check::line_of(refused.stack)}};
      finding.hint = "a launch returns nothing: call cudaGetLastError() behind it and look at the answer";
      Findings::get().add(std::move(finding), 0);
    }
    report_leaks();
  }
  const std::vector<Finding> findings = Findings::get().merged();
  const char* const plain = std::getenv("NO_COLOR");
  const std::string text =
      as_text(findings, options().limit, isatty(2) != 0 && (plain == nullptr || *plain == 0));
  std::fflush(stdout);
  std::fputs(text.c_str(), stderr);
  if (!options().json.empty()) std::ofstream(options().json) << as_json(findings);
  if (!options().sarif.empty()) std::ofstream(options().sarif) << as_sarif(findings);
  const bool errors = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& finding) { return is_error(finding.rule); });
  return errors ? options().error_exitcode : 0;
}

void Checker::program_stops() {
  report();
}

}  // namespace cuemu::check
