// Memory: accesses outside of arrays and allocations, to what was freed, never written, misaligned, or the
// host's; what is freed that can't be.
#include <algorithm>
#include <cstdio>

#include "checker.hpp"
#include "launch_state.hpp"
#include "memory_map.hpp"
#include "naming.hpp"

namespace cuemu::check {

namespace {

class MemoryRule final : public RuleObserver {
 public:
  explicit MemoryRule(MemoryMap& map) : map_(map) {}

  bool wants_accesses() const override { return true; }
  void accessed(const Access& access) override;
  void strayed(const Stray& stray) override;
  void outside_bounds(const OutsideBounds& where) override;
  void free_refused(const void* pointer) override;

 private:
  void report_unwritten(const Access& access);
  void report_misaligned(const Access& access);
  void report_outside(const Stray& stray);
  void report_outside_shared(const Stray& stray);
  void report_host_pointer(const Stray& stray);

  MemoryMap& map_;
};

void MemoryRule::accessed(const Access& access) {
  const std::size_t size = access.size;
  if ((access.kind & unaligned) == 0 && size <= 16 && (size & (size - 1)) == 0 && access.address % size != 0)
    report_misaligned(access);
  if ((access.kind & writes) != 0 && (access.kind & keeps_old) == 0) return;
  if (access.region.initialised) return;
  const bool written = std::any_of(access.cells, access.cells + access.cell_count,
                                   [](const Cell& cell) { return !cell.write.empty(); });
  if (!written) report_unwritten(access);
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
        finding.hint = access.in_shared
                           ? "shared memory holds no zeros when a block begins: let the threads fill it, "
                             "then __syncthreads()"
                           : "cudaMalloc gives memory with any content: copy data there, or "
                             "cudaMemset(pointer, 0, bytes)";
        return finding;
      });
}

void MemoryRule::report_outside(const Stray& stray) {
  const BlockState& state = stray.block;
  const std::uintptr_t address = stray.address;
  const std::size_t size = stray.size;
  const unsigned kind = stray.kind;
  Region* freed = address >= 4096 ? map_.at(address) : nullptr;
  if (freed != nullptr && !(freed->retired() && freed->contains(address, 1))) freed = nullptr;
  const Rule rule = address < 4096     ? Rule::null_pointer
                    : freed != nullptr ? Rule::use_after_free
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

void MemoryRule::report_misaligned(const Access& access) {
  const BlockState& state = access.block;
  Findings::get().add({static_cast<std::uint64_t>(Rule::misaligned), access.site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::misaligned;
    finding.kernel = state.launch->kernel->info.name;
    finding.parties = {party_now(state, access.kind, access.site)};
    char text[160];
    std::snprintf(text, sizeof text, "an access of %zu bytes at address 0x%zx, which is no multiple of %zu",
                  access.size, static_cast<std::size_t>(access.address), access.size);
    finding.headline = text;
    finding.hint =
        "a GPU stops the kernel here: vector types like float4 need addresses that are multiples of "
        "their size";
    return finding;
  });
}

void MemoryRule::report_host_pointer(const Stray& stray) {
  const BlockState& state = stray.block;
  if (stray.site == 0 || address_of(stray.site) != stray.pc || code_of(stray.site) != Code::users_own) return;
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

void MemoryRule::outside_bounds(const OutsideBounds& where) {
  const BlockState& state = where.block;
  const auto& [block, file, line, column, type, index] = where;
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
