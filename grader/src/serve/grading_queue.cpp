#include "serve/grading_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
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

constexpr std::size_t remembered = 20;  // gradings of a lab that predict the duration of the next

void remember(std::deque<double>& all, double seconds) {
  if (seconds <= 0) return;
  all.push_back(seconds);
  if (all.size() > remembered) all.pop_front();
}

/// Waits a little, since a process of a server that was just killed may still hold the lock.
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

std::vector<double> expected_ends(std::vector<double> free_in, const std::vector<double>& takes) {
  std::vector<double> out;
  for (const double seconds : takes) {
    double& worker = *std::min_element(free_in.begin(), free_in.end());
    out.push_back(worker += seconds);
  }
  return out;
}

GradingQueue::GradingQueue(const Kit& kit, Labs& labs, int workers, std::function<void(std::size_t)> graded)
    : kit_(kit), labs_(labs), graded_(std::move(graded)), seconds_(labs.size()) {
  Records records(kit.state() / "records.sqlite");
  for (std::size_t i = 0; i < labs_.size(); ++i) {
    ClassLab& lab = *labs_[i];
    folders_.push_back(lock_folder(lab.folder));
    repair_received(lab.folder);
    FoundHandIns found = lab.find();
    std::set<std::pair<std::string, int>> known;
    for (const GradedAttempt& one : lab.graded(kit, records, found).attempts) {
      known.insert({one.hand_in.student, one.hand_in.attempt});
      remember(seconds_[i], one.grading.total_s);
    }
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

/// The older hand-in leaves the queue before it is replaced on disk, so that no worker begins it meanwhile.
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

void GradingQueue::take_back(std::size_t i, const std::string& student, int attempt) {
  std::unique_lock lock(arriving_);
  stored_.wait(lock, [&] { return !storing_; });  // a newer hand-in might be replacing it now
  const FoundHandIns found = labs_[i]->find(student);
  const std::lock_guard its(mutex_);
  const auto at = std::find_if(waiting_.begin(), waiting_.end(), [&](const QueuedHandIn& one) {
    return one.lab == i && one.hand_in.student == student && one.hand_in.attempt == attempt;
  });
  if (at == waiting_.end())
    throw Error(ErrorKind::usage, fmt::format("Attempt {} does not wait any more.", attempt),
                "your hand-ins are listed with their states");
  // Only the last attempt can be taken back, since later attempts would get other numbers.
  const int number = receipt_in(at->hand_in.paths.front()).number;
  if (number == 0 || found.all.empty() || found.all.back().attempt != attempt)
    throw Error(ErrorKind::usage, fmt::format("Attempt {} is not your last one.", attempt),
                "only the last one can be taken back");
  grader::take_back(labs_[i]->folder, student, number);
  waiting_.erase(at);
  changed();
}

void GradingQueue::store(std::vector<Arrival*> batch) {
  const std::size_t i = batch.front()->lab;
  ClassLab& lab = *labs_[i];
  const auto course = lab.course();
  std::erase_if(batch, [&](Arrival* one) {
    const auto quota = quota_left(*course, lab.folder, one->student);
    if (!quota || quota->left > 0) return false;
    one->failure = std::make_exception_ptr(
        Error(ErrorKind::usage,
              fmt::format("You have handed in {} times within an hour, as often as this class allows.",
                          quota->per_hour),
              fmt::format("hand it in after {} UTC", quota->next_at.substr(11, 8))));
    return true;
  });
  if (batch.empty()) return;
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
    const fs::path stored = lab.folder / one.student / std::to_string(receipt.number);
    const auto its = found.find(stored);
    if (its == found.end()) {
      one.failure = std::make_exception_ptr(
          Error(ErrorKind::fault, fmt::format("{} is stored and not found again.", shown(stored)),
                "the next start of the server grades it"));
      continue;
    }
    one.accepted = {receipt, one.older.has_value()};
    waiting_.push_back({i, std::move(its->second), receipt.queued_ns});
  }
  changed();
}

std::vector<HandInState> GradingQueue::states_of(const std::string& student) {
  const std::lock_guard lock(mutex_);
  std::map<std::string, int> running;
  std::vector<HandInState> out;
  const auto now = std::chrono::steady_clock::now();
  std::vector<double> free_in(workers_.size()), takes;
  std::size_t worker = 0;
  bool known = !workers_.empty() && problem_.empty();
  for (const auto& [key, one] : running_) {
    ++running[one.hand_in.student];
    std::optional<double> left = usual_seconds(one.lab);
    if (left) left = std::max(0.0, *left - std::chrono::duration<double>(now - begun_.at(key)).count());
    if (one.hand_in.student == student)
      out.push_back({HandInState::Kind::running, one.lab, one.hand_in.attempt, 0, left, ""});
    free_in[worker++ % free_in.size()] = left.value_or(0);
    known &= left.has_value();
  }
  sort_fairly(waiting_, running);
  for (const QueuedHandIn& one : waiting_) {
    const std::optional<double> seconds = usual_seconds(one.lab);
    if (!seconds) break;
    takes.push_back(*seconds);
  }
  const std::vector<double> ends = known ? expected_ends(free_in, takes) : std::vector<double>();
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i].hand_in.student == student)
      out.push_back({HandInState::Kind::waiting, waiting_[i].lab, waiting_[i].hand_in.attempt,
                     static_cast<int>(i) + 1, i < ends.size() ? std::optional(ends[i]) : std::nullopt, ""});
  for (const auto& [key, why] : failed_)
    if (std::get<1>(key) == student)
      out.push_back({HandInState::Kind::failed, std::get<0>(key), std::get<2>(key), 0, {}, why});
  return out;
}

std::optional<double> GradingQueue::usual_seconds(std::size_t lab) const {
  const std::deque<double>& all = seconds_[lab];
  if (all.empty()) return std::nullopt;
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
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

/// Waits for the next hand-in. No value when the queue ends.
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
      begun_[key_of(out)] = std::chrono::steady_clock::now();
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
      const std::chrono::duration<double> took =
          std::chrono::steady_clock::now() - begun_.extract(key_of(*one)).mapped();
      if (problem.empty()) remember(seconds_[lab], took.count());
      if (running_.empty()) grading_.reset();
      problem_ = problem;
      if (!why.empty()) failed_[key_of(*one)] = why;
      if (!problem.empty()) waiting_.push_back(std::move(*one));
      changed();
      // After a full disk or a broken compiler, the next grading would fail at once, too.
      if (!problem.empty()) changed_.wait_for(lock, 10s, [&] { return stop_ || interrupted(); });
    }
    if (problem.empty()) graded_(lab);
  }
}

std::string GradingQueue::grade(const QueuedHandIn& one) {
  ClassLab& lab = *labs_[one.lab];
  Records records(kit_.state() / "records.sqlite");  // each connection belongs to one thread
  const GradedClass graded =
      grade_hand_ins(kit_, lab.lab, records, lab.options(), {{one.hand_in}, {}}, *lab.executor);
  for (const GradedAttempt& attempt : graded.attempts)
    if (!is_graded(attempt.grading))
      return attempt.grading.notes.empty() ? "The kit is at fault." : printable(attempt.grading.notes.back());
  return "";
}

}  // namespace grader
