#include "grade/looks.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <set>

#include "base/error.hpp"

namespace grader {
namespace {

std::vector<Case> cases_named(const std::vector<std::string>& ids) {
  std::vector<Case> cases(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) cases[i].id = ids[i];
  return cases;
}

CaseResult judged(const std::string& message) {
  CaseResult result;
  result.verdict = Verdict::passed;
  result.message = message;
  return result;
}

/// A barrier for threads: pass() returns true as soon as `count` threads have called it.
class Meeting {
 public:
  explicit Meeting(int count) : missing_(count) {}
  bool pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (--missing_ == 0) all_here_.notify_all();
    return all_here_.wait_for(lock, std::chrono::seconds(60), [this] { return missing_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  int missing_;
};

TEST(Looks, AreMadeAtTheSameTime) {
  Meeting meeting(2);
  Looks looks(
      [&](const Case&) -> std::optional<CaseResult> { return judged(meeting.pass() ? "" : "alone"); });
  looks.start(cases_named({"a", "b"}), 2);
  for (const char* id : {"a", "b"}) {
    const auto look = looks.take(id);
    ASSERT_TRUE(look);
    EXPECT_EQ(look->message, "") << "no other look was begun beside this one";
  }
}

TEST(Looks, ComeInAnyOrderAndOnce) {
  Looks looks([](const Case& c) -> std::optional<CaseResult> { return judged(c.id); });
  looks.start(cases_named({"1", "2", "3"}), 2);
  EXPECT_EQ(looks.take("3")->message, "3");
  EXPECT_EQ(looks.take("1")->message, "1");
  EXPECT_FALSE(looks.take("1"));
  EXPECT_FALSE(looks.take("4"));
}

TEST(Looks, AFaultIsThatOfItsCase) {
  Looks looks([](const Case& c) -> std::optional<CaseResult> {
    if (c.id == "bad") throw Error(ErrorKind::fault, "damaged");
    return judged("");
  });
  looks.start(cases_named({"bad", "good"}), 2);
  EXPECT_TRUE(looks.take("good"));
  EXPECT_THROW(looks.take("bad"), Error);
}

TEST(Looks, BehindOneThatRanOutOfTimeNoneIsBegun) {
  std::set<std::string> made;
  Looks looks([&](const Case& c) -> std::optional<CaseResult> {
    made.insert(c.id);  // each is inserted by one thread only
    CaseResult result = judged("");
    if (c.id == "endless") result.verdict = Verdict::time_out;
    return result;
  });
  looks.start(cases_named({"short", "endless", "another"}), 1);
  EXPECT_TRUE(looks.take("endless"));
  EXPECT_FALSE(looks.take("another"));
  EXPECT_EQ(made, (std::set<std::string>{"short", "endless"}));
}

TEST(Looks, UnclaimedOnesAreWaitedFor) {
  std::atomic<int> running = 0, over = 0;
  {
    Looks looks([&](const Case&) -> std::optional<CaseResult> {
      ++running;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ++over;
      return judged("");
    });
    looks.start(cases_named({"a", "b"}), 2);
  }
  EXPECT_EQ(running, over);
}

}  // namespace
}  // namespace grader
