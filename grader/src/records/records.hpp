/// @file
/// The seventh step: what is kept. One SQLite file in WAL mode; one grading or one table is one transaction,
/// so that killing the grader at any moment loses no finished grading.
#pragma once
#include <map>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "model/grading.hpp"
#include "model/lab.hpp"
#include "model/table.hpp"

namespace grader {

/// One row of `grader results`.
struct RecordSummary {
  std::int64_t id = 0;
  std::string started_at, lab, origin, backend, device, verdict, submission;
  int level = 1;
  double points = 0, max_points = 0;
  bool check = false;                ///< made by `grader check`: it has no points
  std::string kit_version, sandbox;  ///< Grading's; empty in records of graders that did not keep them
  std::string course, student;       ///< of a class; else empty
  int attempt = 0;
  std::string received_at;
  std::string due_at;  ///< of the last run of the class; empty: no deadline
};

/// Which gradings. What is left out asks for all.
struct RecordQuery {
  std::string lab = {};
  std::optional<int> level = {};
  std::string student = {};  ///< of a class
  bool best = false;  ///< of each student (of the own ones: of each origin) the best of each level, by lab
  bool oldest_first = false;  ///< else the newest first
  std::optional<int> limit = {};
};

/// Whose grading it is, in a class.
struct HandedIn {
  std::string course;  ///< the class file's name of it, or the folder of the hand-ins
  std::string student;
  int attempt = 1;
  std::string received_at;  ///< UTC
};

class Records {
 public:
  /// Opens or creates the file. Waits up to 10 s for another grader's transaction.
  /// @throws Error (environment) when it can't be written or the disk is full; (usage) when it is not a
  ///         database of ours or was written by a newer grader, saying so; the file is left as it is
  /// @param wait_ms how long to wait for another grader's transaction, at opening and at each later call
  explicit Records(const fs::path& file, int wait_ms = 10000);
  ~Records();
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  /// Keeps a grading or a table; when this returns it is on the disk, and a power cut loses it no more.
  /// @return its number
  /// @throws Error (environment) when the disk is full, the file can't be written, or another grader held it
  ///         too long; nothing of the grading is then kept, and everything from before still is
  std::int64_t add(const Grading& grading);
  std::int64_t add(const Table& table);
  /// A grading of a class's hand-in, with whose it is: both or none.
  std::int64_t add(const Grading& grading, const HandedIn& handed_in);

  /// When each student of a class has to hand a lab in, instead of what was kept before. Empty moments are none.
  void set_due(const std::string& course, const std::string& lab, int level,
               const std::map<std::string, std::string>& due_at);

  std::vector<RecordSummary> list(const RecordQuery& query = {}) const;
  /// One whole grading by its number, or none.
  std::optional<Grading> get(std::int64_t id) const;
  /// Best points of a lab's level by the student (origin student), or none. What was not graded, since the kit was at
  /// fault or nothing could run, is no result.
  std::optional<RecordSummary> best(const std::string& lab, int level) const;
  /// The newest grading of a student's attempt with these files, or none. @param sources_sha256 empty: with any files
  std::optional<Grading> graded_before(const HandedIn& handed_in, const std::string& lab, int level,
                                       Backend backend, const std::string& sources_sha256) const;
  /// The last measured table.
  std::optional<Table> last_table(const std::string& lab, const std::string& table, Backend backend) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grader
