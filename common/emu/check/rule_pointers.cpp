// Pointers to the wrong memory: the host's in a kernel, the device's on the host, constant memory that is
// written to, addresses that are not aligned, and what is freed that can't be.
#include <mutex>

#include "checker.hpp"
#include "memory_map.hpp"
#include "naming.hpp"
#include "options.hpp"

namespace cuemu::check {

namespace {

class PointerRule final : public RuleObserver {
 public:
  explicit PointerRule(MemoryMap& map) : map_(map) {}

  bool wants_accesses() const override { return true; }
  void accessed(const Access& access) override {
    if (access.region.constant && (access.kind & writes) != 0) report_constant(access);
  }
  void misaligned(const Access& access) override;
  void misaligned(BlockState& state, Region& region, const MisalignedPointer& pointer) override;
  void strayed(const Stray& stray) override;
  void free_refused(const void* pointer) override;
  void host_touched_device(std::uintptr_t address, const void* instruction) override;

 private:
  void report_constant(const Access& access);
  void report_wild(const Stray& stray);
  Finding device_pointer_finding(std::uintptr_t address, const void* instruction);

  MemoryMap& map_;
};

void PointerRule::report_constant(const Access& access) {
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

Finding misaligned_finding(const BlockState& state, const Region& region, std::uintptr_t address,
                           std::size_t alignment) {
  Finding finding;
  finding.rule = Rule::misaligned;
  finding.kernel = state.launch->kernel->info.name;
  const std::string element = element_name(state, region, address, 1, finding.array);
  const std::string shared = &region == state.arena.get() || state.cluster == nullptr
                                 ? "the block's shared memory"
                                 : "the shared memory" + whose(state, state.cluster->at(region.begin)->block);
  finding.headline =
      "an access of " + bytes_text(alignment) + " at an address that is not a multiple of " +
      std::to_string(alignment) + ", byte " + grouped(address - region.begin) + " of " +
      (region.kind == RegionKind::shared ? shared + ", in " + element.substr(0, element.find('['))
       : finding.array.empty()           ? described(region)
                                         : finding.array);
  finding.hint =
      "a GPU stops the kernel here: vector types like float4 need addresses that are multiples of their size";
  return finding;
}

void PointerRule::misaligned(const Access& access) {
  const BlockState& state = access.block;
  Findings::get().add({static_cast<std::uint64_t>(Rule::misaligned), access.site}, state.id(), [&] {
    Finding finding = misaligned_finding(state, access.region, access.address, access.size);
    finding.parties = {party_now(state, access.kind, access.site)};
    return finding;
  });
}

void PointerRule::misaligned(BlockState& state, Region& region, const MisalignedPointer& pointer) {
  const auto pc = reinterpret_cast<std::uintptr_t>(pointer.place.pc);
  Findings::get().add({static_cast<std::uint64_t>(Rule::misaligned), pc}, state.id(), [&] {
    Finding finding = misaligned_finding(state, region, pointer.address, pointer.alignment);
    finding.parties = {{std::string(pointer.write ? "write" : "read") + " by thread " +
                            point(state.launch->block, current_fiber->linear) + " of block " +
                            point(state.launch->grid, state.clocks.block),
                        line_of(pointer.place.pc)}};
    return finding;
  });
}

/// Pointers hold what local variables begin with: the address, or its upper half, as an index was added.
bool was_never_set(std::uintptr_t address) {
  const std::uint32_t unset = options().unset_bytes;
  return static_cast<std::uint32_t>(address >> 32) == unset;
}

void PointerRule::report_wild(const Stray& stray) {
  const BlockState& state = stray.block;
  Findings::get().add({static_cast<std::uint64_t>(Rule::wild_pointer), stray.site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::wild_pointer;
    finding.kernel = state.launch->kernel->info.name;
    const bool unset = was_never_set(stray.address);
    finding.headline =
        std::string("a thread ") + ((stray.kind & writes) != 0 ? "writes " : "reads ") +
        bytes_text(stray.size) +
        (unset ? " through a pointer that was never set" : " at an address where no memory is");
    finding.parties = {party_now(state, stray.kind, stray.site)};
    finding.hint =
        unset ? "local variables hold anything when a function begins: is the pointer set before it is used, "
                "for every thread?"
              : "is it a pointer to memory of the device, and whole? It may have been made from a number, or "
                "overwritten by an index that is out of bounds";
    return finding;
  });
}

void PointerRule::strayed(const Stray& stray) {
  if (stray.where == Stray::Where::nowhere) report_wild(stray);
  if (stray.where != Stray::Where::host) return;
  const BlockState& state = stray.block;
  Findings::get().add({static_cast<std::uint64_t>(Rule::host_pointer), stray.site}, state.id(), [&] {
    Finding finding;
    finding.rule = Rule::host_pointer;
    finding.kernel = state.launch->kernel->info.name;
    finding.headline = std::string("a thread ") + ((stray.kind & writes) != 0 ? "writes " : "reads ") +
                       std::to_string(stray.size) + " bytes of host memory";
    finding.parties = {party_now(state, stray.kind, stray.site)};
    finding.hint =
        "a kernel reaches only memory from cudaMalloc, cudaMallocManaged, cudaMallocHost and __device__ "
        "variables: was the host's pointer passed instead of the device's?";
    return finding;
  });
}

void PointerRule::host_touched_device(std::uintptr_t address, const void* instruction) {
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::device_pointer), reinterpret_cast<std::uintptr_t>(instruction)}, 0,
      [&] { return device_pointer_finding(address, instruction); });
}

Finding PointerRule::device_pointer_finding(std::uintptr_t address, const void* instruction) {
  const Line line = cuemu::line_of(static_cast<const char*>(instruction) + 1);
  Finding finding;
  finding.rule = Rule::device_pointer;
  // The program was stopped anywhere, perhaps while it held the lock.
  const std::unique_lock<std::mutex> lock(map_.mutex, std::try_to_lock);
  const Region* const region = map_.at(address);
  if (lock.owns_lock() && region != nullptr) {
    finding.array = name_of_region(*region);
    finding.headline =
        "host code uses device memory, " + (finding.array.empty() ? described(*region) : finding.array);
    finding.notes.push_back(allocated_note(*region));
  } else {
    finding.headline = "host code uses an address of device memory";
  }
  finding.parties = {{"host", line}};
  finding.hint =
      "the host can't follow a device pointer: copy the data with cudaMemcpy(…, cudaMemcpyDeviceToHost), or "
      "allocate with cudaMallocManaged";
  return finding;
}

/// "b" of a line with `cudaFree(b)`; empty: it is something else, or there are several.
std::string freed_in(const Line& line) {
  const std::string text = text_of(line);
  const std::size_t call = text.find("cudaFree");
  if (call == text.npos || text.find("cudaFree", call + 1) != text.npos) return "";
  const std::size_t open = text.find('(', call);
  const std::size_t close = open != text.npos ? text.find(')', open) : text.npos;
  return close != text.npos ? text.substr(open + 1, close - open - 1) : "";
}

void PointerRule::free_refused(const void* pointer) {
  const Line line = cuemu::line_of(call_stack());
  if (!line.known()) return;
  const std::lock_guard<std::mutex> lock(map_.mutex);
  const Region* const found = map_.beginning_at(reinterpret_cast<std::uintptr_t>(pointer));
  Finding finding;
  finding.rule = Rule::bad_free;
  finding.parties = {{"free", line}};
  if (found != nullptr && found->retired()) {
    finding.headline = "memory is freed a second time";
    const Line first = cuemu::line_of(found->freed_at);
    if (first.known()) finding.parties.insert(finding.parties.begin(), {"first free", first});
    const std::string one = freed_in(first), other = freed_in(line);
    finding.hint = !one.empty() && !other.empty() && one != other
                       ? one + " and " + other +
                             " point to the same memory, which is to be freed once: leave one of the two "
                             "calls out"
                       : "set the pointer to nullptr after the first cudaFree: freeing nullptr does nothing";
  } else {
    finding.headline = "a pointer is freed that no allocation call returned";
    finding.hint =
        "free the same pointer that cudaMalloc set, with cudaFree; one of cudaMallocHost with cudaFreeHost";
  }
  Findings::get().add(std::move(finding), 0);
}

}  // namespace

RulePtr make_pointer_rule(MemoryMap& map) {
  return std::make_unique<PointerRule>(map);
}

}  // namespace cuemu::check
