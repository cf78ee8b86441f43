// The one clock of the emulation.
#pragma once

#include <chrono>
#include <cstdint>

namespace cuemu {

/// Nanoseconds of a steady clock.
inline std::int64_t now_ns() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace cuemu
