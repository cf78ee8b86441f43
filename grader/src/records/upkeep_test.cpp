// Tests whole files of records: damage is found and reported, a backup is consistent while other graders write, and
// merging keeps each grading once.
#include "records/upkeep.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/test_folder.hpp"
#include "records/records.hpp"

namespace grader {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class UpkeepTest : public testing::Test {
 protected:
  TestFolder folder;
  const fs::path here = folder.path / "here.sqlite", there = folder.path / "there.sqlite";
};

Grading grading(double points, const std::string& started_at = "2030-01-02T03:04:05Z") {
  Grading g;
  g.lab = "lab1.1";
  g.origin = Origin::folder;
  g.started_at = started_at;
  g.verdict = Verdict::wrong_answer;
  g.points = points;
  g.max_points = 10;
  g.sources_sha256 = "abc";
  return g;
}

HandedIn from(const std::string& student, int attempt = 1) {
  return {"gpu-2030", student, attempt, "2030-01-01T00:00:00Z"};
}

void change(const fs::path& file, const std::string& sql) {
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec(sql);
}

template <class Work>
Error error_of(Work work) {
  try {
    work();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorKind::fault, ""};
}

TEST_F(UpkeepTest, ASoundFileIsCounted) {
  Records(here).add(grading(3), from("ada"));
  Records(here).add(grading(4));
  const RecordsProof proof = prove_records(here);
  EXPECT_THAT(proof.problems, IsEmpty());
  EXPECT_EQ(proof.gradings, 2);
  EXPECT_EQ(proof.handed_in, 1);
}

TEST_F(UpkeepTest, BrokenInvariantsAreReported) {
  const struct {
    const char *sql, *says;
  } breaches[] = {
      {"UPDATE grading SET points = 11", "Grading 1 has 11 of 10 points."},
      {"UPDATE grading SET points = 4", "The columns of grading 1 do not say what its report says."},
      {"UPDATE grading SET json = '{'", "The report of grading 1 can't be read"},
      {"UPDATE grading SET is_check = 1", "Grading 1 is a check, and has 3"},
      {"UPDATE handed_in SET level = 2", "handed in by \"ada\", is of another lab, level"},
      {"UPDATE handed_in SET sources_sha256 = 'x'", "Grading 1 is of other files than were handed in."},
      {"PRAGMA foreign_keys=OFF; DELETE FROM grading",
       "Row 1 of handed_in belongs to a grading that is not there."},
      {"UPDATE grading SET uid = ''", "Grading 1 has no name of its own"},
  };
  for (const auto& breach : breaches) {
    const fs::path file = folder.path / "breached.sqlite";
    fs::remove(file);
    Records(file).add(grading(3), from("ada"));
    change(file, breach.sql);
    EXPECT_THAT(prove_records(file).problems, Contains(HasSubstr(breach.says))) << breach.sql;
  }
}

TEST_F(UpkeepTest, DamagedPagesAreReported) {
  for (int i = 0; i < 200; ++i) Records(here).add(grading(3), from("ada", i + 1));
  change(here, "PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string whole = folder.read("here.sqlite");
  const auto reported = [&] {
    try {
      return !prove_records(here).problems.empty();
    } catch (const Error& e) {
      return e.kind() == ErrorKind::usage && std::string(e.what()).find("damaged") != std::string::npos;
    }
  };
  for (const std::size_t at : {std::size_t{4096}, whole.size() / 2, whole.size() - 4000}) {
    folder.write("here.sqlite", std::string(whole).replace(at, 600, 600, '\xEE'));
    EXPECT_TRUE(reported()) << at;
  }
  for (const std::size_t left : {whole.size() / 2, std::size_t{4096}, std::size_t{50}}) {
    folder.write("here.sqlite", whole.substr(0, left));
    EXPECT_TRUE(reported()) << left;
    EXPECT_EQ(folder.read("here.sqlite"), whole.substr(0, left));
  }
}

TEST_F(UpkeepTest, ForeignFilesAreNotProved) {
  EXPECT_THAT(error_of([&] { prove_records(here); }).what(), HasSubstr("There are no records in"));
  folder.write("here.sqlite", "notes");
  EXPECT_THAT(error_of([&] { prove_records(here); }).what(), HasSubstr("is not a records file"));
  Records(there).add(grading(1));
  change(there, "PRAGMA user_version=99");
  EXPECT_THAT(error_of([&] { prove_records(there); }).what(), HasSubstr("newer grader"));
  EXPECT_THAT(error_of([&] { merge_records(here, {there}); }).what(), HasSubstr("newer grader"));
}

TEST_F(UpkeepTest, ABackupIsWholeAndOverwritesNothing) {
  Records(here).add(grading(3), from("ada"));
  EXPECT_EQ(backup_records(here, there), 1);
  EXPECT_THAT(prove_records(there).problems, IsEmpty());
  EXPECT_FALSE(fs::exists(there.string() + "-wal"));
  const Error again = error_of([&] { backup_records(here, there); });
  EXPECT_EQ(again.kind(), ErrorKind::usage);
  EXPECT_THAT(again.what(), HasSubstr("is there already"));
  EXPECT_EQ(error_of([&] { backup_records(here, folder.path / "none/b.sqlite"); }).kind(),
            ErrorKind::environment);
  EXPECT_THAT(error_of([&] { backup_records(folder.path / "nothing", folder.path / "b"); }).what(),
              HasSubstr("There are no records"));
  EXPECT_FALSE(fs::exists(folder.path / "b"));
  for (const auto& entry : fs::directory_iterator(folder.path))
    EXPECT_NE(entry.path().filename().string().front(), '.') << entry.path();
}

TEST_F(UpkeepTest, ABackupIsWholeWhileAGraderWrites) {
  Records(here).add(grading(0));
  const pid_t writer = fork();
  if (writer == 0) {
    Records records(here);
    for (int i = 0;; ++i) records.add(grading(1), from("ada", i + 1));
  }
  for (int i = 0; i < 5; ++i) {
    const fs::path to = folder.path / std::to_string(i);
    const int gradings = backup_records(here, to);
    const RecordsProof proof = prove_records(to);
    EXPECT_THAT(proof.problems, IsEmpty());
    EXPECT_EQ(proof.gradings, gradings);
    EXPECT_EQ(proof.handed_in, gradings - 1) << "both rows of a grading or none";
  }
  kill(writer, SIGKILL);
  waitpid(writer, nullptr, 0);
}

TEST_F(UpkeepTest, MergingKeepsEachGradingOnce) {
  Records(here).add(grading(3), from("ada"));
  fs::copy_file(here, there);
  Records(here).add(grading(4), from("bob"));
  Records(there).add(grading(5, "2030-01-01T00:00:00Z"), from("cleo"));
  const std::string before = folder.read("there.sqlite");
  Merged merged = merge_records(here, {there}).at(0);
  EXPECT_EQ(merged.added, 1);
  EXPECT_EQ(merged.known, 1);
  EXPECT_THAT(merged.conflicts, IsEmpty());
  EXPECT_EQ(folder.read("there.sqlite"), before);
  for (int again = 0; again < 2; ++again) {
    merged = merge_records(here, {there, there}).at(1);
    EXPECT_EQ(merged.added, 0);
    EXPECT_EQ(merged.known, 2);
  }
  Records records(here);
  EXPECT_EQ(records.list().size(), 3u);
  EXPECT_EQ(records.list({.student = "cleo"}).at(0).points, 5);
  EXPECT_EQ(records.list().back().student, "cleo") << "by time, not by when it was merged";
  EXPECT_THAT(prove_records(here).problems, IsEmpty());
}

TEST_F(UpkeepTest, MergingIntoNothingIsACopy) {
  Records(there).add(grading(3), from("ada"));
  EXPECT_EQ(merge_records(here, {there}).at(0).added, 1);
  EXPECT_EQ(Records(here).list({.student = "ada"}).size(), 1u);
}

TEST_F(UpkeepTest, DisagreementsOfTwoFilesAreReported) {
  Records(here).add(grading(3), from("ada"));
  Records(there).add(grading(4, "2030-01-02T04:00:00Z"), from("ada"));
  Grading other = grading(5);
  other.sources_sha256 = "other";
  Records(here).add(grading(2), from("bob"));
  Records(there).add(other, from("bob"));
  Records(here).set_due("gpu-2030", "lab1.1", 1, {{"ada", "2030-01-05T00:00:00Z"}});
  Records(there).set_due("gpu-2030", "lab1.1", 1, {{"ada", "2030-01-06T00:00:00Z"}});
  EXPECT_THAT(
      merge_records(here, {there}).at(0).conflicts,
      ElementsAre(HasSubstr("ada, attempt 1 of lab1.1.1: the same files have 3 points here and 4 there"),
                  HasSubstr("bob, attempt 1 of lab1.1.1: other files here"),
                  HasSubstr("ada has to hand in lab1.1.1 at 2030-01-05T00:00:00Z here")));
  Records records(here);
  EXPECT_EQ(records.list().size(), 4u) << "all are kept";
  EXPECT_EQ(records.list({.student = "ada"}).at(0).due_at, "2030-01-05T00:00:00Z");
  EXPECT_EQ(records.graded_before(from("ada"), "lab1.1", 1, Backend::emu, "abc")->points, 4)
      << "the newer one";
  change(there,
         "UPDATE grading SET points = 9, json = replace(json, '\"points\":4.0', '\"points\":9.0') WHERE "
         "points = 4");
  EXPECT_THAT(merge_records(here, {there}).at(0).conflicts,
              Contains(HasSubstr("is another one in that file; ours was kept")));
}

TEST_F(UpkeepTest, WhereOneFileIsNotSoundNothingIsMerged) {
  const fs::path third = folder.path / "third.sqlite";
  Records(here).add(grading(1));
  Records(there).add(grading(2));
  Records(third).add(grading(3));
  change(third, "UPDATE grading SET points = 11");
  EXPECT_THAT(error_of([&] { merge_records(here, {there, third}); }).what(), HasSubstr("nothing was merged"));
  EXPECT_EQ(Records(here).list().size(), 1u);
}

}  // namespace
}  // namespace grader
