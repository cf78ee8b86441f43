/// @file
/// The folder through which a command and the tasks that it submitted exchange work, on a file system that both see:
///
///     KEY/batch.json                      which batch is under way, and of what state of the kit
///     KEY/BATCH/rounds/1/round.json       what a job was asked for: the items of each task
///     KEY/BATCH/rounds/1/3.share          what its task 3 needs: the submissions themselves
///     KEY/BATCH/begun/ITEM.1-3-…          empty: task 3 of round 1 began an item
///     KEY/BATCH/results/ITEM.json         a grading, whole or not at all
///     KEY/BATCH/logs/1-3.txt              what the task said
///
/// Every step stands here before it is taken, so that whoever comes after a power cut finds all that was begun. Nobody but the
/// owner can look into the folder.
#pragma once
#include <map>
#include <set>

#include "course/executor.hpp"

namespace grader {

/// What a task is given.
struct Share {
  std::string lab;
  int level = 1;
  Backend backend = Backend::emu;
  bool unsafe = false;  ///< also where no sandbox confines the programs
  int workers = 1;
  int tries = 1;       ///< what was begun so often without a result is left out
  std::string secret;  ///< of the class, from which its cases are drawn
  fs::path scratch;
  std::vector<WorkItem> items;
};

/// One job, as it was submitted.
struct Round {
  int number = 0;
  std::vector<std::vector<std::string>> items;  ///< of each task
  std::string settings;                         ///< with which it was submitted
};

/// A folder that nobody else can look into or replace. @throws Error (environment) when it can't be made, or is another's
void make_private_folder(const fs::path& folder);

class Spool {
 public:
  /// Goes on with the batch that is there, or begins one. @param state what all results of a batch have in common: where it
  ///        has changed, the batch that is there is given up
  /// @throws Error (environment) when the folder can't be made or read
  Spool(fs::path folder, const std::string& state);

  /// Jobs of a batch that was given up; their names.
  const std::vector<std::string>& abandoned() const { return abandoned_; }

  const fs::path& folder() const { return batch_; }
  std::string job_name(int round) const;

  /// Those that were begun, by number.
  const std::vector<Round>& rounds() const { return rounds_; }
  /// Writes a round for the tasks to read. @param common what all of its shares say; @param items of each task
  /// @param settings with which it is submitted
  /// @return its number
  int add_round(const Share& common, const std::vector<std::vector<const WorkItem*>>& items,
                const std::string& settings);
  /// Forgets a round that no job will read.
  void remove_round(int number);
  fs::path round_folder(int number) const;

  /// Items that have one.
  std::set<std::string> results() const;
  /// Nothing when the file is damaged: it is removed then.
  std::optional<Grading> result(const std::string& item) const;
  void remove_result(const std::string& item) const;
  /// How often each item was begun; of one round, or of all.
  std::map<std::string, int> begun(int round = 0) const;
  /// Why a task says that it ended: the grader's sentence, else the last line of its log; or "".
  std::string last_words(int round, int task) const;
  fs::path log(int round, int task) const;

  /// All is done: what tasks need is removed. @param keep_logs somebody may want to read them
  void close(bool keep_logs);

 private:
  void read_rounds();

  fs::path folder_, batch_;
  std::string id_;
  std::vector<Round> rounds_;
  std::vector<std::string> abandoned_;
};

// The task's side; a batch's folder is two levels above its round's.

/// With the items that are still to be graded: those without a result, but for those that were begun too often.
/// @throws Error (usage) when it can't be read; (fault) when another version of the grader wrote it
Share read_share(const fs::path& round, int task);
void write_begun(const fs::path& round, int task, const std::string& item);
void write_result(const fs::path& round, const std::string& item, const Grading& grading);

}  // namespace grader
