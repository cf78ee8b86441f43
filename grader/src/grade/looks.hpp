/// @file
/// Starts runs under the checker, several in parallel. Such runs are not timed. In emulation, a checked
/// program runs in one thread, so several cores can run several programs.
#pragma once
#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include "model/grading.hpp"

namespace grader {

/// Runs under the checker that start before their results are needed.
class Looks {
 public:
  /// Runs a case under the checker and returns its judged result without the run's data, which may be large. Several
  /// threads call it. It returns no value if there is no program to run.
  using Maker = std::function<std::optional<CaseResult>(const Case&)>;

  explicit Looks(Maker make) : make_(std::move(make)) {}
  Looks(const Looks&) = delete;
  Looks& operator=(const Looks&) = delete;
  ~Looks();  ///< starts no more runs, and waits for those that are running

  /// Starts the runs of these cases in this order, at most `at_once` in parallel. May be called only once.
  /// After a time-out, no more runs are started, so that an endless loop costs the student only one wait.
  void start(std::vector<Case> cases, int at_once);
  /// Waits for the result of the case with this name. No value if its run was not started. Each result is returned
  /// once.
  /// @throws the maker's exceptions
  std::optional<CaseResult> take(const std::string& id);

 private:
  void work();

  const Maker make_;
  std::vector<Case> cases_;
  std::vector<std::promise<std::optional<CaseResult>>> promised_;  ///< one for each case
  std::map<std::string, std::future<std::optional<CaseResult>>> to_come_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace grader
