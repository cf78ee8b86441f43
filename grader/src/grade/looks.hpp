/// @file
/// Runs under the checker, several in parallel. Such runs are not timed, and in emulation a checked program runs in
/// one thread: on several cores they need not wait for each other.
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

/// Checker runs started ahead of need.
class Looks {
 public:
  /// Runs a case under the checker and returns its judged result without the run's data, which may be large. Called
  /// by several threads. None: there is no program to run.
  using Maker = std::function<std::optional<CaseResult>(const Case&)>;

  explicit Looks(Maker make) : make_(std::move(make)) {}
  Looks(const Looks&) = delete;
  Looks& operator=(const Looks&) = delete;
  ~Looks();  ///< starts no further one, and waits for running ones

  /// Starts them in this order, `at_once` in parallel; may be called once. After a time-out no further one is
  /// started: an endless loop should not cost a wait in each case.
  void start(std::vector<Case> cases, int at_once);
  /// Waits for the result of the case with this name. None if it was not started; each result is returned once.
  /// @throws exceptions of the maker
  std::optional<CaseResult> take(const std::string& id);

 private:
  void work();

  const Maker make_;
  std::vector<Case> cases_;
  std::vector<std::promise<std::optional<CaseResult>>> promised_;  ///< for each case
  std::map<std::string, std::future<std::optional<CaseResult>>> to_come_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace grader
