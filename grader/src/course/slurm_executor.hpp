/// @file
/// Grades on the nodes of a cluster: one job array, whose tasks each grade a share with a LocalExecutor of their own
/// (slurm_task.hpp) and leave every grading in the spool folder (spool.hpp), where this side collects it.
///
/// A task that ended without its results, because it failed, was killed, or was pre-empted and not started again by Slurm,
/// gives them back: they go into a new array. An attempt that was begun too often is given up, and so is a cluster whose tasks
/// end before they begin any. Killed at any moment and started again, this side goes on with what stands in the spool: it
/// waits for the tasks that are still in the queue, and submits what no task has.
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
  std::string secret = {};  ///< of the class, from which its cases are drawn
};

class SlurmExecutor final : public Executor {
 public:
  using Say = std::function<void(const std::string& sentence)>;

  /// @param emucc the kit's, of which the checker's library is seen to before tasks need it; may be empty
  /// @param say   told what is worth knowing before the end: jobs, tasks that ended, what the queue waits for
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
