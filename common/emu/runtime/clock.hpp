// The clocks of the emulation. These functions make the system call themselves, because a program can redefine
// functions of the C library. It can also overwrite the page (vDSO) from which the library reads clocks without a
// system call.
#pragma once

#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

namespace cuemu {

inline std::int64_t read_clock_ns(clockid_t clock) {
  timespec now{};
#if defined(__x86_64__)
  long number = SYS_clock_gettime;
  asm volatile("syscall" : "+a"(number) : "D"(static_cast<long>(clock)), "S"(&now) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long number asm("x8") = SYS_clock_gettime;
  register long first asm("x0") = clock;
  register timespec* second asm("x1") = &now;
  asm volatile("svc 0" : "+r"(first) : "r"(number), "r"(second) : "memory");
#else
  clock_gettime(clock, &now);
#endif
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

/// Nanoseconds of a steady clock.
inline std::int64_t now_ns() {
  return read_clock_ns(CLOCK_MONOTONIC);
}

/// Processor time of all threads of this process, in nanoseconds.
inline std::int64_t cpu_ns() {
  return read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace cuemu
