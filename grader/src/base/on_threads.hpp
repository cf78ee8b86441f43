/// @file
/// Runs a list of tasks in parallel.
#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace grader {

/// Calls work(i) for each i below `count`. Calls start in this order, and at most `at_once` run in parallel.
/// The calling thread makes some of them. After the first exception no more calls start, and the exception is
/// rethrown when the last running call has ended.
template <class Work>
void on_threads(std::size_t count, int at_once, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        next = count;
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  const std::size_t threads = std::min(static_cast<std::size_t>(std::max(1, at_once)), count);
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(take);
  take();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace grader
