// Uses SQLite through SQLiteCpp. Values that are queried have columns. The whole grading is also stored as
// JSON, so that a later grader can fill new columns from it.
#include "records/records.hpp"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/json.hpp"
#include "records/schema.hpp"

namespace grader {
namespace {

/// The columns of a grading and of its hand-in, which are empty for a grading without a hand-in.
constexpr const char* summary_columns =
    "g.id, g.started_at, g.lab, g.level, g.origin, g.submission, g.backend, g.device, g.verdict, g.points, "
    "g.max_points, g.is_check, g.kit_version, g.sandbox, COALESCE(h.course, '') AS course, "
    "COALESCE(h.student, '') AS student, COALESCE(h.attempt, 0) AS attempt, COALESCE(h.received_at, '') AS "
    "received_at, "
    "COALESCE(d.due_at, '') AS due_at";
constexpr const char* summary_tables =
    "grading AS g LEFT JOIN handed_in AS h ON h.grading = g.id LEFT JOIN due_date AS d ON d.course = "
    "h.course "
    "AND d.lab = h.lab AND d.level = h.level AND d.student = h.student";
/// The condition for gradings that count as results. Checks don't count, and neither do gradings without
/// points, where the kit was at fault or no case could run.
constexpr const char* counts = "g.is_check = 0 AND g.max_points > 0 AND g.verdict <> 'grader_fault'";

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
  out.kit_version = row.getColumn(12).getString();
  out.sandbox = row.getColumn(13).getString();
  out.course = row.getColumn(14).getString();
  out.student = row.getColumn(15).getString();
  out.attempt = row.getColumn(16).getInt();
  out.received_at = row.getColumn(17).getString();
  out.due_at = row.getColumn(18).getString();
  return out;
}

/// @pre inside a transaction
std::int64_t insert_grading(SQLite::Database& database, const Grading& g, const std::string& json) {
  SQLite::Statement insert(
      database,
      "INSERT INTO grading (started_at, lab, level, origin, submission, backend, device, verdict, "
      "points, max_points, json, is_check, kit_version, sandbox, uid) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, ?, ?, ?, "
      "lower(hex(randomblob(16))))");
  SQLite::bind(insert, g.started_at, g.lab, g.level, to_string(g.origin), g.submission, to_string(g.backend),
               g.device, to_string(g.verdict), g.points, g.max_points, json, g.check ? 1 : 0, g.kit_version,
               g.sandbox);
  insert.exec();
  return database.getLastInsertRowid();
}

}  // namespace

struct Records::Impl {
  fs::path file;
  int wait_ms;
  SQLite::Database database;

  template <class Work>
  auto guarded(Work work) -> decltype(work(std::declval<SQLite::Database&>())) {
    return grader::guarded(file, wait_ms, [&] { return work(database); });
  }
};

Records::Records(const fs::path& file, int wait_ms) {
  guarded(file, wait_ms, [&] { impl_.reset(new Impl{file, wait_ms, open_records(file, wait_ms)}); });
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
    SQLite::Statement insert(
        database,
        "INSERT INTO measured_table (measured_at, lab, name, backend, device, json, uid) "
        "VALUES (?, ?, ?, ?, ?, ?, lower(hex(randomblob(16))))");
    SQLite::bind(insert, t.measured_at, t.lab, t.spec.id, to_string(t.backend), t.device, json);
    insert.exec();
    const std::int64_t id = database.getLastInsertRowid();
    transaction.commit();
    return id;
  });
}

void Records::add(const AnsweredQuestions& answered) {
  impl_->guarded([&](SQLite::Database& database) {
    WriteTransaction transaction(database);
    SQLite::Statement insert(database,
                             "INSERT INTO answered (uid, answered_at, student, lab, level, origin, "
                             "sources_sha256, correct, questions, "
                             "json) VALUES (lower(hex(randomblob(16))), strftime('%Y-%m-%dT%H:%M:%SZ', "
                             "'now'), ?, ?, ?, ?, ?, ?, ?, ?)");
    SQLite::bind(insert, answered.student, answered.lab, answered.level, answered.origin,
                 answered.sources_sha256, static_cast<std::int64_t>(answered.right),
                 static_cast<std::int64_t>(answered.questions), answered.json);
    insert.exec();
    transaction.commit();
  });
}

std::vector<AnsweredQuestions> Records::answers_of(const std::string& student, const std::string& lab,
                                                   int level) const {
  return impl_->guarded([&](SQLite::Database& database) {
    SQLite::Statement rows(
        database,
        "SELECT origin, sources_sha256, correct, questions, json, answered_at FROM answered "
        "WHERE student = ? AND lab = ? AND level = ? ORDER BY answered_at, id");
    SQLite::bind(rows, student, lab, level);
    std::vector<AnsweredQuestions> out;
    while (rows.executeStep())
      out.push_back({student, lab, level, rows.getColumn(0).getString(), rows.getColumn(1).getString(),
                     static_cast<std::size_t>(rows.getColumn(2).getInt64()),
                     static_cast<std::size_t>(rows.getColumn(3).getInt64()), rows.getColumn(4).getString(),
                     rows.getColumn(5).getString()});
    return out;
  });
}

void Records::add(const HuntRecord& hunt) {
  impl_->guarded([&](SQLite::Database& database) {
    WriteTransaction transaction(database);
    SQLite::Statement insert(database,
                             "INSERT INTO hunt (uid, hunted_at, student, program, mistake, kind, correct, "
                             "json) VALUES (lower(hex(randomblob(16))), strftime('%Y-%m-%dT%H:%M:%SZ', "
                             "'now'), ?, ?, ?, ?, ?, ?)");
    SQLite::bind(insert, hunt.student, hunt.program, hunt.mistake, hunt.kind, hunt.right ? 1 : 0, hunt.json);
    insert.exec();
    transaction.commit();
  });
}

std::vector<HuntRecord> Records::hunts_of(const std::string& student) const {
  return impl_->guarded([&](SQLite::Database& database) {
    SQLite::Statement rows(database,
                           "SELECT program, mistake, kind, correct, json, hunted_at FROM hunt "
                           "WHERE student = ? ORDER BY hunted_at, id");
    SQLite::bind(rows, student);
    std::vector<HuntRecord> out;
    while (rows.executeStep())
      out.push_back({student, rows.getColumn(0).getString(), rows.getColumn(1).getString(),
                     rows.getColumn(2).getString(), rows.getColumn(3).getInt() != 0,
                     rows.getColumn(4).getString(), rows.getColumn(5).getString()});
    return out;
  });
}

std::vector<RecordSummary> Records::list(const RecordQuery& q) const {
  return impl_->guarded([&](SQLite::Database& database) {
    // The best grading of each student (for gradings without a hand-in: of each level) is the earliest of
    // those with the most points.
    const std::string ranked =
        q.best ? std::string(
                     ", row_number() OVER (PARTITION BY h.course, h.student, g.lab, g.level, "
                     "CASE WHEN h.grading IS NULL THEN g.origin END ORDER BY g.points DESC, g.started_at, "
                     "g.id) AS place")
               : "";
    SQLite::Statement query(
        database,
        fmt::format(
            "SELECT * FROM (SELECT {}{} FROM {} WHERE (?1 = '' OR g.lab = ?1) AND (?2 = 0 OR g.level = ?2) "
            "AND (?3 = '' OR h.student = ?3){}){} ORDER BY {} LIMIT ?4",
            summary_columns, ranked, summary_tables, q.best ? fmt::format(" AND {}", counts) : "",
            q.best ? " WHERE place = 1" : "",
            q.best           ? "lab, level, student, course, origin"
            : q.oldest_first ? "started_at, id"
                             : "started_at DESC, id DESC"));
    SQLite::bind(query, q.lab, q.level.value_or(0), q.student, q.limit.value_or(-1));
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
    SQLite::Statement query(
        database, fmt::format("SELECT {} FROM {} WHERE g.lab = ? AND g.level = ? AND g.origin = 'student' "
                              "AND {} ORDER BY g.points DESC, g.started_at DESC, g.id DESC LIMIT 1",
                              summary_columns, summary_tables, counts));
    SQLite::bind(query, lab, level);
    if (!query.executeStep()) return std::nullopt;
    return read_summary(query);
  });
}

std::optional<Grading> Records::last_of_student(const std::string& lab, int level) const {
  for (const RecordSummary& record : list({.lab = lab, .level = level, .limit = 50}))
    if (record.origin == to_string(Origin::student) && !record.check) return get(record.id);
  return std::nullopt;
}

void Records::set_due(const std::string& course, const std::string& lab, int level,
                      const std::map<std::string, std::string>& due_at) {
  impl_->guarded([&](SQLite::Database& database) {
    WriteTransaction transaction(database);
    SQLite::Statement forget(database, "DELETE FROM due_date WHERE course = ? AND lab = ? AND level = ?");
    SQLite::bind(forget, course, lab, level);
    forget.exec();
    SQLite::Statement insert(
        database, "INSERT INTO due_date (course, lab, level, student, due_at) VALUES (?, ?, ?, ?, ?)");
    for (const auto& [student, moment] : due_at) {
      SQLite::bind(insert, course, lab, level, student, moment);
      insert.exec();
      insert.reset();
    }
    transaction.commit();
  });
}

std::optional<Grading> Records::graded_before(const HandedIn& h, const std::string& lab, int level,
                                              Backend backend, const std::string& sources_sha256) const {
  return impl_->guarded([&](SQLite::Database& database) -> std::optional<Grading> {
    SQLite::Statement query(
        database,
        "SELECT grading.json, grading.id FROM handed_in JOIN grading ON grading.id = handed_in.grading "
        "WHERE handed_in.course = ? AND handed_in.lab = ? AND handed_in.level = ? AND handed_in.student = ? "
        "AND handed_in.attempt = ? AND handed_in.backend = ? AND ?7 IN ('', handed_in.sources_sha256) "
        "ORDER BY grading.started_at DESC, grading.id DESC LIMIT 1");
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
                            "ORDER BY measured_at DESC, id DESC LIMIT 1");
    SQLite::bind(query, lab, table, to_string(backend));
    if (!query.executeStep()) return std::nullopt;
    return table_from_json(
        parse_json(query.getColumn(0).getString(), fmt::format("Table {}", query.getColumn(1).getInt64())));
  });
}

}  // namespace grader
