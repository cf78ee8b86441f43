// The steps that change the tables, each from one version to the next. All steps run in one transaction.
//
// The journal is a write-ahead log: readers never wait for a writer, and a commit is one append. It is synced
// at every commit (synchronous=FULL; in WAL mode, NORMAL would sync only at checkpoints). A commit takes a
// few milliseconds, while building and running takes seconds. In return, a grading that its student has seen
// survives a power failure.
#include "records/schema.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <thread>

#include "base/scratch.hpp"
#include "base/sha256.hpp"

namespace grader {
namespace {

/// "CLab" in the header of the grader's files, so that the grader never takes another program's SQLite file
/// for its own.
constexpr int application_id = 0x434C6162;

/// One step for each version: migrations[v] turns version v into version v + 1. Released steps never change.
constexpr std::array migrations = {
    R"sql(
      CREATE TABLE grading (
        id INTEGER PRIMARY KEY,
        started_at TEXT NOT NULL,
        lab TEXT NOT NULL,
        level INTEGER NOT NULL,
        origin TEXT NOT NULL,
        submission TEXT NOT NULL,
        backend TEXT NOT NULL,
        device TEXT NOT NULL,
        verdict TEXT NOT NULL,
        points REAL NOT NULL,
        max_points REAL NOT NULL,
        json TEXT NOT NULL
      );
      CREATE INDEX grading_of_lab ON grading (lab, level, origin, points);
      CREATE TABLE measured_table (
        id INTEGER PRIMARY KEY,
        measured_at TEXT NOT NULL,
        lab TEXT NOT NULL,
        name TEXT NOT NULL,
        backend TEXT NOT NULL,
        device TEXT NOT NULL,
        json TEXT NOT NULL
      );
      CREATE INDEX table_of_lab ON measured_table (lab, name, backend);
    )sql",
    // Checks, which are gradings without points.
    R"sql(
      ALTER TABLE grading ADD COLUMN is_check INTEGER NOT NULL DEFAULT 0;
    )sql",
    // The owners of gradings in a class.
    R"sql(
      CREATE TABLE handed_in (
        grading INTEGER PRIMARY KEY REFERENCES grading (id),
        course TEXT NOT NULL,
        student TEXT NOT NULL,
        attempt INTEGER NOT NULL,
        received_at TEXT NOT NULL,
        lab TEXT NOT NULL,
        level INTEGER NOT NULL,
        backend TEXT NOT NULL,
        sources_sha256 TEXT NOT NULL
      );
      CREATE INDEX handed_in_by_student ON handed_in (course, lab, level, student, attempt);
    )sql",
    // Adds an id of a grading that is the same on every machine, so that each grading is kept once when two
    // files are merged. Older gradings get a hash of their content, so they get the same ids if two graders
    // migrate copies of one file. Also adds the kit version, the sandbox, and the deadlines, each of which is
    // stored only once.
    R"sql(
      ALTER TABLE grading ADD COLUMN uid TEXT NOT NULL DEFAULT '';
      UPDATE grading SET uid = sha256(grading.json || '#' || same.number)
        FROM (SELECT id, row_number() OVER (PARTITION BY json ORDER BY id) AS number FROM grading) AS same
        WHERE same.id = grading.id;
      CREATE UNIQUE INDEX grading_uid ON grading (uid);
      ALTER TABLE grading ADD COLUMN kit_version TEXT NOT NULL DEFAULT '';
      ALTER TABLE grading ADD COLUMN sandbox TEXT NOT NULL DEFAULT '';
      CREATE INDEX grading_by_time ON grading (started_at);
      ALTER TABLE measured_table ADD COLUMN uid TEXT NOT NULL DEFAULT '';
      UPDATE measured_table SET uid = sha256(measured_table.json || '#' || same.number)
        FROM (SELECT id, row_number() OVER (PARTITION BY json ORDER BY id) AS number FROM measured_table) AS same
        WHERE same.id = measured_table.id;
      CREATE UNIQUE INDEX measured_table_uid ON measured_table (uid);
      CREATE INDEX handed_in_of_student ON handed_in (student, lab, level);
      CREATE TABLE due_date (
        course TEXT NOT NULL,
        lab TEXT NOT NULL,
        level INTEGER NOT NULL,
        student TEXT NOT NULL,
        due_at TEXT NOT NULL,
        PRIMARY KEY (course, lab, level, student)
      ) WITHOUT ROWID;
    )sql",
    // Students' answers to questions about their own programs.
    R"sql(
      CREATE TABLE answered (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        answered_at TEXT NOT NULL,
        student TEXT NOT NULL,
        lab TEXT NOT NULL,
        level INTEGER NOT NULL,
        origin TEXT NOT NULL,
        sources_sha256 TEXT NOT NULL,
        correct INTEGER NOT NULL,
        questions INTEGER NOT NULL,
        json TEXT NOT NULL
      );
      CREATE INDEX answered_by_student ON answered (student, lab, level, answered_at);
    )sql",
    // Hunts that have ended.
    R"sql(
      CREATE TABLE hunt (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        hunted_at TEXT NOT NULL,
        student TEXT NOT NULL,
        program TEXT NOT NULL,
        mistake TEXT NOT NULL,
        kind TEXT NOT NULL,
        correct INTEGER NOT NULL,
        json TEXT NOT NULL
      );
      CREATE INDEX hunt_by_student ON hunt (student, hunted_at);
    )sql"};
constexpr int current_version = static_cast<int>(migrations.size());

[[noreturn]] void throw_not_ours(const fs::path& file) {
  throw Error(ErrorKind::usage,
              fmt::format("{} is not a records file of the grader; it was left as it is.", file.string()),
              fmt::format("move it away (mv '{0}' '{0}.other'), or set GRADER_HOME to another folder",
                          file.string()));
}

/// Whether the folder is on a network file system. A write-ahead log needs memory that all users of the file
/// share, which network file systems don't provide.
bool on_network_file_system(const fs::path& folder) {
  constexpr std::array<std::uint32_t, 9> network = {
      0x6969,      // NFS
      0xFF534D42,  // CIFS
      0xFE534D42,  // SMB2
      0x517B,      // SMB
      0x0BD00BD0,  // Lustre
      0x47504653,  // GPFS
      0x19830326,  // BeeGFS
      0x00C36400,  // Ceph
      0x5346414F,  // AFS
  };
  struct statfs status {};
  if (statfs(folder.c_str(), &status) != 0) return false;
  return std::find(network.begin(), network.end(), static_cast<std::uint32_t>(status.f_type)) !=
         network.end();
}

/// Refuses a file that is not an SQLite file, before SQLite opens it.
/// @return whether the file exists
bool check_header(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return false;
  if (!fs::is_regular_file(status)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is {}, but the records are kept in a file of that name.", file.string(),
                            fs::is_directory(status) ? "a folder" : "a pipe, a socket or a device"),
                fmt::format("move it away (mv '{0}' '{0}.other'), or set GRADER_HOME to another folder",
                            file.string()));
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw Error(ErrorKind::environment, fmt::format("The records {} can't be read.", file.string()),
                fmt::format("check the permissions (ls -l '{}')", file.string()));
  }
  static constexpr std::string_view magic("SQLite format 3\0", 16);
  std::array<char, 16> begin{};
  in.read(begin.data(), begin.size());
  const auto got = static_cast<std::size_t>(in.gcount());
  if (got == 0)  // graders create files atomically
    throw Error(ErrorKind::usage,
                fmt::format("The records {} are empty: the file was cut, or a disk has lost what was in it.",
                            file.string()),
                fmt::format("put a backup in its place (grader records backup makes one); or begin with new "
                            "ones: rm '{}'",
                            file.string()));
  if (std::string_view(begin.data(), got) != magic) throw_not_ours(file);
  return true;
}

int pragma(const SQLite::Database& database, const char* name) {
  SQLite::Statement query(database, fmt::format("PRAGMA {}", name));
  return query.executeStep() ? query.getColumn(0).getInt() : 0;
}

/// @throws Error for a database of another program or of a newer grader
void check_identity(const SQLite::Database& database, const fs::path& file) {
  const int version = pragma(database, "user_version");
  if (pragma(database, "application_id") != application_id) {
    // If the database is empty, another grader is creating it, or was killed while creating it.
    SQLite::Statement count(database, "SELECT count(*) FROM sqlite_master");
    count.executeStep();
    if (version != 0 || count.getColumn(0).getInt() != 0) throw_not_ours(file);
    return;
  }
  if (version > current_version) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "The records {} were written by a newer grader (version {}; this one knows up to {}); they "
            "were left as they are.",
            file.string(), version, current_version),
        "update the kit (git pull, ./bootstrap), or set GRADER_HOME to another folder");
  }
}

/// Sets the journal mode in a loop, since SQLite's busy timeout has no effect on this statement.
void set_journal(SQLite::Database& database, const fs::path& folder, int wait_ms) {
  const char* mode = on_network_file_system(folder) ? "DELETE" : "WAL";
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait_ms);
  for (;;) {
    try {
      SQLite::Statement(database, fmt::format("PRAGMA journal_mode={}", mode)).executeStep();
      return;
    } catch (const SQLite::Exception& e) {
      const bool busy = e.getErrorCode() == SQLITE_BUSY || e.getErrorCode() == SQLITE_LOCKED;
      if (!busy || std::chrono::steady_clock::now() >= give_up) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

/// The function sha256(TEXT) for SQL.
void sha256_of_text(sqlite3_context* context, int, sqlite3_value** values) {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
  const std::string digest =
      sha256_hex({text == nullptr ? "" : text, static_cast<std::size_t>(sqlite3_value_bytes(values[0]))});
  sqlite3_result_text(context, digest.c_str(), static_cast<int>(digest.size()), SQLITE_TRANSIENT);
}

void migrate(SQLite::Database& database, const fs::path& file) {
  if (pragma(database, "user_version") == current_version) return;
  WriteTransaction transaction(database);
  // The version is read again under the lock, since another grader may have migrated the file.
  check_identity(database, file);
  database.createFunction("sha256", 1, true, nullptr, sha256_of_text);
  for (int version = pragma(database, "user_version"); version < current_version; ++version) {
    database.exec(migrations[static_cast<std::size_t>(version)]);
  }
  database.exec(fmt::format("PRAGMA application_id={}", application_id));
  database.exec(fmt::format("PRAGMA user_version={}", current_version));
  transaction.commit();
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) {
    throw Error(
        ErrorKind::environment,
        fmt::format("The folder {} for the records can't be made: {}.", folder.string(), error.message()),
        "set GRADER_HOME to a folder of yours");
  }
}

}  // namespace

Error describe(const SQLite::Exception& e, const fs::path& file, int wait_ms) {
  const std::string name = file.string();
  switch (e.getErrorCode() & 0xFF) {  // the primary code, since extended codes may be enabled
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {
          ErrorKind::environment,
          fmt::format("Another grader has held the records {} for more than {:g} s.", name, wait_ms / 1000.0),
          "wait for it to end, then run the command again"};
    case SQLITE_FULL:
      return {
          ErrorKind::environment,
          fmt::format("The disk that holds the records {} is full; what was recorded before is kept.", name),
          "free some space (df -h), then run the command again"};
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {ErrorKind::environment, fmt::format("The records {} can't be written.", name),
              fmt::format("check the permissions (ls -ld '{}' '{}'), or set GRADER_HOME to a folder of yours",
                          file.parent_path().string(), name)};
    case SQLITE_IOERR:
      return {ErrorKind::environment,
              fmt::format(
                  "The records {} could not be read or written ({}); is the disk full or a quota used up?",
                  name, e.getErrorStr()),
              "check the disk (df -h, quota), then run the command again"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {
          ErrorKind::usage,
          fmt::format("The records {} are damaged ({}); they were left as they are.", name, e.what()),
          fmt::format("save what can be read (sqlite3 '{0}' .recover > records.sql), then move the file away "
                      "(mv '{0}' '{0}.damaged')",
                      name)};
    default:
      return {ErrorKind::environment, fmt::format("The records {} can't be used: {}.", name, e.what()),
              "run the command again; if it persists, set GRADER_HOME to another folder"};
  }
}

namespace {

/// Creates new records atomically, so an empty file is never one that another grader is creating. If two
/// graders begin at once, one uses the other's file.
void make_records(const fs::path& file, int wait_ms) {
  if (eaccess(file.parent_path().c_str(), W_OK) != 0)
    throw SQLite::Exception("the folder can't be written", SQLITE_CANTOPEN);
  // Each grading removes what killed graders left in this folder.
  const ScratchFolder scratch(file.parent_path() / "work", "grading");
  const fs::path fresh = scratch.path() / "records.sqlite";
  {
    SQLite::Database database(fresh.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, wait_ms);
    migrate(database, fresh);
  }
  std::error_code failed;
  fs::create_hard_link(fresh, file, failed);
  if (failed && failed != std::errc::file_exists)
    fs::rename(fresh, file, failed);  // this file system has no hard links
  if (failed && !fs::exists(file)) throw SQLite::Exception("the file can't be written", SQLITE_READONLY);
}

}  // namespace

SQLite::Database open_records(const fs::path& file, int wait_ms) {
  make_folder(file.parent_path());
  if (!check_header(file)) make_records(file, wait_ms);
  {
    // The file is first opened read-only, because opening it for writing may already change it (recovery,
    // checkpoint).
    const SQLite::Database look(file.string(), SQLite::OPEN_READONLY, wait_ms);
    check_identity(look, file);
  }
  SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, wait_ms);
  if (sqlite3_db_readonly(database.getHandle(), "main") == 1) {
    // SQLite opens the file read-only without an error.
    throw SQLite::Exception("the file can't be written", SQLITE_READONLY);
  }
  set_journal(database, fs::absolute(file).parent_path(), wait_ms);
  database.exec("PRAGMA synchronous=FULL");
  migrate(database, file);
  database.exec("PRAGMA foreign_keys=ON");
  return database;
}

SQLite::Database look_at_records(const fs::path& file, int wait_ms) {
  if (!check_header(file))
    throw Error(ErrorKind::usage, fmt::format("There are no records in {}.", file.string()),
                "name a records file: records.sqlite in another grader's .grader or GRADER_HOME");
  SQLite::Database database(file.string(), SQLite::OPEN_READONLY, wait_ms);
  check_identity(database, file);
  return database;
}

}  // namespace grader
