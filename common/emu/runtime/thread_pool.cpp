#include "thread_pool.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "clock.hpp"
#include "device.hpp"
#include "faults.hpp"
#include "memory.hpp"
#include "monitor.hpp"
#include "observer.hpp"
#include "preempt.hpp"
#include "protection.hpp"
#include "report.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

/// Helper threads. They wait for launches with more blocks than the leader can run alone.
class ThreadPool {
 public:
  static ThreadPool& get() {
    static ThreadPool* const pool =
        new ThreadPool;  // never destroyed: helpers may outlive static destructors
    return *pool;
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

  void interrupt(std::int64_t since_ns) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Active& active : active_)
      if (active.started_ns < since_ns && !active.worker->tick_sent.exchange(true))
        pthread_kill(active.thread, preempt_signal());
  }

 private:
  struct Active {
    const Launch* launch;
    Worker* worker;
    pthread_t thread;
    std::int64_t started_ns;
  };

  void run(Launch& launch) {
    Worker& worker = Worker::of_this_thread();
    prepare_thread_for_faults();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      active_.push_back({&launch, &worker, pthread_self(), now_ns()});
    }
    {
      const DeviceAccess access;
      set_current_device(launch.device);
      worker.work(launch);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    active_.erase(std::find_if(active_.begin(), active_.end(), [&](const Active& active) {
      return active.launch == &launch && pthread_equal(active.thread, pthread_self()) != 0;
    }));
  }

  void help() {
    close_device_memory_later();
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

}  // namespace

unsigned worker_threads() {
  static const unsigned threads = [] {
    if (is_observed()) return 1u;  // an observed program's results must not depend on timing
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
  ThreadPool::get().stop_others(launch);
}

void interrupt_long_turns(std::int64_t since_ns) {
  ThreadPool::get().interrupt(since_ns);
}

int run_launch(Launch& launch) {
  launch.started_ns = now_ns();
  launch.chunk =
      std::clamp<std::uint64_t>(launch.block_count / (std::uint64_t{worker_threads()} * 16), 1, 64);
  if (launch.cooperative) launch.chunk = 1;
  launch.chunk = (launch.chunk + launch.cluster_blocks - 1) / launch.cluster_blocks * launch.cluster_blocks;
  watch_launch(launch);
  notify(&Observer::launch_begins, launch);
  ThreadPool::get().lead(launch);
  notify(&Observer::launch_ends, launch);
  unwatch_launch(launch);
  return launch.error.load();
}

}  // namespace cuemu
