/// @file
/// Slurm's commands: hands in an array of tasks, asks what became of them, and cancels them.
///
/// Only the queue is asked (squeue), so no accounting is needed. A job that has ended stays in it for some minutes
/// (MinJobAge); one that is not listed has ended.
#pragma once
#include <map>
#include <optional>
#include <utility>

#include "process/machine.hpp"

namespace grader {

/// What a class file says of the cluster, `[slurm]`. Empty words are left to the cluster's own defaults.
struct SlurmSettings {
  std::string partition, gres, time, memory, account, qos;
  std::vector<std::string> options;  ///< others of sbatch, as they stand
  int cpus = 1;                      ///< of each task, which grades so many at once
  int tasks = 64;                    ///< of an array, at most
  int at_once = 0;                   ///< tasks of an array that may run at once; 0: all
  int tries = 3;                     ///< how often an attempt may be begun before it is given up
  double poll_s = 10;                ///< between two looks at the queue
  std::string setup;                 ///< a line of shell before the grader: modules to load
  fs::path grader;                   ///< that tasks run; empty: this program
  fs::path shared;   ///< folder for what goes to and fro, which all nodes see; empty: the grader's state
  fs::path scratch;  ///< a node's own folder to build in; empty: its $TMPDIR or /tmp
};

/// A text that is the same for settings with which tasks are submitted in the same way.
std::string how_submitted(const SlurmSettings& settings);

/// One array of tasks, numbered from 0.
struct JobArray {
  std::string name;
  fs::path script;
  fs::path folder;     ///< in which the tasks run
  std::string output;  ///< a task's log in it; %a is the task's number
  int tasks = 1;
};

/// What the queue says of a task.
struct TaskState {
  bool over = false;
  std::string word;    ///< "PENDING", "TIMEOUT"
  std::string reason;  ///< why it waits; "None"
  std::string node;
};
/// By the job's name and the task's number.
using Queue = std::map<std::pair<std::string, int>, TaskState>;

class Slurm {
 public:
  Slurm(const Machine& machine, const SlurmSettings& settings) : machine_(machine), settings_(settings) {}

  /// @return the job's number
  /// @throws Error (environment) in one sentence, when there is no Slurm here, it refuses the job, or doesn't answer
  std::string submit(const JobArray& job) const;

  /// The tasks of these jobs that the queue knows; nothing when it doesn't answer.
  std::optional<Queue> queue(const std::vector<std::string>& names) const;

  /// Cancels a job of this name, where there is one, or those of its tasks that have not begun. Says nothing: what is not
  /// cancelled ends by itself.
  void cancel(const std::string& name, bool only_waiting = false) const;

 private:
  const Machine& machine_;
  const SlurmSettings& settings_;
};

/// What squeue prints in the form that queue() asks for. Lines that don't fit are left out.
Queue parse_queue(const std::string& text);

}  // namespace grader
