/// @file
/// Grades several attempts in parallel on this machine. If a single hand-in can't be graded, its grading says
/// so, and the others are still graded.
#pragma once
#include "course/executor.hpp"
#include "grade/grade.hpp"

namespace grader {

struct LocalWork {
  Backend backend = Backend::emu;
  int workers = 1;
  std::string secret;  ///< the class's secret, from which its cases are drawn
};

class LocalExecutor final : public Executor {
 public:
  /// @param begins called for each item when a worker takes it, by one thread at a time
  LocalExecutor(const Kit& kit, const Toolchain& toolchain, const LocalWork& work,
                std::function<void(std::size_t item)> begins = {}, const Machine& machine = this_machine())
      : kit_(kit),
        toolchain_(toolchain),
        backend_(work.backend),
        workers_(work.workers),
        cases_(kit, work.secret),
        begins_(std::move(begins)),
        machine_(machine) {}

  void grade_all(const std::vector<WorkItem>& items, const Done& done) override;

 private:
  /// @return no value if only this item can't be graded; `problem` then has the reason.
  /// @throws Error as grade(), if no item can be graded
  std::optional<Grading> try_one(const WorkItem& item, std::string& problem);

  const Kit& kit_;
  const Toolchain& toolchain_;
  const Backend backend_;
  const int workers_;
  ClassCases cases_;
  const std::function<void(std::size_t)> begins_;
  const Machine& machine_;
};

}  // namespace grader
