#include "heap.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "limits.hpp"
#include "memory.hpp"
#include "observer.hpp"
#include "own_heap.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

constexpr std::size_t unit = 16;

/// A first-fit allocator with a list of free pieces in the order of addresses. Each block ends with a mark.
/// By the mark, free() detects that a kernel has written past the block's end, as on a GPU. In a program with
/// a tool, freed pieces are reused as late as possible, so that the tool can detect invalid accesses.
class Heap {
 public:
  static Heap& get() {
    static auto* const heap = new Heap;
    return *heap;
  }

  void* take(std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (base_.load() == 0 && !start()) return nullptr;
    const std::size_t needed = (bytes + unit - 1) / unit * unit;
    if (needed > capacity_ - in_use_) return nullptr;
    void* memory = first_fit(needed);
    if (memory == nullptr && !put_by_.empty()) {
      for (const auto& [at, size] : put_by_) make_free(at, size);
      put_by_.clear();
      memory = first_fit(needed);
    }
    if (memory != nullptr) in_use_ += needed;
    return memory;
  }

  enum class Given { back, unknown, overrun };
  Given give(void* memory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = taken_.find(reinterpret_cast<std::uintptr_t>(memory));
    if (found == taken_.end()) return Given::unknown;
    const auto [at, bytes] = *found;
    // The host can't read the mark.
    if (in_kernel() && std::memcmp(reinterpret_cast<const void*>(at + bytes), end_mark, unit) != 0)
      return Given::overrun;
    taken_.erase(found);
    in_use_ -= bytes;
    if (is_observed())
      put_by_.emplace_back(at, bytes + unit);
    else
      make_free(at, bytes + unit);
    return Given::back;
  }

  bool contains(const void* memory) const {
    const std::uintptr_t base = base_.load(std::memory_order_acquire);
    return base != 0 && reinterpret_cast<std::uintptr_t>(memory) - base < room_;
  }
  bool started() const { return base_.load() != 0; }
  std::size_t capacity() const { return capacity_; }

  void forget() {
    const std::lock_guard<std::mutex> lock(mutex_);
    base_.store(0);
    in_use_ = 0;
    free_.clear();
    taken_.clear();
    put_by_.clear();
  }

 private:
  static constexpr char end_mark[unit] = {'e', 'n', 'd', ' ', 'o', 'f', ' ',    'a',
                                          ' ', 'b', 'l', 'o', 'c', 'k', '\xa5', '\x5a'};

  void* first_fit(std::size_t needed) {
    for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
      const auto [at, bytes] = *piece;
      if (bytes < needed + unit) continue;
      free_.erase(piece);
      if (bytes > needed + unit) free_[at + needed + unit] = bytes - needed - unit;
      taken_[at] = needed;
      std::memcpy(reinterpret_cast<void*>(at + needed), end_mark, unit);
      return reinterpret_cast<void*>(at);
    }
    return nullptr;
  }

  void make_free(std::uintptr_t at, std::size_t bytes) {
    auto after = free_.lower_bound(at);
    if (after != free_.end() && at + bytes == after->first) {
      bytes += after->second;
      after = free_.erase(after);
    }
    if (after != free_.begin()) {
      const auto before = std::prev(after);
      if (before->first + before->second == at) {
        before->second += bytes;
        return;
      }
    }
    free_[at] = bytes;
  }

  bool start() {
    void* memory = nullptr;
    capacity_ = heap_limit() / unit * unit;
    room_ = 2 * capacity_;  // room for the marks of the smallest blocks
    if (room_ == 0 || allocate(MemoryKind::device, room_, 0, &memory) != cudaSuccess) return false;
    const auto base = reinterpret_cast<std::uintptr_t>(memory);
    free_[base] = room_;
    base_.store(base, std::memory_order_release);
    return true;
  }

  std::mutex mutex_;
  std::atomic<std::uintptr_t> base_{0};
  std::size_t capacity_ = 0;  ///< bytes available to kernels
  std::size_t room_ = 0;      ///< the bytes of the allocation, including the marks
  std::size_t in_use_ = 0;
  std::map<std::uintptr_t, std::size_t> free_;
  std::map<std::uintptr_t, std::size_t> taken_;
  std::vector<std::pair<std::uintptr_t, std::size_t>> put_by_;  ///< freed pieces that are not reused yet
};

}  // namespace

bool heap_in_use() {
  return Heap::get().started();
}
bool in_heap(const void* memory) {
  return Heap::get().contains(memory);
}
void forget_heap() {
  Heap::get().forget();
}

void* device_malloc(std::size_t bytes) {
  if (!in_kernel()) return std::malloc(bytes);
  if (bytes == 0) return nullptr;
  const RuntimeSection section;
  void* const memory = Heap::get().take(bytes);
  if (memory != nullptr)
    notify(&Observer::heap_given, memory, bytes);
  else
    notify(&Observer::heap_refused, bytes, Heap::get().capacity());
  return memory;
}

void device_free(void* memory) {
  if (memory == nullptr) return;
  if (!in_heap(memory)) {
    if (in_kernel()) {
      {
        const RuntimeSection section;
        notify(&Observer::heap_free_refused, memory);
      }
      stop_kernel(cudaErrorLaunchFailure, "free() or delete of memory that no kernel allocated");
    }
    std::free(memory);
    return;
  }
  const char* problem = nullptr;
  cudaError_t error = cudaErrorLaunchFailure;
  {
    const RuntimeSection section;
    switch (Heap::get().give(memory)) {
      case Heap::Given::back:
        notify(&Observer::heap_freed, memory);
        break;
      case Heap::Given::unknown:
        notify(&Observer::heap_free_refused, memory);
        problem = "free() or delete of memory that is free already, or of its middle";
        break;
      case Heap::Given::overrun:
        error = cudaErrorIllegalAddress;
        problem =
            "free() or delete of a block that a kernel has written past: is the index below the count, and "
            "does malloc() get bytes, count * sizeof(type)?";
        break;
    }
  }
  if (problem == nullptr) return;
  if (in_kernel()) stop_kernel(error, problem);
  std::abort();
}

}  // namespace cuemu

// `new` and `delete` of the whole program use the device's heap in kernels, and the C library's heap elsewhere. They
// are weak, so that a program may replace them.
#define CUEMU_WEAK __attribute__((weak))

namespace {
void* allocate_or_throw(std::size_t bytes) {
  if (cuemu::in_kernels_code()) return cuemu::device_malloc(bytes > 0 ? bytes : 1);
  const cuemu::RuntimeSection section;  // a stopped thread must not keep the C library's lock
  for (;;) {
    if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void* allocate_or_null(std::size_t bytes) {
  if (cuemu::in_kernels_code()) return cuemu::device_malloc(bytes > 0 ? bytes : 1);
  const cuemu::RuntimeSection section;
  return std::malloc(bytes > 0 ? bytes : 1);
}
}  // namespace

extern "C" void cuemu_give_back(void* memory) noexcept {
  if (cuemu::give_back_own(memory)) return;
  if (cuemu::in_heap(memory)) return cuemu::device_free(memory);
  const cuemu::RuntimeSection section;
  std::free(memory);
}

CUEMU_WEAK void* operator new(std::size_t bytes) {
  return allocate_or_throw(bytes);
}
CUEMU_WEAK void* operator new[](std::size_t bytes) {
  return allocate_or_throw(bytes);
}
CUEMU_WEAK void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_or_null(bytes);
}
CUEMU_WEAK void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_or_null(bytes);
}
CUEMU_WEAK __attribute__((alias("cuemu_give_back"))) void operator delete(void* memory) noexcept;
CUEMU_WEAK void operator delete[](void* memory) noexcept {
  cuemu_give_back(memory);
}
CUEMU_WEAK void operator delete(void* memory, std::size_t) noexcept {
  cuemu_give_back(memory);
}
CUEMU_WEAK void operator delete[](void* memory, std::size_t) noexcept {
  cuemu_give_back(memory);
}
