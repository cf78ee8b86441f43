// Both programs contain this code: the grader writes the arguments, and the keeper reads them.
#include <cstdlib>

#include "process/keeper.hpp"

namespace grader {
namespace {

/// Calls use(number) for each number of a task, in a fixed order.
template <class Task, class Use>
void each_number_of(Task& task, const Use& use) {
  for (auto* number : {&task.input, &task.output, &task.error, &task.report, &task.channel, &task.filter,
                       &task.status, &task.installs_filter, &task.user, &task.file_size, &task.user_processes,
                       &task.open_files, &task.priority, &task.grader})
    use(*number);
}

}  // namespace

std::vector<std::string> arguments_of(const KeeperTask& task) {
  std::string numbers;
  each_number_of(task, [&](std::int64_t number) { numbers += std::to_string(number) + " "; });
  return {numbers, task.cwd, task.group_members};
}

std::optional<KeeperTask> task_of(const char* const* arguments) {
  KeeperTask task;
  const char* at = arguments[0];
  bool complete = true;
  each_number_of(task, [&](std::int64_t& number) {
    char* end = nullptr;
    number = std::strtoll(at, &end, 10);
    complete = complete && end != at;
    at = end;
  });
  if (!complete) return std::nullopt;
  task.cwd = arguments[1];
  task.group_members = arguments[2];
  return task;
}

}  // namespace grader
