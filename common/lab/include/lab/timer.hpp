/// @file
/// A stopwatch for the host, and a function that prints a time in a form for people and the grader.
///
/// A kernel launch and many copies return to the host before the device has finished: synchronise before stop(), or use
/// lab::GpuTimer (gpu_timer.hpp), with which the device records the times. Host code only.
#pragma once
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "exit.hpp"

namespace lab {

/// A stopwatch that can be started and stopped several times and adds up the times. It reads the host's steady clock.
class Timer {
 public:
  void start() { started_ = Clock::now(); }
  /// @pre start() was called
  void stop() { total_ += Clock::now() - started_; }
  void reset() { total_ = {}; }

  /// Returns the sum of the times between starts and stops so far, in milliseconds.
  double ms() const { return std::chrono::duration<double, std::milli>(total_).count(); }
  /// Returns the sum of the times in seconds.
  double seconds() const { return ms() * 1e-3; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point started_ = Clock::now();
  Clock::duration total_ = {};
};

/// A function of the emulation, which exists only in programs linked with the emulation. The emulation then owns the
/// channel to the grader.
extern "C" __attribute__((weak)) void cuemu_record_time(const char* name, double ms);

/// Stores a time in the profile as a timer of this name, if a profile is being written ($LAB_PROFILE).
LAB_COLD void record_time(const std::string& name, double ms);

/// Prints `LABEL: 1.234567 (ms)`.
/// @param label    name of the timed work; printed unchanged
/// @param measure  "h2d", "d2h" or "kernel": the time's place in a table. The time is stored in the profile if one is
///                 being written ($LAB_PROFILE), for machines without the device's own times; empty: not stored
LAB_COLD void print_time(const std::string& label, double ms, const std::string& measure = "");

}  // namespace lab

#ifndef LAB_LIBRARY
#include "impl/timer.hpp"
#endif
