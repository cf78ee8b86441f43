// Tests that a `git push` to a class's server is a hand-in, with the real git and the real server.
#include <gmock/gmock.h>

#include "base/sha256.hpp"
#include "served_class.hpp"

namespace grader::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A student's repository, from which tests push to the class.
class ServeGit : public ::testing::Test {
 protected:
  ServeGit() {
    if (find_program("git").empty()) return;
    git("init --quiet --initial-branch=main .");
  }
  void SetUp() override {
    if (find_program("git").empty()) GTEST_SKIP() << "no git";
  }
  Ran git(const std::string& words) const {
    return served_.user().shell(
        "mkdir -p '" + clone().string() + "' && cd '" + clone().string() +
        "' && GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 LC_ALL=C git -c user.name=A "
        "-c user.email=a@example.org " +
        words);
  }
  void commit(const std::string& name, const std::string& text) const {
    write_file(clone() / name, text);
    const Ran ran =
        git("add -A && git -c user.name=A -c user.email=a@example.org commit --quiet --message=x");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  std::string address(const std::string& password) {
    const std::string link = served_.link_of("ada");  // http://127.0.0.1:PORT/?token=…
    return "http://git:" + password + "@" + link.substr(7, link.find("/?") - 7) + "/git/lab9.1/1";
  }
  Ran push(const std::string& student = "ada", const std::string& words = "HEAD:main") {
    return git("push " + address(served_.token_of(student)) + " " + words);
  }
  /// Expects that a push is refused with this sentence, and that the server keeps none of its files.
  void expect_refused(const Ran& ran, const std::string& sentence) {
    EXPECT_NE(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(sentence));
    EXPECT_THAT(served_.history("ada"), IsEmpty());
    EXPECT_FALSE(fs::exists(served_.class_folder() / "ada"));
    EXPECT_TRUE(keeps_no_repository());
  }
  bool keeps_no_repository() const {
    const fs::path work = served_.user().state() / "work";
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(work, none))
      if (entry.path().filename().string().find("push") != std::string::npos) return false;
    return true;
  }
  fs::path clone() const { return served_.user().folder() / "clone"; }

  ServedClass served_;
};

TEST_F(ServeGit, APushIsAHandInWithItsReceipt) {
  commit("notes.txt", "mine");
  commit("lab9.1/double.cu", small_answer("if (i < n) y[i] = 3 * x[i];"));
  const Ran wrong = push();
  ASSERT_EQ(wrong.exit_code, 0) << wrong.err;
  EXPECT_THAT(wrong.err, HasSubstr("remote: lab9.1: handed in at "));
  EXPECT_THAT(wrong.err, HasSubstr("attempt 1."));
  served_.settled("ada");
  // The repository also has a file with the same name in another lab's folder.
  commit("lab1.1/double.cu", "another lab's");
  const std::string right = small_answer(right_blank);
  commit("lab9.1/double.cu", right);
  const Ran second = push();
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(second.err, HasSubstr("attempt 2."));
  EXPECT_THAT(second.err, HasSubstr("remote: " + sha256_hex(right) + "  double.cu"));
  EXPECT_THAT(second.err, Not(HasSubstr("lab1.1")));
  const auto all = served_.settled("ada");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["points"], 0);
  EXPECT_EQ(all[1]["points"], 4);
  EXPECT_THAT(second.err, HasSubstr("SHA-256 of these lines: " + all[1]["sha256"].get<std::string>()));
  EXPECT_TRUE(keeps_no_repository());
}

TEST_F(ServeGit, ARewrittenHistoryCanBePushedAsWell) {
  commit("double.cu", small_answer("LAB_TODO(1);"));
  ASSERT_EQ(push().exit_code, 0);
  served_.settled("ada");
  write_file(clone() / "double.cu", small_answer(right_blank));
  ASSERT_EQ(git("commit --quiet --all --amend --message=y").exit_code, 0);
  const Ran again = push();
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(served_.settled("ada").size(), 2u);
}

TEST_F(ServeGit, WhatIsNoHandInIsRejectedWithASentence) {
  commit("notes.txt", "mine");
  expect_refused(push(), "remote: No file of the lab was handed in.");
  EXPECT_THAT(push().err, HasSubstr("[remote rejected] HEAD -> main (not handed in)"));
  git("branch other");
  expect_refused(push("ada", "main other"), "remote: Several branches were pushed.");
  expect_refused(push("ada", ":main"), "remote ref does not exist");
  fs::create_symlink("/etc/passwd", clone() / "double.cu");
  git("add -A");
  ASSERT_EQ(git("commit --quiet --message=link").exit_code, 0);
  expect_refused(push(), "No file of the lab was handed in.");
}

TEST_F(ServeGit, NobodyElsesSecretAndNothingToFetch) {
  commit("double.cu", small_answer(right_blank));
  ASSERT_EQ(push("bob").exit_code, 0);
  expect_refused(git("push " + address(std::string(64, '0')) + " HEAD:main"), "fatal: ");
  expect_refused(git("push " + address(served_.token_of("")) + " HEAD:main"), "fatal: ");
  const Ran refs = git("ls-remote " + address(served_.token_of("ada")));
  EXPECT_NE(refs.exit_code, 0);
  EXPECT_THAT(refs.out, IsEmpty());
  EXPECT_THAT(served_.settled("bob")[0]["points"], 4);
  // The password opens only the paths of git, since a browser would send it to all paths.
  httplib::Client browser = served_.stranger();
  browser.set_basic_auth("git", served_.token_of("ada"));
  EXPECT_EQ(browser.Get("/api/1/class")->status, 403);
  EXPECT_EQ(browser.Get("/git//api/1/class")->status, 404);
  EXPECT_EQ(served_.stranger().Get("/git/lab9.1/1/info/refs?service=git-receive-pack")->status, 401);
  EXPECT_EQ(served_.client("ada").Get("/git/lab9.1/1/info/refs?service=git-upload-pack")->status, 403);
  EXPECT_EQ(served_.client("ada").Get("/git/lab9.1/1/HEAD")->status, 404);
}

TEST_F(ServeGit, LargeAndBrokenObjectsAreRefused) {
  commit("double.cu", small_answer(right_blank));
  // Five megabytes that can't be compressed, which are only in the history.
  std::string noise;
  for (int i = 0; noise.size() < std::size_t{5} << 20; ++i)
    noise += sha256_hex(std::to_string(i)).substr(0, 32);
  for (std::size_t i = 0; i < noise.size(); ++i)
    noise[i] = static_cast<char>(noise[i] * 7 + noise[i / 2] * 31 + i % 251);
  commit("data.bin", noise);
  git("rm --quiet data.bin");
  ASSERT_EQ(git("commit --quiet --message=small").exit_code, 0);
  expect_refused(push(), "413");
  // A file of 100 MiB that compresses to a small size.
  git("reset --quiet --hard HEAD~2");
  ASSERT_EQ(served_.user().shell("truncate -s 100M '" + (clone() / "zeros.cu").string() + "'").exit_code, 0);
  git("add -A");
  ASSERT_EQ(git("commit --quiet --message=bomb").exit_code, 0);
  expect_refused(push(), "remote: ");
  // An object that git's fsck refuses.
  git("reset --quiet --hard HEAD~1");
  const Ran bad =
      git("hash-object -t commit -w --literally --stdin <<EOF\ntree $(git rev-parse HEAD^{tree})\nauthor A "
          "1893456000 "
          "+0000\ncommitter A 1893456000 +0000\n\nx\nEOF");
  ASSERT_EQ(bad.exit_code, 0) << bad.err;
  expect_refused(push("ada", bad.out.substr(0, 40) + ":refs/heads/main"),
                 "remote: git refuses what was pushed");
}

TEST_F(ServeGit, AHostilePushGetsASentenceAndTheServerStays) {
  const std::string path = "/git/lab9.1/1/git-receive-pack", none(40, '0'), some(40, 'a');
  const auto packet = [](const std::string& text) {
    char size[5];
    std::snprintf(size, sizeof size, "%04zx", text.size() + 4);
    return size + text;
  };
  const std::string can = std::string(1, '\0') + " report-status side-band-64k";
  for (const std::string& body :
       {std::string(), std::string("0000"), std::string("000"), std::string("0001"), std::string("zzzz"),
        std::string("fff0abc"), packet("x"), packet(none + " " + some + " refs/heads/main"),
        packet(none + " " + some + " ../../etc" + can), packet(none + " " + some + " refs/heads/a\nb" + can),
        packet(none + " " + std::string(40, 'G') + " refs/heads/main" + can),
        packet(none + " " + some + " refs/heads/main" + can) + "0000",
        packet(none + " " + some + " refs/heads/main" + can) + "0000PACK\xff\xff\xff\xff\xff\xff\xff\xff",
        packet(none + " " + some + " refs/heads/main" + can) + packet(none + " " + some + " refs/heads/b") +
            "0000"}) {
    const auto answer = served_.client("ada").Post(path, body, "application/x-git-receive-pack-request");
    ASSERT_TRUE(answer) << body;
    if (body == "0000") {
      EXPECT_EQ(answer->body, "0000");
    } else if (answer->status == 200) {
      EXPECT_THAT(answer->body, HasSubstr("ng refs/heads/main")) << body;
    } else {
      EXPECT_EQ(answer->status, 400) << body;
    }
  }
  EXPECT_THAT(served_.history("ada"), IsEmpty());
}

}  // namespace
}  // namespace grader::testing
