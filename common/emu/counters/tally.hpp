// The counts of a kernel, a launch or a source line.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>

#include "counter_names.hpp"

namespace cuemu::counters {

/// One enumerator for each name in counter_names.hpp.
enum class Counter : unsigned {
#define CUEMU_COUNTER(name) name,
  CUEMU_COUNTERS(CUEMU_COUNTER)
#undef CUEMU_COUNTER
};
inline constexpr unsigned counter_count = std::size(counter_names);

/// Returns the counter's name in JSON: "shared_load_conflicts".
const char* name_of(Counter counter);

struct Tally {
  std::array<std::uint64_t, counter_count> values{};

  std::uint64_t& operator[](Counter counter) { return values[static_cast<unsigned>(counter)]; }
  std::uint64_t operator[](Counter counter) const { return values[static_cast<unsigned>(counter)]; }
  Tally& operator+=(const Tally& other) {
    for (unsigned i = 0; i < counter_count; ++i) values[i] += other.values[i];
    return *this;
  }
  bool empty() const { return *this == Tally{}; }
  bool operator==(const Tally& other) const { return values == other.values; }

  std::uint64_t conflicts() const {
    return (*this)[Counter::shared_load_conflicts] + (*this)[Counter::shared_store_conflicts];
  }
  std::uint64_t sectors() const {
    return (*this)[Counter::global_load_sectors] + (*this)[Counter::global_store_sectors];
  }
  std::uint64_t global_requests() const {
    return (*this)[Counter::global_loads] + (*this)[Counter::global_stores];
  }
};

}  // namespace cuemu::counters
