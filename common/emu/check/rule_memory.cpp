// Memory: accesses outside of arrays and allocations, to what was freed, never written, misaligned, or the
// host's; what is freed that can't be.
#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "checker.hpp"
#include "cuda_runtime_api.h"
#include "launch_state.hpp"
#include "memory_map.hpp"
#include "naming.hpp"
#include "plan.hpp"

namespace cuemu::check {

namespace {

class MemoryRule final : public RuleObserver {
 public:
  explicit MemoryRule(MemoryMap& map) : map_(map) {}

  bool wants_accesses() const override { return true; }
  void accessed(const Access& access) override;
  void misaligned(const Access& access) override;
  void wrote_unset(const Written& write) override;
  void strayed(const Stray& stray) override;
  void outside_bounds(const OutsideBounds& where) override;
  void copied(const CopyPlan& plan) override;
  void filled(const FillPlan& plan) override;
  void free_refused(const void* pointer) override;
  void host_touched_device(std::uintptr_t address, const void* instruction) override;

 private:
  void report_unwritten(const Access& access);
  void report_padding(const Access& access);
  void report_constant(const Access& access);
  void report_outside(const Stray& stray);
  void report_outside_shared(const Stray& stray);
  void report_host_pointer(const Stray& stray);
  bool is_behind_known(std::uintptr_t address);

  void note_part(void* to, std::size_t bytes, std::uint32_t asked_at);
  void report_copy_of_nothing(const Region& region, const CopyPlan& plan);

  MemoryMap& map_;
  /// The last copy or set that wrote only the beginning of an allocation, by that.
  struct Part {
    std::size_t bytes;
    std::uint32_t asked_at;
  };
  std::map<std::uintptr_t, Part> parts_;  ///< under the map's mutex
};

/// Of an allocation: as many bytes as it has elements of a usual size?
bool looks_like_elements(std::size_t bytes, std::size_t all) {
  return bytes * 2 == all || bytes * 4 == all || bytes * 8 == all || bytes * 16 == all;
}

void MemoryRule::accessed(const Access& access) {
  const std::size_t size = access.size;
  const Region& region = access.region;
  if (region.width != 0 && (access.address - region.begin) % region.pitch + size > region.width)
    report_padding(access);
  if (region.constant && (access.kind & writes) != 0) report_constant(access);
  if ((access.kind & writes) != 0 && (access.kind & keeps_old) == 0) return;
  if (access.region.initialised) return;
  const bool written = std::any_of(access.cells, access.cells + access.cell_count,
                                   [](const Cell& cell) { return !cell.write.empty(); });
  if (!written) report_unwritten(access);
}

/// Local variables begin with certain bytes: a thread that writes a value of nothing else has copied one that
/// it never set.
void MemoryRule::wrote_unset(const Written& write) {
  const BlockState& state = *write.block;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::uninitialised), write.site,
       array_key(state, *write.region, write.address), 1},
      state.id(), [&] {
        Finding finding;
        finding.rule = Rule::uninitialised;
        finding.kernel = state.launch->kernel->info.name;
        finding.headline = element_name(state, *write.region, write.address, write.size, finding.array) +
                           " gets the value of a local variable that was never set";
        finding.parties = {party(state, writes, write.site, write.thread, state.clocks.block, true)};
        finding.hint =
            "local variables and arrays hold anything when a function begins: is each element set before it "
            "is "
            "read, for every thread?";
        return finding;
      });
}

void MemoryRule::strayed(const Stray& stray) {
  switch (stray.where) {
    case Stray::Where::device:
      return report_outside(stray);
    case Stray::Where::shared:
      return report_outside_shared(stray);
    case Stray::Where::host:
      return report_host_pointer(stray);
  }
}

void MemoryRule::report_unwritten(const Access& access) {
  const BlockState& state = access.block;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::uninitialised), access.site,
       array_key(state, access.region, access.address)},
      state.id(), [&] {
        Finding finding;
        finding.rule = Rule::uninitialised;
        finding.kernel = state.launch->kernel->info.name;
        finding.headline = element_name(state, access.region, access.address, access.size, finding.array) +
                           " is read, but nothing has written it";
        finding.parties = {party_now(state, access.kind, access.site)};
        const std::lock_guard<std::mutex> lock(map_.mutex);
        if (const auto part = parts_.find(access.region.begin); part != parts_.end()) {
          const Line line = line_of_place(part->second.asked_at);
          finding.parties.insert(
              finding.parties.begin(),
              {"sets " + grouped(part->second.bytes) + " of " + bytes_text(access.region.bytes), line});
          finding.hint = looks_like_elements(part->second.bytes, access.region.bytes)
                             ? "sizes are in bytes, not in elements: count * sizeof(type)"
                             : "only the first " + bytes_text(part->second.bytes) +
                                   " were set: is the size that of the whole array?";
          return finding;
        }
        finding.hint = access.in_shared
                           ? "shared memory holds no zeros when a block begins: let the threads fill it, "
                             "then __syncthreads()"
                           : "cudaMalloc gives memory with any content: copy data there, or "
                             "cudaMemset(pointer, 0, bytes)";
        return finding;
      });
}

/// Notes that host code set the beginning of an allocation, or all of it.
void MemoryRule::note_part(void* to, std::size_t bytes, std::uint32_t asked_at) {
  const auto begin = reinterpret_cast<std::uintptr_t>(to);
  const Region* const region = map_.at(begin);
  if (region == nullptr || region->kind != RegionKind::device || region->initialised ||
      region->begin != begin)
    return;
  const std::lock_guard<std::mutex> lock(map_.mutex);
  if (bytes < region->bytes)
    parts_[begin] = {bytes, asked_at};
  else
    parts_.erase(begin);
}

void MemoryRule::copied(const CopyPlan& plan) {
  if (plan.box.height != 1 || plan.box.depth != 1) return;
  note_part(plan.to.at, plan.box.width, plan.asked_at);
  if (plan.direction != cudaMemcpyDeviceToHost && plan.direction != cudaMemcpyDefault) return;
  const auto from = reinterpret_cast<std::uintptr_t>(plan.from.at);
  Region* const region = map_.at(from);
  if (region == nullptr || region->kind != RegionKind::device || region->initialised || region->retired() ||
      !region->contains(from, plan.box.width))
    return;
  if (region->is_unwritten(from, plan.box.width)) report_copy_of_nothing(*region, plan);
}

void MemoryRule::filled(const FillPlan& plan) {
  if (plan.box.height == 1 && plan.box.depth == 1) note_part(plan.to.at, plan.box.width, plan.asked_at);
}

void MemoryRule::report_copy_of_nothing(const Region& region, const CopyPlan& plan) {
  const Line line = line_of_place(plan.asked_at);
  if (!line.known()) return;
  const std::size_t bytes = plan.box.width;
  Finding finding;
  finding.rule = Rule::uninitialised;
  finding.array = name_of_region(region);
  const std::string name = finding.array.empty() ? described(region) : finding.array;
  finding.headline = (reinterpret_cast<std::uintptr_t>(plan.from.at) == region.begin && bytes == region.bytes
                          ? name
                          : bytes_text(bytes) + " of " + name) +
                     " is copied to the host, but nothing has written it";
  finding.parties = {{"copy", line}};
  finding.hint =
      "did the kernel run (cudaGetLastError), does it get this pointer, and is its guard the right way "
      "round?";
  Findings::get().add(std::move(finding), 0);
}

void MemoryRule::report_padding(const Access& access) {
  const BlockState& state = access.block;
  const Region& region = access.region;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::out_of_bounds), access.site, region.begin}, state.id(), [&] {
        const std::size_t at = access.address - region.begin;
        Finding finding;
        finding.rule = Rule::out_of_bounds;
        finding.kernel = state.launch->kernel->info.name;
        finding.array = name_of_region(region);
        const std::string name = finding.array.empty() ? described(region) : finding.array;
        finding.headline = std::string("a thread ") + ((access.kind & writes) != 0 ? "writes " : "reads ") +
                           bytes_text(access.size) + " past the end of row " + grouped(at / region.pitch) +
                           " of " + name + ", in the padding: column " +
                           grouped(at % region.pitch / access.size);
        finding.parties = {party_now(state, access.kind, access.site)};
        finding.notes.push_back("a row has " + bytes_text(region.width) + ", the next one begins " +
                                bytes_text(region.pitch) + " behind it (the pitch)");
        finding.hint =
            "the pitch only leads from row to row: `(T*)((char*)p + y * pitch) + x`, with x below the width";
        return finding;
      });
}

void MemoryRule::report_constant(const Access& access) {
  const BlockState& state = access.block;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::constant_write), access.site, access.region.begin}, state.id(), [&] {
        Finding finding;
        finding.rule = Rule::constant_write;
        finding.kernel = state.launch->kernel->info.name;
        finding.array = access.region.name;
        finding.headline = "a thread writes to constant memory, " +
                           element_name(state, access.region, access.address, access.size, finding.array);
        finding.parties = {party_now(state, access.kind, access.site)};
        finding.hint =
            "kernels only read __constant__ variables: write to a __device__ variable, or set it from the "
            "host "
            "with cudaMemcpyToSymbol";
        return finding;
      });
}

void MemoryRule::host_touched_device(std::uintptr_t address, const void* instruction) {
  const Line line = check::line_of(static_cast<const char*>(instruction) + 1);
  Finding finding;
  finding.rule = Rule::device_pointer;
  // The program was stopped anywhere, perhaps while it held the lock.
  const std::unique_lock<std::mutex> lock(map_.mutex, std::try_to_lock);
  const Region* const region = map_.at(address);
  if (lock.owns_lock() && region != nullptr) {
    finding.array = name_of_region(*region);
    finding.headline = "host code uses memory of the device, " +
                       (finding.array.empty() ? described(*region) : finding.array);
    finding.notes.push_back(allocated_note(*region));
  } else {
    finding.headline = "host code uses an address of the device's memory";
  }
  finding.parties = {{"host", line}};
  finding.hint =
      "the host can't follow a device pointer: copy the data with cudaMemcpy(…, cudaMemcpyDeviceToHost), or "
      "allocate with cudaMallocManaged";
  Findings::get().add(std::move(finding), 0);
}

void MemoryRule::report_outside(const Stray& stray) {
  const BlockState& state = stray.block;
  const std::uintptr_t address = stray.address;
  const std::size_t size = stray.size;
  const unsigned kind = stray.kind;
  Region* freed = address >= near_null ? map_.at(address) : nullptr;
  if (freed != nullptr && !(freed->retired() && freed->contains(address, 1))) freed = nullptr;
  const Rule rule = address < near_null ? Rule::null_pointer
                    : freed != nullptr  ? Rule::use_after_free
                                        : Rule::out_of_bounds;
  Findings::get().add({static_cast<std::uint64_t>(rule), stray.site}, state.id(), [&] {
    const std::lock_guard<std::mutex> lock(map_.mutex);
    Finding finding;
    finding.rule = rule;
    finding.kernel = state.launch->kernel->info.name;
    finding.parties = {party_now(state, kind, stray.site)};
    const std::string does = (kind & writes) != 0 ? "writes " : "reads ";
    if (rule == Rule::null_pointer) {
      finding.headline = "a thread " + does + "through a null pointer";
      if (address >= size) finding.headline += ", " + bytes_text(address) + " behind it";
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
    const Region* const below = map_.nearest_below(address);
    const Region* const above = map_.nearest_above(address);
    const auto away_from = [&](const Region& region) {
      return address < region.begin                  ? region.begin - address
             : address < region.begin + region.bytes ? 0
                                                     : address - region.begin - region.bytes;
    };
    const bool before_above = above != nullptr && (below == nullptr || away_from(*above) < away_from(*below));
    const Region* const near = before_above ? above : below;
    if (near == nullptr) {
      finding.headline = "a thread " + does + "memory that was never allocated";
      return finding;
    }
    finding.array = name_of_region(*near);
    const std::string name = finding.array.empty() ? described(*near) : finding.array;
    const std::uint64_t away = before_above ? above->begin - address : address - near->begin - near->bytes;
    finding.headline = "a thread " + does + std::to_string(size) + " bytes ";
    if (!finding.array.empty() && !before_above && address >= near->begin + near->bytes)
      finding.headline +=
          "at " + finding.array + "[" + std::to_string((address - near->begin) / size) + "], ";
    if (!finding.array.empty() && before_above)
      finding.headline +=
          "at " + finding.array + "[-" + std::to_string((near->begin - address + size - 1) / size) + "], ";
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

void MemoryRule::report_outside_shared(const Stray& stray) {
  if (stray.site == 0) return;
  const BlockState& state = stray.block;
  Findings::get().add({static_cast<std::uint64_t>(Rule::out_of_bounds), stray.site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::out_of_bounds;
    finding.kernel = state.launch->kernel->info.name;
    finding.parties = {party_now(state, stray.kind, stray.site)};
    const SharedArray* near = nullptr;
    const std::size_t at = stray.address - state.arena->begin;
    for (const SharedArray& array : state.layout->arrays)
      if (array.offset <= at && (near == nullptr || array.offset > near->offset)) near = &array;
    const std::string does = (stray.kind & writes) != 0 ? "writes" : "reads";
    const auto dynamic = reinterpret_cast<std::uintptr_t>(current_fiber->block->dynamic_shared);
    if (stray.address >= state.arena->begin && stray.address + stray.size > dynamic) {
      const std::size_t has = state.launch->dynamic_shared;
      finding.array = dynamic_array(state);
      finding.headline =
          "a thread " + does + " " + (finding.array.empty() ? "element " : finding.array + "[") +
          std::to_string((stray.address - dynamic) / stray.size) + (finding.array.empty() ? "" : "]") +
          ", outside of the dynamic shared memory: the launch gives the block " + bytes_text(has);
      finding.hint =
          "the third value of <<<…>>> is the size in bytes: count * sizeof(type) for all arrays together";
      return finding;
    }
    if (near != nullptr) {
      finding.array = near->name;
      finding.headline = "a thread " + does + " " + std::to_string(stray.size) + " bytes outside of " +
                         near->name + " (shared " + near->type + "), " + bytes_text(at - near->offset) +
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

void MemoryRule::misaligned(const Access& access) {
  const BlockState& state = access.block;
  Findings::get().add({static_cast<std::uint64_t>(Rule::misaligned), access.site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::misaligned;
    finding.kernel = state.launch->kernel->info.name;
    finding.parties = {party_now(state, access.kind, access.site)};
    const std::string element = element_name(state, access.region, access.address, 1, finding.array);
    finding.headline =
        "an access of " + bytes_text(access.size) + " at an address that is no multiple of " +
        std::to_string(access.size) + ", byte " + grouped(access.address - access.region.begin) + " of " +
        (access.in_shared        ? "the block's shared memory, in " + element.substr(0, element.find('['))
         : finding.array.empty() ? described(access.region)
                                 : finding.array);
    finding.hint =
        "a GPU stops the kernel here: vector types like float4 need addresses that are multiples of "
        "their size";
    return finding;
  });
}

/// Variables of the device and memory of both lie among the host's own: what is near behind is meant to be in
/// them.
bool MemoryRule::is_behind_known(std::uintptr_t address) {
  constexpr std::uintptr_t near = 4096;
  const std::lock_guard<std::mutex> lock(map_.mutex);
  const Region* const below = map_.nearest_below(address);
  return below != nullptr && below->kind != RegionKind::device &&
         address - below->begin < below->bytes + near;
}

void MemoryRule::report_host_pointer(const Stray& stray) {
  const BlockState& state = stray.block;
  if (in_variable_template(reinterpret_cast<const void*>(stray.address))) return;
  if (is_behind_known(stray.address)) return report_outside(stray);
  Findings::get().add({static_cast<std::uint64_t>(Rule::host_pointer), stray.site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::host_pointer;
    finding.kernel = state.launch->kernel->info.name;
    finding.headline = std::string("a thread ") + ((stray.kind & writes) != 0 ? "writes " : "reads ") +
                       std::to_string(stray.size) + " bytes of the host's memory";
    finding.parties = {party_now(state, stray.kind, stray.site)};
    finding.hint =
        "a kernel reaches only memory of cudaMalloc, cudaMallocManaged, cudaMallocHost and "
        "__device__ variables: was the host's pointer passed in place of the device's?";
    return finding;
  });
}

/// "m" of `m[i][j]`, where that stands in a line; empty: it can't be told.
std::string array_at(const Line& line) {
  const auto& lines = source_lines(line.file);
  if (line.line < 1 || static_cast<std::size_t>(line.line) > lines.size()) return "";
  const std::string& text = lines[static_cast<std::size_t>(line.line) - 1];
  const Span part = accessed_part(text, line.column, "");
  if (!part.known()) return "";
  const std::string whole =
      text.substr(static_cast<std::size_t>(part.begin) - 1, static_cast<std::size_t>(part.end - part.begin));
  const std::size_t bracket = whole.find('[');
  return bracket != whole.npos ? whole.substr(0, bracket) : "";
}

void MemoryRule::outside_bounds(const OutsideBounds& where) {
  const BlockState& state = where.block;
  const auto& [block, file, row, column, pc, type, index] = where;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::out_of_bounds), reinterpret_cast<std::uintptr_t>(pc)}, state.id(),
      [&] {
        Finding finding;
        finding.rule = Rule::out_of_bounds;
        finding.kernel = state.launch->kernel->info.name;
        std::string name = type;
        name.erase(std::remove(name.begin(), name.end(), '\''), name.end());
        name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
        // The compiler may name the file in two ways: other findings have the debug information's.
        const Line known = check::line_of(pc);
        const Line line{known.line == row ? known.file : file, row, column};
        finding.array = array_at(line);
        finding.headline = "index " + std::to_string(index) + " is outside of the bounds of " +
                           (finding.array.empty() ? "an array " + name : finding.array + " (" + name + ")");
        for (const SharedArray& array : state.layout->arrays) {
          if (array.type != name &&
              (array.type.size() <= name.size() || text_of(line).find(array.name + "[") == std::string::npos))
            continue;
          finding.array = array.name;
          finding.headline = "index " + std::to_string(index) + " is outside of the bounds of " + array.name +
                             " (shared " + array.type + ")";
          break;
        }
        finding.parties = {{"access by thread " + point(state.launch->block, current_fiber->linear) +
                                " of block " + point(state.launch->grid, state.clocks.block),
                            line}};
        finding.hint =
            "the first index is 0 and the last one is the extent less one: is that so for every thread?";
        return finding;
      });
}

void MemoryRule::free_refused(const void* pointer) {
  const Line line = check::line_of(call_stack());
  if (!line.known()) return;
  const std::lock_guard<std::mutex> lock(map_.mutex);
  const Region* const found = map_.beginning_at(reinterpret_cast<std::uintptr_t>(pointer));
  Finding finding;
  finding.rule = Rule::bad_free;
  finding.parties = {{"free", line}};
  if (found != nullptr && found->retired()) {
    finding.headline = "memory is freed a second time";
    if (const Line first = check::line_of(found->freed_at); first.known())
      finding.parties.insert(finding.parties.begin(), {"first free", first});
    finding.hint = "set the pointer to nullptr behind the first cudaFree: freeing that does nothing";
  } else {
    finding.headline = "a pointer is freed that no allocation call gave";
    finding.hint =
        "free the very pointer that cudaMalloc filled, with cudaFree; cudaMallocHost's with cudaFreeHost";
  }
  Findings::get().add(std::move(finding), 0);
}

}  // namespace

RulePtr make_memory_rule(MemoryMap& map) {
  return std::make_unique<MemoryRule>(map);
}

}  // namespace cuemu::check
