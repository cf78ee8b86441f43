// A file that is only read is never opened for writing. A file whose tables must be changed is first copied
// by SQLite's online backup, which includes committed data in the journal, and lets other graders write
// meanwhile.
#include "records/upkeep.hpp"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/descriptor.hpp"
#include "base/scratch.hpp"
#include "model/json.hpp"
#include "records/schema.hpp"

namespace grader {
namespace {

constexpr int patience_ms = 10000;
constexpr std::size_t most_problems = 20;

/// @param to an empty or missing file
void copy_database(SQLite::Database& from, const fs::path& to) {
  SQLite::Database copy(to.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, patience_ms);
  {
    SQLite::Backup backup(copy, from);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
    for (;;) {
      const int result = backup.executeStep(-1);
      if (backup.getRemainingPageCount() == 0 && result != SQLITE_BUSY && result != SQLITE_LOCKED) break;
      if (std::chrono::steady_clock::now() > give_up)
        throw SQLite::Exception("database is locked", SQLITE_BUSY);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  // The copy is one file, without a separate journal.
  SQLite::Statement(copy, "PRAGMA journal_mode=DELETE").executeStep();
}

int count_rows(SQLite::Database& database, const std::string& table) {
  return database.execAndGet("SELECT count(*) FROM " + table).getInt();
}

/// Collects sentences up to a limit.
class Problems {
 public:
  explicit Problems(RecordsProof& proof) : proof_(proof) {}
  void add(std::string sentence) {
    if (proof_.problems.size() < most_problems)
      proof_.problems.push_back(std::move(sentence));
    else
      proof_.more = true;
  }
  /// Adds a problem for each row of the query. A row has the number of its grading, and a text.
  void add_rows(SQLite::Database& database, const char* query, const char* sentence) {
    SQLite::Statement rows(database, query);
    while (rows.executeStep())
      add(fmt::format(fmt::runtime(sentence), rows.getColumn(0).getInt64(), rows.getColumn(1).getString()));
  }

 private:
  RecordsProof& proof_;
};

/// Runs SQLite's own check. @return whether the rows are readable
bool prove_file(SQLite::Database& database, Problems& problems) {
  bool sound = true;
  SQLite::Statement integrity(database, "PRAGMA integrity_check(20)");
  while (integrity.executeStep()) {
    const std::string said = integrity.getColumn(0).getString();
    if (said == "ok") continue;
    problems.add("The file is damaged: " + said + ".");
    sound = false;
  }
  SQLite::Statement references(database, "PRAGMA foreign_key_check");
  while (references.executeStep())
    problems.add(fmt::format("Row {} of {} belongs to a grading that is not there.",
                             references.getColumn(1).getInt64(), references.getColumn(0).getString()));
  return sound;
}

/// Proves the invariants of the rows in a file of this version.
void prove_rows(SQLite::Database& database, Problems& problems) {
  problems.add_rows(database, "SELECT id, '' FROM grading WHERE uid = ''",
                    "Grading {} has no name of its own, so it can't be merged.{}");
  problems.add_rows(database,
                    "SELECT id, printf('%g of %g', points, max_points) FROM grading WHERE points < 0 OR "
                    "points > max_points + 1e-9 "
                    "OR typeof(points) <> 'real' OR typeof(max_points) <> 'real'",
                    "Grading {} has {} points.");
  problems.add_rows(database, "SELECT id, points FROM grading WHERE is_check <> 0 AND points <> 0",
                    "Grading {} is a check, and has {} points all the same.");
  problems.add_rows(
      database,
      "SELECT h.grading, h.student FROM handed_in AS h JOIN grading AS g ON g.id = h.grading WHERE "
      "h.lab <> g.lab OR h.level <> g.level OR h.backend <> g.backend OR h.attempt < 1 OR h.student = ''",
      "Grading {}, handed in by \"{}\", is of another lab, level, backend or attempt than it says.");
  SQLite::Statement rows(
      database,
      "SELECT g.id, g.json, g.lab, g.level, g.verdict, g.points, g.max_points, h.sources_sha256 FROM grading "
      "AS g LEFT JOIN handed_in AS h ON h.grading = g.id");
  while (rows.executeStep()) {
    const std::int64_t id = rows.getColumn(0).getInt64();
    try {
      const Grading g =
          grading_from_json(parse_json(rows.getColumn(1).getString(), fmt::format("Grading {}", id)));
      const bool same = g.lab == rows.getColumn(2).getString() && g.level == rows.getColumn(3).getInt() &&
                        to_string(g.verdict) == rows.getColumn(4).getString() &&
                        g.points == rows.getColumn(5).getDouble() &&
                        g.max_points == rows.getColumn(6).getDouble();
      if (!same) problems.add(fmt::format("The columns of grading {} do not say what its report says.", id));
      if (!rows.getColumn(7).isNull() && g.sources_sha256 != rows.getColumn(7).getString())
        problems.add(fmt::format("Grading {} is of other files than were handed in.", id));
    } catch (const Error& e) {
      problems.add(fmt::format("The report of grading {} can't be read: {}", id, e.what()));
    }
  }
}

/// Proves `file` and writes a copy in this grader's version to `copy`, unless SQLite found damage.
RecordsProof prove_into(const fs::path& file, const fs::path& copy) {
  RecordsProof proof;
  Problems problems(proof);
  {
    SQLite::Database look = look_at_records(file, patience_ms);
    proof.version = look.execAndGet("PRAGMA user_version").getInt();
    if (!prove_file(look, problems)) return proof;
    copy_database(look, copy);
  }
  SQLite::Database database = open_records(copy, patience_ms);
  prove_rows(database, problems);
  proof.gradings = count_rows(database, "grading");
  proof.handed_in = count_rows(database, "handed_in");
  proof.tables = count_rows(database, "measured_table");
  return proof;
}

/// Syncs a folder, since a rename survives a power failure only if its folder was synced.
void sync_folder(const fs::path& folder) {
  const Descriptor open_folder(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open_folder.open()) ::fsync(open_folder.get());
}

[[noreturn]] void throw_is_there(const fs::path& to) {
  throw Error(ErrorKind::usage,
              fmt::format("{} is there already, and a backup overwrites nothing.", to.string()),
              "name another file, such as one with the date");
}

/// Renames the finished copy. @throws Error (environment)
void rename_new(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  if (errno == EEXIST) throw_is_there(to);
  std::error_code failed;  // the fallback for file systems without RENAME_NOREPLACE
  fs::rename(from, to, failed);
  if (failed)
    throw Error(ErrorKind::environment,
                fmt::format("{} can't be written: {}.", to.string(), failed.message()),
                fmt::format("check the permissions (ls -ld '{}')", to.parent_path().string()));
}

constexpr const char* grading_columns =
    "uid, started_at, lab, level, origin, submission, backend, device, verdict, points, max_points, json, "
    "is_check, "
    "kit_version, sandbox";

/// Adds a sentence for each row of the query.
void report(SQLite::Database& database, const std::string& query, const char* sentence,
            std::vector<std::string>& out) {
  SQLite::Statement rows(database, query);
  while (rows.executeStep())
    out.push_back(fmt::format(fmt::runtime(sentence), rows.getColumn(0).getString(),
                              rows.getColumn(1).getString(), rows.getColumn(2).getString(),
                              rows.getColumn(3).getString(), rows.getColumn(4).getString()));
}

/// Reports, before the merge, entries that are in both files and differ.
void list_conflicts(SQLite::Database& database, std::vector<std::string>& out) {
  report(
      database,
      "SELECT g.id, g.lab || '.' || g.level, g.started_at, '', '' FROM other.grading AS o JOIN main.grading "
      "AS g USING (uid) "
      "WHERE o.json <> g.json ORDER BY g.id",
      "Grading {} ({}, {}) is another one in that file; ours was kept.", out);
  const std::string pairs =
      " FROM other.handed_in AS oh JOIN other.grading AS o ON o.id = oh.grading JOIN main.handed_in AS h ON "
      "h.student = oh.student AND h.lab = oh.lab AND h.level = oh.level AND h.attempt = oh.attempt AND "
      "h.backend = oh.backend "
      "JOIN main.grading AS g ON g.id = h.grading WHERE o.uid NOT IN (SELECT uid FROM main.grading) ";
  report(
      database,
      "SELECT DISTINCT oh.student, oh.attempt, oh.lab || '.' || oh.level, printf('%g', g.points), "
      "printf('%g', o.points)" +
          pairs +
          "AND h.sources_sha256 = oh.sources_sha256 AND o.points <> g.points AND o.verdict <> "
          "'grader_fault' AND g.verdict <> "
          "'grader_fault' ORDER BY 3, 1, 2",
      "{}, attempt {} of {}: the same files have {} points here and {} there; both are kept, and the newer "
      "one counts.",
      out);
  report(database,
         "SELECT DISTINCT oh.student, oh.attempt, oh.lab || '.' || oh.level, h.received_at, oh.received_at" +
             pairs + "AND h.course = oh.course AND h.sources_sha256 <> oh.sources_sha256 ORDER BY 3, 1, 2",
         "{}, attempt {} of {}: other files here (handed in {}) than there ({}); both are kept.", out);
  report(database,
         "SELECT o.student, o.lab || '.' || o.level, d.due_at, o.due_at, '' FROM other.due_date AS o JOIN "
         "main.due_date AS d "
         "USING (course, lab, level, student) WHERE o.due_at <> d.due_at ORDER BY 2, 1",
         "{} has to hand in {} at {} here and at {} there; ours was kept.", out);
}

/// Merges one file in one transaction. @param copy a copy of the file with this version's tables
Merged merge_one(SQLite::Database& database, const fs::path& file, const fs::path& copy) {
  Merged merged;
  merged.file = file;
  SQLite::Statement attach(database, "ATTACH DATABASE ? AS other");
  attach.bind(1, copy.string());
  attach.exec();
  {
    WriteTransaction transaction(database);
    list_conflicts(database, merged.conflicts);
    merged.known = count_rows(database, "other.grading WHERE uid IN (SELECT uid FROM main.grading)");
    merged.added = database.exec(fmt::format(
        "INSERT INTO main.grading ({0}) SELECT {0} FROM other.grading WHERE uid NOT IN (SELECT uid FROM "
        "main.grading) ORDER BY started_at, id",
        grading_columns));
    database.exec(
        "INSERT INTO main.handed_in SELECT g.id, h.course, h.student, h.attempt, h.received_at, h.lab, "
        "h.level, h.backend, "
        "h.sources_sha256 FROM other.handed_in AS h JOIN other.grading AS o ON o.id = h.grading JOIN "
        "main.grading AS g ON "
        "g.uid = o.uid WHERE g.id NOT IN (SELECT grading FROM main.handed_in)");
    merged.tables_added = database.exec(
        "INSERT INTO main.measured_table (uid, measured_at, lab, name, backend, device, json) SELECT uid, "
        "measured_at, lab, "
        "name, backend, device, json FROM other.measured_table WHERE uid NOT IN (SELECT uid FROM "
        "main.measured_table) ORDER "
        "BY measured_at, id");
    database.exec("INSERT OR IGNORE INTO main.due_date SELECT * FROM other.due_date");
    database.exec(
        "INSERT OR IGNORE INTO main.answered (uid, answered_at, student, lab, level, origin, sources_sha256, "
        "correct, questions, json) SELECT uid, answered_at, student, lab, level, origin, sources_sha256, "
        "correct, "
        "questions, json FROM other.answered ORDER BY answered_at, id");
    database.exec(
        "INSERT OR IGNORE INTO main.hunt (uid, hunted_at, student, program, mistake, kind, correct, json) "
        "SELECT uid, hunted_at, student, program, mistake, kind, correct, json FROM other.hunt "
        "ORDER BY hunted_at, id");
    transaction.commit();
  }
  database.exec("DETACH DATABASE other");
  return merged;
}

}  // namespace

RecordsProof prove_records(const fs::path& file) {
  return guarded(file, patience_ms, [&] {
    const ScratchFolder scratch(fs::temp_directory_path(), "records");
    return prove_into(file, scratch.path() / "copy.sqlite");
  });
}

int backup_records(const fs::path& file, const fs::path& to) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(to, ignored))) throw_is_there(to);
  std::string temporary = (to.parent_path() / fmt::format(".{}.XXXXXX", to.filename().string())).string();
  const Descriptor made(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!made.open())
    throw Error(ErrorKind::environment,
                fmt::format("{} can't be written: {}.", to.string(), std::generic_category().message(errno)),
                "name a file in a folder that is there and that you may write in");
  try {
    const int gradings = guarded(to, patience_ms, [&] {
      SQLite::Database look = guarded(file, patience_ms, [&] { return look_at_records(file, patience_ms); });
      copy_database(look, temporary);
      SQLite::Database copy(temporary, SQLite::OPEN_READONLY);
      if (copy.execAndGet("PRAGMA integrity_check(1)").getString() != "ok")
        throw Error(ErrorKind::usage,
                    fmt::format("The records {} are damaged, so no backup was made.", file.string()),
                    "grader records check");
      return count_rows(copy, "grading");
    });
    if (::fsync(made.get()) != 0)
      throw Error(
          ErrorKind::environment,
          fmt::format("{} can't be written: {}.", to.string(), std::generic_category().message(errno)),
          "check the disk (df -h, quota)");
    rename_new(temporary, to);
    sync_folder(to.parent_path());
    return gradings;
  } catch (...) {
    ::unlink(temporary.c_str());
    ::unlink((temporary + "-journal").c_str());
    throw;
  }
}

std::vector<Merged> merge_records(const fs::path& file, const std::vector<fs::path>& others) {
  const ScratchFolder scratch(fs::temp_directory_path(), "records");
  const auto copy_of = [&](std::size_t i) { return scratch.path() / fmt::format("{}.sqlite", i); };
  for (std::size_t i = 0; i < others.size(); ++i) {
    const RecordsProof proof =
        guarded(others[i], patience_ms, [&] { return prove_into(others[i], copy_of(i)); });
    if (!proof.problems.empty())
      throw Error(ErrorKind::usage,
                  fmt::format("{} is not sound, so nothing was merged. {}", others[i].string(),
                              proof.problems.front()),
                  fmt::format("grader records check {}", others[i].string()));
  }
  return guarded(file, patience_ms, [&] {
    SQLite::Database database = open_records(file, patience_ms);
    std::vector<Merged> all;
    for (std::size_t i = 0; i < others.size(); ++i) all.push_back(merge_one(database, others[i], copy_of(i)));
    return all;
  });
}

}  // namespace grader
