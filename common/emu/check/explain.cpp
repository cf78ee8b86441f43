// From what was seen to what is said: names of arrays and threads, headlines, hints.
#include <algorithm>
#include <cstdio>

#include "checker.hpp"
#include "launch_state.hpp"
#include "worker.hpp"

namespace cuemu::check {

namespace {

std::string point(const dim3& dims, std::uint64_t linear) {
  return "(" + std::to_string(linear % dims.x) + "," + std::to_string(linear / dims.x % dims.y) + "," +
         std::to_string(linear / (std::uint64_t{dims.x} * dims.y)) + ")";
}

std::string verb_of(unsigned kind) {
  if ((kind & is_atomic) != 0) return (kind & writes) != 0 ? "atomic update" : "atomic read";
  return (kind & writes) != 0 ? "write" : "read";
}

unsigned kind_of(const Stamp& stamp, bool write) {
  return (write ? writes : reads) | (stamp.atomic != 0 ? is_atomic : 0u);
}

std::string bytes_text(std::uint64_t bytes) {
  return grouped(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::uint64_t key_of(const Region& region) {
  return region.begin;
}

/// "an allocation of 4,096 bytes (x.cu:12)" where its pointer has no name.
std::string described(const Region& region) {
  const Line line = line_of(region.made_at);
  std::string text = "an allocation of " + bytes_text(region.bytes);
  if (line.known()) text += " (line " + std::to_string(line.line) + ")";
  return text;
}

std::string name_of_region(const Region& region) {
  if (!region.name.empty()) return region.name;
  return pointer_filled_at(line_of(region.made_at));
}

std::string allocated_note(const Region& region) {
  const Line line = line_of(region.made_at);
  const std::string name = name_of_region(region);
  return (name.empty() ? std::string("the allocation") : name) + " has " + bytes_text(region.bytes) +
         (line.known() ? ", allocated at " + short_path(line.file) + ":" + std::to_string(line.line) : "");
}

std::string between(const Line& a, const Line& b) {
  if (!a.known() || !b.known() || a.file != b.file) return "between the two";
  if (a.line == b.line) return "between its turns";
  return "between lines " + std::to_string(std::min(a.line, b.line)) + " and " +
         std::to_string(std::max(a.line, b.line));
}

std::string race_hint(Spread spread, bool shared, bool before_writes, bool now_writes, bool atomics,
                      const Line& first, const Line& second) {
  if (spread == Spread::grid && atomics)
    return "atomics that end in _block order the threads of one block only: use the plain form";
  if (before_writes && now_writes && spread != Spread::warp)
    return spread == Spread::grid
               ? "blocks run in any order, so which value stays is chance: give each thread its own element, "
                 "or use an atomic function"
               : "which value stays is chance: give each thread its own element, use an atomic function, or "
                 "put a __syncthreads() " +
                     between(first, second);
  if (spread == Spread::grid)
    return "blocks run in any order and __syncthreads() does not order them: end the kernel here and go on "
           "in another one, or hand the data over with __threadfence() and an atomic flag";
  const char* const barrier = spread == Spread::warp ? "__syncwarp()" : "__syncthreads()";
  const char* const memory = shared ? "the array" : "the memory";
  return std::string(memory) +
         (now_writes ? " is overwritten while other threads may still read it: a "
                     : " is read while other threads may still be filling it: a ") +
         barrier + " belongs " + between(first, second);
}

const char* missing(Spread spread) {
  switch (spread) {
    case Spread::thread:
    case Spread::warp:
      return "with no __syncwarp() or barrier between them";
    case Spread::block:
      return "with no barrier between them";
    case Spread::grid:
      return "with no order between them";
  }
  return "";
}

}  // namespace

Party Checker::party(const BlockState& state, unsigned kind, Site site, std::uint32_t thread,
                     std::uint32_t block, bool with_block) const {
  std::string what = verb_of(kind) + " by thread " + point(state.launch->block, thread);
  if (with_block) what += " of block " + point(state.launch->grid, block);
  return {what, line_of(address_of(site))};
}

/// "tile[17][4]"; `array` gets the bare name.
std::string Checker::element_name(const BlockState& state, const Region& region, std::uintptr_t address,
                                  std::size_t size, std::string& array) const {
  if (region.kind != RegionKind::shared) {
    array = name_of_region(region);
    const std::size_t element = region.element != 0 ? region.element : size;
    const std::string index = std::to_string((address - region.begin) / element);
    return (array.empty() ? "element " + index + " of " + described(region) : array + "[" + index + "]");
  }
  const std::size_t at = address - region.begin;
  const std::uint8_t owner = at / 4 < state.layout->owner.size() ? state.layout->owner[at / 4] : 0;
  if (owner == 0) {
    const std::uintptr_t dynamic =
        region.begin + region.bytes - (state.launch->dynamic_shared + 15) / 16 * 16;
    const Line line = line_of(reinterpret_cast<const void*>(state.launch->kernel->run_threads));
    array = line.known() ? dynamic_array_of(line.file) : "";
    const std::string index = std::to_string((address - dynamic) / size);
    return array.empty() ? "element " + index + " of the dynamic shared memory"
                         : array + "[" + index + "] (dynamic shared memory)";
  }
  const SharedArray& found = state.layout->arrays[owner - 1u];
  array = found.name;
  std::size_t elements = 1;
  for (const std::size_t extent : found.extents) elements *= extent;
  std::size_t index = (at - found.offset) / (found.bytes / elements);
  std::string text;
  for (std::size_t i = found.extents.size(); i-- > 0; index /= found.extents[i])
    text = "[" + std::to_string(index % found.extents[i]) + "]" + text;
  return found.name + text + " (shared " + found.type + ")";
}

void Checker::report_race(BlockState& state, const Region& region, std::uintptr_t address, std::size_t size,
                          const Stamp& before, const Stamp& now, bool before_writes, unsigned kind) {
  const bool shared = region.kind == RegionKind::shared;
  const std::uint8_t owner = shared ? state.layout->owner[(address - region.begin) / 4] : 0;
  Spread spread = before.block != now.block                               ? Spread::grid
                  : before.thread / warp_width == now.thread / warp_width ? Spread::warp
                                                                          : Spread::block;
  if (before.thread == now.thread) spread = std::max(spread, static_cast<Spread>(before.spread));
  const std::vector<std::uint64_t> key = {static_cast<std::uint64_t>(Rule::race),
                                          static_cast<std::uint64_t>(spread),
                                          before.site,
                                          now.site,
                                          owner != 0 ? owner : key_of(region),
                                          before_writes ? 1u : 0u};
  if (before.atomic != 0 && before_writes && (kind & (writes | is_atomic)) == 0) {
    state.stale_read = key;
    state.stale_address = address;
    state.stale_thread = now.thread;
  }
  Findings::get().add(key, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::race;
    finding.kernel = state.launch->kernel->info.name;
    const std::string element = element_name(state, region, address, size, finding.array);
    const std::string where =
        spread == Spread::grid
            ? "two blocks"
            : (spread == Spread::warp ? "two threads of a warp of block " : "two threads of block ") +
                  point(state.launch->grid, now.block);
    finding.headline = where + " touch " + element + " " + missing(spread);
    // Of two findings that differ only in who came first, the reader behind the writer is the clearer one.
    finding.weight = 2 * static_cast<int>(spread) + (before_writes ? 1 : 0);
    const bool with_block = spread == Spread::grid;
    finding.parties = {
        party(state, kind_of(before, before_writes), before.site, before.thread, before.block, with_block),
        party(state, kind, now.site, now.thread, now.block, with_block)};
    if (state.clocks.barriers != 0)
      finding.notes.push_back("first after " + std::to_string(state.clocks.barriers) +
                              (state.clocks.barriers == 1 ? " barrier" : " barriers") + " of the block");
    const bool now_writes = (kind & writes) != 0;
    finding.hint = race_hint(spread, shared, before_writes, now_writes, before.atomic != 0 && now.atomic != 0,
                             finding.parties[0].line, finding.parties[1].line);
    return finding;
  });
}

void Checker::report_unwritten(const BlockState& state, Region& region, std::uintptr_t address,
                               std::size_t size, unsigned kind, Site site) {
  const std::uint8_t owner =
      region.kind == RegionKind::shared ? state.layout->owner[(address - region.begin) / 4] : 0;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::uninitialised), site, owner != 0 ? owner : key_of(region)},
      state.id(), [&] {
        Finding finding;
        finding.rule = Rule::uninitialised;
        finding.kernel = state.launch->kernel->info.name;
        finding.headline = element_name(state, region, address, size, finding.array) +
                           " is read, but nothing has written it";
        finding.parties = {party(state, kind, site, current_fiber->linear, state.clocks.block, true)};
        finding.hint = region.kind == RegionKind::shared
                           ? "shared memory holds no zeros when a block begins: let the threads fill it, "
                             "then __syncthreads()"
                           : "cudaMalloc gives memory with any content: copy data there, or "
                             "cudaMemset(pointer, 0, bytes)";
        return finding;
      });
}

Region* Checker::nearest_below(std::uintptr_t address) {
  const auto after = regions_.upper_bound(address);
  return after != regions_.begin() ? std::prev(after)->second.get() : nullptr;
}
Region* Checker::nearest_above(std::uintptr_t address) {
  const auto after = regions_.upper_bound(address);
  return after != regions_.end() ? after->second.get() : nullptr;
}

void Checker::report_outside(const BlockState& state, std::uintptr_t address, std::size_t size, unsigned kind,
                             Site site) {
  Region* freed = address >= 4096 ? region_of(address) : nullptr;
  if (freed != nullptr && !(freed->retired() && freed->contains(address, 1))) freed = nullptr;
  const Rule rule = address < 4096     ? Rule::null_pointer
                    : freed != nullptr ? Rule::use_after_free
                                       : Rule::out_of_bounds;
  Findings::get().add({static_cast<std::uint64_t>(rule), site}, state.id(), [&] {
    const std::lock_guard<std::mutex> lock(mutex_);
    Finding finding;
    finding.rule = rule;
    finding.kernel = state.launch->kernel->info.name;
    finding.parties = {party(state, kind, site, current_fiber->linear, state.clocks.block, true)};
    const std::string does = (kind & writes) != 0 ? "writes " : "reads ";
    if (rule == Rule::null_pointer) {
      finding.headline = "a thread " + does + "through a null pointer";
      finding.hint = "check that cudaMalloc succeeded, and that the right pointer is passed to the kernel";
      return finding;
    }
    if (freed != nullptr) {
      finding.headline = "a thread " + does + element_name(state, *freed, address, size, finding.array) +
                         " after it was freed";
      finding.notes.push_back(allocated_note(*freed));
      if (const Line line = line_of(freed->freed_at); line.known())
        finding.notes.push_back("freed at " + short_path(line.file) + ":" + std::to_string(line.line));
      finding.hint = "free memory only when every kernel that uses it has ended";
      return finding;
    }
    const Region* const below = nearest_below(address);
    const Region* const above = nearest_above(address);
    const bool before_above =
        above != nullptr && above->begin - address < 4096 &&
        (below == nullptr || above->begin - address < address - below->begin - below->bytes);
    const Region* const near = before_above ? above : below;
    if (near == nullptr) {
      finding.headline = "a thread " + does + "memory that was never allocated";
      return finding;
    }
    finding.array = name_of_region(*near);
    const std::string name = finding.array.empty() ? described(*near) : finding.array;
    const std::uint64_t away = before_above ? above->begin - address : address - near->begin - near->bytes;
    finding.headline = "a thread " + does + std::to_string(size) + " bytes ";
    if (!before_above && !finding.array.empty())
      finding.headline +=
          "at " + finding.array + "[" + std::to_string((address - near->begin) / size) + "], ";
    finding.headline += away == 0      ? "right behind the end of " + name
                        : before_above ? bytes_text(away) + " before the beginning of " + name
                        : address < near->begin + near->bytes
                            ? "that reach over the end of " + name
                            : bytes_text(away) + " behind the end of " + name;
    finding.notes.push_back(
        allocated_note(*near) +
        (near->bytes % size == 0 ? ": " + grouped(near->bytes / size) + " elements of this size" : ""));
    finding.hint = "does the grid have more threads than the array has elements? Guard the access with an if";
    return finding;
  });
}

void Checker::report_outside_shared(const BlockState& state, std::uintptr_t address, std::size_t size,
                                    unsigned kind, Site site) {
  if (site == 0) return;
  Findings::get().add({static_cast<std::uint64_t>(Rule::out_of_bounds), site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::out_of_bounds;
    finding.kernel = state.launch->kernel->info.name;
    finding.parties = {party(state, kind, site, current_fiber->linear, state.clocks.block, true)};
    const SharedArray* near = nullptr;
    const std::size_t at = address - state.arena->begin;
    for (const SharedArray& array : state.layout->arrays)
      if (array.offset <= at && (near == nullptr || array.offset > near->offset)) near = &array;
    const std::string does = (kind & writes) != 0 ? "writes" : "reads";
    if (near != nullptr) {
      finding.array = near->name;
      finding.headline = "a thread " + does + " " + std::to_string(size) + " bytes outside of " + near->name +
                         " (shared " + near->type + "), " + bytes_text(at - near->offset) +
                         " from its beginning";
    } else {
      finding.headline = "a thread " + does + " shared memory that belongs to no array";
    }
    finding.hint =
        "is the index within the array's bounds for every thread? For extern __shared__ arrays the "
        "third value of <<<…>>> is the size in bytes";
    return finding;
  });
}

void Checker::report_misaligned(const BlockState& state, std::uintptr_t address, std::size_t size,
                                unsigned kind, Site site) {
  Findings::get().add({static_cast<std::uint64_t>(Rule::misaligned), site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::misaligned;
    finding.kernel = state.launch->kernel->info.name;
    finding.parties = {party(state, kind, site, current_fiber->linear, state.clocks.block, true)};
    char text[160];
    std::snprintf(text, sizeof text, "an access of %zu bytes at address 0x%zx, which is no multiple of %zu",
                  size, static_cast<std::size_t>(address), size);
    finding.headline = text;
    finding.hint =
        "a GPU stops the kernel here: vector types like float4 need addresses that are multiples of "
        "their size";
    return finding;
  });
}

void Checker::report_host_pointer(const BlockState& state, std::uintptr_t address, std::size_t size,
                                  unsigned kind, Site site, const void* pc) {
  if (site == 0 || address_of(site) != pc || code_at(pc) != Code::users_own) return;
  const auto closure = reinterpret_cast<std::uintptr_t>(state.launch->closure);
  if (address - closure < state.launch->kernel->closure_bytes) return;
  const auto block = reinterpret_cast<std::uintptr_t>(current_fiber->block);
  if (address - block < sizeof(Resident)) return;  // blockDim and its like
  Findings::get().add({static_cast<std::uint64_t>(Rule::host_pointer), site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::host_pointer;
    finding.kernel = state.launch->kernel->info.name;
    finding.headline = std::string("a thread ") + ((kind & writes) != 0 ? "writes " : "reads ") +
                       std::to_string(size) + " bytes of the host's memory";
    finding.parties = {party(state, kind, site, current_fiber->linear, state.clocks.block, true)};
    finding.hint =
        "a kernel reaches only memory of cudaMalloc, cudaMallocManaged, cudaMallocHost and "
        "__device__ variables: was the host's pointer passed in place of the device's?";
    return finding;
  });
}

void Checker::outside_bounds(const char* file, int line, int column, const char* type, long long index) {
  Block& block = *current_fiber->block;
  if (block.observed == nullptr) return;
  const Uninterrupted whole(*current_fiber);
  const auto& state = *static_cast<const BlockState*>(block.observed);
  const std::vector<std::uint64_t> key = {
      static_cast<std::uint64_t>(Rule::out_of_bounds), reinterpret_cast<std::uintptr_t>(file),
      static_cast<std::uint64_t>(line), static_cast<std::uint64_t>(column)};
  Findings::get().add(key, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::out_of_bounds;
    finding.kernel = state.launch->kernel->info.name;
    std::string name = type;
    name.erase(std::remove(name.begin(), name.end(), '\''), name.end());
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    finding.headline = "index " + std::to_string(index) + " is outside of the bounds of an array " + name;
    for (const SharedArray& array : state.layout->arrays) {
      if (array.type != name && (array.type.size() <= name.size() ||
                                 text_of({file, line}).find(array.name + "[") == std::string::npos))
        continue;
      finding.array = array.name;
      finding.headline = "index " + std::to_string(index) + " is outside of the bounds of " + array.name +
                         " (shared " + array.type + ")";
      break;
    }
    finding.parties = {{"access by thread " + point(state.launch->block, current_fiber->linear) +
                            " of block " + point(state.launch->grid, state.clocks.block),
                        {file, line}}};
    finding.hint =
        "the first index is 0 and the last one is the extent less one: is that so for every thread?";
    return finding;
  });
}

}  // namespace cuemu::check
