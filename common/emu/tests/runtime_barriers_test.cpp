// Compares the barriers of a block, of warps and of groups with a slow and simple reference, on random
// programs (barrier_programs.hpp). Compared are the threads that are released together, the time of their
// release, the order in which they continue, the results of votes, and the threads that are reported to wait
// forever.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "barrier_programs.hpp"

namespace {

using namespace barrier_programs;
using For = WaitingThread::For;

Witness& witness() {
  static Witness* const one = [] {
    auto* const made = new Witness;
    cuemu::watch_with(*made, cuemu::ToolSlot::counters);
    return made;
  }();
  return *one;
}

std::string text(const std::vector<Place>& places) {
  std::string text;
  for (const Place& one : places)
    text += " " + std::to_string(one.thread) + "@" + one.file + ":" + std::to_string(one.line);
  return text;
}
std::string text(const Release& release) {
  static const char* const names[] = {"block", "lanes", "group", "grid"};
  return std::string(names[static_cast<int>(release.what)]) + ", " + std::to_string(release.returned) +
         " returned:" + text(release.members);
}
std::string text(const Passed& passed) {
  return "thread " + std::to_string(passed.thread) + " behind step " + std::to_string(passed.step) +
         " with " + std::to_string(passed.answer);
}

/// Describes the first difference between two sequences in a sentence; empty if there is none.
template <class Element>
std::string difference(const std::vector<Element>& got, const std::vector<Element>& wanted) {
  for (std::size_t i = 0; i < std::max(got.size(), wanted.size()); ++i) {
    if (i < got.size() && i < wanted.size() && got[i] == wanted[i]) continue;
    const std::string is = i < got.size() ? text(got[i]) : "nothing";
    const std::string should_be = i < wanted.size() ? text(wanted[i]) : "nothing";
    return "at " + std::to_string(i) + ": " + is + "\n    instead of: " + should_be;
  }
  return "";
}

/// Returns the number of threads in a state, according to a deadlock's message: "3 of 64 threads wait for
/// their warp …".
unsigned reported(const std::string& message, const std::string& what) {
  unsigned sum = 0;
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);)
    if (line.find(what) != line.npos) sum += static_cast<unsigned>(std::stoul(line));
  return sum;
}
unsigned stuck(const Outcome& outcome, For what) {
  return static_cast<unsigned>(std::count_if(outcome.stuck.begin(), outcome.stuck.end(),
                                             [&](const Place& one) { return one.what == what; }));
}

/// The number of programs for each outcome. The test would be useless if all programs ended in the same way.
struct Seen {
  unsigned ended = 0, deadlocked = 0, refused = 0, some_returned = 0, parts_of_warps = 0, groups = 0,
           votes = 0;
};

void compare(const Program& program, Seen& seen) {
  const Outcome wanted = Reference(program).run();
  testing::internal::CaptureStderr();
  const Outcome got = run(program, witness());
  const std::string message = testing::internal::GetCapturedStderr();
  ASSERT_EQ(difference(got.passed, wanted.passed), "") << program.text();
  ASSERT_EQ(difference(got.releases, wanted.releases), "") << program.text();
  ASSERT_EQ(text(got.stuck), text(wanted.stuck)) << program.text();
  ASSERT_EQ(got.stuck, wanted.stuck) << program.text();
  ASSERT_EQ(got.returned, wanted.returned) << program.text();
  ASSERT_EQ(got.error, wanted.error) << program.text();
  ASSERT_EQ(reported(message, "wait at __syncthreads()"), stuck(wanted, For::block))
      << message << program.text();
  ASSERT_EQ(reported(message, "wait for their warp"), stuck(wanted, For::lanes)) << message << program.text();
  ASSERT_EQ(reported(message, "wait for others of a tile or a numbered barrier"), stuck(wanted, For::group))
      << message << program.text();
  ASSERT_EQ(reported(message, "threads have returned"), wanted.returned) << message;
  ASSERT_EQ(message.empty(), wanted.error == 0) << message;

  seen.ended += wanted.error == 0 ? 1 : 0;
  seen.deadlocked += wanted.error == cudaErrorLaunchTimeout ? 1 : 0;
  seen.refused += wanted.error == cudaErrorLaunchFailure ? 1 : 0;
  const auto any = [&](const auto& is_so) {
    return std::any_of(wanted.releases.begin(), wanted.releases.end(), is_so) ? 1u : 0u;
  };
  seen.some_returned += any([](const Release& one) { return one.what == For::block && one.returned != 0; });
  seen.parts_of_warps +=
      any([](const Release& one) { return one.what == For::lanes && one.members.size() < 16; });
  seen.groups += any([](const Release& one) { return one.what == For::group && !one.members.empty(); });
  seen.votes += std::any_of(wanted.passed.begin(), wanted.passed.end(),
                            [](const Passed& one) { return one.answer > 1; })
                    ? 1
                    : 0;
}

TEST(Barriers, AreThoseOfTheReference) {
  constexpr unsigned programs = 1000;
  Seen seen;
  for (unsigned seed = 1; seed <= programs && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    compare(Author(seed, "kernel.cu", "helper.cuh").write(), seen);
  }
  for (const unsigned one : {seen.ended, seen.deadlocked, seen.refused, seen.some_returned,
                             seen.parts_of_warps, seen.groups, seen.votes})
    EXPECT_GE(one, programs / 50) << "ended " << seen.ended << ", deadlocked " << seen.deadlocked
                                  << ", refused " << seen.refused << ", some had returned "
                                  << seen.some_returned << ", parts of warps " << seen.parts_of_warps
                                  << ", groups " << seen.groups << ", votes " << seen.votes;
}

}  // namespace
