/// @file
/// The SQLite file of the records: defines its tables, version by version, opens it without ever changing a
/// foreign, newer or damaged file, and turns SQLite's errors into sentences. This header is private to
/// records/.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// Opens or creates the file and migrates it to this version. @throws Error under the same conditions as Records;
/// SQLite::Exception
SQLite::Database open_records(const fs::path& file, int wait_ms);

/// Opens an existing file read-only. @throws Error (usage) when it is missing, foreign or newer; SQLite::Exception
SQLite::Database look_at_records(const fs::path& file, int wait_ms);

/// SQLite's error as a sentence with a remedy.
Error describe(const SQLite::Exception& e, const fs::path& file, int wait_ms);

/// Runs `work`, and turns exceptions of SQLite into an Error.
template <class Work>
auto guarded(const fs::path& file, int wait_ms, Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const SQLite::Exception& e) {
    throw describe(e, file, wait_ms);
  }
}

/// A transaction that takes the writer's lock at its beginning. If a transaction first read and then wrote,
/// it could not wait for a writer that came in between: SQLite would report "busy" at once. A transaction
/// that is not committed is rolled back.
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
