// Local arrays of a checked program that are passed on as pointers. Each array lies between unused zones, so that the
// checker detects accesses before its beginning or after its end. With --check, emucc declares such arrays as follows:
//     float a[8] = {};    ->    GuardedArray<float[8]> cuemu_array_1{{}, {}, {}}; cuemu_array_1.before.is_of("a");
//                               auto& a = cuemu_array_1.array();
#pragma once

#include <cstddef>
#include <cstdint>

// Functions that write the zones, whose accesses are not reported to the checker.
#define CUEMU_UNWATCHED __attribute__((noinline, no_sanitize("thread")))

namespace cuemu {

/// True if the program has guarded arrays.
inline bool has_guarded_arrays = false;

/// A cache line of the stack that belongs to no variable. Its content depends on its address, which identifies a zone.
struct alignas(64) ArrayZone {
  static constexpr std::uintptr_t sign = 0x5ca1ab1e0ddba11;
  static constexpr std::size_t size = 64;

  std::uintptr_t mark;
  std::uintptr_t begin = 0;  ///< of the array,
  std::size_t bytes = 0;     ///< and its size
  const char* const* name = nullptr;
  const char* own_name = nullptr;

  bool is_one() const { return mark == (sign ^ reinterpret_cast<std::uintptr_t>(this)); }

 protected:
  CUEMU_UNWATCHED ArrayZone() : mark(sign ^ reinterpret_cast<std::uintptr_t>(this)) {
    has_guarded_arrays = true;
    __asm__ volatile(""
                     :
                     : "r"(this)
                     : "memory");  // the compiler must not assume anything about the array's memory
  }
  CUEMU_UNWATCHED ~ArrayZone() {
    mark = 0;
    __asm__ volatile("" : : "r"(this) : "memory");
  }
};

/// The zone before an array.
template <std::size_t array_bytes>
struct ZoneBefore : ArrayZone {
  CUEMU_UNWATCHED ZoneBefore() {
    begin = reinterpret_cast<std::uintptr_t>(this) + size;
    bytes = array_bytes;
    name = &own_name;
  }
  CUEMU_UNWATCHED void is_of(const char* array) { own_name = array; }
};

/// The `number`th zone after an array.
template <std::size_t array_bytes, std::size_t number>
struct ZoneBehind : ArrayZone {
  CUEMU_UNWATCHED ZoneBehind() {
    constexpr std::size_t lines = (array_bytes + size - 1) / size;
    begin = reinterpret_cast<std::uintptr_t>(this) - (lines + number) * size;
    bytes = array_bytes;
    name = &reinterpret_cast<const ArrayZone*>(begin - size)->own_name;
  }
};

template <class Array>
struct GuardedArray {
  ZoneBefore<sizeof(Array)> before;
  Array value;
  ZoneBehind<sizeof(Array), 0> behind;
  ZoneBehind<sizeof(Array), 1> further;

  /// Returns an address of unknown origin, since the compiler doesn't instrument accesses to variables that it knows.
  __attribute__((always_inline)) Array& array() {
    Array* here = &value;
    __asm__ volatile("" : "+r"(here) : : "memory");
    return *here;
  }
};

/// Finds the zone that an access of `bytes` bytes on a thread's stack touches. If the access touches the unused rest of
/// an array's last line, this is the zone after the array. Null: neither.
inline const ArrayZone* zone_at(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t last = address + bytes - 1;
  const auto* const zone = reinterpret_cast<const ArrayZone*>(last / ArrayZone::size * ArrayZone::size);
  if (zone->is_one()) return zone;
  if ((zone + 1)->is_one() && last >= (zone + 1)->begin + (zone + 1)->bytes && last >= (zone + 1)->begin)
    return zone + 1;
  return nullptr;
}

}  // namespace cuemu

#undef CUEMU_UNWATCHED
