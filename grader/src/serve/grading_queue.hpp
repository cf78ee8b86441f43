/// @file
/// Hand-ins that wait for their grading, and the workers that grade them.
///
/// The queue is not stored in a file. A hand-in waits if its folder exists and the records have no grading of
/// it, so a killed server loses none. Workers call grade_hand_ins(), as `grader class` does.
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
  std::size_t lab = 0;  ///< index of the lab
  HandIn hand_in;
  std::int64_t queued_ns = 0;
};

/// Sorts by the number of the same student's hand-ins that come first, then by time: a student's second
/// hand-in comes after the first of every other student. @param running for each student, the number of
/// hand-ins that are being graded
void sort_fairly(std::vector<QueuedHandIn>& waiting, const std::map<std::string, int>& running);

/// When the grading of each waiting hand-in is expected to end, in seconds from now. Workers take the
/// hand-ins in this order.
/// @param free_in seconds until each worker is free @param takes seconds for each hand-in
std::vector<double> expected_ends(std::vector<double> free_in, const std::vector<double>& takes);

/// The state of a hand-in that is not on record yet.
struct HandInState {
  enum class Kind { waiting, running, failed } kind = Kind::waiting;
  std::size_t lab = 0;
  int attempt = 0;
  int place = 0;  ///< place in the queue, from 1
  /// Seconds until its grading is expected to end. No value if a lab before it in the queue has had no
  /// grading yet.
  std::optional<double> ends_in_s = {};
  std::string why;  ///< why it could not be graded
};

/// A hand-in that was accepted.
struct Accepted {
  Receipt receipt;
  bool replaces = false;  ///< whether it replaces an older one of the student that had not begun
};

class GradingQueue {
 public:
  using Labs = std::vector<std::unique_ptr<ClassLab>>;
  /// Finds the hand-ins that wait, and starts the workers. @param graded called after each grading
  /// @throws Error (environment) when another server uses one of the folders
  GradingQueue(const Kit& kit, Labs& labs, int workers, std::function<void(std::size_t lab)> graded);
  ~GradingQueue();
  GradingQueue(const GradingQueue&) = delete;
  GradingQueue& operator=(const GradingQueue&) = delete;

  /// Stores a hand-in and queues it. It replaces an older one of the student that has not begun, unless the
  /// late rule would take more points from the new one. Hand-ins that arrive while others are being stored
  /// are stored together afterwards.
  /// @throws Error (usage) as need_acceptable(), and when the quota is used up; (environment) as receive()
  Accepted accept(std::size_t lab, const std::string& student, std::vector<SubmissionFile> files);

  /// Takes the student's last hand-in back. @throws Error (usage) unless it waits; (environment) when the
  /// disk fails
  void take_back(std::size_t lab, const std::string& student, int attempt);

  std::vector<HandInState> states_of(const std::string& student);
  struct Counts {
    std::size_t waiting = 0, running = 0;
    std::string problem;  ///< why nothing can be graded now; else empty
  };
  Counts counts();

  /// A number that grows with each change.
  std::uint64_t changes();
  /// Waits up to 200 ms until the number of changes exceeds `number`. @return the present number
  std::uint64_t changed_after(std::uint64_t number);

 private:
  using Key = std::tuple<std::size_t, std::string, int>;
  static Key key_of(const QueuedHandIn& one);

  /// A hand-in that is not stored yet. Its student waits for the receipt.
  struct Arrival {
    std::size_t lab;
    std::string student;
    std::vector<SubmissionFile> files;
    std::optional<QueuedHandIn> older = {};  ///< the hand-in that it replaces
    Accepted accepted = {};
    std::exception_ptr failure = {};
    bool done = false;
  };

  /// Takes hand-ins that can be stored together: they belong to one lab and to different students.
  std::vector<Arrival*> take_arrivals();
  void store(std::vector<Arrival*> batch);
  /// The usual duration of a grading of the lab, from its last ones. No value before the first.
  std::optional<double> usual_seconds(std::size_t lab) const;
  std::optional<QueuedHandIn> take_older(std::size_t lab, const std::string& student);

  void work();
  std::optional<QueuedHandIn> next();
  /// Grades a hand-in. @return why it could not be graded; else empty. @throws Error when nothing can be
  /// graded now
  std::string grade(const QueuedHandIn& one);
  void changed();

  const Kit& kit_;
  Labs& labs_;
  const std::function<void(std::size_t)> graded_;
  std::vector<std::unique_ptr<FileLock>> folders_;
  std::mutex arriving_;  ///< protects the following members
  std::condition_variable stored_;
  std::vector<Arrival*> arrivals_;
  bool storing_ = false;  ///< whether a thread is storing hand-ins for all that wait
  std::mutex mutex_;      ///< protects the following members
  std::condition_variable changed_;
  std::vector<QueuedHandIn> waiting_;
  std::map<Key, QueuedHandIn> running_;
  std::map<Key, std::chrono::steady_clock::time_point> begun_;  ///< when the hand-ins of running_ were begun
  std::vector<std::deque<double>> seconds_;                     ///< durations of each lab's last gradings
  std::map<Key, std::string> failed_;
  std::unique_ptr<FileLock> grading_;  ///< held during a grading, so that `grader class` waits for it
  std::string problem_;
  std::uint64_t changes_ = 0;
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace grader
