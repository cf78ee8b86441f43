#include "crew.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "clock.hpp"
#include "faults.hpp"
#include "memory.hpp"
#include "report.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

/// Helpers wait for launches that have more blocks than their leader can run alone.
class Crew {
 public:
  static Crew& get() {
    static Crew* const crew = new Crew;  // never destroyed: helpers may outlive static destructors
    return *crew;
  }

  void lead(Launch& launch) {
    const unsigned others =
        static_cast<unsigned>(std::min<std::uint64_t>(worker_threads() - 1, launch.block_count - 1));
    if (others > 0) {
      const std::lock_guard<std::mutex> lock(mutex_);
      while (helpers_ < others) {
        ++helpers_;
        std::thread([this] { help(); }).detach();
      }
      offered_.push_back(&launch);
    }
    for (unsigned i = 0; i < others; ++i) work_.notify_one();
    run(launch);
    if (others == 0) return;
    std::unique_lock<std::mutex> lock(mutex_);
    offered_.erase(std::find(offered_.begin(), offered_.end(), &launch));
    done_.wait(lock, [&] { return launch.helpers == 0; });
  }

  void stop_others(const Launch& launch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Active& active : active_)
      if (active.launch == &launch && pthread_equal(active.thread, pthread_self()) == 0)
        pthread_kill(active.thread, stop_signal());
  }

 private:
  struct Active {
    const Launch* launch;
    pthread_t thread;
  };

  void run(Launch& launch) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      active_.push_back({&launch, pthread_self()});
    }
    prepare_thread_for_faults();
    {
      const DeviceAccess access;
      Worker::of_this_thread().work(launch);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    active_.erase(std::find_if(active_.begin(), active_.end(), [&](const Active& active) {
      return active.launch == &launch && pthread_equal(active.thread, pthread_self()) != 0;
    }));
  }

  void help() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      Launch* launch = nullptr;
      work_.wait(lock, [&] {
        for (Launch* const offer : offered_)
          if (offer->next_block.load(std::memory_order_relaxed) < offer->block_count) launch = offer;
        return launch != nullptr;
      });
      ++launch->helpers;
      lock.unlock();
      run(*launch);
      lock.lock();
      if (--launch->helpers == 0) done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  std::vector<Launch*> offered_;
  std::vector<Active> active_;
  unsigned helpers_ = 0;
};

/// Watches launches for CUEMU_TIMEOUT.
class Watchdog {
 public:
  static Watchdog& get() {
    static Watchdog* const watchdog = new Watchdog;
    return *watchdog;
  }
  bool on() const { return seconds_ > 0; }

  void watch(Launch& launch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!running_) {
      running_ = true;
      std::thread([this] { loop(); }).detach();
    }
    launches_.push_back(&launch);
    changed_.notify_all();
  }
  void unwatch(Launch& launch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    launches_.erase(std::find(launches_.begin(), launches_.end(), &launch));
  }

 private:
  Watchdog() {
    const char* const wish = std::getenv("CUEMU_TIMEOUT");
    if (wish != nullptr) seconds_ = std::atof(wish);
  }

  void loop() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      if (launches_.empty())
        changed_.wait(lock);
      else
        changed_.wait_for(lock, std::chrono::milliseconds(20));
      const std::int64_t limit = static_cast<std::int64_t>(seconds_ * 1e9);
      for (Launch* const launch : launches_) {
        if (now_ns() - launch->started_ns < limit) continue;
        launch->stop(
            cudaErrorLaunchTimeout);  // the workers report, since they know where their threads stand
        Crew::get().stop_others(*launch);
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Launch*> launches_;
  double seconds_ = 0;
  bool running_ = false;
};

}  // namespace

unsigned worker_threads() {
  static const unsigned threads = [] {
    const char* const wish = std::getenv("CUEMU_THREADS");
    const long wanted = wish != nullptr ? std::atol(wish) : 0;
    if (wanted >= 1 && wanted <= 4096) return static_cast<unsigned>(wanted);
    cpu_set_t set;
    CPU_ZERO(&set);
    const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return static_cast<unsigned>(std::max(cores, 1));
  }();
  return threads;
}

int stop_signal() {
  return SIGRTMIN + 7;
}

void stop_others(const Launch& launch) {
  Crew::get().stop_others(launch);
}

void watch_launch(Launch& launch) {
  if (Watchdog::get().on()) Watchdog::get().watch(launch);
}
void unwatch_launch(Launch& launch) {
  if (Watchdog::get().on()) Watchdog::get().unwatch(launch);
}

int run_launch(Launch& launch) {
  launch.started_ns = now_ns();
  launch.chunk =
      std::clamp<std::uint64_t>(launch.block_count / (std::uint64_t{worker_threads()} * 16), 1, 64);
  if (launch.cooperative) launch.chunk = 1;
  watch_launch(launch);
  Crew::get().lead(launch);
  unwatch_launch(launch);
  return launch.error.load();
}

}  // namespace cuemu
