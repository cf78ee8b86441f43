/// @file
/// The folder through which a command and its submitted tasks exchange work. It is on a file system that both
/// see:
///
///     KEY/batch.json                      the current batch, and the kit's state that it depends on
///     KEY/BATCH/rounds/1/round.json       a job's request: the items of each task
///     KEY/BATCH/rounds/1/3.share          the input of its task 3: the submissions themselves
///     KEY/BATCH/begun/ITEM.1-3-…          empty: task 3 of round 1 began an item
///     KEY/BATCH/results/ITEM.json         a grading, written atomically
///     KEY/BATCH/logs/1-3.txt              the task's output
///
/// Every step is written here before it happens, so a run after a power cut finds everything that was begun.
/// Only the owner can read the folder.
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
  bool unsafe = false;  ///< also grade without a sandbox that confines the programs
  int workers = 1;
  int tries = 1;       ///< items that were begun this often without a result are left out
  std::string secret;  ///< the class's secret, from which its cases are drawn
  fs::path scratch;
  std::vector<WorkItem> items;
};

struct Round {
  int number = 0;
  std::vector<std::vector<std::string>> items;  ///< for each task, the ids of its items
  std::string settings;                         ///< the settings with which it was submitted
};

/// Creates a folder that other users can neither read nor replace.
/// @throws Error (environment) when the folder can't be created, or belongs to another user
void make_private_folder(const fs::path& folder);

class Spool {
 public:
  /// Resumes the existing batch, or begins a new one.
  /// @param state everything on which all results of a batch depend: a batch with another state is abandoned
  /// @throws Error (environment) when the folder can't be made or read
  Spool(fs::path folder, const std::string& state);

  /// Names of the jobs of the abandoned batch.
  const std::vector<std::string>& abandoned() const { return abandoned_; }

  const fs::path& folder() const { return batch_; }
  std::string job_name(int round) const;

  /// The rounds of the batch, sorted by number.
  const std::vector<Round>& rounds() const { return rounds_; }
  /// Called with an item that can't be read, and the reason.
  using Unread = std::function<void(const WorkItem& item, const std::string& why)>;
  /// Writes a round for the tasks, without the items that can't be read.
  /// @param common fields that all its shares have
  /// @param items for each task, its items
  /// @param settings the settings with which the round is submitted
  const Round& add_round(const Share& common, const std::vector<std::vector<const WorkItem*>>& items,
                         const std::string& settings, const Unread& unread);
  /// Removes a round that no job will read.
  void remove_round(int number);
  fs::path round_folder(int number) const;

  /// The ids of the items that have a result.
  std::set<std::string> results() const;
  /// The grading of an item. If the file is damaged, removes it and returns no value.
  std::optional<Grading> result(const std::string& item) const;
  void remove_result(const std::string& item) const;
  /// How often each item was begun, in one round or (0) in all rounds.
  std::map<std::string, int> begun(int round = 0) const;
  /// Why a task ended: the grader's error message, or the last line of its log. Empty if it has no log.
  std::string last_words(int round, int task) const;
  fs::path log(int round, int task) const;

  /// Called when all items are graded: removes the files that tasks need. @param keep_logs so that a person
  /// can read them
  void close(bool keep_logs);

 private:
  void read_rounds();

  fs::path folder_, batch_;
  std::string id_;
  std::vector<Round> rounds_;
  std::vector<std::string> abandoned_;
};

// Functions for the task's side. The batch's folder is two levels above a round's.

/// Reads a task's share, without items that have a result or were begun too often.
/// @throws Error (usage) when the share can't be read; (fault) when another version of the grader wrote it
Share read_share(const fs::path& round, int task);
void write_begun(const fs::path& round, int task, const std::string& item);
void write_result(const fs::path& round, const std::string& item, const Grading& grading);

}  // namespace grader
