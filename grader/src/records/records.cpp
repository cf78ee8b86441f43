// SQLite through SQLiteCpp. What a query needs has a column of its own; beside the columns stands the whole
// grading as JSON, so that a later grader can migrate to columns that this one did not think of.
//
// The journal is a write-ahead log: readers never wait for a writer, and a commit is one append. It is synced
// at every commit (synchronous=FULL; in WAL mode NORMAL would only sync at checkpoints): a commit costs a few
// milliseconds against seconds of building and running, and a grading that was shown to its student is then
// kept even when the machine loses power.
#include "records/records.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "model/json.hpp"

namespace grader {
namespace {

/// "CLab" in the header of our files: an SQLite file of another program is never mistaken for ours.
constexpr int application_id = 0x434C6162;

/// One step for each version: migrations[v] turns version v into v + 1.
/// Steps that were released never change.
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
    // Checks are gradings without points.
    R"sql(
      ALTER TABLE grading ADD COLUMN is_check INTEGER NOT NULL DEFAULT 0;
    )sql",
    // Whose a grading is, in a class.
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
    )sql"};
constexpr int current_version = static_cast<int>(migrations.size());

constexpr const char* summary_columns =
    "id, started_at, lab, level, origin, submission, backend, device, verdict, points, max_points, is_check";

[[noreturn]] void throw_not_ours(const fs::path& file) {
  throw Error(ErrorKind::usage,
              fmt::format("{} is not a records file of the grader; it was left as it is.", file.string()),
              fmt::format("move it away (mv '{0}' '{0}.other'), or set GRADER_HOME to another folder",
                          file.string()));
}

/// What SQLite said, in a sentence, with what can be done about it.
Error describe(const SQLite::Exception& e, const fs::path& file, int wait_ms) {
  const std::string name = file.string();
  switch (e.getErrorCode() & 0xFF) {  // the primary code, should extended ones be on
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

/// Write-ahead logging needs memory that all its users share, which network file systems do not give.
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

/// Refuses what is no SQLite file before SQLite sees it.
/// @return whether there is anything in the file yet
bool check_header(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return false;
  if (!fs::is_regular_file(status)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is {}, but the records are kept in a file of that name.", file.string(),
                            fs::is_directory(status) ? "a folder" : "no regular file"),
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
  if (got == 0) return false;
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
    // Nothing in it: another grader is just making it, or was killed while it did.
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

/// A transaction that takes the writer's lock at once: one that reads first
/// and writes later could not wait for a writer in between (SQLite reports that as busy without waiting).
/// What is not committed is rolled back.
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

/// The change of journal is the one statement that does not wait by SQLite's own busy timeout,
/// hence the loop.
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

void migrate(SQLite::Database& database, const fs::path& file) {
  if (pragma(database, "user_version") == current_version) return;
  WriteTransaction transaction(database);
  // Read again under the lock: another grader may have migrated in between.
  check_identity(database, file);
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

SQLite::Database open(const fs::path& file, int wait_ms) {
  make_folder(file.parent_path());
  if (check_header(file)) {
    // A look without the right to write:
    // opening for writing may already change a file (recovery, checkpoint).
    const SQLite::Database look(file.string(), SQLite::OPEN_READONLY, wait_ms);
    check_identity(look, file);
  }
  SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, wait_ms);
  if (sqlite3_db_readonly(database.getHandle(), "main") == 1) {
    // SQLite falls back to reading in silence.
    throw SQLite::Exception("the file can't be written", SQLITE_READONLY);
  }
  set_journal(database, fs::absolute(file).parent_path(), wait_ms);
  database.exec("PRAGMA synchronous=FULL");
  migrate(database, file);
  return database;
}

RecordSummary read_summary(SQLite::Statement& row) {
  RecordSummary out;
  out.id = row.getColumn(0).getInt64();
  out.started_at = row.getColumn(1).getString();
  out.lab = row.getColumn(2).getString();
  out.level = row.getColumn(3).getInt();
  out.origin = row.getColumn(4).getString();
  out.submission = row.getColumn(5).getString();
  out.backend = row.getColumn(6).getString();
  out.device = row.getColumn(7).getString();
  out.verdict = row.getColumn(8).getString();
  out.points = row.getColumn(9).getDouble();
  out.max_points = row.getColumn(10).getDouble();
  out.check = row.getColumn(11).getInt() != 0;
  return out;
}

/// Inside a transaction.
std::int64_t insert_grading(SQLite::Database& database, const Grading& g, const std::string& json) {
  SQLite::Statement insert(
      database,
      "INSERT INTO grading (started_at, lab, level, origin, submission, backend, device, verdict, "
      "points, max_points, json, is_check) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  SQLite::bind(insert, g.started_at, g.lab, g.level, to_string(g.origin), g.submission, to_string(g.backend),
               g.device, to_string(g.verdict), g.points, g.max_points, json, g.check ? 1 : 0);
  insert.exec();
  return database.getLastInsertRowid();
}

}  // namespace

struct Records::Impl {
  fs::path file;
  int wait_ms;
  SQLite::Database database;

  /// Runs `work` on the database; what SQLite throws becomes an Error.
  template <class Work>
  auto guarded(Work work) -> decltype(work(std::declval<SQLite::Database&>())) {
    try {
      return work(database);
    } catch (const SQLite::Exception& e) {
      throw describe(e, file, wait_ms);
    }
  }
};

Records::Records(const fs::path& file, int wait_ms) {
  try {
    impl_.reset(new Impl{file, wait_ms, open(file, wait_ms)});
  } catch (const SQLite::Exception& e) {
    throw describe(e, file, wait_ms);
  }
}

Records::~Records() = default;

std::int64_t Records::add(const Grading& g) {
  const std::string json = json_text(to_json(g), -1);
  return impl_->guarded([&](SQLite::Database& database) {
    WriteTransaction transaction(database);
    const std::int64_t id = insert_grading(database, g, json);
    transaction.commit();
    return id;
  });
}

std::int64_t Records::add(const Grading& g, const HandedIn& h) {
  const std::string json = json_text(to_json(g), -1);
  return impl_->guarded([&](SQLite::Database& database) {
    WriteTransaction transaction(database);
    const std::int64_t id = insert_grading(database, g, json);
    SQLite::Statement insert(database,
                             "INSERT INTO handed_in (grading, course, student, attempt, received_at, lab, "
                             "level, backend, sources_sha256) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    SQLite::bind(insert, id, h.course, h.student, h.attempt, h.received_at, g.lab, g.level,
                 to_string(g.backend), g.sources_sha256);
    insert.exec();
    transaction.commit();
    return id;
  });
}

std::int64_t Records::add(const Table& t) {
  const std::string json = json_text(to_json(t), -1);
  return impl_->guarded([&](SQLite::Database& database) {
    WriteTransaction transaction(database);
    SQLite::Statement insert(database,
                             "INSERT INTO measured_table (measured_at, lab, name, backend, device, json) "
                             "VALUES (?, ?, ?, ?, ?, ?)");
    SQLite::bind(insert, t.measured_at, t.lab, t.spec.id, to_string(t.backend), t.device, json);
    insert.exec();
    const std::int64_t id = database.getLastInsertRowid();
    transaction.commit();
    return id;
  });
}

std::vector<RecordSummary> Records::list(const std::string& lab, int limit) const {
  return impl_->guarded([&](SQLite::Database& database) {
    SQLite::Statement query(
        database, fmt::format("SELECT {} FROM grading WHERE ?1 = '' OR lab = ?1 ORDER BY id DESC LIMIT ?2",
                              summary_columns));
    SQLite::bind(query, lab, limit);
    std::vector<RecordSummary> out;
    while (query.executeStep()) out.push_back(read_summary(query));
    return out;
  });
}

std::optional<Grading> Records::get(std::int64_t id) const {
  return impl_->guarded([&](SQLite::Database& database) -> std::optional<Grading> {
    SQLite::Statement query(database, "SELECT json FROM grading WHERE id = ?");
    query.bind(1, id);
    if (!query.executeStep()) return std::nullopt;
    return grading_from_json(parse_json(query.getColumn(0).getString(), fmt::format("Record {}", id)));
  });
}

std::optional<RecordSummary> Records::best(const std::string& lab, int level) const {
  return impl_->guarded([&](SQLite::Database& database) -> std::optional<RecordSummary> {
    SQLite::Statement query(database,
                            fmt::format("SELECT {} FROM grading WHERE lab = ? AND level = ? AND "
                                        "origin = 'student' AND is_check = 0 AND max_points > 0 AND "
                                        "verdict <> 'grader_fault' ORDER BY points DESC, id DESC LIMIT 1",
                                        summary_columns));
    SQLite::bind(query, lab, level);
    if (!query.executeStep()) return std::nullopt;
    return read_summary(query);
  });
}

std::optional<Grading> Records::graded_before(const HandedIn& h, const std::string& lab, int level,
                                              Backend backend, const std::string& sources_sha256) const {
  return impl_->guarded([&](SQLite::Database& database) -> std::optional<Grading> {
    SQLite::Statement query(
        database,
        "SELECT grading.json, grading.id FROM handed_in JOIN grading ON grading.id = handed_in.grading "
        "WHERE handed_in.course = ? AND handed_in.lab = ? AND handed_in.level = ? AND handed_in.student = ? "
        "AND handed_in.attempt = ? AND handed_in.backend = ? AND handed_in.sources_sha256 = ? "
        "ORDER BY grading.id DESC LIMIT 1");
    SQLite::bind(query, h.course, lab, level, h.student, h.attempt, to_string(backend), sources_sha256);
    if (!query.executeStep()) return std::nullopt;
    return grading_from_json(
        parse_json(query.getColumn(0).getString(), fmt::format("Record {}", query.getColumn(1).getInt64())));
  });
}

std::optional<Table> Records::last_table(const std::string& lab, const std::string& table,
                                         Backend backend) const {
  return impl_->guarded([&](SQLite::Database& database) -> std::optional<Table> {
    SQLite::Statement query(database,
                            "SELECT json, id FROM measured_table WHERE lab = ? AND name = ? AND backend = ? "
                            "ORDER BY id DESC LIMIT 1");
    SQLite::bind(query, lab, table, to_string(backend));
    if (!query.executeStep()) return std::nullopt;
    return table_from_json(
        parse_json(query.getColumn(0).getString(), fmt::format("Table {}", query.getColumn(1).getInt64())));
  });
}

}  // namespace grader
