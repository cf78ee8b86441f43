// Each worker takes the next item; the first failure stops them all, and is thrown when the last has ended.
#include "course/local_executor.hpp"

#include <mutex>

#include "base/on_threads.hpp"

namespace grader {

void LocalExecutor::grade_all(const std::vector<WorkItem>& items, const Done& done) {
  std::mutex mutex;
  on_threads(items.size(), workers_, [&](std::size_t item) {
    if (begins_) {
      const std::lock_guard<std::mutex> lock(mutex);
      begins_(item);
    }
    const Submission submission = items[item].whole();
    Grading grading =
        grade({kit_, toolchain_, submission, backend_, {}, machine_, &cases_, items[item].attempt});
    const std::lock_guard<std::mutex> lock(mutex);
    done(item, std::move(grading));
  });
}

}  // namespace grader
