/// @file
/// Runs one command for the page: a grading, a check, or a command whose output the page shows.
///
/// The command is the grader itself, started as from a terminal, so there is only one implementation of
/// grading. Its lines become events, which every open page receives.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <thread>
#include <vector>

namespace grader {

struct Job {
  std::string lab;
  int level = 1;
  std::string verb;               ///< "grade", "check", "view" …: docs/serve.md lists them
  std::vector<std::string> argv;  ///< the command
};

class Jobs {
 public:
  /// An event: JSON on one line, {"job": 3, "lab": …, "level": …, "do": "grade", "line": {…}}. If the command
  /// prints text that is not JSON, each line of it is an event of the kind "text". The last event of a job
  /// has the kind "end".
  struct Event {
    std::uint64_t number;
    std::string text;
  };

  /// @param rewrite  changes a line for the page
  explicit Jobs(std::function<void(const Job&, nlohmann::json& line)> rewrite);
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// Cancels the running job, waits until it has ended, and starts this one. @return the job's number
  std::uint64_t start(Job job);
  /// Cancels the running job, if any. Does not wait for its end.
  void cancel();

  /// The number after which a new page must read events: all events of a running job have greater numbers.
  /// The records have the results of jobs that have ended.
  std::uint64_t last_seen();
  /// The events of the last job whose numbers are greater than `number`. Waits up to 200 ms for the first.
  std::vector<Event> after(std::uint64_t number);

 private:
  void run(const Job& job, std::uint64_t number);
  void add(const Job& job, std::uint64_t number, const nlohmann::json& line);

  const std::function<void(const Job&, nlohmann::json&)> rewrite_;
  std::mutex starting_;  ///< only one thread starts a job at a time
  std::thread thread_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  ///< protects the following members
  std::condition_variable changed_;
  std::deque<Event> events_;
  bool running_ = false;
  std::uint64_t jobs_ = 0, numbers_ = 0;
};

}  // namespace grader
