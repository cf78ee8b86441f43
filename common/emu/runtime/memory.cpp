#include "memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "cuemu/failures.hpp"
#include "device.hpp"
#include "memory_advice.hpp"
#include "observer.hpp"
#include "profile.hpp"
#include "protection.hpp"
#include "report.hpp"
#include "services.hpp"

namespace cuemu {

namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t huge_page = 2 * 1024 * 1024;
constexpr std::size_t guarded_allocations =
    12'000;  // each allocation needs two of the 65,530 mappings that a process may have

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}
std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Returns how many bytes of host memory /proc/meminfo reports as available.
std::size_t host_memory_left() {
  std::size_t kilobytes = 0;
  if (std::FILE* const file = std::fopen("/proc/meminfo", "r")) {
    char line[128];
    while (std::fgets(line, sizeof line, file) != nullptr)
      if (std::sscanf(line, "MemAvailable: %zu kB", &kilobytes) == 1) break;
    std::fclose(file);
  }
  return kilobytes != 0 ? kilobytes * 1024 : SIZE_MAX;
}

/// An allocation with its pages.
struct Pages {
  Allocation allocation;
  std::uintptr_t pages = 0;
  std::size_t pages_bytes = 0;
  bool closed = false;  ///< closed to host code by protect_all()
};

/// Address of the calling thread's last allocation.
thread_local std::uintptr_t allocated_last = 0;

class Memory {
 public:
  static Memory& get() {
    static Memory* const memory = new Memory;
    return *memory;
  }

  cudaError_t allocate(MemoryKind kind, std::size_t bytes, unsigned flags, void** result) {
    const bool on_device = kind != MemoryKind::pinned;
    const std::lock_guard<std::mutex> lock(mutex_);
    const int device = current_device();
    if (on_device && (bytes > total_memory() || used_[device] + bytes > total_memory()))
      return cudaErrorMemoryAllocation;
    const std::size_t span = round_up(round_up(bytes, alignment), page_bytes());
    if (bytes > SIZE_MAX / 2 || span > host_memory_left()) return cudaErrorMemoryAllocation;
    const std::uintptr_t pages = kind == MemoryKind::device ? map_device(span) : map_host(span);
    if (pages == 0) return cudaErrorMemoryAllocation;
    // The allocation lies at the end of its pages, so that an overrun hits the guard page after them.
    const std::uintptr_t begin = pages + span - round_up(bytes, alignment);
    Pages& made = by_address_[begin];
    made = {{begin, bytes, kind, ++made_, flags, device}, pages, span};
    names_.erase(begin);
    allocated_last = begin;
    if (on_device) used_[device] += bytes;
    *result = reinterpret_cast<void*>(begin);
    return cudaSuccess;
  }

  cudaError_t release(MemoryKind kind, void* pointer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = by_address_.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == by_address_.end()) return cudaErrorInvalidValue;
    const bool pinned = found->second.allocation.kind == MemoryKind::pinned;
    if (found->second.allocation.kind == MemoryKind::registered || pinned != (kind == MemoryKind::pinned))
      return cudaErrorInvalidValue;
    notify(&Observer::freed, found->second.allocation);
    drop(found);
    return cudaSuccess;
  }

  void release_all(int device) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto pages = by_address_.begin(); pages != by_address_.end();) {
      const auto next = std::next(pages);
      if (pages->second.allocation.device == device) {
        notify(&Observer::freed, pages->second.allocation);
        drop(pages);
      }
      pages = next;
    }
  }

  cudaError_t register_host(void* pointer, std::size_t bytes, unsigned flags) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (Pages* const other = find(reinterpret_cast<std::uintptr_t>(pointer)); other != nullptr)
      return other->allocation.kind == MemoryKind::registered || other->allocation.kind == MemoryKind::pinned
                 ? cudaErrorHostMemoryAlreadyRegistered
                 : cudaErrorInvalidValue;
    const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
    by_address_[begin] = {{begin, bytes, MemoryKind::registered, ++made_, flags, current_device()}, 0, 0};
    return cudaSuccess;
  }

  cudaError_t unregister_host(void* pointer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = by_address_.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == by_address_.end() || found->second.allocation.kind != MemoryKind::registered)
      return cudaErrorHostMemoryNotRegistered;
    by_address_.erase(found);
    return cudaSuccess;
  }

  bool find(std::uintptr_t address, Allocation& result) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Pages* const found = find(address);
    if (found != nullptr) result = found->allocation;
    return found != nullptr;
  }

  std::vector<Allocation> of_the_host() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Allocation> result;
    for (const auto& [address, pages] : by_address_)
      if (pages.allocation.kind != MemoryKind::device) result.push_back(pages.allocation);
    return result;
  }

  AddressRange device_space() const { return {base_, size_}; }
  bool in_device_space(std::uintptr_t address) const { return address >= base_ && address - base_ < size_; }

  std::string describe(std::uintptr_t address) {
    // A thread may be stopped anywhere, perhaps while it holds the lock, so a report only tries to lock.
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return "";
    const auto name = [this](const Allocation& allocation) {
      if (const auto known = names_.find(allocation.begin); known != names_.end())
        return known->second.first + " (" + std::to_string(allocation.bytes) + " bytes, " +
               known->second.second + ")";
      char text[160];
      std::snprintf(text, sizeof text, "the %zu-byte allocation at 0x%zx (number %zu of the program)",
                    allocation.bytes, static_cast<std::size_t>(allocation.begin),
                    static_cast<std::size_t>(allocation.number));
      return std::string(text);
    };
    if (const Pages* const in = find(address); in != nullptr)
      return "byte " + std::to_string(address - in->allocation.begin) + " of " + name(in->allocation);
    for (auto freed = freed_.rbegin(); freed != freed_.rend(); ++freed)
      if (freed->contains(address)) return "inside " + name(*freed) + ", which was freed";
    const auto after = by_address_.upper_bound(address);
    constexpr std::size_t near = 1 << 20;
    if (after != by_address_.begin()) {
      const Allocation& before = std::prev(after)->second.allocation;
      const std::size_t past = address - before.begin - before.bytes;
      if (past < near || (in_device_space(address) && past < near * 1024))
        return std::to_string(past) + " bytes past the end of " + name(before);
    }
    if (after != by_address_.end() && after->second.allocation.begin - address < near)
      return std::to_string(after->second.allocation.begin - address) + " bytes before " +
             name(after->second.allocation);
    return in_device_space(address) ? "device memory that was never allocated" : "";
  }

  void name(std::uintptr_t begin, const std::string& pointer, const std::string& place) {
    const std::lock_guard<std::mutex> lock(mutex_);
    names_[begin] = {pointer, place};
  }

  std::size_t used() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return used_[current_device()];
  }

  /// Opens or closes all device memory, on processors without protection keys. Each allocation takes a system call. So
  /// memory is no longer closed if there are more than a few hundred allocations; closed memory is always opened.
  void protect_all(bool open) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (open ? closed_ == 0 : by_address_.size() > most_closed) return;
    for (auto& [address, pages] : by_address_) set_closed(pages, !open);
  }

  /// Closes a new allocation if the other allocations are closed.
  void close(std::uintptr_t begin) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto made = by_address_.find(begin);
    if (made != by_address_.end() && by_address_.size() <= most_closed) set_closed(made->second, true);
  }

 private:
  Memory() {
    // The range is twice as large as the device's memory, for guard pages and for late reuse of addresses, or smaller
    // if the process may not have so much address space.
    for (size_ = round_up(total_memory() * 2 * static_cast<std::size_t>(device_count()), huge_page);
         size_ >= (std::size_t{64} << 20); size_ /= 2) {
      void* const range = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (range == MAP_FAILED) continue;
      base_ = reinterpret_cast<std::uintptr_t>(range);
      free_[base_] = size_;
      next_ = base_;
      return;
    }
    fatal("no address space is left for device memory; raise the limit on virtual memory (ulimit -v)");
  }

  void set_closed(Pages& pages, bool closed) {
    if (pages.allocation.kind != MemoryKind::device || pages.closed == closed) return;
    mprotect(reinterpret_cast<void*>(pages.pages), pages.pages_bytes,
             closed ? PROT_NONE : PROT_READ | PROT_WRITE);
    pages.closed = closed;
    closed ? ++closed_ : --closed_;
  }

  Pages* find(std::uintptr_t address) {
    const auto after = by_address_.upper_bound(address);
    if (after == by_address_.begin()) return nullptr;
    Pages& before = std::prev(after)->second;
    return before.allocation.contains(address) ? &before : nullptr;
  }

  /// Takes pages of the device's range: the free pages after the last pages taken. Freed addresses remain unused for a
  /// long time, so that a use of a dangling pointer is detected.
  std::uintptr_t map_device(std::size_t span) {
    const std::size_t guard = guard_bytes();
    const std::size_t unit = span >= huge_page ? huge_page : page_bytes();
    const std::uintptr_t begin = take_range(span + 2 * guard, unit, guard);
    if (begin == 0) return 0;
    if (!open_pages(begin, span)) {
      give_range(begin - guard, span + 2 * guard);
      return 0;
    }
    guards_[begin] = guard;
    return begin;
  }

  /// Returns the number of inaccessible bytes on either side of an allocation: a page, or more if an observer requires
  /// it and the range is large enough for many such allocations.
  std::size_t guard_bytes() const {
    if (by_address_.size() >= guarded_allocations) return 0;
    const std::size_t wish = largest(std::size_t{0}, &Observer::device_gap);
    return std::max(page_bytes(), std::min(wish, size_ / 4096) / page_bytes() * page_bytes());
  }

  static std::uintptr_t map_host(std::size_t span) {
    // A further page at each end remains inaccessible.
    const std::size_t page = page_bytes();
    void* const range =
        mmap(nullptr, span + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return 0;
    unsigned char* const pages = static_cast<unsigned char*>(range) + page;
    if (mprotect(pages, span, PROT_READ | PROT_WRITE) != 0) {
      munmap(range, span + 2 * page);
      return 0;
    }
    return reinterpret_cast<std::uintptr_t>(pages);
  }

  std::uintptr_t take_range(std::size_t bytes, std::size_t unit, std::size_t guard) {
    for (int round = 0; round < 2; ++round) {
      for (auto range = round == 0 ? free_.lower_bound(next_) : free_.begin(); range != free_.end();
           ++range) {
        const std::uintptr_t end = range->first + range->second;
        const std::uintptr_t begin = round_up(range->first + guard, unit) - guard;
        if (begin + bytes > end || begin < range->first) continue;
        const std::uintptr_t low = range->first;
        free_.erase(range);
        if (begin > low) free_[low] = begin - low;
        if (begin + bytes < end) free_[begin + bytes] = end - begin - bytes;
        next_ = begin + bytes;
        return begin + guard;
      }
    }
    return 0;
  }

  void give_range(std::uintptr_t begin, std::size_t bytes) {
    auto after = free_.lower_bound(begin);
    if (after != free_.end() && begin + bytes == after->first) {
      bytes += after->second;
      after = free_.erase(after);
    }
    if (after != free_.begin()) {
      const auto before = std::prev(after);
      if (before->first + before->second == begin) {
        before->second += bytes;
        return;
      }
    }
    free_[begin] = bytes;
  }

  void drop(std::map<std::uintptr_t, Pages>::iterator found) {
    const Pages pages = found->second;
    by_address_.erase(found);
    if (pages.closed) --closed_;
    if (pages.allocation.kind == MemoryKind::registered) return;
    if (pages.allocation.kind != MemoryKind::pinned) used_[pages.allocation.device] -= pages.allocation.bytes;
    freed_.push_back(pages.allocation);
    if (freed_.size() > 1000) freed_.erase(freed_.begin());
    void* const memory = reinterpret_cast<void*>(pages.pages);
    if (pages.allocation.kind != MemoryKind::device) {
      forget_advice(pages.allocation.begin, pages.allocation.bytes);
      munmap(static_cast<unsigned char*>(memory) - page_bytes(), pages.pages_bytes + 2 * page_bytes());
      return;
    }
    mprotect(memory, pages.pages_bytes, PROT_NONE);
    madvise(memory, pages.pages_bytes, MADV_DONTNEED);
    const std::size_t guard = guards_[pages.pages];
    guards_.erase(pages.pages);
    give_range(pages.pages - guard, pages.pages_bytes + 2 * guard);
  }

  static constexpr std::size_t most_closed = 256;

  std::mutex mutex_;
  std::map<std::uintptr_t, Pages> by_address_;
  std::size_t closed_ = 0;  ///< number of closed allocations
  std::map<std::uintptr_t, std::size_t> free_;
  std::map<std::uintptr_t, std::size_t> guards_;
  std::vector<Allocation> freed_;
  /// The pointer expression and the source line of the call that made an allocation, by the allocation's address.
  /// Entries remain after the free.
  std::map<std::uintptr_t, std::pair<std::string, std::string>> names_;
  std::uintptr_t base_ = 0;
  std::uintptr_t next_ = 0;
  std::size_t size_ = 0;
  std::size_t used_[most_devices] = {};
  std::uint64_t made_ = 0;
};

/// Fresh memory of a new process contains zeros, here as on a GPU. A grader or checker must detect reads of unwritten
/// memory; so it fills the memory, and the program can't prevent this.
bool fills_fresh_memory() {
  static const bool wanted = [] {
    const char* const fill = std::getenv("CUEMU_FILL");
    if (fill != nullptr && *fill != '\0' && std::strcmp(fill, "nan") != 0)
      fatal("CUEMU_FILL can be 'nan', so that fresh device memory holds NaNs, or left out");
    const char* const poison = std::getenv("LAB_POISON");
    return (fill != nullptr && *fill != '\0') || poison != nullptr || is_observed() || has_channel();
  }();
  return wanted;
}

}  // namespace

void poison_memory(void* memory, std::size_t bytes) {
  if (!fills_fresh_memory()) return;
  const DeviceAccess access;
  constexpr std::uint32_t word = 0x7fffdeadu;
  auto* const words = static_cast<std::uint32_t*>(memory);
  std::fill(words, words + bytes / 4, word);
  std::memcpy(words + bytes / 4, &word, bytes % 4);
}

void protect_all_device_memory(bool open) {
  Memory::get().protect_all(open);
}

void close_one_allocation(std::uintptr_t begin) {
  Memory::get().close(begin);
}

cudaError_t allocate(MemoryKind kind, std::size_t bytes, unsigned flags, void** result) {
  const cudaError_t error = Memory::get().allocate(kind, bytes, flags, result);
  if (error == cudaSuccess && is_observed()) {
    Allocation made;
    if (find_allocation(*result, made)) notify(&Observer::allocated, made);
  }
  if (error != cudaSuccess || kind == MemoryKind::pinned) return error;
  const auto begin = reinterpret_cast<std::uintptr_t>(*result);
  const std::uintptr_t pages = begin / page_bytes() * page_bytes();
  if (bytes >= huge_page) madvise(reinterpret_cast<void*>(pages), bytes, MADV_HUGEPAGE);
  if (kind == MemoryKind::device) close_new_memory(begin);
  poison_memory(*result, round_up(bytes, alignment));
  profile_allocation(*result, bytes);
  return error;
}

cudaError_t release(MemoryKind kind, void* pointer) {
  const cudaError_t error = Memory::get().release(kind, pointer);
  if (error != cudaSuccess) notify(&Observer::free_refused, pointer);
  if (error == cudaSuccess && kind != MemoryKind::pinned) profile_free(pointer);
  return error;
}

void release_all(int device) {
  Memory::get().release_all(device);
}

cudaError_t register_host(void* pointer, std::size_t bytes, unsigned flags) {
  const cudaError_t error = Memory::get().register_host(pointer, bytes, flags);
  Allocation made;
  if (error == cudaSuccess && is_observed() && find_allocation(pointer, made))
    notify(&Observer::allocated, made);
  return error;
}
cudaError_t unregister_host(void* pointer) {
  Allocation known;
  const bool found = is_observed() && find_allocation(pointer, known);
  const cudaError_t error = Memory::get().unregister_host(pointer);
  if (error == cudaSuccess && found) notify(&Observer::freed, known);
  return error;
}

bool find_allocation(const void* pointer, Allocation& found) {
  return Memory::get().find(reinterpret_cast<std::uintptr_t>(pointer), found);
}

std::vector<Allocation> allocations_of_the_host() {
  return Memory::get().of_the_host();
}

bool is_device_range(const void* pointer, std::size_t bytes) {
  Allocation found;
  if (!find_allocation(pointer, found) || found.kind == MemoryKind::registered) return false;
  return found.bytes - (reinterpret_cast<std::uintptr_t>(pointer) - found.begin) >= bytes;
}

bool in_device_space(std::uintptr_t address) {
  return Memory::get().in_device_space(address);
}
AddressRange device_space() {
  return Memory::get().device_space();
}

std::string describe_address(std::uintptr_t address) {
  return Memory::get().describe(address);
}

bool allocation_of(const void* pointer, std::uintptr_t& begin, std::size_t& bytes) {
  Allocation found;
  if (!find_allocation(pointer, found)) return false;
  begin = found.begin;
  bytes = found.bytes;
  return true;
}

void name_allocation(const char* name, const char* file, int line) {
  const std::string place(file);
  if (allocated_last == 0 || *name == '\0') return;
  Memory::get().name(allocated_last, name, place.substr(place.rfind('/') + 1) + ":" + std::to_string(line));
}

std::size_t free_memory() {
  const std::size_t used = Memory::get().used();
  return std::min(total_memory() - used, host_memory_left());
}
std::size_t total_memory() {
  return device_profile().memory;
}

}  // namespace cuemu
