// The clocks of the emulation.
#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>

namespace cuemu {

/// Nanoseconds of a steady clock.
inline std::int64_t now_ns() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

/// Processor time of all threads of this process, in nanoseconds.
inline std::int64_t cpu_ns() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * std::int64_t{1'000'000'000} + used.tv_nsec;
}

}  // namespace cuemu
