/// @file
/// The seventh step: stores results in one SQLite file in WAL mode. Each grading or table is one transaction,
/// so no finished grading is lost, even if the grader is killed.
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
  bool check = false;                ///< whether `grader check` made it: it has no points
  std::string kit_version, sandbox;  ///< as in Grading; empty if an older grader did not store them
  std::string course, student;       ///< in a class; otherwise empty
  int attempt = 0;
  std::string received_at;
  std::string due_at;  ///< deadline at the last run of the class; empty: none
};

/// Selects gradings. A field that is not set selects all.
struct RecordQuery {
  std::string lab = {};
  std::optional<int> level = {};
  std::string student = {};  ///< a student of a class
  /// Only the best grading of each student at each level, by lab. The user's own gradings have no student, so
  /// each origin counts as one.
  bool best = false;
  bool oldest_first = false;  ///< the oldest first; otherwise the newest
  std::optional<int> limit = {};
};

/// The owner of a grading in a class.
struct HandedIn {
  std::string course;  ///< the class's name in its file, or else the folder of the hand-ins
  std::string student;
  int attempt = 1;
  std::string received_at;  ///< UTC
};

/// A student's answers to the questions of `grader ask`.
struct AnsweredQuestions {
  std::string student, lab;
  int level = 1;
  std::string origin, sources_sha256;
  std::size_t right = 0, questions = 0;
  std::string json;              ///< questions, choices and answers
  std::string answered_at = {};  ///< set by add()
};

/// A finished hunt of `grader hunt`.
struct HuntRecord {
  std::string student, program, mistake, kind;
  bool right = false;          ///< found and repaired without a wrong answer, and with at most one hint
  std::string json;            ///< sizes, answers, hints
  std::string hunted_at = {};  ///< set by add()
};

class Records {
 public:
  /// Opens the file, or creates it. Waits up to 10 s for another grader's transaction.
  /// @throws Error (environment) when the file can't be written or the disk is full; (usage) when it is
  ///   another program's database, or a newer grader wrote it. The file is then left unchanged
  /// @param wait_ms how long to wait for another grader's transaction, when opening and in each later call
  explicit Records(const fs::path& file, int wait_ms = 10000);
  ~Records();
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  /// Stores a grading or a table. When the function returns, the data are on disk and survive a power failure.
  /// @return the number of the grading or table
  /// @throws Error (environment) when the disk is full, the file can't be written, or another grader locked
  ///   it too long. No part of the grading is stored then, and all earlier data are kept
  std::int64_t add(const Grading& grading);
  std::int64_t add(const Table& table);
  /// Stores a grading of a class's hand-in together with its owner, or neither.
  std::int64_t add(const Grading& grading, const HandedIn& handed_in);

  void add(const AnsweredQuestions& answered);
  /// A student's answers about a level of a lab, the oldest first.
  std::vector<AnsweredQuestions> answers_of(const std::string& student, const std::string& lab,
                                            int level) const;

  void add(const HuntRecord& hunt);
  /// A student's hunts, the oldest first.
  std::vector<HuntRecord> hunts_of(const std::string& student) const;

  /// Sets the deadlines of the students of a class for a lab. They replace earlier deadlines. An empty time means no
  /// deadline.
  void set_due(const std::string& course, const std::string& lab, int level,
               const std::map<std::string, std::string>& due_at);

  std::vector<RecordSummary> list(const RecordQuery& query = {}) const;
  /// One whole grading by its number.
  std::optional<Grading> get(std::int64_t id) const;
  /// The user's best grading of a lab's level (origin student), if any. Gradings without points, where the
  /// kit was at fault or no case could run, are ignored.
  std::optional<RecordSummary> best(const std::string& lab, int level) const;
  /// The newest grading of the user's own files (origin student), if any.
  std::optional<Grading> last_of_student(const std::string& lab, int level) const;
  /// The newest grading of a student's attempt with these files, if any.
  /// @param sources_sha256 the hash of the files; empty: any files
  std::optional<Grading> graded_before(const HandedIn& handed_in, const std::string& lab, int level,
                                       Backend backend, const std::string& sources_sha256) const;
  /// The table that was measured last.
  std::optional<Table> last_table(const std::string& lab, const std::string& table, Backend backend) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grader
