// Each worker takes the next item; the first failure stops them all, and is thrown when the last has ended.
#include "course/local_executor.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace grader {

void LocalExecutor::grade_all(const std::vector<WorkItem>& items, const Done& done) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto grade_one = [&](std::size_t item) {
    if (begins_) {
      const std::lock_guard<std::mutex> lock(mutex);
      begins_(item);
    }
    const Submission submission = items[item].whole();
    Grading grading =
        grade({kit_, toolchain_, submission, backend_, {}, machine_, &cases_, items[item].attempt});
    const std::lock_guard<std::mutex> lock(mutex);
    done(item, std::move(grading));
  };
  const auto work = [&] {
    while (!stopped) {
      const std::size_t mine = next++;
      if (mine >= items.size()) return;
      try {
        grade_one(mine);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failure) failure = std::current_exception();
        stopped = true;
      }
    }
  };
  std::vector<std::thread> threads;
  const std::size_t count = std::min(static_cast<std::size_t>(std::max(1, workers_)), items.size());
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace grader
