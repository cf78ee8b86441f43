// Random programs for a block whose threads meet at barriers, and their outcomes: in the runtime, and
// according to a slow and simple reference.
//
// A thread is a list of steps; it returns at the end of the list. Most programs are like those that a
// kernel's author would write: in each round all threads of the block, of parts of warps or of some group
// meet. Other programs contain mistakes: steps are missing or have other lines, masks and counts differ, or
// threads return early.
//
//   thread 0:  block at 1   lanes ffffffff at 2   returns
//   thread 1:  block at 1   lanes ffffffff at 2   3: 2 of barrier 4   returns
//   thread 2:  block at 1   lanes ffffffff at 2   3: 2 of barrier 4   returns
//
// The reference stores each thread's state, but no counts. It decides from the states of all threads whether
// a barrier releases them. Released threads continue in the order that runtime/barriers.cpp promises, so
// every step is compared.
#pragma once

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "../runtime/launch_state.hpp"
#include "../runtime/runtime.hpp"
#include "cuda_runtime_api.h"
#include "cuemu/named_barrier.hpp"
#include "observer.hpp"

namespace barrier_programs {

using cuemu::SourceLine;
using cuemu::WaitingThread;
using cuemu::warp_width;

enum class Meet {
  block,  ///< __syncthreads()
  count,  ///< __syncthreads_count(predicate), and so on
  all,
  any,
  lanes,   ///< __syncwarp(mask)
  sync,    ///< bar.sync barrier, expected
  arrive,  ///< bar.arrive barrier, expected
};

struct Step {
  Meet what = Meet::block;
  bool predicate = false;
  std::uint32_t mask = 0;
  unsigned barrier = 0, expected = 0;
  SourceLine where;

  bool meets_block() const { return what <= Meet::any; }
  std::string text() const {
    static const char* const names[] = {"block", "count", "all", "any", "lanes", "sync", "arrive"};
    char numbers[64] = "";
    if (what == Meet::lanes)
      std::snprintf(numbers, sizeof numbers, " %08x", mask);
    else if (!meets_block())
      std::snprintf(numbers, sizeof numbers, " %u with %u", barrier, expected);
    else if (what != Meet::block)
      std::snprintf(numbers, sizeof numbers, " %d", predicate ? 1 : 0);
    return std::string(names[static_cast<int>(what)]) + numbers + " at " + where.file + ":" +
           std::to_string(where.line);
  }
};

struct Program {
  dim3 dim;
  std::vector<std::vector<Step>> threads;

  unsigned count() const { return static_cast<unsigned>(threads.size()); }
  std::size_t steps() const {
    std::size_t sum = 0;
    for (const auto& thread : threads) sum += thread.size();
    return sum;
  }
  std::string text() const {
    std::string text;
    for (unsigned t = 0; t < count(); ++t) {
      text += "thread " + std::to_string(t) + ":";
      for (const Step& step : threads[t]) text += "  " + step.text();
      text += "\n";
    }
    return text;
  }
};

/// A thread has continued after a step, with the step's result.
struct Passed {
  unsigned thread;
  std::size_t step;
  int answer;
  bool operator==(const Passed& other) const {
    return std::tie(thread, step, answer) == std::tie(other.thread, other.step, other.answer);
  }
};

/// A thread, and the place where it waits.
struct Place {
  WaitingThread::For what;
  unsigned thread;
  std::uint32_t mask;  ///< its warp's lanes
  std::string file;
  int line;
  auto tied() const { return std::tie(thread, what, mask, file, line); }
  bool operator==(const Place& other) const { return tied() == other.tied(); }
  bool operator<(const Place& other) const { return tied() < other.tied(); }
};
inline Place place(const WaitingThread& one) {
  return {one.what, one.thread, one.mask, one.where.file, one.where.line};
}

/// Threads that are released together, in the order of their arrival. Lanes are in the order of their
/// numbers.
struct Release {
  WaitingThread::For what;
  std::vector<Place> members;
  unsigned returned;  ///< threads of the block so far
  bool operator==(const Release& other) const {
    return std::tie(what, members, returned) == std::tie(other.what, other.members, other.returned);
  }
};

struct Outcome {
  std::vector<Passed> passed;  ///< in the order of events
  std::vector<Release> releases;
  std::vector<Place> stuck;  ///< the waiting threads of a block that was reported as deadlocked
  unsigned returned = 0;     ///< number of returned threads at that time
  int error = 0;             ///< a cudaError
};

/// Computes the outcome of a program from the definition of each barrier.
class Reference {
 public:
  explicit Reference(const Program& program) : program_(program), threads_(program.count()) {}

  Outcome run() {
    unsigned fresh = 0;
    while (result_.error == 0) {
      unsigned next = 0;
      if (!ready_.empty()) {
        next = ready_.front();
        ready_.pop_front();
      } else if (fresh < program_.count()) {
        next = fresh++;
      } else {
        break;
      }
      go_on(next);
    }
    if (result_.error == 0 && returned() != program_.count()) {
      result_.error = cudaErrorLaunchTimeout;
      result_.returned = returned();
      for (unsigned t = 0; t < program_.count(); ++t)
        if (threads_[t].state == State::waits) result_.stuck.push_back(place_of(t));
    }
    return result_;
  }

 private:
  enum class State { runs, waits, let_go, returned };
  struct Thread {
    State state = State::runs;
    std::size_t step = 0;  ///< the next step, or the step at which it waits
    int answer = 0;
  };
  struct Named {
    unsigned arrived = 0, expected = 0;
    std::vector<unsigned> waiting;
  };

  const Step& step_of(unsigned t) const { return program_.threads[t][threads_[t].step]; }
  unsigned returned() const {
    return static_cast<unsigned>(std::count_if(
        threads_.begin(), threads_.end(), [](const Thread& one) { return one.state == State::returned; }));
  }
  Place place_of(unsigned t) const {
    const Step& step = step_of(t);
    const auto what = step.meets_block()         ? WaitingThread::For::block
                      : step.what == Meet::lanes ? WaitingThread::For::lanes
                                                 : WaitingThread::For::group;
    return {what, t, step.what == Meet::lanes ? step.mask : 0, step.where.file, step.where.line};
  }

  void go_on(unsigned t) {
    Thread& me = threads_[t];
    if (me.state == State::let_go) pass(t);
    me.state = State::runs;
    while (me.step < program_.threads[t].size()) {
      const Step& step = step_of(t);
      if (step.what == Meet::sync || step.what == Meet::arrive) {
        Named& barrier = named_[step.barrier];
        if (barrier.arrived != 0 && barrier.expected != step.expected) {
          result_.error = cudaErrorLaunchFailure;  // they expect different numbers
          return;
        }
        barrier.expected = step.expected;
        ++barrier.arrived;
      }
      if (step.what != Meet::arrive) {
        me.state = State::waits;
        me.answer = 0;
        if (step.meets_block()) at_block_.push_back(t);
        if (step.what == Meet::sync) named_[step.barrier].waiting.push_back(t);
        let_go();
        return;
      }
      let_go();
      pass(t);
    }
    me.state = State::returned;
    let_go();
  }
  void pass(unsigned t) {
    Thread& me = threads_[t];
    result_.passed.push_back({t, me.step, me.answer});
    ++me.step;
    me.answer = 0;
  }

  void let_go(const Release& release, std::deque<unsigned>::const_iterator before) {
    std::vector<unsigned> members;
    for (const Place& one : release.members) {
      members.push_back(one.thread);
      threads_[one.thread].state = State::let_go;
    }
    ready_.insert(before, members.begin(), members.end());
    result_.releases.push_back(release);
  }
  /// Releases all threads whose barrier is complete.
  void let_go() {
    if (block_is_complete()) let_block_go();
    for (unsigned t = 0; t < program_.count(); ++t)
      if (waits_for_lanes(t) && lanes_are_complete(t)) let_lanes_go(t);
    for (auto& [number, barrier] : named_)
      if (barrier.arrived != 0 && barrier.arrived >= barrier.expected) let_group_go(barrier);
  }
  bool waits_for_lanes(unsigned t) const {
    return threads_[t].state == State::waits && step_of(t).what == Meet::lanes;
  }

  bool block_is_complete() const {
    bool any = false;
    for (unsigned t = 0; t < program_.count(); ++t) {
      if (threads_[t].state == State::returned) continue;
      if (threads_[t].state != State::waits || !step_of(t).meets_block()) return false;
      any = true;
    }
    return any;
  }
  void let_block_go() {
    Release release{WaitingThread::For::block, {}, returned()};
    int holds = 0;
    for (const unsigned t : at_block_)
      holds += step_of(t).what != Meet::block && step_of(t).predicate ? 1 : 0;
    for (const unsigned t : at_block_) {
      const Meet what = step_of(t).what;
      threads_[t].answer = what == Meet::count ? holds
                           : what == Meet::all ? (holds == static_cast<int>(at_block_.size()) ? 1 : 0)
                           : what == Meet::any ? (holds != 0 ? 1 : 0)
                                               : 0;
      release.members.push_back(place_of(t));
    }
    let_go(release, ready_.end());
    at_block_.clear();
  }

  /// Whether all lanes in thread t's mask wait with the same mask. Lanes that have returned do not count.
  bool lanes_are_complete(unsigned t) const {
    const std::uint32_t mask = step_of(t).mask;
    const unsigned first = t / warp_width * warp_width;
    for (unsigned other = first; other < std::min(first + warp_width, program_.count()); ++other) {
      if ((mask >> (other - first) & 1u) == 0 || threads_[other].state == State::returned) continue;
      if (!waits_for_lanes(other) || step_of(other).mask != mask) return false;
    }
    return true;
  }
  void let_lanes_go(unsigned t) {
    Release release{WaitingThread::For::lanes, {}, returned()};
    const std::uint32_t mask = step_of(t).mask;
    const unsigned first = t / warp_width * warp_width;
    for (unsigned other = first; other < std::min(first + warp_width, program_.count()); ++other) {
      if ((mask >> (other - first) & 1u) == 0 || threads_[other].state == State::returned) continue;
      release.members.push_back(place_of(other));
    }
    let_go(release, ready_.begin());  // a warp continues before others
  }

  void let_group_go(Named& barrier) {
    Release release{WaitingThread::For::group, {}, returned()};
    for (const unsigned t : barrier.waiting) release.members.push_back(place_of(t));
    let_go(release, ready_.end());
    barrier = {};
  }

  const Program& program_;
  std::vector<Thread> threads_;
  std::deque<unsigned>
      ready_;  ///< released threads in the order in which they continue, before threads that have not begun
  std::vector<unsigned> at_block_;  ///< in the order of arrival
  std::map<unsigned, Named> named_;
  Outcome result_;
};

/// Makes random programs. Their lines are in `file` and `other_file`.
class Author {
 public:
  Author(unsigned seed, const char* file, const char* other_file)
      : random_(seed), file_(file), other_file_(other_file) {}

  Program write() {
    Program program;
    program.dim = dim3(1 + below(below(2) != 0 ? 40 : 5), 1 + below(4), below(4) != 0 ? 1 : 2);
    program.threads.resize(program.dim.x * program.dim.y * program.dim.z);
    const unsigned rounds = 1 + below(8);
    for (line_ = 1; line_ <= static_cast<int>(rounds); ++line_) {
      const unsigned kind = below(8);
      if (kind < 3)
        block_meets(program);
      else if (kind < 6)
        lanes_meet(program);
      else
        group_meets(program);
    }
    if (below(3) == 0) some_return(program);
    if (below(2) == 0)
      for (unsigned mistakes = 1 + below(3); mistakes > 0; --mistakes) spoil(program);
    return program;
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  SourceLine here() const { return {file_, line_}; }

  void block_meets(Program& program) {
    Step step;
    step.what = static_cast<Meet>(below(4));
    step.where = here();
    const unsigned holds = below(5);  // in quarters: 0 is true for no thread, 4 for all
    for (auto& thread : program.threads) {
      step.predicate = below(4) < holds;
      thread.push_back(step);
    }
  }
  void lanes_meet(Program& program) {
    Step step;
    step.what = Meet::lanes;
    step.where = here();
    const bool some_warps = below(3) == 0;
    for (unsigned first = 0; first < program.count(); first += warp_width) {
      if (some_warps && below(2) == 0) continue;
      // Divides the warp into parts. The lanes of the last part do not take part.
      const unsigned parts = below(3) == 0 ? 1 + below(4) : 1;
      const bool all_come = below(4) != 0;
      std::uint32_t masks[4] = {};
      for (unsigned lane = 0; lane < warp_width; ++lane) masks[below(parts)] |= 1u << lane;
      for (unsigned part = 0; part < parts - (all_come || parts == 1 ? 0 : 1); ++part)
        for (unsigned lane = 0; lane < warp_width && first + lane < program.count(); ++lane)
          if ((masks[part] >> lane & 1u) != 0) {
            step.mask = masks[part];
            program.threads[first + lane].push_back(step);
          }
    }
  }
  void group_meets(Program& program) {
    std::vector<unsigned> members;
    const unsigned share = 1 + below(4);
    for (unsigned t = 0; t < program.count(); ++t)
      if (below(4) < share) members.push_back(t);
    Step step;
    step.barrier = 1 + below(below(2) != 0 ? 3 : cuemu::named_barriers - 1);
    step.expected = static_cast<unsigned>(members.size());
    step.where = here();
    const bool some_arrive = below(3) == 0;
    for (const unsigned t : members) {
      step.what = some_arrive && below(2) == 0 ? Meet::arrive : Meet::sync;
      program.threads[t].push_back(step);
    }
  }

  /// Makes some threads return, or all threads from an index on, as `if (i >= n) return` does.
  void some_return(Program& program) {
    const bool tail = below(2) == 0;
    const unsigned from = below(program.count());
    const std::size_t at = below(8);
    for (unsigned t = tail ? from : 0; t < program.count(); ++t) {
      auto& steps = program.threads[t];
      if (tail)
        steps.resize(std::min(steps.size(), at));
      else if (below(8) == 0)
        steps.resize(below(static_cast<unsigned>(steps.size()) + 1));
    }
  }

  /// Makes one mistake in one step of some consecutive threads.
  void spoil(Program& program) {
    const unsigned kind = below(7);
    const unsigned first = below(program.count());
    const unsigned last = std::min(program.count(), first + (below(2) == 0 ? 1 : 1 + below(40)));
    const unsigned which = below(8);
    const std::uint32_t lanes = 1u << below(32) | 1u << below(32);
    for (unsigned t = first; t < last; ++t) {
      auto& steps = program.threads[t];
      if (which >= steps.size()) continue;
      const auto at = steps.begin() + which;
      if (kind == 0)
        steps.erase(at);
      else if (kind == 1)
        steps.insert(at, Step(*at));
      else if (kind == 2)
        at->where.line += 100;
      else if (kind == 3)
        at->where.file = other_file_;  // the same line of another file
      else if (kind == 4 && at->what == Meet::lanes)
        at->mask = (at->mask ^ lanes) | 1u << t % warp_width;
      else if (kind == 5 && !at->meets_block() && at->what != Meet::lanes)
        at->expected = std::max(1u, at->expected + below(3) - 1);
      else if (kind == 6 && which + 1 < steps.size())
        std::swap(*at, *(at + 1));
    }
  }

  std::mt19937 random_;
  const char* file_;
  const char* other_file_;
  int line_ = 0;
};

/// Records the runtime's reports.
class Witness : public cuemu::Observer {
 public:
  void block_synchronised(cuemu::BlockView block) override {
    Release release{WaitingThread::For::block, {}, block.returned()};
    block.each_at_barrier([&](std::uint32_t thread, const SourceLine& where) {
      release.members.push_back({WaitingThread::For::block, thread, 0, where.file, where.line});
    });
    outcome->releases.push_back(release);
  }
  void warp_synchronised(cuemu::BlockView block, unsigned warp, std::uint32_t lanes) override {
    Release release{WaitingThread::For::lanes, {}, block.returned()};
    for (unsigned lane = 0; lane < warp_width; ++lane) {
      if ((lanes >> lane & 1u) == 0) continue;
      const unsigned thread = warp * warp_width + lane;
      const SourceLine& where = *block.at_warp_barrier(warp, lane);
      // The mask comes from the step, since the runtime reports only the released threads.
      release.members.push_back({WaitingThread::For::lanes, thread, masks[thread], where.file, where.line});
    }
    outcome->releases.push_back(release);
  }
  void group_synchronised(cuemu::BlockView block, const std::vector<WaitingThread>& members) override {
    Release release{WaitingThread::For::group, {}, block.returned()};
    for (const WaitingThread& one : members) release.members.push_back(place(one));
    outcome->releases.push_back(release);
  }
  void block_deadlocked(cuemu::BlockView block) override {
    for (const WaitingThread& one : block.waiting()) outcome->stuck.push_back(place(one));
    std::sort(outcome->stuck.begin(), outcome->stuck.end());
    outcome->returned = block.returned();
  }

  Outcome* outcome = nullptr;
  std::vector<std::uint32_t> masks;  ///< by thread: the mask of its current or last wait
};

/// The argument of the kernel that interprets all programs.
struct Interpreted {
  const Program* program;
  Outcome* outcome;
  std::uint32_t* masks;

  void operator()(CUEMU_KERNEL_PARAMS) const {
    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const std::vector<Step>& steps = program->threads[t];
    for (std::size_t i = 0; i < steps.size(); ++i) outcome->passed.push_back({t, i, meet(steps[i], t)});
  }
  int meet(const Step& step, unsigned t) const {
    switch (step.what) {
      case Meet::block:
        cuemu::block_barrier(step.where);
        break;
      case Meet::count:
        return cuemu::block_barrier_count(step.predicate ? 1 : 0, step.where);
      case Meet::all:
        return cuemu::block_barrier_and(step.predicate ? 1 : 0, step.where);
      case Meet::any:
        return cuemu::block_barrier_or(step.predicate ? 1 : 0, step.where);
      case Meet::lanes:
        masks[t] = step.mask;
        cuemu::warp_barrier(step.mask, step.where);
        break;
      case Meet::sync:
        cuemu::named_barrier_sync(step.barrier, step.expected, step.where);
        break;
      case Meet::arrive:
        cuemu::named_barrier_arrive(step.barrier, step.expected, step.where);
        break;
    }
    return 0;
  }
};

/// Runs a program in the runtime, and returns its outcome. `witness` must observe the launch (watch_with()).
/// The launch is in no stream: otherwise no kernel could run in this process after a kernel was stopped.
inline Outcome run(const Program& program, Witness& witness) {
  static cuemu::Kernel kernel{
      {&cuemu::detail::run_threads<Interpreted>, sizeof(Interpreted), alignof(Interpreted)},
      cuemu::KernelInfo{"program"}};
  cuemu::start_runtime();
  cuemu::fit_offsets(cuemu::state_of(kernel));
  Outcome outcome;
  outcome.passed.reserve(program.steps());
  witness.outcome = &outcome;
  witness.masks.assign(program.count(), 0);
  Interpreted closure{&program, &outcome, witness.masks.data()};
  cuemu::Launch launch;
  launch.kernel = &kernel;
  launch.closure = &closure;
  launch.block = program.dim;
  outcome.error = cuemu::run_launch(launch);
  return outcome;
}

}  // namespace barrier_programs
