/// @file
/// Grades on the nodes of a cluster: one job array, whose tasks each grade a share with a LocalExecutor
/// (slurm_task.hpp) and write every grading to the spool folder (spool.hpp), where this side collects it.
///
/// A task that ended without its results, because it failed, was killed, or was pre-empted and not requeued by Slurm,
/// returns its items to a new array. An attempt that was begun too often is given up; so is a cluster whose tasks end
/// before they begin an item. After a kill this side resumes from the spool: it waits for the tasks that are still in
/// the queue, and submits items that no task has.
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
  std::string secret = {};  ///< of the class; its cases are drawn from it
};

class SlurmExecutor final : public Executor {
 public:
  using Say = std::function<void(const std::string& sentence)>;

  /// @param emucc the kit's; its checker's library is built before tasks need it; may be empty
  /// @param say   receives news before the end: jobs, ended tasks, why the queue waits
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
