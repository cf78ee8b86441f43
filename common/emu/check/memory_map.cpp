#include "memory_map.hpp"

#include <sys/mman.h>

#include "services.hpp"
#include "source.hpp"

namespace cuemu::check {

Region* MemoryMap::other(std::uintptr_t address) {
  const auto* const others = others_.load(std::memory_order_acquire);
  if (others == nullptr) return nullptr;
  std::size_t low = 0;
  std::size_t high = others->size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if ((*others)[middle]->begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return nullptr;
  Region* const region = (*others)[low - 1];
  return region->contains(address, 1) ? region : nullptr;
}

void MemoryMap::add_host_copy(std::uintptr_t begin, std::size_t bytes, const char* variable) {
  const std::lock_guard<std::mutex> lock(mutex);
  host_copies_.push_back({{begin, bytes}, variable});
  std::uintptr_t lowest = begin, end = begin + bytes;
  for (const HostCopy& one : host_copies_) {
    lowest = std::min(lowest, one.range.begin);
    end = std::max(end, one.range.begin + one.range.bytes);
  }
  lowest_copy_.store(lowest);
  copies_extent_.store(end - lowest);
}

std::string MemoryMap::host_copy_at(std::uintptr_t address) {
  const std::lock_guard<std::mutex> lock(mutex);
  for (const auto& [range, variable] : host_copies_)
    if (address - range.begin < range.bytes) return variable;
  return "";
}

Region* MemoryMap::nearest_below(std::uintptr_t address) {
  const auto after = regions_.upper_bound(address);
  return after != regions_.begin() ? std::prev(after)->second.get() : nullptr;
}

Region* MemoryMap::nearest_above(std::uintptr_t address) {
  const auto after = regions_.upper_bound(address);
  return after != regions_.end() ? after->second.get() : nullptr;
}

bool MemoryMap::is_behind_variable(std::uintptr_t address) {
  constexpr std::uintptr_t near = 4096;
  const std::lock_guard<std::mutex> lock(mutex);
  const Region* const below = nearest_below(address);
  return below != nullptr && below->kind != RegionKind::device &&
         address - below->begin < below->bytes + near;
}

Region* MemoryMap::wrapped_from(std::uintptr_t address, std::size_t size) {
  // A correct index may be slightly negative, so negative numbers near 0 prove nothing.
  constexpr std::uint64_t most_negative = std::uint64_t{1} << 31, near_zero = most_negative / 8;
  const std::lock_guard<std::mutex> lock(mutex);
  for (const auto& [begin, region] : regions_)
    if (!region->retired() && region->bytes > most_negative * size && address < begin &&
        begin - address <= most_negative * size && begin - address > near_zero * size &&
        region->contains(address + wrap * size, size))
      return region.get();
  return nullptr;
}

Region* MemoryMap::beginning_at(std::uintptr_t address) {
  const auto found = regions_.find(address);
  return found != regions_.end() ? found->second.get() : nullptr;
}

void MemoryMap::each(const std::function<void(Region&)>& visit) {
  for (const auto& [begin, region] : regions_) visit(*region);
}

void MemoryMap::add(std::unique_ptr<Region> region) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (pages_ == nullptr) {
    const AddressRange device = device_space();
    void* const table = mmap(nullptr, (device.bytes >> page_shift) * sizeof(Region*), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED) fatal("no address space is left for the checker");
    pages_ = static_cast<Region**>(table);
    device_ = device;
  }
  Region* const added = region.get();
  if (added->for_host()) host_memory_.store(true);
  std::unique_ptr<Region>& place = regions_[added->begin];
  if (place != nullptr) retired_.push_back(std::move(place));
  place = std::move(region);
  if (added->kind == RegionKind::device) {
    const std::size_t first = (added->begin - device_.begin) >> page_shift;
    const std::size_t last = (added->begin + added->bytes - 1 - device_.begin) >> page_shift;
    for (std::size_t page = first; page <= last; ++page) pages_[page] = added;
    return;
  }
  sort_others();
}

void MemoryMap::sort_others() {
  auto* const sorted = new std::vector<Region*>;
  for (const auto& [begin, known] : regions_)
    if (known->kind != RegionKind::device && !known->retired()) sorted->push_back(known.get());
  others_.store(sorted, std::memory_order_release);  // another thread may still read the old list
}

void MemoryMap::freed(std::uintptr_t begin) {
  const std::lock_guard<std::mutex> lock(mutex);
  Region* const region = beginning_at(begin);
  if (region == nullptr) return;
  region->freed_at = call_stack();
  region->retire();
  if (region->kind == RegionKind::registered) sort_others();  // from now on only the host may use the memory
}

void MemoryMap::heap_given(std::uintptr_t begin, std::size_t bytes) {
  Region* const region = at(begin);
  if (region == nullptr || !region->contains(begin, bytes)) return;
  region->empty(begin, bytes);
  const auto next = region->pieces.lower_bound(begin + bytes);
  auto first = region->pieces.lower_bound(begin);
  if (first != region->pieces.begin() && std::prev(first)->first + std::prev(first)->second.bytes > begin)
    --first;
  region->pieces.erase(first, next);  // these freed pieces' memory is reused
  region->pieces[begin] = {bytes, call_stack(), {}, false};
}

void MemoryMap::heap_freed(std::uintptr_t begin) {
  Region* const region = at(begin);
  if (region == nullptr) return;
  const auto piece = region->pieces.find(begin);
  if (piece == region->pieces.end()) return;
  piece->second.freed = true;
  piece->second.freed_at = call_stack();
}

void MemoryMap::mark_written(const void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  Region* const region = at(begin);
  if (region == nullptr || region->initialised || region->retired() || !region->contains(begin, bytes))
    return;
  if (region->begin == begin && region->bytes == bytes) {
    region->initialised = true;
    return;
  }
  region->mark_written(begin, bytes);
}

void MemoryMap::mark_all_written() {
  const std::lock_guard<std::mutex> lock(mutex);
  for (auto& [begin, region] : regions_) region->initialised = true;
}

void MemoryMap::forget() {
  mark_all_written();  // the cells will no longer know which memory was written
  const std::lock_guard<std::mutex> lock(mutex);
  for (auto& [begin, region] : regions_) region->forget();
}

}  // namespace cuemu::check
