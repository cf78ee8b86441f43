/// @file
/// The folder through which a command and its submitted tasks exchange work, on a file system that both see:
///
///     KEY/batch.json                      the current batch, and the kit's state that it depends on
///     KEY/BATCH/rounds/1/round.json       a job's request: the items of each task
///     KEY/BATCH/rounds/1/3.share          the input of its task 3: the submissions themselves
///     KEY/BATCH/begun/ITEM.1-3-…          empty: task 3 of round 1 began an item
///     KEY/BATCH/results/ITEM.json         a grading, written atomically
///     KEY/BATCH/logs/1-3.txt              the task's output
///
/// Every step is written here before it is taken, so that a run after a power cut finds all that was begun. Only the
/// owner can read the folder.
#pragma once
#include <functional>
#include <map>
#include <set>

#include "course/executor.hpp"

namespace grader {

/// The input of a task.
struct Share {
  std::string lab;
  int level = 1;
  Backend backend = Backend::emu;
  bool unsafe = false;  ///< also without a sandbox that confines the programs
  int workers = 1;
  int tries = 1;       ///< items begun this often without a result are left out
  std::string secret;  ///< of the class; its cases are drawn from it
  fs::path scratch;
  std::vector<WorkItem> items;
};

struct Round {
  int number = 0;
  std::vector<std::vector<std::string>> items;  ///< of each task
  std::string settings;                         ///< that it was submitted with
};

/// Creates a folder that other users can neither read nor replace. @throws Error (environment) when it can't be made,
/// or belongs to another user
void make_private_folder(const fs::path& folder);

class Spool {
 public:
  /// Resumes the existing batch, or begins a new one. @param state that all results of a batch depend on: a batch
  /// with another state is given up
  /// @throws Error (environment) when the folder can't be made or read
  Spool(fs::path folder, const std::string& state);

  /// Names of the jobs of a batch that was given up.
  const std::vector<std::string>& abandoned() const { return abandoned_; }

  const fs::path& folder() const { return batch_; }
  std::string job_name(int round) const;

  /// The rounds that were begun, by number.
  const std::vector<Round>& rounds() const { return rounds_; }
  /// Called for an item that can't be read, with the reason.
  using Unread = std::function<void(const WorkItem& item, const std::string& why)>;
  /// Writes a round for the tasks to read, without the items that can't be read. @param common fields of all its
  /// shares; @param items of each task
  /// @param settings that it is submitted with
  const Round& add_round(const Share& common, const std::vector<std::vector<const WorkItem*>>& items,
                         const std::string& settings, const Unread& unread);
  /// Removes a round that no job will read.
  void remove_round(int number);
  fs::path round_folder(int number) const;

  /// Items that have a result.
  std::set<std::string> results() const;
  /// Nothing for a damaged file, which is removed.
  std::optional<Grading> result(const std::string& item) const;
  void remove_result(const std::string& item) const;
  /// How often each item was begun, in one round or (0) in all.
  std::map<std::string, int> begun(int round = 0) const;
  /// A task's reason for its end: the grader's error message, else the last line of its log; or "".
  std::string last_words(int round, int task) const;
  fs::path log(int round, int task) const;

  /// All is done: removes the files that tasks need. @param keep_logs for a person to read
  void close(bool keep_logs);

 private:
  void read_rounds();

  fs::path folder_, batch_;
  std::string id_;
  std::vector<Round> rounds_;
  std::vector<std::string> abandoned_;
};

// The task's side; a batch's folder is two levels above its round's.

/// With the items still to grade: without a result, and not begun too often.
/// @throws Error (usage) when it can't be read; (fault) when another version of the grader wrote it
Share read_share(const fs::path& round, int task);
void write_begun(const fs::path& round, int task, const std::string& item);
void write_result(const fs::path& round, const std::string& item, const Grading& grading);

}  // namespace grader
