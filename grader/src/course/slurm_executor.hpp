/// @file
/// Grades on the nodes of a cluster: one job array, whose tasks each grade a share with a LocalExecutor
/// (slurm_task.hpp) and write every grading to the spool folder (spool.hpp), from which this side collects
/// it.
///
/// A task may end without all its results, because it failed, was killed, or was pre-empted and not requeued
/// by Slurm. Its items then go to a new array. An attempt that was begun too often counts as not graded. If
/// tasks end before they begin an item, grading on the cluster stops. After a kill this side resumes from the
/// spool: it waits for the tasks that are still in the queue, and submits the items that no task has.
#pragma once
#include "build/toolchain.hpp"
#include "course/executor.hpp"
#include "course/slurm.hpp"

namespace grader {

struct SlurmWork {
  Backend backend = Backend::emu;
  bool unsafe = false;
  std::string course;  ///< the folder of the hand-ins
  int level = 1;
  std::string secret = {};  ///< the class's secret, from which its cases are drawn
};

class SlurmExecutor final : public Executor {
 public:
  using Say = std::function<void(const std::string& sentence)>;

  /// @param emucc the kit's emucc, whose checker's library is built before tasks need it; may be empty
  /// @param say   called with news before the end: jobs, ended tasks, the reason why tasks wait
  SlurmExecutor(const Kit& kit, const Lab& lab, fs::path emucc, SlurmWork work, SlurmSettings settings,
                Say say, const Machine& machine = this_machine());

  void grade_all(const std::vector<WorkItem>& items, const Done& done) override;

 private:
  const Kit& kit_;
  const Lab& lab_;
  const fs::path emucc_;
  const SlurmWork work_;
  const SlurmSettings settings_;
  const Say say_;
  const Machine& machine_;
};

}  // namespace grader
