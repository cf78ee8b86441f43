// Maps addresses to the memory that kernels may access: each allocation, variable and registered range, with
// its shadow.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "services.hpp"
#include "shadow.hpp"

namespace cuemu::check {

/// An address below this number is a null pointer plus an index, since programs have no memory there.
inline constexpr std::uintptr_t near_null = 1 << 20;

/// The error in an address whose 32-bit index has wrapped.
inline constexpr std::uint64_t wrap = std::uint64_t{1} << 32;

/// The map of all regions. Look-ups take no lock. Any host thread may change the map.
class MemoryMap {
 public:
  /// The region that contains an address, including freed device memory; null if there is none.
  Region* at(std::uintptr_t address) {
    return in_device_range(address) ? in_device(address) : other(address);
  }
  /// The region that contains an address in the device's range.
  Region* in_device(std::uintptr_t address) const { return pages_[(address - device_.begin) >> page_shift]; }
  bool in_device_range(std::uintptr_t address) const { return address - device_.begin < device_.bytes; }
  /// Whether there is memory that host code and kernels share.
  bool has_host_memory() const { return host_memory_.load(std::memory_order_relaxed); }
  /// The region with the next lower or higher beginning; null if there is none. Needs `mutex`.
  Region* nearest_below(std::uintptr_t address);
  Region* nearest_above(std::uintptr_t address);
  /// Whether the address is just after a device variable or memory that host and kernels share, so that it
  /// was probably meant to be inside. Host memory surrounds both kinds.
  bool is_behind_variable(std::uintptr_t address);
  /// Returns a region with more elements than an `int` can count, if the address is 2^32 elements before one
  /// of them: an index that has wrapped makes such an address. Otherwise null. Takes `mutex`.
  /// @param size the size of an element in bytes
  Region* wrapped_from(std::uintptr_t address, std::size_t size);
  /// The last region that began at an address. Needs `mutex`.
  Region* beginning_at(std::uintptr_t address);
  /// Records the copy of a device variable that host code uses.
  void add_host_copy(std::uintptr_t begin, std::size_t bytes, const char* variable);
  /// Whether an address may be in such a host copy. This test is cheap.
  bool may_be_host_copy(std::uintptr_t address) const {
    return address - lowest_copy_.load(std::memory_order_relaxed) <
           copies_extent_.load(std::memory_order_relaxed);
  }
  /// The device variable whose host copy contains this address; empty if there is none.
  std::string host_copy_at(std::uintptr_t address);
  /// Visits live and freed regions in the order of their addresses. Needs `mutex`.
  void each(const std::function<void(Region&)>& visit);

  void add(std::unique_ptr<Region> region);
  void freed(std::uintptr_t begin);
  void heap_given(std::uintptr_t begin, std::size_t bytes);
  void heap_freed(std::uintptr_t begin);
  /// Called after code outside kernels has written to this memory.
  void mark_written(const void* memory, std::size_t bytes);
  /// Called when an uninstrumented kernel runs, since it may write to all memory.
  void mark_all_written();
  void forget();

  std::mutex mutex;

 private:
  static constexpr std::size_t page_shift = 12;
  Region* other(std::uintptr_t address);
  void sort_others();

  AddressRange device_{0, 0};
  Region** pages_ = nullptr;                                  ///< for each page of the device's range
  std::atomic<const std::vector<Region*>*> others_{nullptr};  ///< regions outside the device's range, sorted
  std::atomic<bool> host_memory_{false};
  std::map<std::uintptr_t, std::unique_ptr<Region>> regions_;
  std::vector<std::unique_ptr<Region>> retired_;
  struct HostCopy {
    AddressRange range;
    std::string variable;
  };
  std::vector<HostCopy> host_copies_;
  std::atomic<std::uintptr_t> lowest_copy_{0}, copies_extent_{0};
};

}  // namespace cuemu::check
