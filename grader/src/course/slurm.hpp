/// @file
/// Slurm's commands: submits an array of tasks, reads their states, and cancels them.
///
/// Only the queue is read (squeue), so no accounting is needed. A finished job stays in it for some minutes
/// (MinJobAge); a job that is not listed has ended.
#pragma once
#include <map>
#include <optional>
#include <utility>

#include "process/machine.hpp"

namespace grader {

/// The class file's settings of the cluster, `[slurm]`. Empty values are left to the cluster's defaults.
struct SlurmSettings {
  std::string partition, gres, time, memory, account, qos;
  std::vector<std::string> options;  ///< other options of sbatch, passed unchanged
  int cpus = 1;                      ///< of each task, which grades as many attempts in parallel
  int tasks = 64;                    ///< of an array, at most
  int at_once = 0;                   ///< tasks of an array that may run at once; 0: all
  int tries = 3;                     ///< starts of an attempt before it is given up
  double poll_s = 10;                ///< between two reads of the queue
  std::string setup;                 ///< a shell line run before the grader: modules to load
  fs::path grader;                   ///< program of the tasks; empty: this program
  fs::path shared;                   ///< exchange folder that all nodes see; empty: the grader's state
  fs::path scratch;                  ///< a node's own folder to build in; empty: its $TMPDIR or /tmp
};

/// A text that is equal for settings that submit tasks in the same way.
std::string how_submitted(const SlurmSettings& settings);

/// One array of tasks, numbered from 0.
struct JobArray {
  std::string name;
  fs::path script;
  fs::path folder;     ///< working folder of the tasks
  std::string output;  ///< a task's log in it; %a is the task's number
  int tasks = 1;
};

/// A task's state in the queue.
struct TaskState {
  bool over = false;
  std::string word;    ///< "PENDING", "TIMEOUT"
  std::string reason;  ///< why it is pending; "None"
  std::string node;
};
/// By the job's name and the task's number.
using Queue = std::map<std::pair<std::string, int>, TaskState>;

class Slurm {
 public:
  Slurm(const Machine& machine, const SlurmSettings& settings) : machine_(machine), settings_(settings) {}

  /// @return the job's number
  /// @throws Error (environment) in one sentence, when Slurm is missing, rejects the job, or doesn't answer
  std::string submit(const JobArray& job) const;

  /// The tasks of these jobs that are in the queue; nothing when Slurm doesn't answer.
  std::optional<Queue> queue(const std::vector<std::string>& names) const;

  /// Cancels the job of this name, if any, or its tasks that have not begun. Reports no error: an uncancelled task
  /// ends by itself.
  void cancel(const std::string& name, bool only_waiting = false) const;

 private:
  const Machine& machine_;
  const SlurmSettings& settings_;
};

/// Parses squeue's output in the format of queue(). Malformed lines are ignored.
Queue parse_queue(const std::string& text);

}  // namespace grader
