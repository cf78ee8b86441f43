#include "memory_advice.hpp"

#include <iterator>
#include <map>
#include <mutex>

namespace cuemu {

namespace {

bool same(const cudaMemLocation& a, const cudaMemLocation& b) {
  return a.type == b.type && a.id == b.id;
}

/// Advice on pages. Each entry applies from its address to the next entry.
class Advices {
 public:
  static Advices& get() {
    static auto* const advices = new Advices;  // never destroyed: static destructors may free managed memory
    return *advices;
  }

  template <class Change>
  void change(std::uintptr_t begin, std::size_t bytes, const Change& change) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto last = split(end_of(begin, bytes));
    for (auto at = split(begin / page * page); at != last; ++at) change(at->second);
  }

  MemoryAdvice common(std::uintptr_t begin, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::uintptr_t end = end_of(begin, bytes);
    auto at = std::prev(runs_.upper_bound(begin / page * page));
    MemoryAdvice all = at->second;
    for (++at; at != runs_.end() && at->first < end; ++at) {
      const MemoryAdvice& one = at->second;
      all.read_mostly = all.read_mostly && one.read_mostly;
      if (!same(all.preferred, one.preferred)) all.preferred = MemoryAdvice::nowhere;
      if (!same(all.prefetched, one.prefetched)) all.prefetched = MemoryAdvice::nowhere;
      all.accessed_by &= one.accessed_by;
      all.accessed_by_host = all.accessed_by_host && one.accessed_by_host;
    }
    return all;
  }

 private:
  using Runs = std::map<std::uintptr_t, MemoryAdvice>;
  static constexpr std::uintptr_t page = 4096;
  static std::uintptr_t end_of(std::uintptr_t begin, std::size_t bytes) {
    return (begin + bytes + page - 1) / page * page;
  }
  /// Makes a run begin at `address`.
  Runs::iterator split(std::uintptr_t address) {
    const auto before = std::prev(runs_.upper_bound(address));
    return runs_.emplace(address, before->second).first;
  }

  std::mutex mutex_;
  Runs runs_ = {{0, MemoryAdvice{}}};  ///< always has an entry at 0
};

void set_accessed(MemoryAdvice& known, cudaMemLocation by, bool on) {
  if (by.type == cudaMemLocationTypeDevice && by.id >= 0 && by.id < 32) {
    const std::uint32_t bit = std::uint32_t{1} << by.id;
    known.accessed_by = on ? known.accessed_by | bit : known.accessed_by & ~bit;
  } else {
    known.accessed_by_host = on;
  }
}

}  // namespace

cudaError_t advise(std::uintptr_t begin, std::size_t bytes, cudaMemoryAdvise advice,
                   cudaMemLocation location) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
    return cudaErrorInvalidValue;
  Advices::get().change(begin, bytes, [&](MemoryAdvice& known) {
    switch (advice) {
      case cudaMemAdviseSetReadMostly:
      case cudaMemAdviseUnsetReadMostly:
        known.read_mostly = advice == cudaMemAdviseSetReadMostly;
        break;
      case cudaMemAdviseSetPreferredLocation:
        known.preferred = location;
        break;
      case cudaMemAdviseUnsetPreferredLocation:
        known.preferred = MemoryAdvice::nowhere;
        break;
      case cudaMemAdviseSetAccessedBy:
      case cudaMemAdviseUnsetAccessedBy:
        set_accessed(known, location, advice == cudaMemAdviseSetAccessedBy);
        break;
    }
  });
  return cudaSuccess;
}

void note_prefetch(std::uintptr_t begin, std::size_t bytes, cudaMemLocation to) {
  Advices::get().change(begin, bytes, [&](MemoryAdvice& known) { known.prefetched = to; });
}

MemoryAdvice advice_on(std::uintptr_t begin, std::size_t bytes) {
  return Advices::get().common(begin, bytes);
}

void forget_advice(std::uintptr_t begin, std::size_t bytes) {
  Advices::get().change(begin, bytes, [](MemoryAdvice& known) { known = {}; });
}

}  // namespace cuemu
