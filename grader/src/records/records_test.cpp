// Tests that records survive kill -9, two graders at once, a full disk, and files of other programs.
#include "records/records.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/test_folder.hpp"
#include "model/json.hpp"
#include "records/upkeep.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class RecordsTest : public testing::Test {
 protected:
  /// The error when opening the file; fails the test if there is none.
  Error opening_error(int wait_ms = 100) const {
    try {
      Records records(file, wait_ms);
    } catch (const Error& e) {
      return e;
    }
    ADD_FAILURE() << "opened";
    return {ErrorKind::fault, ""};
  }

  std::string bytes() const {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }

  TestFolder scratch;
  const fs::path folder = scratch.path;
  fs::path file = folder / "records.sqlite";
};

Grading grading(const std::string& lab, double points, Origin origin = Origin::student) {
  Grading g;
  g.lab = lab;
  g.level = 1;
  g.origin = origin;
  g.started_at = "2030-01-02T03:04:05Z";
  g.verdict = Verdict::wrong_answer;
  g.points = points;
  g.max_points = 10;
  g.submission = "/s";
  g.notes = {"a note"};
  return g;
}

Table table(const std::string& id, Backend backend, const std::string& when) {
  Table t;
  t.lab = "lab1.1";
  t.spec.id = id;
  t.backend = backend;
  t.measured_at = when;
  return t;
}

TEST_F(RecordsTest, KeepsGradingsAcrossOpenings) {
  const std::int64_t first = Records(file).add(grading("lab1.1", 4));
  Records records(file);
  const std::int64_t second = records.add(grading("lab0", 5));
  ASSERT_LT(first, second);
  const auto all = records.list();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].lab, "lab0") << "the newest comes first";
  EXPECT_EQ(all[1].points, 4);
  EXPECT_EQ(all[1].verdict, "wrong_answer");
  EXPECT_EQ(records.list({.lab = "lab1.1"}).size(), 1u);
  EXPECT_EQ(records.list({.limit = 1}).size(), 1u);
  EXPECT_TRUE(records.list({.lab = "lab9"}).empty());
}

TEST_F(RecordsTest, GivesBackTheWholeGrading) {
  Records records(file);
  const std::int64_t id = records.add(grading("lab1.1", 4));
  ASSERT_TRUE(records.get(id));
  EXPECT_EQ(records.get(id)->notes, std::vector<std::string>{"a note"});
  EXPECT_FALSE(records.get(id + 1));
}

TEST_F(RecordsTest, BestIsTheStudentsOwn) {
  Records records(file);
  records.add(grading("lab1.1", 4));
  records.add(grading("lab1.1", 7));
  records.add(grading("lab1.1", 5));
  records.add(grading("lab1.1", 10, Origin::solution));
  ASSERT_TRUE(records.best("lab1.1", 1));
  EXPECT_EQ(records.best("lab1.1", 1)->points, 7);
  EXPECT_FALSE(records.best("lab1.1", 2));
}

TEST_F(RecordsTest, AnUngradedAttemptIsNeverTheBest) {
  Records records(file);
  Grading fault = grading("lab1.1", 0);
  fault.verdict = Verdict::grader_fault;
  fault.max_points = 0;
  records.add(fault);
  EXPECT_FALSE(records.best("lab1.1", 1));
  records.add(grading("lab1.1", 0));
  records.add(fault);
  EXPECT_EQ(records.best("lab1.1", 1)->max_points, 10)
      << "no points of a whole kit, and not none of a broken one";
  fault.points = fault.max_points = 10;  // as if a grader had given points in spite of the fault
  records.add(fault);
  EXPECT_EQ(records.best("lab1.1", 1)->points, 0);
}

TEST_F(RecordsTest, ACheckIsNoBestGrading) {
  Records records(file);
  Grading check = grading("lab1.1", 0);
  check.check = true;
  check.max_points = 0;
  records.add(check);
  EXPECT_FALSE(records.best("lab1.1", 1));
  ASSERT_EQ(records.list().size(), 1u);
  EXPECT_TRUE(records.list()[0].check);
}

/// Writes a file of version 1 with some gradings, and then changes its tables by hand to those of `version`.
void write_old_file(const fs::path& file, int version, int gradings) {
  SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec(
      "CREATE TABLE grading (id INTEGER PRIMARY KEY, started_at TEXT NOT NULL, lab TEXT NOT NULL, level "
      "INTEGER NOT NULL, "
      "origin TEXT NOT NULL, submission TEXT NOT NULL, backend TEXT NOT NULL, device TEXT NOT NULL, verdict "
      "TEXT NOT NULL, "
      "points REAL NOT NULL, max_points REAL NOT NULL, json TEXT NOT NULL);"
      "CREATE INDEX grading_of_lab ON grading (lab, level, origin, points);"
      "CREATE TABLE measured_table (id INTEGER PRIMARY KEY, measured_at TEXT NOT NULL, lab TEXT NOT NULL, "
      "name TEXT NOT NULL, "
      "backend TEXT NOT NULL, device TEXT NOT NULL, json TEXT NOT NULL);"
      "CREATE INDEX table_of_lab ON measured_table (lab, name, backend);");
  for (int i = 0; i < gradings; ++i) {
    SQLite::Statement insert(
        database,
        "INSERT INTO grading (started_at, lab, level, origin, submission, backend, device, verdict, "
        "points, max_points, json) VALUES ('2030-01-02T03:04:05Z', 'lab1.1', 1, 'student', '/s', 'emu', "
        "'', 'wrong_answer', 4, 10, ?)");
    insert.bind(1, json_text(to_json(grading("lab1.1", 4)), -1));
    insert.exec();
  }
  if (version >= 2) database.exec("ALTER TABLE grading ADD COLUMN is_check INTEGER NOT NULL DEFAULT 0");
  if (version >= 3)
    database.exec(
        "CREATE TABLE handed_in (grading INTEGER PRIMARY KEY REFERENCES grading (id), course TEXT NOT NULL, "
        "student TEXT NOT "
        "NULL, attempt INTEGER NOT NULL, received_at TEXT NOT NULL, lab TEXT NOT NULL, level INTEGER NOT "
        "NULL, backend TEXT "
        "NOT NULL, sources_sha256 TEXT NOT NULL);"
        "INSERT INTO handed_in VALUES (1, '/class', 'ada', 1, '', 'lab1.1', 1, 'emu', '');");
  database.exec("PRAGMA application_id=" + std::to_string(0x434C6162));
  database.exec("PRAGMA user_version=" + std::to_string(version));
}

TEST_F(RecordsTest, FilesOfEveryVersionAreTakenOver) {
  for (const int version : {1, 2, 3}) {
    const fs::path old = folder / std::to_string(version);
    write_old_file(old, version, 2);
    Records records(old);
    records.add(grading("lab1.1", 5));
    ASSERT_EQ(records.list().size(), 3u) << version;
    EXPECT_FALSE(records.list().back().check);
    EXPECT_EQ(records.list({.student = "ada"}).size(), version >= 3 ? 1u : 0u);
    EXPECT_EQ(records.best("lab1.1", 1)->points, 5);
    EXPECT_THAT(prove_records(old).problems, IsEmpty()) << version;
  }
}

TEST_F(RecordsTest, KeepsHuntsOfEachStudentAndMergesThemOnce) {
  const fs::path other = folder / "other.sqlite";
  { Records(file).add(HuntRecord{"ada", "reverse", "no-barrier", "barrier", true, "{}"}); }
  {
    Records records(other);
    records.add(HuntRecord{"ada", "block_sum", "no-atomic", "atomic", false, "{}"});
    records.add(HuntRecord{"bob", "reverse", "no-barrier", "barrier", true, "{}"});
  }
  merge_records(file, {other});
  merge_records(file, {other});
  const Records records(file);
  ASSERT_EQ(records.hunts_of("ada").size(), 2u);
  EXPECT_EQ(records.hunts_of("bob").at(0).kind, "barrier");
  EXPECT_TRUE(records.hunts_of("bob").at(0).right);
  EXPECT_TRUE(records.hunts_of("eve").empty());
}

TEST_F(RecordsTest, FilesWithoutAnswersAreTakenOver) {
  { Records(file).add(grading("lab1.1", 4)); }
  {
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    database.exec("DROP TABLE hunt; DROP TABLE answered; PRAGMA user_version=4");
  }
  Records records(file);
  records.add(AnsweredQuestions{"ada", "lab1.1", 1, "student", "00", 4, 5, "{}"});
  EXPECT_EQ(records.answers_of("ada", "lab1.1", 1).size(), 1u);
  EXPECT_EQ(records.list().size(), 1u);
}

TEST_F(RecordsTest, KeepsAnswersOfEachStudentAndMergesThemOnce) {
  const fs::path other = folder / "other.sqlite";
  { Records(file).add(AnsweredQuestions{"ada", "lab1.1", 1, "student", "00", 4, 5, "{}"}); }
  {
    Records records(other);
    records.add(AnsweredQuestions{"ada", "lab1.1", 1, "student", "11", 5, 5, "{}"});
    records.add(AnsweredQuestions{"bob", "lab1.1", 1, "student", "00", 1, 5, "{}"});
  }
  merge_records(file, {other});
  merge_records(file, {other});
  const Records records(file);
  EXPECT_EQ(records.answers_of("ada", "lab1.1", 1).size(), 2u);
  EXPECT_EQ(records.answers_of("bob", "lab1.1", 1).at(0).right, 1u);
  EXPECT_TRUE(records.answers_of("ada", "lab1.1", 2).empty());
}

TEST_F(RecordsTest, CopiesOfAnOldFileAreStillTheSameWhenEachWasTakenOver) {
  write_old_file(file, 3, 3);  // with equal gradings
  const fs::path copy = folder / "copy.sqlite";
  fs::copy_file(file, copy);
  { const Records taken_over(copy); }
  EXPECT_EQ(merge_records(file, {copy}).at(0).added, 0);
  EXPECT_EQ(Records(file).list().size(), 3u);
}

TEST_F(RecordsTest, KeepsWithWhatAndHowConfinedAndWhenItWasDue) {
  Records records(file);
  Grading g = grading("lab1.1", 4, Origin::folder);
  g.kit_version = "1.2.3";
  g.sandbox = "whole";
  records.add(g, {"gpu-2030", "ada", 2, "2030-01-03T00:00:00Z"});
  const auto only = [&] { return records.list({.student = "ada"}).at(0); };
  EXPECT_EQ(only().kit_version, "1.2.3");
  EXPECT_EQ(only().sandbox, "whole");
  EXPECT_EQ(only().attempt, 2);
  EXPECT_EQ(only().due_at, "");
  records.set_due("gpu-2030", "lab1.1", 1,
                  {{"ada", "2030-01-02T00:00:00Z"}, {"bob", "2030-01-04T00:00:00Z"}});
  EXPECT_EQ(only().due_at, "2030-01-02T00:00:00Z");
  records.set_due("gpu-2030", "lab1.1", 1, {{"ada", "2030-01-09T00:00:00Z"}});
  EXPECT_EQ(only().due_at, "2030-01-09T00:00:00Z");
  records.set_due("gpu-2030", "lab1.1", 2, {{"ada", "2031-01-01T00:00:00Z"}});
  EXPECT_EQ(only().due_at, "2030-01-09T00:00:00Z") << "another level's";
  records.set_due("gpu-2030", "lab1.1", 1, {});
  EXPECT_EQ(only().due_at, "");
}

TEST_F(RecordsTest, BestOfAClassIsOneOfEachStudentAndLevel) {
  Records records(file);
  const auto hand_in = [&](const char* student, int attempt, double points, bool fault = false) {
    Grading g = grading("lab1.1", points, Origin::folder);
    if (fault) g.verdict = Verdict::grader_fault;
    return records.add(g, {"/class", student, attempt, ""});
  };
  hand_in("ada", 1, 3);
  const auto first_best = hand_in("ada", 2, 7);
  hand_in("ada", 3, 7);
  hand_in("ada", 4, 10, true);
  const auto bobs = hand_in("bob", 1, 0);
  const auto own = records.add(grading("lab1.1", 2));
  records.add(grading("lab0", 1));
  std::vector<std::int64_t> ids;
  for (const RecordSummary& one : records.list({.lab = "lab1.1", .best = true})) ids.push_back(one.id);
  EXPECT_THAT(ids, ElementsAre(own, first_best, bobs));
  EXPECT_EQ(records.list({.best = true}).size(), 4u);
  EXPECT_EQ(records.list({.lab = "lab1.1", .level = 2, .best = true}).size(), 0u);
  const auto history = records.list({.student = "ada", .oldest_first = true});
  ASSERT_EQ(history.size(), 4u);
  EXPECT_EQ(history[0].points, 3);
}

TEST_F(RecordsTest, AGradingOfAClassIsFoundByItsStudentAndItsFiles) {
  Records records(file);
  const HandedIn ada{"/class", "ada", 1, "2030-01-01T00:00:00Z"};
  Grading first = grading("lab1.1", 4, Origin::folder), second = first;
  first.sources_sha256 = second.sources_sha256 = "abc";
  second.points = 7;
  records.add(first, ada);
  records.add(second, ada);
  const auto found = [&](const HandedIn& who, const std::string& sha) {
    const auto one = records.graded_before(who, "lab1.1", 1, Backend::emu, sha);
    return one ? one->points : -1;
  };
  EXPECT_EQ(found(ada, "abc"), 7);  // the number of the newest grading
  EXPECT_EQ(found(ada, "abd"), -1);
  EXPECT_EQ(found({"/class", "ada", 2, ""}, "abc"), -1);
  EXPECT_EQ(found({"/other", "ada", 1, ""}, "abc"), -1);
  EXPECT_FALSE(records.best("lab1.1", 1));  // the user has no grading
}

TEST_F(RecordsTest, LastTableIsByNameAndBackend) {
  Records records(file);
  records.add(table("sizes", Backend::emu, "1"));
  records.add(table("sizes", Backend::emu, "2"));
  records.add(table("sizes", Backend::gpu, "3"));
  ASSERT_TRUE(records.last_table("lab1.1", "sizes", Backend::emu));
  EXPECT_EQ(records.last_table("lab1.1", "sizes", Backend::emu)->measured_at, "2");
  EXPECT_FALSE(records.last_table("lab1.1", "other", Backend::emu));
}

TEST_F(RecordsTest, TextOfStudentsIsDataAndNeverSql) {
  Records records(file);
  Grading hostile = grading("lab1.1", 1);
  hostile.submission = "'); DROP TABLE grading; --";
  records.add(hostile);
  EXPECT_EQ(records.list().at(0).submission, hostile.submission);
  EXPECT_TRUE(records.list({.lab = "' OR '1'='1"}).empty());
}

TEST_F(RecordsTest, MakesTheFoldersOnTheWay) {
  file = folder / "a" / "b" / "records.sqlite";
  EXPECT_NO_THROW(Records(file).add(grading("lab0", 1)));
}

TEST_F(RecordsTest, AFileThatIsNoDatabaseIsLeftAsItIs) {
  std::ofstream(file) << "my notes for the exam\n";
  const std::string before = bytes();
  const Error error = opening_error();
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_THAT(error.what(), HasSubstr("is not a records file"));
  EXPECT_EQ(bytes(), before);
}

TEST_F(RecordsTest, ADatabaseOfAnotherProgramIsLeftAsItIs) {
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE bookmarks (url)");
  const std::string before = bytes();
  EXPECT_THAT(opening_error().what(), HasSubstr("is not a records file"));
  EXPECT_EQ(bytes(), before);
}

TEST_F(RecordsTest, ANewerVersionIsLeftAsItIs) {
  Records(file).add(grading("lab0", 1));
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version=99");
  const std::string before = bytes();
  const Error error = opening_error();
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_THAT(error.what(), HasSubstr("newer grader"));
  EXPECT_EQ(bytes(), before);
}

TEST_F(RecordsTest, DamageIsReportedAndNotMadeWorse) {
  Records(file).add(grading("lab0", 1));
  {
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(100);
    out << std::string(4000, '\xEE');
  }
  const std::string before = bytes();
  EXPECT_THAT(opening_error().what(), HasSubstr("damaged"));
  EXPECT_EQ(bytes(), before);
}

TEST_F(RecordsTest, AFileThatWasEmptiedIsNoBeginning) {
  Records(file).add(grading("lab0", 1));
  std::ofstream{file};
  EXPECT_THAT(opening_error().what(), HasSubstr("are empty"));
  EXPECT_THAT(opening_error().next_step(), HasSubstr("backup"));
  EXPECT_EQ(bytes(), "");
  fs::remove(file);
  EXPECT_NO_THROW(Records(file).add(grading("lab0", 1)));
}

TEST_F(RecordsTest, AFolderInItsPlaceIsNamed) {
  fs::create_directory(file);
  EXPECT_THAT(opening_error().what(), HasSubstr("is a folder"));
}

TEST_F(RecordsTest, AFileThatCanNotBeWrittenIsNamed) {
  Records(file).add(grading("lab0", 1));
  fs::permissions(file, fs::perms::owner_read | fs::perms::others_read);
  fs::permissions(file.parent_path(), fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
  fs::permissions(folder, fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
  const uid_t user = geteuid();
  if (user == 0) {  // root may write everything
    ASSERT_EQ(seteuid(65534), 0);
  }
  const Error error = opening_error();
  ASSERT_EQ(seteuid(user), 0);
  EXPECT_EQ(error.kind(), ErrorKind::environment);
  EXPECT_THAT(error.what(), HasSubstr("can't be written"));
}

TEST_F(RecordsTest, AFolderThatCanNotBeMadeIsNamed) {
  std::ofstream(folder / "plain") << "x";
  file = folder / "plain" / "records.sqlite";
  EXPECT_EQ(opening_error().kind(), ErrorKind::environment);
}

TEST_F(RecordsTest, AnotherGradersTransactionIsWaitedForOnlySoLong) {
  Records records(file, 50);
  SQLite::Database other(file.string(), SQLite::OPEN_READWRITE);
  other.exec("BEGIN IMMEDIATE");
  try {
    records.add(grading("lab0", 1));
    FAIL() << "wrote in another's transaction";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::environment);
    EXPECT_THAT(e.what(), HasSubstr("Another grader"));
  }
  EXPECT_NO_THROW(records.list()) << "readers do not wait for a writer";
  other.exec("ROLLBACK");
  EXPECT_NO_THROW(records.add(grading("lab0", 1)));
}

/// Runs `body` in a child process, which exits with the value that it returns.
template <class Body>
pid_t in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 99;
    try {
      code = body();
    } catch (...) {
    }
    _exit(code);
  }
  return child;
}

int exit_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(RecordsTest, AFullDiskLosesNothingThatWasThere) {
  Records(file).add(grading("lab0", 1));
  // A limit on the size of files makes writes fail, as a full disk does. It is set in a child process,
  // because it can't be removed.
  const int code = exit_of(in_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    Records records(file);
    const rlimit limit{65536, 65536};
    setrlimit(RLIMIT_FSIZE, &limit);
    Grading big = grading("lab1.1", 2);
    big.diagnostics = std::string(1 << 20, 'x');
    try {
      records.add(big);
    } catch (const Error& e) {
      return e.kind() == ErrorKind::environment ? 0 : 1;
    }
    return 2;
  }));
  EXPECT_EQ(code, 0);
  Records records(file);
  ASSERT_EQ(records.list().size(), 1u);
  EXPECT_NO_THROW(records.add(grading("lab0", 3)));
}

TEST_F(RecordsTest, GradersThatStartAtOnceAllKeepTheirGradings) {
  constexpr int graders = 6, each = 5;
  std::vector<pid_t> children;
  for (int g = 0; g < graders; ++g) {
    children.push_back(in_child([&] {
      for (int i = 0; i < each; ++i) Records(file).add(grading("lab0", i));
      return 0;
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(exit_of(child), 0);
  EXPECT_EQ(Records(file).list({.limit = 1000}).size(), static_cast<std::size_t>(graders * each));
}

TEST_F(RecordsTest, KillingTheGraderLosesNoFinishedGrading) {
  std::size_t acknowledged = 0;
  for (int round = 0; round < 8; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = in_child([&] {
      Records records(file);
      Grading g = grading("lab1.1", 1);
      g.diagnostics = std::string(200000, 'x');  // many pages, so that the kill comes during a write
      for (;;) {
        records.add(g);
        if (write(ends[1], "+", 1) != 1) return 1;
      }
    });
    close(ends[1]);
    // In each round, the kill comes at a different time after a finished grading.
    char ack = 0;
    for (int i = 0; i <= round % 3; ++i) {
      ASSERT_EQ(read(ends[0], &ack, 1), 1);
      ++acknowledged;
    }
    usleep(static_cast<useconds_t>(300 * round));
    kill(child, SIGKILL);
    EXPECT_EQ(exit_of(child), -SIGKILL);
    while (read(ends[0], &ack, 1) == 1) ++acknowledged;
    close(ends[0]);

    Records records(file);
    const auto kept = records.list({.limit = 100000});
    EXPECT_GE(kept.size(), acknowledged);
    EXPECT_LE(kept.size(), acknowledged + static_cast<std::size_t>(round) + 1);
    ASSERT_TRUE(records.get(kept.at(0).id)) << "and each is whole";
    SQLite::Database database(file.string());
    EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
  }
}

}  // namespace
}  // namespace grader
