#include "serve/grading_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "base/columns.hpp"
#include "base/utc.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

using namespace std::chrono_literals;

std::int64_t queued_at(const HandIn& hand_in) {
  const Receipt receipt = receipt_in(hand_in.paths.front());
  return receipt.number != 0 ? receipt.queued_ns
                             : seconds_of(hand_in.received_at).value_or(0) * 1'000'000'000;
}

/// A server that was just killed may leave a process that still holds the lock.
std::unique_ptr<FileLock> lock_folder(const fs::path& folder) {
  for (int tries = 0; tries < 50; ++tries) {
    if (auto lock = FileLock::if_free(folder / ".serve.lock")) return lock;
    std::this_thread::sleep_for(100ms);
  }
  throw Error(ErrorKind::environment, fmt::format("Another server serves {}.", shown(folder)),
              "end it first: Ctrl-C in its terminal");
}

}  // namespace

void sort_fairly(std::vector<QueuedHandIn>& waiting, const std::map<std::string, int>& running) {
  const auto by_time = [](const QueuedHandIn& a, const QueuedHandIn& b) {
    return std::tie(a.queued_ns, a.hand_in.student, a.lab, a.hand_in.attempt) <
           std::tie(b.queued_ns, b.hand_in.student, b.lab, b.hand_in.attempt);
  };
  std::sort(waiting.begin(), waiting.end(), by_time);
  std::map<std::string, int> turns = running;
  std::vector<std::pair<int, QueuedHandIn>> by_turn;
  for (QueuedHandIn& one : waiting) {
    const int turn = turns[one.hand_in.student]++;
    by_turn.emplace_back(turn, std::move(one));
  }
  std::stable_sort(by_turn.begin(), by_turn.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  waiting.clear();
  for (auto& [turn, one] : by_turn) waiting.push_back(std::move(one));
}

GradingQueue::GradingQueue(const Kit& kit, Labs& labs, int workers, std::function<void(std::size_t)> graded)
    : kit_(kit), labs_(labs), graded_(std::move(graded)) {
  Records records(kit.state() / "records.sqlite");
  for (std::size_t i = 0; i < labs_.size(); ++i) {
    ClassLab& lab = *labs_[i];
    folders_.push_back(lock_folder(lab.folder));
    repair_received(lab.folder);
    FoundHandIns found = lab.find();
    std::set<std::pair<std::string, int>> known;
    for (const GradedAttempt& one : lab.graded(kit, records, found).attempts)
      known.insert({one.hand_in.student, one.hand_in.attempt});
    for (HandIn& one : found.all)
      if (!known.contains({one.student, one.attempt})) {
        const std::int64_t since = queued_at(one);
        waiting_.push_back({i, std::move(one), since});
      }
  }
  for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
}

GradingQueue::~GradingQueue() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    changed();
  }
  for (std::thread& worker : workers_) worker.join();
}

GradingQueue::Key GradingQueue::key_of(const QueuedHandIn& one) {
  return {one.lab, one.hand_in.student, one.hand_in.attempt};
}

void GradingQueue::changed() {
  ++changes_;
  changed_.notify_all();
}

Accepted GradingQueue::accept(std::size_t i, const std::string& student, std::vector<SubmissionFile> files) {
  need_acceptable(labs_[i]->form, files);
  Arrival own{i, student, std::move(files)};
  std::unique_lock lock(arriving_);
  arrivals_.push_back(&own);
  while (!own.done) {
    if (storing_) {
      stored_.wait(lock);
      continue;
    }
    storing_ = true;
    const std::vector<Arrival*> batch = take_arrivals();
    lock.unlock();
    try {
      store(batch);
    } catch (...) {
      for (Arrival* one : batch)
        if (!one->failure) one->failure = std::current_exception();
    }
    lock.lock();
    storing_ = false;
    for (Arrival* one : batch) one->done = true;
    stored_.notify_all();
  }
  if (own.failure) std::rethrow_exception(own.failure);
  return own.accepted;
}

std::vector<GradingQueue::Arrival*> GradingQueue::take_arrivals() {
  std::vector<Arrival*> out, rest;
  std::set<std::string> students;
  for (Arrival* one : arrivals_)
    (one->lab == arrivals_.front()->lab && students.insert(one->student).second ? out : rest).push_back(one);
  arrivals_ = std::move(rest);
  return out;
}

/// An older one leaves the queue before it is replaced on disk, so that no worker begins it meanwhile.
std::optional<QueuedHandIn> GradingQueue::take_older(std::size_t i, const std::string& student) {
  const auto course = labs_[i]->course();
  const std::string now = utc_now();
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(waiting_.rbegin(), waiting_.rend(), [&](const QueuedHandIn& one) {
    const HandIn& its = one.hand_in;
    return one.lab == i && its.student == student && receipt_in(its.paths.front()).number != 0 &&
           share_left(*course, student, its.received_at) <= share_left(*course, student, now);
  });
  if (found == waiting_.rend()) return std::nullopt;
  QueuedHandIn out = std::move(*found);
  waiting_.erase(std::next(found).base());
  return out;
}

void GradingQueue::store(const std::vector<Arrival*>& batch) {
  const std::size_t i = batch.front()->lab;
  ClassLab& lab = *labs_[i];
  std::vector<NewHandIn> fresh;
  for (Arrival* one : batch) {
    one->older = take_older(i, one->student);
    const int replaces = one->older ? receipt_in(one->older->hand_in.paths.front()).number : 0;
    fresh.push_back({one->student, std::move(one->files), replaces});
  }
  const std::vector<Received> received = receive(lab.folder, std::move(fresh));
  std::map<fs::path, HandIn> found;
  for (HandIn& one : lab.find().all) found[one.paths.front()] = std::move(one);
  const std::lock_guard lock(mutex_);
  for (std::size_t n = 0; n < batch.size(); ++n) {
    Arrival& one = *batch[n];
    one.failure = received[n].failure;
    if (one.failure) {
      if (one.older) waiting_.push_back(std::move(*one.older));
      continue;
    }
    const Receipt& receipt = received[n].receipt;
    one.accepted = {receipt, one.older.has_value()};
    waiting_.push_back(
        {i, found.at(lab.folder / one.student / std::to_string(receipt.number)), receipt.queued_ns});
  }
  changed();
}

std::vector<HandInState> GradingQueue::states_of(const std::string& student) {
  const std::lock_guard lock(mutex_);
  std::map<std::string, int> running;
  std::vector<HandInState> out;
  for (const auto& [key, one] : running_) {
    ++running[one.hand_in.student];
    if (one.hand_in.student == student)
      out.push_back({HandInState::Kind::running, one.lab, one.hand_in.attempt, 0, ""});
  }
  sort_fairly(waiting_, running);
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i].hand_in.student == student)
      out.push_back({HandInState::Kind::waiting, waiting_[i].lab, waiting_[i].hand_in.attempt,
                     static_cast<int>(i) + 1, ""});
  for (const auto& [key, why] : failed_)
    if (std::get<1>(key) == student)
      out.push_back({HandInState::Kind::failed, std::get<0>(key), std::get<2>(key), 0, why});
  return out;
}

GradingQueue::Counts GradingQueue::counts() {
  const std::lock_guard lock(mutex_);
  return {waiting_.size(), running_.size(), problem_};
}

std::uint64_t GradingQueue::changes() {
  const std::lock_guard lock(mutex_);
  return changes_;
}

std::uint64_t GradingQueue::changed_after(std::uint64_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, 200ms, [&] { return stop_ || changes_ > number; });
  return changes_;
}

/// Waits for the next hand-in; none at the end.
std::optional<QueuedHandIn> GradingQueue::next() {
  std::unique_lock lock(mutex_);
  while (!stop_ && !interrupted()) {
    if (!waiting_.empty() && !grading_) grading_ = FileLock::if_free(kit_.state() / "class.lock");
    if (!waiting_.empty() && grading_) {
      std::map<std::string, int> running;
      for (const auto& [key, one] : running_) ++running[one.hand_in.student];
      sort_fairly(waiting_, running);
      QueuedHandIn out = std::move(waiting_.front());
      waiting_.erase(waiting_.begin());
      running_[key_of(out)] = out;
      changed();
      return out;
    }
    changed_.wait_for(lock, 200ms);
  }
  return std::nullopt;
}

void GradingQueue::work() {
  while (std::optional<QueuedHandIn> one = next()) {
    std::string why, problem;
    try {
      why = grade(*one);
    } catch (const std::exception& e) {
      problem = e.what();
    }
    const auto lab = one->lab;
    {
      std::unique_lock lock(mutex_);
      running_.erase(key_of(*one));
      if (running_.empty()) grading_.reset();
      problem_ = problem;
      if (!why.empty()) failed_[key_of(*one)] = why;
      if (!problem.empty()) waiting_.push_back(std::move(*one));
      changed();
      // A full disk or a broken compiler: the same would fail at once.
      if (!problem.empty()) changed_.wait_for(lock, 10s, [&] { return stop_ || interrupted(); });
    }
    if (problem.empty()) graded_(lab);
  }
}

std::string GradingQueue::grade(const QueuedHandIn& one) {
  ClassLab& lab = *labs_[one.lab];
  Records records(kit_.state() / "records.sqlite");  // a connection belongs to one thread
  const GradedClass graded =
      grade_hand_ins(kit_, lab.lab, records, lab.options(), {{one.hand_in}, {}}, *lab.executor);
  for (const GradedAttempt& attempt : graded.attempts)
    if (!is_graded(attempt.grading))
      return attempt.grading.notes.empty() ? "The kit is at fault." : printable(attempt.grading.notes.back());
  return "";
}

}  // namespace grader
