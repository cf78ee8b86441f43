#include "base/on_threads.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <set>
#include <stdexcept>

namespace grader {
namespace {

TEST(OnThreads, DoesEachOnceAndNoMoreAtOnceThanAllowed) {
  std::mutex mutex;
  std::multiset<std::size_t> done;
  std::atomic<int> running{0}, most{0};
  on_threads(40, 3, [&](std::size_t i) {
    const int now = ++running;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --running;
    const std::lock_guard<std::mutex> lock(mutex);
    done.insert(i);
  });
  EXPECT_EQ(done.size(), 40u);
  EXPECT_EQ(std::set<std::size_t>(done.begin(), done.end()).size(), 40u);
  EXPECT_LE(most, 3);
}

TEST(OnThreads, RunsThemAtTheSameTime) {
  std::mutex mutex;
  std::condition_variable met;
  int here = 0;
  on_threads(2, 2, [&](std::size_t) {
    std::unique_lock<std::mutex> lock(mutex);
    ++here;
    met.notify_all();
    EXPECT_TRUE(met.wait_for(lock, std::chrono::seconds(60), [&] { return here == 2; }));
  });
}

TEST(OnThreads, BeginsNoneAfterAFailureWhichIsThrown) {
  std::vector<std::size_t> begun;
  const auto work = [&](std::size_t i) {
    begun.push_back(i);  // one thread makes all calls
    if (i == 2) throw std::runtime_error("the third");
  };
  EXPECT_THROW(on_threads(5, 1, work), std::runtime_error);
  EXPECT_EQ(begun, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(OnThreads, OfNothingThereIsNothingToDo) {
  on_threads(0, 4, [](std::size_t) { FAIL(); });
}

}  // namespace
}  // namespace grader
