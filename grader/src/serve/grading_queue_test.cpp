#include "serve/grading_queue.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

QueuedHandIn one(const std::string& student, int attempt, std::int64_t queued_ns) {
  QueuedHandIn out;
  out.hand_in.student = student;
  out.hand_in.attempt = attempt;
  out.queued_ns = queued_ns;
  return out;
}

std::vector<std::string> order(std::vector<QueuedHandIn> waiting, const std::map<std::string, int>& running) {
  sort_fairly(waiting, running);
  std::vector<std::string> out;
  for (const QueuedHandIn& its : waiting)
    out.push_back(its.hand_in.student + std::to_string(its.hand_in.attempt));
  return out;
}

TEST(GradingQueue, TakesStudentsInTurn) {
  const std::vector<QueuedHandIn> waiting = {one("ada", 1, 1), one("ada", 2, 2), one("ada", 3, 3),
                                             one("bob", 1, 4), one("bob", 2, 6), one("cleo", 1, 5)};
  EXPECT_THAT(order(waiting, {}), ElementsAre("ada1", "bob1", "cleo1", "ada2", "bob2", "ada3"));
}

TEST(GradingQueue, AHandInThatIsGradedNowIsAStudentsTurn) {
  EXPECT_THAT(order({one("ada", 2, 1), one("bob", 1, 2)}, {{"ada", 1}}), ElementsAre("bob1", "ada2"));
}

TEST(GradingQueue, ExpectsEachEndAtTheWorkerThatIsFreeFirst) {
  EXPECT_THAT(expected_ends({5, 1}, {10, 2, 3}), ElementsAre(DoubleEq(11), DoubleEq(7), DoubleEq(10)));
  EXPECT_THAT(expected_ends({4}, {1, 1}), ElementsAre(DoubleEq(5), DoubleEq(6)));
  EXPECT_THAT(expected_ends({4}, {}), IsEmpty());
}

}  // namespace
}  // namespace grader
