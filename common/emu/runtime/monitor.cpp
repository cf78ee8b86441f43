#include "monitor.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "clock.hpp"
#include "observer.hpp"
#include "preempt.hpp"
#include "report.hpp"
#include "services.hpp"
#include "thread_pool.hpp"

namespace cuemu {

namespace {

using namespace std::chrono_literals;

constexpr auto calm_tick = std::chrono::nanoseconds(2ms);
/// The tick that is used while threads probably wait for each other; it shortens their turns.
constexpr auto brisk_tick = std::chrono::nanoseconds(200us);
constexpr int idle_ticks = 50;  ///< ticks without a launch before the monitor sleeps until a launch wakes it

/// Returns the run time granted to a launch. The grader's rule for programs applies
/// (grader/src/process/process_tree.hpp): a kernel is not too slow if other programs keep the processors busy.
std::int64_t time_given(std::int64_t age, std::int64_t cpu) {
  return cpu < age / 8 ? age : std::clamp(cpu, age / 4, age);
}

/// Returns the value of a setting. A value that is not a number is reported and has no effect.
double seconds_of(const char* variable, double otherwise) {
  const char* const wish = setting(variable);
  if (wish == nullptr || *wish == '\0') return otherwise;
  char* end = nullptr;
  const double seconds = std::strtod(wish, &end);
  if (*end == '\0' && seconds >= 0 && std::isfinite(seconds)) return seconds;
  std::fprintf(stderr, "cuemu: %s=%s is not a number of seconds: it has no effect\n", variable, wish);
  return otherwise;
}

class Monitor {
 public:
  static Monitor& get() {
    static Monitor* const monitor = new Monitor;
    return *monitor;
  }

  void watch(Launch& launch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    launches_.push_back(&launch);
    if (!running_) {
      running_ = true;
      std::thread([this] { loop(); }).detach();
    } else if (asleep_) {
      changed_.notify_one();
    }
  }
  void unwatch(Launch& launch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    launches_.erase(std::find(launches_.begin(), launches_.end(), &launch));
  }

 private:
  Monitor() {
    limit_ns_ = static_cast<std::int64_t>(seconds_of("CUEMU_TIMEOUT", 0) * 1e9);
    patience_s_ = seconds_of("CUEMU_PATIENCE", patience_s_);
  }

  void loop() {
    std::unique_lock<std::mutex> lock(mutex_);
    int idle = 0;
    for (;;) {
      const bool brisk = std::any_of(launches_.begin(), launches_.end(), [](const Launch* launch) {
        return launch->spins.load(std::memory_order_relaxed);
      });
      idle = launches_.empty() ? idle + 1 : 0;
      if (idle > idle_ticks) {
        asleep_ = true;
        changed_.wait(lock, [&] { return !launches_.empty(); });
        asleep_ = false;
      }
      const auto tick = brisk ? brisk_tick : calm_tick;
      lock.unlock();
      std::this_thread::sleep_for(tick);
      lock.lock();
      look(tick.count());
    }
  }

  void look(std::int64_t tick_ns) {
    const std::int64_t now = now_ns();
    bool old = false;
    for (Launch* const launch : launches_) {
      const std::int64_t age = now - launch->started_ns;
      if (launch->cpu_when_seen_ns < 0) launch->cpu_when_seen_ns = cpu_ns();
      old = old || age > tick_ns;
      if (!launch->hinted) watch_patience(*launch, 1e-9 * static_cast<double>(age));
      // The workers report the stop, since they know their threads' positions.
      if (limit_ns_ > 0 && age >= limit_ns_) {
        const std::int64_t given = time_given(age, cpu_ns() - launch->cpu_when_seen_ns);
        if (given >= limit_ns_) launch->stop(cudaErrorLaunchTimeout);
      }
      // Repeated at each tick, since a thread in the emulation's code ignores the signal.
      if (launch->stopped()) stop_others(*launch);
    }
    if (old && preempt_signal() != 0) interrupt_long_turns(now - tick_ns);
  }

  void watch_patience(Launch& launch, double age_s) const {
    if (age_s <= patience_s_ / 2) launch.begun_at_half = launch.next_block.load(std::memory_order_relaxed);
    if (age_s <= patience_s_) return;
    launch.hinted = true;
    report_long_run(launch);
  }

  /// Without this report, a parent that waits for its children would hang silently. A thread that polls a plain
  /// variable would hang under a tool, because threads are then not preempted and the writer never runs. As long as new
  /// blocks begin, other blocks have ended, so the kernel is slow but not stuck.
  void report_long_run(const Launch& launch) const {
    const std::string children = about_children(launch.waiting_children());
    if (children.empty() && !(is_observed() && limit_ns_ == 0)) return;
    const std::uint64_t begun =
        std::min<std::uint64_t>(launch.next_block.load(std::memory_order_relaxed), launch.block_count);
    std::string causes = children;
    if (begun > launch.begun_at_half) {
      causes += "  its blocks come to their ends: " + std::to_string(begun) + " of " +
                std::to_string(launch.block_count) + " have begun, and it will be over when all have run\n";
    } else if (children.empty()) {
      causes +=
          "  a loop that waits for another thread may go on forever here where it reads plainly what that "
          "writes:\n"
          "  let it read through volatile, or by an atomic function\n";
    }
    std::fprintf(stderr,
                 "cuemu: kernel %s has been running for %g seconds\n%s"
                 "  CUEMU_TIMEOUT=seconds stops it, and says which line each thread has reached\n",
                 launch.kernel->info.name, patience_s_, causes.c_str());
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Launch*> launches_;
  std::int64_t limit_ns_ = 0;
  double patience_s_ =
      10;  ///< age of the hint on a launch that may wait forever: it has children, or runs under a tool
  bool running_ = false;
  bool asleep_ = false;
};

}  // namespace

void watch_launch(Launch& launch) {
  Monitor::get().watch(launch);
}
void unwatch_launch(Launch& launch) {
  Monitor::get().unwatch(launch);
}

}  // namespace cuemu
