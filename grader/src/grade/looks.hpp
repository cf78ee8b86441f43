/// @file
/// Runs under the checker, several at the same time. Nobody takes the time of such a run, and in emulation a checked program
/// runs in one thread: on a machine with several cores they need not wait for each other.
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

/// Looks that are begun before anybody asks for them.
class Looks {
 public:
  /// Looks at a case and judges what is seen: of a run itself nothing is kept, which may be large. Called by several threads at
  /// the same time. None: there is no program to look at.
  using Maker = std::function<std::optional<CaseResult>(const Case&)>;

  explicit Looks(Maker make) : make_(std::move(make)) {}
  Looks(const Looks&) = delete;
  Looks& operator=(const Looks&) = delete;
  ~Looks();  ///< begins no further one, and waits for those that run

  /// Begins them in this order, so many at once; may be called once. Behind one that ran out of time no further one is begun:
  /// an endless loop should not be waited for in each case.
  void start(std::vector<Case> cases, int at_once);
  /// Waits for the look at the case of this name. None where none was begun; it is handed out once.
  /// @throws what making it threw
  std::optional<CaseResult> take(const std::string& id);

 private:
  void work();

  const Maker make_;
  std::vector<Case> cases_;
  std::vector<std::promise<std::optional<CaseResult>>> promised_;  ///< of each case
  std::map<std::string, std::future<std::optional<CaseResult>>> to_come_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace grader
