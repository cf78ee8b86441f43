/// @file
/// The records' file as SQLite sees it: its tables, version by version, how it is opened so that nothing foreign, newer or
/// damaged is ever changed, and what SQLite's errors mean. Private to this room.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// The version of the tables that this grader writes.
int records_version();

/// Opens or makes the file and brings it to this version. @throws Error as Records, SQLite::Exception
SQLite::Database open_records(const fs::path& file, int wait_ms);

/// Opens a file that is there, for reading alone. @throws Error (usage) when it is missing, none of ours or newer;
/// SQLite::Exception
SQLite::Database look_at_records(const fs::path& file, int wait_ms);

/// What SQLite said, in a sentence, with what can be done about it.
Error describe(const SQLite::Exception& e, const fs::path& file, int wait_ms);

/// Runs `work`; what SQLite throws becomes an Error.
template <class Work>
auto guarded(const fs::path& file, int wait_ms, Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const SQLite::Exception& e) {
    throw describe(e, file, wait_ms);
  }
}

/// A transaction that takes the writer's lock at once: one that reads first and writes later could not wait for a writer in
/// between (SQLite reports that as busy without waiting). What is not committed is rolled back.
class WriteTransaction {
 public:
  explicit WriteTransaction(SQLite::Database& database) : database_(database) {
    database_.exec("BEGIN IMMEDIATE");
  }
  ~WriteTransaction() {
    if (!committed_) database_.tryExec("ROLLBACK");
  }
  WriteTransaction(const WriteTransaction&) = delete;
  WriteTransaction& operator=(const WriteTransaction&) = delete;
  void commit() {
    database_.exec("COMMIT");
    committed_ = true;
  }

 private:
  SQLite::Database& database_;
  bool committed_ = false;
};

}  // namespace grader
