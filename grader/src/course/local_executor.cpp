// Each worker takes the next item. If a hand-in can't be graded, the others continue. It is tried once more
// at the end, and then listed as not graded. If the kit's own program can't be graded either, the machine is
// at fault, and all workers stop.
#include "course/local_executor.hpp"

#include <mutex>

#include "base/on_threads.hpp"
#include "grade/soundness.hpp"

namespace grader {

std::optional<Grading> LocalExecutor::try_one(const WorkItem& item, std::string& problem) {
  try {
    const Submission submission = item.whole();
    return grade({kit_, toolchain_, submission, backend_, {}, machine_, &cases_, item.attempt});
  } catch (const std::exception& e) {
    const Submission& submission = item.submission;
    if (machine_.commands.interrupted() || submission.lab == nullptr ||
        !is_sound(kit_, toolchain_, *submission.lab, submission.level, backend_, machine_))
      throw;
    problem = e.what();
    return std::nullopt;
  }
}

void LocalExecutor::grade_all(const std::vector<WorkItem>& items, const Done& done) {
  std::mutex mutex;
  std::vector<std::size_t> again;
  on_threads(items.size(), workers_, [&](std::size_t item) {
    if (begins_) {
      const std::lock_guard<std::mutex> lock(mutex);
      begins_(item);
    }
    std::string problem;
    std::optional<Grading> grading = try_one(items[item], problem);
    const std::lock_guard<std::mutex> lock(mutex);
    if (grading)
      done(item, std::move(*grading));
    else
      again.push_back(item);
  });
  for (const std::size_t item : again) {
    const Submission& submission = items[item].submission;
    std::string problem;
    std::optional<Grading> grading = try_one(items[item], problem);
    done(item, grading ? std::move(*grading)
                       : not_graded(submission, submission.lab->id, backend_, machine_.clocks.utc(),
                                    "It was tried twice: " + problem));
  }
}

}  // namespace grader
