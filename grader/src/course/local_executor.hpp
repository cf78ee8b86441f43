/// @file
/// Grades on this machine, several at once.
#pragma once
#include "course/executor.hpp"
#include "grade/grade.hpp"

namespace grader {

class LocalExecutor final : public Executor {
 public:
  /// @param begins told of each item when a worker takes it, by one thread at a time
  LocalExecutor(const Kit& kit, const Toolchain& toolchain, Backend backend, int workers,
                std::function<void(std::size_t item)> begins = {})
      : kit_(kit), toolchain_(toolchain), backend_(backend), workers_(workers), begins_(std::move(begins)) {}

  void grade_all(const std::vector<WorkItem>& items, const Done& done) override;

 private:
  const Kit& kit_;
  const Toolchain& toolchain_;
  const Backend backend_;
  const int workers_;
  const std::function<void(std::size_t)> begins_;
};

}  // namespace grader
