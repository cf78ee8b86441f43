// What a class hands in, as the platforms name it, damaged and hostile: who is found, what is read, what of it is graded.
#include "course/course.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <utime.h>

#include "catalog/test_kit.hpp"
#include "course/archive.hpp"
#include "course/assemble.hpp"
#include "course/compare.hpp"
#include "course/git_clone.hpp"
#include "process/fake_machine.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What an Error says; "" when there is none.
template <class Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

struct Entry {
  std::string name, text;
  unsigned type = AE_IFREG;
};

void write_archive(const fs::path& file, const std::vector<Entry>& entries, bool zip) {
  archive* const out = archive_write_new();
  if (zip) {
    archive_write_set_format_zip(out);
  } else {
    archive_write_set_format_pax_restricted(out);
    archive_write_add_filter_gzip(out);
  }
  ASSERT_EQ(archive_write_open_filename(out, file.c_str()), ARCHIVE_OK);
  for (const Entry& one : entries) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, one.name.c_str());
    archive_entry_set_filetype(entry, one.type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(one.text.size()));
    if (one.type == AE_IFLNK) archive_entry_set_symlink(entry, "/etc/passwd");
    archive_write_header(out, entry);
    archive_write_data(out, one.text.data(), one.text.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
}

void set_time(const fs::path& file, std::time_t time) {
  const utimbuf both{time, time};
  ASSERT_EQ(utime(file.c_str(), &both), 0);
}

struct HandIns : testing::Test {
  TestFolder folder;

  /// "student:attempt" of each, in order.
  std::vector<std::string> found() const {
    std::vector<std::string> out;
    for (const HandIn& one : find_hand_ins(folder.path, {}))
      out.push_back(one.student + ":" + std::to_string(one.attempt));
    return out;
  }
};

TEST_F(HandIns, AreFoundUnderTheNamesOfPlatforms) {
  folder.write("ada/kernel.cu", "");
  folder.write("bob/1/kernel.cu", "");
  folder.write("bob/attempt10/kernel.cu", "");
  folder.write("bob/2/kernel.cu", "");
  folder.write("Cleo Ä_123_assignsubmission_file/kernel.cu", "");
  folder.write("dan_LATE_7_88_kernel-1.cu", "");
  folder.write("dan_7_87_kernel.cu", "");
  folder.write("dan_7_87_more.h", "");
  folder.write("eve.zip", "");
  folder.write("eve-2.tar.gz", "");
  folder.write(".git/config", "");
  folder.write("readme.txt", "");
  EXPECT_THAT(found(), ElementsAre("Cleo Ä:1", "ada:1", "bob:1", "bob:2", "bob:3", "dan:1", "dan:2", "eve:1",
                                   "eve:2"));
  const std::vector<HandIn> all = find_hand_ins(folder.path, {});
  EXPECT_EQ(all[0].number, "123");
  EXPECT_EQ(all[4].paths.front().filename(), "attempt10");
  EXPECT_EQ(all[5].paths.size(), 2u);
  EXPECT_EQ(read_hand_in(all[5])[0].name, "kernel.cu");
}

TEST_F(HandIns, HaveTheTimeOfTheirNewestFile) {
  folder.write("ada/kernel.cu", "");
  folder.write("ada/notes.txt", "");
  set_time(folder.path / "ada/kernel.cu", 1893456000);
  set_time(folder.path / "ada/notes.txt", 1900000000);
  EXPECT_EQ(find_hand_ins(folder.path, {}).front().received_at, "2030-01-01T00:00:00Z");
}

TEST_F(HandIns, HaveTheTimeOfTheFolderWhereItHoldsNoSources) {
  folder.write("ada/notes.txt", "");
  set_time(folder.path / "ada", 1893456000);
  EXPECT_EQ(find_hand_ins(folder.path, {}).front().received_at, "2030-01-01T00:00:00Z");
}

/// A machine without a sandbox.
struct Unconfined : FakeMachine {
  struct Plain final : CommandRunner {
    ProcessResult run(const ProcessRequest& request) override { return run_process(request); }
    ProcessResult run_confined(const ProcessRequest& request, const SandboxSpec&) override {
      return run_process(request);
    }
    SandboxStatus sandbox() override { return {}; }
    bool interrupted() override { return false; }
  } plain;
  Machine machine{plain, clocks, files, devices};
};

/// A shell line in a folder of the class; tests of clones need git.
#define IN_CLONE(name, line)                                                            \
  ASSERT_EQ(std::system(("mkdir -p '" + (folder.path / (name)).string() + "' && cd '" + \
                         (folder.path / (name)).string() + "' && " + (line))            \
                            .c_str()),                                                  \
            0)
constexpr const char* commit =
    "git init -q . && echo x > kernel.cu && git add . && GIT_COMMITTER_DATE='2030-01-02T03:04:05Z' git -c "
    "user.name='A > 7 +0' "
    "-c user.email=a@b commit -q -m 'x\n\ncommitter no > 1 +0000'";

TEST_F(HandIns, AGitCloneHasTheTimeOfItsLastCommitAndTheNameWithoutTheAssignments) {
  if (find_program("git").empty()) GTEST_SKIP() << "git is not installed";
  for (const char* name : {"lab2-1-ada", "lab2-1-bob-x", "lab2-1-cleo"}) IN_CLONE(name, std::string(commit));
  std::vector<std::string> who;
  for (const HandIn& one : find_hand_ins(folder.path, {})) {
    who.push_back(one.student);
    EXPECT_EQ(one.received_at, "2030-01-02T03:04:05Z");
    EXPECT_EQ(one.note, "");
    EXPECT_EQ(read_hand_in(one).size(), 1u);
  }
  EXPECT_THAT(who, ElementsAre("ada", "bob-x", "cleo"));
}

TEST_F(HandIns, AHostileCloneStartsNothing) {
  if (find_program("git").empty()) GTEST_SKIP() << "git is not installed";
  IN_CLONE("eve", std::string(commit));
  const TestFolder traps;
  fs::permissions(traps.path, fs::perms::all);
  const std::string trap = "!sh -c 'touch " + (traps.path / "sprung").string() + "'", plain = trap.substr(1);
  std::string settings;
  for (const char* key : {"core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.askPass",
                          "gpg.program", "gpg.ssh.program", "diff.external", "credential.helper",
                          "core.gitProxy", "uploadpack.packObjectsHook"})
    settings += std::string("git config ") + key + " \"" + plain + "\" && ";
  settings += "git config alias.cat-file \"" + trap +
              "\" && git config log.showSignature true && git config core.hooksPath hooks && "
              "git config core.worktree / && git config extensions.partialClone origin && git config "
              "remote.origin.promisor true && "
              "git config remote.origin.url \"ext::" +
              plain + "\" && git config protocol.ext.allow always";
  IN_CLONE("eve", settings);
  for (const char* hook :
       {"post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout"})
    folder.write(fs::path("eve/hooks") / hook, "#!/bin/sh\n" + plain + "\n");
  const auto eve = [&] { return find_hand_ins(folder.path, {}).at(0); };
  const auto sprung = [&] { return fs::exists(traps.path / "sprung"); };
  EXPECT_EQ(eve().received_at, "2030-01-02T03:04:05Z");
  Unconfined unconfined;
  EXPECT_EQ(last_commit(folder.path / "eve", unconfined.machine), seconds_of("2030-01-02T03:04:05Z"));
  EXPECT_FALSE(sprung());
  // Its last commit is missing, so that git would have to fetch it.
  IN_CLONE("eve", std::string("cp -r .git/objects ../objects && find .git/objects -type f -delete"));
  EXPECT_THAT(eve().note, HasSubstr("no time of its last commit"));
  EXPECT_EQ(last_commit(folder.path / "eve", unconfined.machine), std::nullopt);
  EXPECT_FALSE(sprung());
  IN_CLONE("eve", std::string("rm -rf .git/objects && mv ../objects .git/objects"));
  IN_CLONE("eve", std::string("git config core.worktree .. && (git status >/dev/null 2>&1 || true)"));
  EXPECT_TRUE(sprung()) << "the traps are live";
  IN_CLONE("eve", std::string("rm -rf .git/HEAD && ln -s /etc/passwd .git/HEAD"));
  EXPECT_THAT(eve().note, HasSubstr("no time of its last commit"));
}

TEST_F(HandIns, OfAnEmptyFolderAreNone) {
  EXPECT_THAT(error_of([&] { find_hand_ins(folder.path, {}); }), HasSubstr("nothing that was handed in"));
  EXPECT_THAT(error_of([&] { find_hand_ins(folder.path / "missing", {}); }), HasSubstr("is not a folder"));
}

struct ArchiveTest : testing::TestWithParam<bool> {
  TestFolder folder;
  fs::path file = folder.path / (GetParam() ? "a.zip" : "a.tar.gz");
  std::string error() const {
    return error_of([&] { read_archive(file); });
  }
};

TEST_P(ArchiveTest, GivesItsSources) {
  write_archive(file, {{"work/b.cu", "two"}, {"a.h", "one"}, {"__MACOSX/._a.h", "x"}, {".git/config", "x"}},
                GetParam());
  const std::vector<SubmissionFile> files = read_archive(file);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, "a.h");
  EXPECT_EQ(files[1].name, "work/b.cu");
  EXPECT_EQ(files[1].text, "two");
}

TEST_P(ArchiveTest, WithNamesThatLeadOutOfItIsRefused) {
  for (const char* name : {"../../x.cu", "/tmp/x.cu", "a/../../x.cu"}) {
    write_archive(file, {{name, "x"}}, GetParam());
    EXPECT_THAT(error(), HasSubstr("leads out of it")) << name;
  }
}

TEST_P(ArchiveTest, GivesNoLinks) {
  write_archive(file, {{"x.cu", "", AE_IFLNK}, {"y.cu", "text"}}, GetParam());
  const std::vector<SubmissionFile> files = read_archive(file);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].text, "text");
}

TEST_P(ArchiveTest, ThatGrowsWithoutEndIsGivenUp) {
  write_archive(file, {{"x.cu", std::string(5 << 20, 'x')}}, GetParam());
  EXPECT_LT(fs::file_size(file), 64u << 10);
  EXPECT_THAT(error(), HasSubstr("x.cu in"));
  std::vector<Entry> many;
  for (int i = 0; i < 12; ++i) many.push_back({std::to_string(i) + ".cu", std::string(3 << 20, 'x')});
  write_archive(file, many, GetParam());
  EXPECT_THAT(error(), HasSubstr("more than 32 MiB"));
  many.assign(300, {"x.cu", "x"});
  for (std::size_t i = 0; i < many.size(); ++i) many[i].name = std::to_string(i) + ".cu";
  write_archive(file, many, GetParam());
  EXPECT_THAT(error(), HasSubstr("more than 200 files"));
}

TEST_P(ArchiveTest, ThatIsCutShortIsDamaged) {
  write_archive(file, {{"x.cu", "int main() {}"}, {"y.cu", std::string(9999, 'y')}}, GetParam());
  fs::resize_file(file, fs::file_size(file) / 2);
  EXPECT_THAT(error(), HasSubstr("can't be read as an archive"));
  folder.write(file.filename().string(), "no archive");
  EXPECT_THAT(error(), HasSubstr("can't be read as an archive"));
}

INSTANTIATE_TEST_SUITE_P(Formats, ArchiveTest, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "zip" : "tar_gz"; });

struct AssembleTest : testing::Test {
  TestKit kit;
  Lab lab = kit.lab();
  const std::string right = R"(#include "scale.h"
// ---- part 1: double it (one line) ----
v[i] *= 2;
// ---- end of part 1 ----
const int blocks = 1;
launch(blocks);
)";
  Assembled assembled(const std::vector<SubmissionFile>& files) const {
    return assemble(read_form(kit.kit, lab, 1), files, "/handed/in");
  }
  static std::string text_of(const Assembled& from, const fs::path& name) {
    for (const SubmissionFile& file : from.submission.files)
      if (file.name == name) return file.text;
    return "";
  }
};

TEST_F(AssembleTest, PutsTheBlanksIntoTheKitsFiles) {
  const Assembled all = assembled({{"deep/scale.cu", right}, {"scale.h", "#define launch(x)\n"}});
  EXPECT_EQ(text_of(all, "scale.cu"), right);
  EXPECT_EQ(text_of(all, "scale.h"), "#pragma once\n");
  EXPECT_THAT(all.notes, IsEmpty());
  EXPECT_THAT(all.submission.todo, IsEmpty());
}

TEST_F(AssembleTest, NamesWhatWasChangedOutsideOfThem) {
  std::string changed = right;
  changed.replace(changed.find("blocks = 1"), 10, "blocks = 9");
  const Assembled all = assembled({{"scale.cu", changed}});
  EXPECT_EQ(text_of(all, "scale.cu"), right);
  EXPECT_THAT(all.notes, ElementsAre(HasSubstr("scale.cu:5 differs from the lab's file")));
  EXPECT_THAT(assembled({{"scale.cu", right + "extra\n"}}).notes,
              ElementsAre(HasSubstr("scale.cu:7 differs")));
}

TEST_F(AssembleTest, LinesOfWindowsAreNoChange) {
  std::string windows;
  for (char c : right) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_THAT(assembled({{"scale.cu", windows}}).notes, IsEmpty());
}

TEST_F(AssembleTest, AFileWithoutMarksIsGradedAsItIs) {
  const std::string bare = "#include \"scale.h\"\nv[i] *= 2;\n";
  const Assembled all = assembled({{"scale.cu", bare}});
  EXPECT_EQ(text_of(all, "scale.cu"), bare);
  EXPECT_THAT(all.notes, ElementsAre(HasSubstr("Look at it by hand")));
}

TEST_F(AssembleTest, WhatIsMissingStaysBlank) {
  const Assembled all = assembled({{"other.cu", "x"}});
  EXPECT_EQ(all.submission.todo.size(), 1u);
  EXPECT_THAT(all.notes, ElementsAre("scale.cu was not handed in."));
}

TEST_F(AssembleTest, OfTwoFilesTheOneInTheLevelsFolderIsMeant) {
  const Assembled all = assembled({{"scale.cu", "old"}, {"work/lab1.1/level1/scale.cu", right}});
  EXPECT_EQ(text_of(all, "scale.cu"), right);
  EXPECT_THAT(all.notes, ElementsAre(HasSubstr("handed in several times")));
}

struct ClassFileTest : testing::Test {
  TestFolder folder;
  ClassFile read(const std::string& text) {
    folder.write("class.toml", text);
    return read_class_file(folder.path / "class.toml");
  }
};

TEST_F(ClassFileTest, TimesHaveAZone) {
  EXPECT_EQ(seconds_of("1970-01-02T00:00:01Z"), 86401);
  EXPECT_EQ(seconds_of("2030-01-31T23:59:00+01:00"), seconds_of("2030-01-31T22:59:00Z"));
  EXPECT_EQ(seconds_of("2030-01-31T23:59:00"), std::nullopt);
  EXPECT_EQ(seconds_of("2030-02-31T23:59:00Z"), std::nullopt);
  EXPECT_THAT(error_of([&] { read("format = 1\ndeadline = \"tomorrow\"\n"); }), HasSubstr("with its zone"));
}

TEST_F(ClassFileTest, LateCostsByTheDayAfterTheGrace) {
  const ClassFile course = read(R"(format = 1
deadline = "2030-01-01T00:00:00Z"
[late]
grace_hours = 12
per_day = 0.25
last_day = 2
[[student]]
id = "ada"
extension_hours = 24
)");
  EXPECT_EQ(share_left(course, "bob", "2030-01-01T12:00:00Z"), 1);
  EXPECT_EQ(share_left(course, "bob", "2030-01-01T12:00:01Z"), 0.75);
  EXPECT_EQ(share_left(course, "bob", "2030-01-03T12:00:00Z"), 0.5);
  EXPECT_EQ(share_left(course, "bob", "2030-01-03T12:00:01Z"), 0);
  EXPECT_EQ(share_left(course, "ada", "2030-01-02T12:00:00Z"), 1);
}

TEST_F(ClassFileTest, StudentsMayStandInARoster) {
  const auto roster = [&](const std::string& text) {
    folder.write("s.csv", text);
    return read_class_file(folder.path / "s.csv").students;
  };
  const auto students = roster(
      "\xEF\xBB\xBF"
      "Student ID;ID;First name;Last name;Section;extension_hours;Deadline\r\n"
      "1;ada;Ada;\"Love;\"\"lace\"\"\";A;48;\r\n\r\n2;bob;;;B;;2030-02-07T23:59:00Z");
  ASSERT_EQ(students.size(), 2u);
  EXPECT_EQ(students.at("ada").name, "Ada Love;\"lace\"");
  EXPECT_EQ(students.at("ada").group, "A");
  EXPECT_EQ(students.at("ada").extension_hours, 48);
  ClassFile course;
  course.deadline = seconds_of("2030-01-31T00:00:00Z");
  course.students = students;
  EXPECT_EQ(due(course, "ada"), seconds_of("2030-02-02T00:00:00Z"));
  EXPECT_EQ(due(course, "bob"), seconds_of("2030-02-07T23:59:00Z"));
  EXPECT_EQ(due(course, "cleo"), course.deadline);
  const auto says = [&](const std::string& text) { return error_of([&] { roster(text); }); };
  EXPECT_THAT(says(""), HasSubstr("s.csv:1: is empty"));
  EXPECT_THAT(says("name\nada\n"), HasSubstr("has no column \"id\""));
  EXPECT_THAT(says("id\n"), HasSubstr("lists no student"));
  EXPECT_THAT(says("id\nada\n\nada\n"), HasSubstr("s.csv:4: \"ada\" is listed twice"));
  EXPECT_THAT(says("id,name\n,Ada\n"), HasSubstr("s.csv:2: a student has no id"));
  EXPECT_THAT(says("id,name\nada,\"Ada\n"), HasSubstr("s.csv:2: a quote has no end"));
  EXPECT_THAT(says("id,extension_hours\nada,soon\n"), HasSubstr("extension_hours is \"soon\""));
  EXPECT_THAT(says("id,deadline\nada,tomorrow\n"), HasSubstr("expected a time with its zone"));
  EXPECT_THAT(says("id\n\xff\n"), HasSubstr("s.csv:2: is no UTF-8"));
  folder.write("class.toml",
               "format = 1\nstudents = \"s.csv\"\n[[student]]\nid = \"ada\"\nname = \"Countess\"\n");
  folder.write("s.csv", "id,name,group\nada,Ada,A\nbob,Bob,B\n");
  const ClassFile both = read_class_file(folder.path / "class.toml");
  EXPECT_EQ(both.students.at("ada").name, "Countess");
  EXPECT_EQ(both.students.at("ada").group, "A");
  EXPECT_EQ(both.students.at("bob").name, "Bob");
}

TEST_F(ClassFileTest, AStudentStandsThereOnce) {
  EXPECT_THAT(error_of([&] { read("format = 1\n[[student]]\nid = \"a\"\n[[student]]\nid = \"a\"\n"); }),
              HasSubstr("listed twice"));
}

GradedAttempt attempt(const std::string& student, int number, double points,
                      Verdict verdict = Verdict::wrong_answer) {
  GradedAttempt out;
  out.hand_in.student = student;
  out.hand_in.attempt = number;
  out.hand_in.received_at = number == 1 ? "2030-01-01T00:00:00Z" : "2030-01-02T00:00:00Z";
  out.grading.points = points;
  out.grading.max_points = 10;
  out.grading.verdict = verdict;
  if (verdict == Verdict::grader_fault) {
    out.grading.cases.emplace_back();
    out.grading.cases.back().verdict = verdict;
  }
  return out;
}

TEST(Marks, TakeTheBestAttemptAfterTheLateRule) {
  ClassFile course;
  course.deadline = seconds_of("2030-01-01T00:00:00Z");
  course.late.per_day = 0.5;
  course.students["eve"] = {"eve", "Eve", "", 0};
  std::vector<Mark> all = marks(course, {attempt("ada", 1, 6), attempt("ada", 2, 10), attempt("bob", 1, 2)});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].counted, 1);
  EXPECT_EQ(all[0].mark(), 6);
  EXPECT_EQ(all[2].attempts, 0);
  course.latest_counts = true;
  all = marks(course, {attempt("ada", 1, 6), attempt("ada", 2, 10)});
  EXPECT_EQ(all[0].mark(), 5);
}

TEST(Marks, AFaultOfTheKitIsNobodysMark) {
  const std::vector<Mark> all =
      marks({}, {attempt("ada", 1, 4), attempt("ada", 2, 10, Verdict::grader_fault)});
  EXPECT_EQ(all[0].counted, 1);
  EXPECT_EQ(all[0].points, 4);
}

// ---- compared --------------------------------------------------------------------------------------------------------

struct CompareTest : testing::Test {
  TestKit kit;

  static std::string filled(const std::string& blank) {
    return "#include \"scale.h\"\n// ---- part 1: double it (one line) ----\n" + blank +
           "// ---- end of part 1 ----\nconst int blocks = 1;\nlaunch(blocks);\n";
  }
  void hand_in(const std::string& student, const std::string& blank) const {
    kit.write("class/" + student + "/scale.cu", filled(blank));
  }
  ClassSimilarity compared(const ClassFile& course = {}) const {
    return compare_class(kit.kit, kit.lab(), 1, course, find_hand_ins(kit.path / "class", {}));
  }
  /// Twenty who wrote something of their own.
  void others() const {
    for (int i = 0; i < 20; ++i) {
      std::string own = "v[i] *= 2;";
      for (int k = 0; k <= i; ++k)
        own += "if (i > " + std::string(1, '0') + ") v[i] " + "+-*/%^&|<>"[(i + k) % 10] + "= w;\n";
      hand_in("s" + std::to_string(i), own);
    }
  }
  static constexpr const char* unusual =
      "int k = 0;\ndo {\n  twice(v, i + k * stride, blocks);\n  v[i + k] = v[i + k] + last[k % 4];\n  "
      "++k;\n} while (k < (n >> 2) && !done[k]);\n"
      "last[k & 3] = v[i] - first[n - 1 - i];\nfor (long j = n; j != 0; j -= 7) first[j] ^= last[j / 3] | "
      "5;\n"
      "switch (k) { case 1: v[0] = 1; break; default: v[n - 1] = first[0] * last[k] / stride; }\n";
};

TEST_F(CompareTest, BlanksAloneAreComparedAndPlacesAreThoseOfTheFile) {
  others();
  hand_in("ada", unusual);
  hand_in("bob", std::string("// mine\n") + unusual);
  const ClassSimilarity out = compared();
  ASSERT_EQ(out.found.pairs.size(), 1u);
  const SimilarPair& pair = out.found.pairs[0];
  EXPECT_EQ(out.answers[pair.a].name, "ada");
  EXPECT_EQ(out.answers[pair.b].name, "bob");
  EXPECT_EQ(out.answers[pair.a].texts[pair.passages[0].text_a].first_line, 3u);
  EXPECT_EQ(pair.passages[0].first_b, pair.passages[0].first_a + 1);
}

TEST_F(CompareTest, AGroupAndTheAttemptsOfOneStudentAreNoPair) {
  others();
  hand_in("ada/1", unusual);
  hand_in("ada/2", unusual);
  EXPECT_THAT(compared().found.pairs, IsEmpty());
  hand_in("bob", unusual);
  EXPECT_EQ(compared().found.pairs.size(), 1u);
  ClassFile course;
  for (const char* id : {"ada", "bob"}) course.students[id] = {.id = id, .name = "", .group = "g1"};
  EXPECT_THAT(compared(course).found.pairs, IsEmpty());
}

TEST_F(CompareTest, DamagedMarksAndArchivesAreNoReasonToStop) {
  others();
  hand_in("ada", unusual);
  kit.write("class/bob/scale.cu", std::string("// no marks any more\n") + unusual);
  kit.write("class/cleo.zip", "no archive");
  const ClassSimilarity out = compared();
  ASSERT_EQ(out.found.pairs.size(), 1u);  // a file without marks is compared whole
  EXPECT_EQ(out.answers.size(), 22u);
}

}  // namespace
}  // namespace grader
