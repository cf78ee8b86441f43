/// @file
/// Slurm's commands: submits an array of tasks, reads their states, and cancels them.
///
/// The code reads only the queue (squeue), so the cluster needs no accounting. A finished job remains in the
/// queue for some minutes (MinJobAge). A job that is not in the queue has ended.
#pragma once
#include <map>
#include <optional>
#include <utility>

#include "process/machine.hpp"

namespace grader {

/// The class file's settings for the cluster, `[slurm]`. If a value is empty, the cluster's default applies.
struct SlurmSettings {
  std::string partition, gres, time, memory, account, qos;
  std::vector<std::string> options;  ///< other options of sbatch, passed unchanged
  int cpus = 1;                      ///< processors of each task, which grades as many attempts in parallel
  int tasks = 64;                    ///< most tasks of an array
  int at_once = 0;                   ///< most tasks of an array that run at once; 0: all
  int tries = 3;                     ///< times that an attempt is started before it counts as not graded
  double poll_s = 10;                ///< seconds between two reads of the queue
  std::string setup;                 ///< a shell line that runs before the grader, to load modules
  fs::path grader;                   ///< the program that tasks run; empty: this program
  fs::path shared;                   ///< an exchange folder that all nodes see; empty: the grader's state
  fs::path scratch;                  ///< a folder of the node to build in; empty: its $TMPDIR or /tmp
};

/// A text that identifies how tasks are submitted. It is equal for settings that submit tasks in the same
/// way.
std::string how_submitted(const SlurmSettings& settings);

/// One array of tasks, which are numbered from 0.
struct JobArray {
  std::string name;
  fs::path script;
  fs::path folder;     ///< working folder of the tasks
  std::string output;  ///< name of a task's log in this folder; %a becomes the task's number
  int tasks = 1;
};

/// A task's state in the queue.
struct TaskState {
  bool over = false;
  std::string word;    ///< Slurm's word, such as "PENDING" or "TIMEOUT"
  std::string reason;  ///< why it is pending; "None"
  std::string node;
};
/// States by the job's name and the task's number.
using Queue = std::map<std::pair<std::string, int>, TaskState>;

class Slurm {
 public:
  Slurm(const Machine& machine, const SlurmSettings& settings) : machine_(machine), settings_(settings) {}

  /// @return the job's number
  /// @throws Error (environment) with one sentence when Slurm is missing, rejects the job, or doesn't answer
  std::string submit(const JobArray& job) const;

  /// The states of those tasks of these jobs that are in the queue. No value if Slurm doesn't answer.
  std::optional<Queue> queue(const std::vector<std::string>& names) const;

  /// Cancels the job with this name if there is one; with `only_waiting`, only its tasks that have not begun.
  /// Reports no error, since a task that is not cancelled ends by itself.
  void cancel(const std::string& name, bool only_waiting = false) const;

 private:
  const Machine& machine_;
  const SlurmSettings& settings_;
};

/// Parses squeue's output in the format of queue(). Malformed lines are ignored.
Queue parse_queue(const std::string& text);

}  // namespace grader
