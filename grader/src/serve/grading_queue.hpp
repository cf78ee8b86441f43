/// @file
/// Hand-ins that wait for their grading, and the workers that grade them.
///
/// The queue is no file: a hand-in waits if its folder is there and the records have no grading of it. So a killed
/// server loses none. Workers grade through grade_hand_ins(), as `grader class` does.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <thread>

#include "base/files.hpp"
#include "serve/class_lab.hpp"

namespace grader {

struct QueuedHandIn {
  std::size_t lab = 0;  ///< index
  HandIn hand_in;
  std::int64_t queued_ns = 0;
};

/// Sorts by turn, then by time: a student's second hand-in comes after the first of everyone. @param running how many
/// of each student's are graded now
void sort_fairly(std::vector<QueuedHandIn>& waiting, const std::map<std::string, int>& running);

/// When each of the waiting hand-ins is expected to be graded, in seconds from now: workers take them in this order.
/// @param free_in seconds until each worker is free @param takes seconds for each
std::vector<double> expected_ends(std::vector<double> free_in, const std::vector<double>& takes);

/// What a hand-in that is not on record does.
struct HandInState {
  enum class Kind { waiting, running, failed } kind = Kind::waiting;
  std::size_t lab = 0;
  int attempt = 0;
  int place = 0;  ///< in the queue, from 1
  /// Seconds until its grading is expected to end; none before the first grading of each lab that comes before it.
  std::optional<double> ends_in_s = {};
  std::string why;  ///< of a failure
};

/// A hand-in that was accepted.
struct Accepted {
  Receipt receipt;
  bool replaces = false;  ///< an older one of the student, which had not begun
};

class GradingQueue {
 public:
  using Labs = std::vector<std::unique_ptr<ClassLab>>;
  /// Finds what waits; workers begin at once. @param graded called after each grading
  /// @throws Error (environment) when another server has one of the folders
  GradingQueue(const Kit& kit, Labs& labs, int workers, std::function<void(std::size_t lab)> graded);
  ~GradingQueue();
  GradingQueue(const GradingQueue&) = delete;
  GradingQueue& operator=(const GradingQueue&) = delete;

  /// Stores a hand-in and queues it. A student's older one that has not begun is replaced, unless the late rule takes
  /// more of the new one. Hand-ins that arrive while others are stored are then stored together.
  /// @throws Error (usage) as need_acceptable(), and where the quota is used up; (environment) as receive()
  Accepted accept(std::size_t lab, const std::string& student, std::vector<SubmissionFile> files);

  /// Takes the student's last hand-in back. @throws Error (usage) unless it waits; (environment)
  void take_back(std::size_t lab, const std::string& student, int attempt);

  std::vector<HandInState> states_of(const std::string& student);
  struct Counts {
    std::size_t waiting = 0, running = 0;
    std::string problem;  ///< why nothing can be graded now
  };
  Counts counts();

  /// A number that grows with each change.
  std::uint64_t changes();
  /// Waits up to 200 ms for a change after that one. @return the present number
  std::uint64_t changed_after(std::uint64_t number);

 private:
  using Key = std::tuple<std::size_t, std::string, int>;
  static Key key_of(const QueuedHandIn& one);

  /// A hand-in whose student waits for the receipt.
  struct Arrival {
    std::size_t lab;
    std::string student;
    std::vector<SubmissionFile> files;
    std::optional<QueuedHandIn> older = {};  ///< which it replaces
    Accepted accepted = {};
    std::exception_ptr failure = {};
    bool done = false;
  };

  /// Takes hand-ins that can be stored together: of one lab, at most one of each student.
  std::vector<Arrival*> take_arrivals();
  void store(std::vector<Arrival*> batch);
  /// Of one hand-in of the lab, from the last ones; none before the first.
  std::optional<double> usual_seconds(std::size_t lab) const;
  std::optional<QueuedHandIn> take_older(std::size_t lab, const std::string& student);

  void work();
  std::optional<QueuedHandIn> next();
  /// Why it could not be graded, or empty. @throws Error when nothing can be graded now
  std::string grade(const QueuedHandIn& one);
  void changed();

  const Kit& kit_;
  Labs& labs_;
  const std::function<void(std::size_t)> graded_;
  std::vector<std::unique_ptr<FileLock>> folders_;
  std::mutex arriving_;  ///< protects the following members
  std::condition_variable stored_;
  std::vector<Arrival*> arrivals_;
  bool storing_ = false;  ///< one thread stores, for all that wait
  std::mutex mutex_;      ///< protects the following members
  std::condition_variable changed_;
  std::vector<QueuedHandIn> waiting_;
  std::map<Key, QueuedHandIn> running_;
  std::map<Key, std::chrono::steady_clock::time_point> begun_;  ///< of those
  std::vector<std::deque<double>> seconds_;                     ///< that each lab's last gradings took
  std::map<Key, std::string> failed_;
  std::unique_ptr<FileLock> grading_;  ///< held while something is graded: `grader class` waits for it
  std::string problem_;
  std::uint64_t changes_ = 0;
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace grader
