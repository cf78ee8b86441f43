// Which memory is where: every allocation, variable and registered range
// that kernels may touch, with its shadow.
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

/// Addresses below are of null pointers with an index: nothing of a program lies there.
inline constexpr std::uintptr_t near_null = 1 << 20;

/// How far an index of 32 bits is off that has wrapped.
inline constexpr std::uint64_t wrap = std::uint64_t{1} << 32;

/// Look-ups are lock-free; changes may come from any host thread.
class MemoryMap {
 public:
  /// The region at an address, also a freed one of the device; null: none.
  Region* at(std::uintptr_t address) {
    return in_device_range(address) ? in_device(address) : other(address);
  }
  /// The same where it is in the device's range.
  Region* in_device(std::uintptr_t address) const { return pages_[(address - device_.begin) >> page_shift]; }
  bool in_device_range(std::uintptr_t address) const { return address - device_.begin < device_.bytes; }
  /// Is there memory that host code and kernels share?
  bool has_host_memory() const { return host_memory_.load(std::memory_order_relaxed); }
  /// The regions whose beginnings stand next to an address; null: none. Under `mutex`.
  Region* nearest_below(std::uintptr_t address);
  Region* nearest_above(std::uintptr_t address);
  /// Variables of the device, and memory of both, lie among the host's own: is this so near behind one that
  /// it is meant to be in it?
  bool is_behind_variable(std::uintptr_t address);
  /// The region of whose elements an `int` can't count all, where the address is that of one of them by an index that has
  /// wrapped, 2^32 elements before it; null: none. Takes `mutex`.
  /// @param size of an element
  Region* wrapped_from(std::uintptr_t address, std::size_t size);
  /// The region that began at an address last. Under `mutex`.
  Region* beginning_at(std::uintptr_t address);
  /// Host code has a copy of a variable of the device.
  void add_host_copy(std::uintptr_t begin, std::size_t bytes, const char* variable);
  /// The variable of whose copy this is an address; empty: of none.
  std::string host_copy_at(std::uintptr_t address);
  /// Those that are not freed and those that are, by address. Under `mutex`.
  void each(const std::function<void(Region&)>& visit);

  void add(std::unique_ptr<Region> region);
  void freed(std::uintptr_t begin);
  void heap_given(std::uintptr_t begin, std::size_t bytes);
  void heap_freed(std::uintptr_t begin);
  /// Something outside of kernels wrote here.
  void mark_written(const void* memory, std::size_t bytes);
  /// A kernel runs whose accesses are not told: it may write to all that there is.
  void mark_all_written();
  /// Forgets all accesses.
  void forget();

  std::mutex mutex;

 private:
  static constexpr std::size_t page_shift = 12;
  Region* other(std::uintptr_t address);
  void sort_others();

  AddressRange device_{0, 0};
  Region** pages_ = nullptr;                                  ///< by page of the device's range
  std::atomic<const std::vector<Region*>*> others_{nullptr};  ///< outside the device's range, sorted
  std::atomic<bool> host_memory_{false};
  std::map<std::uintptr_t, std::unique_ptr<Region>> regions_;
  std::vector<std::unique_ptr<Region>> retired_;
  struct HostCopy {
    AddressRange range;
    std::string variable;
  };
  std::vector<HostCopy> host_copies_;
};

}  // namespace cuemu::check
