// Tests a class's folder: the owners, the order, and the times of the hand-ins.
#include "course/hand_ins.hpp"

#include "course/git_clone.hpp"
#include "course/test_hand_ins.hpp"
#include "process/fake_machine.hpp"

namespace grader {
namespace {

using namespace class_testing;

struct HandIns : testing::Test {
  TestFolder folder;

  /// "student:attempt" for each hand-in, in order.
  std::vector<std::string> found() const {
    std::vector<std::string> out;
    for (const HandIn& one : find_hand_ins(folder.path, {}).all)
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
  const std::vector<HandIn> all = find_hand_ins(folder.path, {}).all;
  EXPECT_EQ(all[0].number, "123");
  EXPECT_EQ(all[4].paths.front().filename(), "attempt10");
  EXPECT_EQ(all[5].paths.size(), 2u);
  EXPECT_EQ(read_hand_in(all[5]).files[0].name, "kernel.cu");
}

TEST_F(HandIns, HaveTheTimeOfTheirNewestFile) {
  folder.write("ada/kernel.cu", "");
  folder.write("ada/notes.txt", "");
  set_time(folder.path / "ada/kernel.cu", 1893456000);
  set_time(folder.path / "ada/notes.txt", 1900000000);
  EXPECT_EQ(find_hand_ins(folder.path, {}).all.front().received_at, "2030-01-01T00:00:00Z");
}

TEST_F(HandIns, HaveTheTimeOfTheFolderWhereItHoldsNoSources) {
  folder.write("ada/notes.txt", "");
  set_time(folder.path / "ada", 1893456000);
  EXPECT_EQ(find_hand_ins(folder.path, {}).all.front().received_at, "2030-01-01T00:00:00Z");
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

/// Runs a shell line in a folder of the class; tests of clones need git.
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
  for (const HandIn& one : find_hand_ins(folder.path, {}).all) {
    who.push_back(one.student);
    EXPECT_EQ(one.received_at, "2030-01-02T03:04:05Z");
    EXPECT_EQ(one.note, "");
    EXPECT_EQ(read_hand_in(one).files.size(), 1u);
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
  const auto eve = [&] { return find_hand_ins(folder.path, {}).all.at(0); };
  const auto sprung = [&] { return fs::exists(traps.path / "sprung"); };
  EXPECT_EQ(eve().received_at, "2030-01-02T03:04:05Z");
  Unconfined unconfined;
  EXPECT_EQ(last_commit(folder.path / "eve", unconfined.machine), seconds_of("2030-01-02T03:04:05Z"));
  EXPECT_FALSE(sprung());
  // The last commit is missing, so git would have to fetch it.
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

TEST_F(HandIns, OfOtherNamesAreNamed) {
  for (const char* const name :
       {"ada.ZIP", "bob.rar", "cleo.7z", "dan/kernel.cu", "notes.pdf", "eve.cu", "students.csv"})
    folder.write(name, "id\ndan\nfay\n");
  const FoundHandIns all = find_hand_ins(folder.path, {}, read_class_file(folder.path / "students.csv"));
  EXPECT_THAT(found(), ElementsAre("ada:1", "bob:1", "cleo:1", "dan:1"));
  EXPECT_THAT(all.remarks,
              ElementsAre(HasSubstr("no name of a platform: eve.cu, notes.pdf. Put it into a folder"),
                          HasSubstr("No student of the class file: ada, bob, cleo.")));
}

TEST_F(HandIns, OfLinksAndPipesAreEmpty) {
  folder.write("ada/kernel.cu", "hers");
  folder.write("bob.zip", archive_of({{"kernel.cu", "his"}}));
  folder.write("fay_1_assignsubmission_file_/x.txt", "");
  fs::create_symlink("bob.zip", folder.path / "eve.zip");
  fs::create_directory_symlink("ada", folder.path / "gil");
  fs::create_symlink("../bob.zip", folder.path / "fay_1_assignsubmission_file_/work.zip");
  fs::create_directories(folder.path / "hal");
  fs::create_symlink("../ada/kernel.cu", folder.path / "hal/kernel.cu");
  fs::create_symlink("ada/kernel.cu", folder.path / "ian_5_6_kernel.cu");
  ASSERT_EQ(mkfifo((folder.path / "joe.zip").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((folder.path / "list.csv").c_str(), 0600), 0);
  std::map<std::string, std::string> why;
  for (const HandIn& one : find_hand_ins(folder.path, {}).all) {
    std::vector<std::string> notes;
    const std::string error = error_of([&] {
      const HandedInFiles read = read_hand_in(one);
      notes = read.notes;
      EXPECT_EQ(read.files.size(), 1u) << one.student;
    });
    why[one.student] = error + (notes.empty() ? "" : notes.front());
  }
  EXPECT_EQ(why.size(), 8u);
  EXPECT_EQ(why["ada"] + why["bob"], "");
  EXPECT_THAT(why["eve"], HasSubstr("eve.zip is a link to bob.zip, and links are not followed"));
  EXPECT_THAT(why["gil"], HasSubstr("gil is a link to ada"));
  EXPECT_THAT(why["fay"], HasSubstr("work.zip is a link to ../bob.zip"));
  EXPECT_THAT(why["hal"], HasSubstr("kernel.cu is a link to ../ada/kernel.cu"));
  EXPECT_THAT(why["ian"], HasSubstr("kernel.cu is a link to ada/kernel.cu"));
  EXPECT_THAT(why["joe"], HasSubstr("joe.zip is a pipe"));
}

TEST_F(HandIns, OfAnEmptyFolderAreNone) {
  EXPECT_THAT(error_of([&] { find_hand_ins(folder.path, {}); }), HasSubstr("nothing that was handed in"));
  EXPECT_THAT(error_of([&] { find_hand_ins(folder.path / "missing", {}); }), HasSubstr("is not a folder"));
}

}  // namespace
}  // namespace grader
