// Compares the barriers of grids and of clusters with a slow and simple reference, on random programs. A
// thread must continue only when all required threads have arrived. Threads of a block must continue in the
// order of arrival. The number of rounds must be right, and a program that can't end must be reported as
// deadlocked. Also tests mbarriers, whose phases end when all arrivals and bytes have been counted.
//
// A thread is a list of steps, as in barrier_programs.hpp. Blocks run on several workers here. So the test
// compares only results that do not depend on the order of blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../runtime/launch_state.hpp"
#include "../runtime/runtime.hpp"
#include "cuda_runtime_api.h"
#include "cuemu/async_barrier.hpp"
#include "cuemu/cluster_intrinsics.hpp"
#include "observer.hpp"

namespace {

constexpr unsigned most_rounds = 16;  ///< of the grid, or of a cluster

enum class Meet {
  block,           ///< __syncthreads()
  grid,            ///< grid.sync()
  cluster,         ///< cluster.sync(),
  cluster_arrive,  ///< its halves
  cluster_wait,
  grid_arrive,  ///< the halves of grid.sync()
  grid_wait,
};

struct Step {
  Meet what = Meet::block;
  unsigned round = 0;   ///< the round of the grid's or the cluster's barrier,
  bool counts = false;  ///< and whether it is the cluster's; the reference fills both in
};
using Thread = std::vector<Step>;

struct Program {
  unsigned threads = 1, cluster = 1;        ///< of a block; blocks of a cluster
  std::vector<std::vector<Thread>> blocks;  ///< by block and thread

  std::string text() const {
    static const char* const names[] = {"block", "grid",        "cluster",  "arrive",
                                        "wait",  "grid-arrive", "grid-wait"};
    std::string text = std::to_string(cluster) + " blocks in a cluster\n";
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (unsigned t = 0; t < threads; ++t) {
        text += "block " + std::to_string(b) + " thread " + std::to_string(t) + ":";
        for (const Step& step : blocks[b][t]) text += std::string(" ") + names[static_cast<int>(step.what)];
        text += "\n";
      }
    return text;
  }
};

/// A thread has continued after a step.
struct Passed {
  unsigned thread;
  std::size_t step;
  bool operator==(const Passed& other) const { return thread == other.thread && step == other.step; }
};

/// The number of arrivals in each round of a barrier.
using Arrivals = std::array<unsigned, most_rounds>;

struct Outcome {
  int error = 0;                            ///< a cudaError
  std::vector<std::vector<Passed>> passed;  ///< by block, in the order in which it happens
  Arrivals at_grid{};
  std::vector<Arrivals> at_cluster;  ///< by cluster
  std::vector<std::uint64_t> gone;   ///< for each round of the grid: blocks that had ended
};

/// Computes the outcome of a program from the definition of each barrier. The blocks run one after another,
/// each until it must wait.
class Reference {
 public:
  explicit Reference(Program& program) : program_(program), blocks_(program.blocks.size()) {
    for (Block& block : blocks_) {
      block.threads.resize(program.threads);
      block.ready.resize(program.threads);
      for (unsigned t = 0; t < program.threads; ++t) block.ready[t] = t;
    }
    result_.passed.resize(blocks_.size());
    result_.at_cluster.resize(blocks_.size() / program.cluster);
    cluster_rounds_.resize(result_.at_cluster.size());
  }

  Outcome run() {
    for (bool goes_on = true; goes_on && result_.error == 0;) {
      goes_on = false;
      for (unsigned b = 0; b < blocks_.size() && result_.error == 0; ++b)
        while (!blocks_[b].ready.empty() && result_.error == 0) {
          goes_on = true;
          const unsigned t = blocks_[b].ready.front();
          blocks_[b].ready.pop_front();
          go_on(b, t);
        }
      goes_on |= join_grid() || let_blocks_go();
    }
    // No thread can continue although some have not returned.
    if (result_.error == 0 &&
        std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) { return !is_over(block); }))
      result_.error = cudaErrorLaunchTimeout;
    return result_;
  }

 private:
  enum class State { runs, at_block, joins_grid, at_grid, at_cluster, returned };
  struct ThreadState {
    State state = State::runs;
    bool let_go = false;
    std::size_t step = 0;
    bool has_arrived = false;                    ///< at its cluster's barrier, in the phase that runs
    bool may_wait = false;                       ///< for its cluster: it has arrived,
    bool may_wait_grid = false;                  ///< and for the grid
    unsigned cluster_round = 0, grid_round = 0;  ///< in which it has arrived
  };
  struct Block {
    std::vector<ThreadState> threads;
    std::deque<unsigned> ready;     ///< in the order in which they continue
    std::vector<unsigned> waiting;  ///< in the order of arrival
    bool is_at_grid = false;        ///< it has arrived there,
    unsigned grid_round = 0;        ///< in this round
    bool has_halves = false;        ///< a thread has arrived at the cluster's barrier without waiting
  };

  static unsigned count(const Block& block, State state) {
    return static_cast<unsigned>(std::count_if(block.threads.begin(), block.threads.end(),
                                               [&](const ThreadState& one) { return one.state == state; }));
  }
  void go_on(unsigned b, unsigned t) {
    Block& block = blocks_[b];
    ThreadState& me = block.threads[t];
    std::vector<Step>& steps = program_.blocks[b][t];
    if (me.let_go) result_.passed[b].push_back({t, me.step++});
    me.let_go = false;
    me.state = State::runs;
    for (; me.step < steps.size(); ++me.step) {
      Step& step = steps[me.step];
      const unsigned cluster = b / program_.cluster;
      if (!may(step.what, me)) {
        result_.error = cudaErrorLaunchFailure;
        return;
      }
      if (step.what == Meet::cluster_arrive && program_.cluster == 1) begin_halves(b);
      // In a cluster of one block, sync() is the block's barrier, unless a thread of the block arrives by
      // halves.
      const bool of_block = step.what == Meet::block ||
                            (step.what == Meet::cluster && program_.cluster == 1 && !block.has_halves);
      switch (step.what) {
        case Meet::block:
          break;
        case Meet::grid:
        case Meet::grid_arrive:
          ++result_.at_grid[step.round = me.grid_round = grid_round_];
          me.may_wait_grid = step.what == Meet::grid_arrive;
          break;
        case Meet::grid_wait:
          step.round = me.grid_round;
          me.may_wait_grid = false;
          break;
        case Meet::cluster:
        case Meet::cluster_arrive:
          if (!of_block) arrive(b, t, step);
          me.may_wait = step.what == Meet::cluster_arrive;
          break;
        case Meet::cluster_wait:
          step.round = me.cluster_round;
          step.counts = true;
          me.may_wait = false;
          break;
      }
      if (step.what == Meet::cluster_arrive) {
        let_cluster_go(cluster);
        result_.passed[b].push_back({t, me.step});
        continue;
      }
      if (step.what == Meet::cluster_wait && me.cluster_round != cluster_rounds_[cluster]) {
        me.let_go = true;  // after the threads that can run
        block.ready.push_back(t);
        return;
      }
      me.state = of_block                         ? State::at_block
                 : step.what == Meet::grid_arrive ? State::joins_grid
                 : step.what == Meet::grid        ? State::at_grid
                 : step.what == Meet::grid_wait   ? State::at_grid
                                                  : State::at_cluster;
      block.waiting.push_back(t);
      let_block_go(block);
      let_cluster_go(cluster);
      return;
    }
    me.state = State::returned;
    me.has_arrived = false;
    let_block_go(block);
    let_cluster_go(b / program_.cluster);
  }
  /// True if the thread has arrived before this wait, or has waited before this arrival.
  static bool may(Meet what, const ThreadState& me) {
    switch (what) {
      case Meet::block:
        return true;
      case Meet::grid:
      case Meet::grid_arrive:
        return !me.may_wait_grid;
      case Meet::grid_wait:
        return me.may_wait_grid;
      case Meet::cluster:
      case Meet::cluster_arrive:
        return !me.may_wait;
      case Meet::cluster_wait:
        return me.may_wait;
    }
    return false;
  }
  void arrive(unsigned b, unsigned t, Step& step) {
    ThreadState& me = blocks_[b].threads[t];
    me.has_arrived = step.counts = true;
    step.round = me.cluster_round = cluster_rounds_[b / program_.cluster];
    ++result_.at_cluster[b / program_.cluster][step.round];
  }
  /// After this call, threads that wait in sync() of a single-block cluster count as arrived at the cluster's
  /// own barrier.
  void begin_halves(unsigned b) {
    Block& block = blocks_[b];
    if (std::exchange(block.has_halves, true)) return;
    for (const unsigned t : block.waiting) {
      Step& step = program_.blocks[b][t][block.threads[t].step];
      if (block.threads[t].state != State::at_block || step.what != Meet::cluster) continue;
      block.threads[t].state = State::at_cluster;
      arrive(b, t, step);
    }
  }
  /// Releases the threads at the block's own barrier, if it is complete.
  void let_block_go(Block& block) {
    if (is_at(block, State::at_block)) let_go(block, State::at_block);
  }
  static void let_go(Block& block, State where) {
    std::vector<unsigned> others;
    for (const unsigned t : block.waiting) {
      if (block.threads[t].state != where) {
        others.push_back(t);
        continue;
      }
      block.threads[t].let_go = true;
      block.threads[t].state = State::runs;
      block.ready.push_back(t);
    }
    block.waiting = others;
  }
  bool is_over(const Block& block) const { return count(block, State::returned) == program_.threads; }
  /// Whether all threads of the block wait at this barrier. Threads that have returned do not count.
  bool is_at(const Block& block, State where) const {
    return count(block, where) != 0 &&
           count(block, where) + count(block, State::returned) == program_.threads;
  }
  /// Ends the phase of the cluster's barrier if all threads that have not returned have arrived.
  void let_cluster_go(unsigned cluster) {
    const auto first = blocks_.begin() + cluster * program_.cluster, last = first + program_.cluster;
    bool any = false;
    for (auto block = first; block != last; ++block)
      for (const ThreadState& one : block->threads) {
        if (one.state != State::returned && !one.has_arrived) return;
        any |= one.has_arrived;
      }
    if (!any) return;
    ++cluster_rounds_[cluster];
    for (auto block = first; block != last; ++block) {
      for (ThreadState& one : block->threads) one.has_arrived = false;
      let_go(*block, State::at_cluster);
    }
  }
  /// Lets all threads of a block arrive together if none of them can run.
  bool join_grid() {
    bool any = false;
    for (Block& block : blocks_) {
      const unsigned joining = count(block, State::joins_grid), waiting = count(block, State::at_grid);
      if (waiting + joining == 0 || waiting + joining + count(block, State::returned) != program_.threads)
        continue;
      if (!std::exchange(block.is_at_grid, true)) block.grid_round = grid_round_;
      if (joining != 0) {
        let_go(block, State::joins_grid);
        any = true;
      }
    }
    return any;
  }
  /// Ends a round of the grid if all blocks that have not ended have arrived.
  bool let_blocks_go() {
    unsigned here = 0, over = 0;
    for (const Block& block : blocks_) {
      over += is_over(block) ? 1 : 0;
      here += !is_over(block) && block.is_at_grid && block.grid_round == grid_round_ ? 1 : 0;
    }
    if (here != 0 && here + over == blocks_.size()) {
      ++grid_round_;
      result_.gone.push_back(over);
    }
    bool any = false;
    for (Block& block : blocks_) {
      if (!block.is_at_grid || block.grid_round == grid_round_ || !is_at(block, State::at_grid)) continue;
      block.is_at_grid = false;
      let_go(block, State::at_grid);
      any = true;
    }
    return any;
  }

  Program& program_;
  std::vector<Block> blocks_;
  unsigned grid_round_ = 0;
  std::vector<unsigned> cluster_rounds_;
  Outcome result_;
};

/// Makes random programs.
class Author {
 public:
  explicit Author(unsigned seed) : random_(seed) {}

  Program write() {
    Program program;
    program.threads = 1 + below(below(2) != 0 ? 70 : 4);
    program.cluster = 1u << below(3);
    program.blocks.resize(program.cluster * (1 + below(4)), std::vector<Thread>(program.threads));
    for (unsigned rounds = 1 + below(6); rounds > 0; --rounds) all_meet(program);
    if (below(3) == 0) some_return(program);
    if (below(3) == 0)
      for (unsigned mistakes = 1 + below(2); mistakes > 0; --mistakes) spoil(program);
    return program;
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  /// Adds a meeting of all threads of the grid, of some clusters or of some blocks.
  void all_meet(Program& program) {
    const unsigned kind = below(6);
    const auto blocks = static_cast<unsigned>(program.blocks.size());
    const bool some = below(3) == 0;
    const unsigned group = kind < 2   ? 1
                           : kind < 4 ? blocks
                                      : program.cluster;  // blocks that must come together
    const Meet whole = kind < 2 ? Meet::block : kind < 4 ? Meet::grid : Meet::cluster;
    const unsigned halves = whole == Meet::block ? 0 : below(4);
    for (unsigned first = 0; first < blocks; first += group) {
      if (some && group < blocks && below(2) == 0) continue;
      for (unsigned b = first; b < first + group; ++b) meet(program.blocks[b], whole, halves);
    }
  }
  /// @param halves 0: the threads arrive and wait at once; 1: they arrive, and wait later; 2: as 1, with a
  /// barrier of the block in between or afterwards; 3: some threads do as for 0, others as for 1
  void meet(std::vector<Thread>& block, Meet whole, unsigned halves) {
    const Meet arrive = whole == Meet::grid ? Meet::grid_arrive : Meet::cluster_arrive;
    const Meet wait = whole == Meet::grid ? Meet::grid_wait : Meet::cluster_wait;
    const unsigned way = below(4);
    for (unsigned t = 0; t < block.size(); ++t) {
      const bool first_part = way == 0 || (way > 1 && t % way == 0);
      std::vector<Meet> steps = {arrive, wait};
      if (halves == 0 || (halves == 3 && first_part)) steps = {whole};
      // The block waits for the grid as a whole, so all its threads wait after the barrier.
      if (halves == 2)
        steps = first_part || whole == Meet::grid ? std::vector<Meet>{arrive, Meet::block, wait}
                                                  : std::vector<Meet>{arrive, wait, Meet::block};
      for (const Meet step : steps) block[t].push_back({step});
    }
  }
  /// Makes some threads return, or some whole blocks.
  void some_return(Program& program) {
    const bool whole = below(2) == 0;
    for (auto& block : program.blocks) {
      const bool all = below(3) == 0;
      const std::size_t at = below(6);
      for (Thread& thread : block)
        if (whole ? all : below(8) == 0) thread.resize(std::min(thread.size(), at));
    }
  }
  /// Makes one mistake in one step of some consecutive threads of a block.
  void spoil(Program& program) {
    auto& block = program.blocks[below(static_cast<unsigned>(program.blocks.size()))];
    const unsigned kind = below(3), first = below(program.threads), which = below(6);
    const unsigned last = std::min(program.threads, first + (below(2) == 0 ? 1 : 1 + below(40)));
    for (unsigned t = first; t < last; ++t) {
      if (which >= block[t].size()) continue;
      const auto at = block[t].begin() + which;
      if (kind == 0)
        block[t].erase(at);
      else if (kind == 1)
        block[t].insert(at, Step(*at));
      else
        at->what = static_cast<Meet>(below(3));
    }
  }

  std::mt19937 random_;
};

/// Records the results of a program's run.
struct Stage {
  const Program* program;
  const Outcome* wanted;
  std::vector<std::vector<Passed>> passed;  ///< by block
  std::vector<std::size_t> count;           ///< of these
  std::array<std::atomic<unsigned>, most_rounds> at_grid{};
  std::vector<std::array<std::atomic<unsigned>, most_rounds>> at_cluster;
  std::atomic<unsigned> too_early{0};  ///< threads that continued before all other threads had arrived
};

/// The argument of the kernel that interprets all programs.
struct Interpreted {
  Stage* stage;

  void operator()(CUEMU_KERNEL_PARAMS) const {
    // Blocks are numbered by clusters, as in the runtime; the grid has one dimension.
    const unsigned b = blockIdx.x, t = threadIdx.x;
    const Thread& steps = stage->program->blocks[b][t];
    for (std::size_t i = 0; i < steps.size(); ++i) {
      meet(steps[i], b / stage->program->cluster);
      stage->passed[b][stage->count[b]++] = {t, i};
    }
  }
  void meet(const Step& step, unsigned cluster) const {
    auto& at_cluster = stage->at_cluster[cluster];
    const auto all_have_come = [&](const auto& come, const Arrivals& wanted) {
      if (come[step.round].load() != wanted[step.round]) ++stage->too_early;
    };
    switch (step.what) {
      case Meet::block:
        cuemu::block_barrier();
        break;
      case Meet::grid:
        ++stage->at_grid[step.round];
        cuemu::grid_barrier();
        all_have_come(stage->at_grid, stage->wanted->at_grid);
        break;
      case Meet::grid_arrive:
        ++stage->at_grid[step.round];
        cuemu::grid_barrier_arrive();
        break;
      case Meet::grid_wait:
        cuemu::grid_barrier_wait();
        all_have_come(stage->at_grid, stage->wanted->at_grid);
        break;
      case Meet::cluster:
        at_cluster[step.round] += step.counts ? 1 : 0;
        cuemu::cluster_barrier();
        if (step.counts) all_have_come(at_cluster, stage->wanted->at_cluster[cluster]);
        break;
      case Meet::cluster_arrive:
        ++at_cluster[step.round];
        __cluster_barrier_arrive();
        break;
      case Meet::cluster_wait:
        __cluster_barrier_wait();
        all_have_come(at_cluster, stage->wanted->at_cluster[cluster]);
        break;
    }
  }
};

/// Runs a kernel with a given closure. The launch is in no stream: otherwise no kernel could run in this
/// process after a kernel was stopped.
template <class Closure>
int launch(Closure closure, unsigned blocks, unsigned threads, unsigned cluster) {
  static cuemu::Kernel kernel{{&cuemu::detail::run_threads<Closure>, sizeof(Closure), alignof(Closure)},
                              cuemu::KernelInfo{"program"}};
  cuemu::start_runtime();
  cuemu::fit_offsets(cuemu::state_of(kernel));
  cuemu::Launch launch;
  launch.kernel = &kernel;
  launch.closure = &closure;
  launch.grid = dim3(blocks);
  launch.block = dim3(threads);
  launch.cooperative = true;
  launch.cluster = dim3(cluster);
  launch.cluster_blocks = cluster;
  launch.block_count = launch.grid_barrier.blocks = blocks;
  return cuemu::run_launch(launch);
}

/// The number of programs for each outcome. The test would be useless if all programs ended in the same way.
struct Seen {
  unsigned ended = 0, deadlocked = 0, misused = 0, grids = 0, clusters = 0, gone = 0;
};

void compare(unsigned seed, Seen& seen, const std::vector<std::uint64_t>* gone) {
  Program program = Author(seed).write();
  const Outcome wanted = Reference(program).run();
  SCOPED_TRACE("program " + std::to_string(seed) + "\n" + program.text());
  Stage stage;
  stage.program = &program;
  stage.wanted = &wanted;
  stage.count.resize(program.blocks.size());
  stage.at_cluster = decltype(stage.at_cluster)(program.blocks.size() / program.cluster);
  for (const auto& block : program.blocks) {
    std::size_t steps = 0;
    for (const Thread& thread : block) steps += thread.size();
    stage.passed.emplace_back(steps);
  }
  testing::internal::CaptureStderr();
  const int error = launch(Interpreted{&stage}, static_cast<unsigned>(program.blocks.size()), program.threads,
                           program.cluster);
  const std::string message = testing::internal::GetCapturedStderr();
  ASSERT_EQ(error != 0, wanted.error != 0) << message;
  if (error != 0) {  // if there are several mistakes, other workers may find another mistake first
    const bool misused = message.find("barrier_arrive()") != message.npos;
    ASSERT_EQ(error, misused ? cudaErrorLaunchFailure : cudaErrorLaunchTimeout) << message;
    ASSERT_EQ(message.find("deadlock") == message.npos, misused) << message;
    ++(misused ? seen.misused : seen.deadlocked);
    return;
  }
  ASSERT_EQ(stage.too_early.load(), 0u);
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    stage.passed[b].resize(stage.count[b]);
    ASSERT_EQ(stage.passed[b].size(), wanted.passed[b].size());
    for (std::size_t i = 0; i < wanted.passed[b].size(); ++i)
      ASSERT_TRUE(stage.passed[b][i] == wanted.passed[b][i])
          << "block " << b << ", at " << i << ": thread " << stage.passed[b][i].thread << " instead of "
          << wanted.passed[b][i].thread;
  }
  // A block that has arrived may end before or after the round.
  const bool halves =
      std::any_of(program.blocks.begin(), program.blocks.end(), [](const std::vector<Thread>& block) {
        return std::any_of(block.begin(), block.end(), [](const Thread& thread) {
          return std::any_of(thread.begin(), thread.end(),
                             [](const Step& step) { return step.what == Meet::grid_arrive; });
        });
      });
  if (gone != nullptr && !halves) {
    ASSERT_EQ(*gone, wanted.gone);
  }
  ++seen.ended;
  seen.grids += wanted.gone.empty() ? 0 : 1;
  seen.gone +=
      std::any_of(wanted.gone.begin(), wanted.gone.end(), [](std::uint64_t blocks) { return blocks != 0; })
          ? 1
          : 0;
  seen.clusters += program.cluster > 1 && wanted.at_cluster[0][0] != 0 ? 1 : 0;
}

void expect_all_kinds(const Seen& seen, unsigned programs) {
  for (const unsigned one : {seen.ended, seen.deadlocked, seen.misused, seen.grids, seen.clusters, seen.gone})
    EXPECT_GE(one, programs / 30) << "ended " << seen.ended << ", deadlocked " << seen.deadlocked
                                  << ", of grids " << seen.grids << ", of clusters " << seen.clusters
                                  << ", behind blocks that had ended " << seen.gone << ", misused "
                                  << seen.misused;
}

TEST(GridBarriers, OfSeveralWorkersAreThoseOfTheReference) {
  setenv("CUEMU_THREADS", "4", 1);
  constexpr unsigned programs = 600;
  Seen seen;
  for (unsigned seed = 1; seed <= programs && !HasFatalFailure(); ++seed) compare(seed, seen, nullptr);
  expect_all_kinds(seen, programs);
}

/// Records the runtime's reports of a grid's rounds.
class Witness : public cuemu::Observer {
 public:
  void grid_synchronised(const cuemu::LaunchView&, std::uint64_t blocks) override { gone.push_back(blocks); }
  std::vector<std::uint64_t> gone;
};

TEST(GridBarriers, AreReportedToAToolWithTheBlocksThatHaveEnded) {
  static Witness* const witness = new Witness;  // receives reports until the program ends
  cuemu::watch_with(*witness, cuemu::ToolSlot::counters);
  constexpr unsigned programs = 300;
  Seen seen;
  for (unsigned seed = 1; seed <= programs && !HasFatalFailure(); ++seed) {
    witness->gone.clear();
    compare(seed, seen, &witness->gone);
  }
  expect_all_kinds(seen, programs);
}

// ---- mbarriers

struct Meeting;

/// Runs when a phase ends, before any thread continues.
struct CountCompletion {
  Meeting* meeting = nullptr;
  inline void operator()() const;
};
using Mbarrier = cuda::barrier<cuda::thread_scope_device, CountCompletion>;

/// What a member does in a phase. The member finishes all counting before it waits.
struct Part {
  std::vector<int> arrivals;  ///< the count of each arrival; their sum is the member's share in every phase
  unsigned expects = 0;       ///< bytes, announced with the last of its arrivals
  unsigned completes_early = 0;  ///< bytes before its arrivals,
  unsigned completes_late = 0;   ///< and after them
  bool drops = false;            ///< drops out with its only arrival, and takes no part in later phases
  enum class Wait { by_token, by_parity, by_trying, with_arrival } wait = Wait::by_token;
};

struct Phase {
  int arrivals = 0;
  unsigned bytes = 0;
};

/// A barrier, the actions of its members, and the events so far.
struct Meeting {
  Mbarrier barrier;
  int expected = 0;
  std::vector<std::vector<Part>> members;  ///< by thread of the grid and phase
  std::vector<Phase> phases;               ///< the expected ones
  struct Happened {
    std::atomic<int> arrivals{0};
    std::atomic<unsigned> bytes{0};
  };
  std::unique_ptr<Happened[]> happened;
  std::atomic<unsigned> completed{0}, too_early{0};

  bool is_full(std::size_t phase) const {
    return happened[phase].arrivals.load() == phases[phase].arrivals &&
           happened[phase].bytes.load() == phases[phase].bytes;
  }
};

void CountCompletion::operator()() const {
  const unsigned phase = meeting->completed++;
  if (phase >= meeting->phases.size() || !meeting->is_full(phase)) ++meeting->too_early;
}

struct MbarrierKernel {
  Meeting* meeting;
  void operator()(CUEMU_KERNEL_PARAMS) const {
    const std::vector<Part>& parts = meeting->members[blockIdx.x * blockDim.x + threadIdx.x];
    for (std::size_t phase = 0; phase < parts.size(); ++phase) take_part(parts[phase], phase);
  }
  void complete(unsigned bytes, std::size_t phase) const {
    if (bytes == 0) return;
    meeting->happened[phase].bytes += bytes;
    meeting->barrier.complete_bytes(bytes);
  }
  void take_part(const Part& part, std::size_t phase) const {
    Mbarrier& barrier = meeting->barrier;
    complete(part.completes_early, phase);
    for (std::size_t i = 0; i + 1 < part.arrivals.size(); ++i) {
      meeting->happened[phase].arrivals += part.arrivals[i];
      static_cast<void>(barrier.arrive(part.arrivals[i]));
    }
    const int last = part.arrivals.back();
    meeting->happened[phase].arrivals += last;
    if (part.drops) {
      static_cast<void>(barrier.arrive_and_drop());
      return;
    }
    if (part.wait == Part::Wait::with_arrival) {
      barrier.arrive_and_wait();
    } else {
      const auto token =
          part.expects != 0 ? barrier.arrive_expecting(last, part.expects) : barrier.arrive(last);
      complete(part.completes_late, phase);
      if (part.wait == Part::Wait::by_token)
        barrier.wait(token);
      else if (part.wait == Part::Wait::by_parity)
        barrier.wait_parity(phase % 2 != 0);
      else
        while (!barrier.try_wait(token)) {
        }
    }
    // The completion function must have run before any thread continues.
    if (!meeting->is_full(phase) || meeting->completed.load() <= phase) ++meeting->too_early;
  }
};

/// Makes random actions of a barrier's members.
class MbarrierAuthor {
 public:
  explicit MbarrierAuthor(unsigned seed) : random_(seed) {}

  void write(Meeting& meeting, unsigned threads) {
    const unsigned phases = 1 + below(6);
    meeting.phases.resize(phases);
    meeting.members.resize(threads);
    meeting.happened = std::make_unique<Meeting::Happened[]>(phases);
    for (auto& parts : meeting.members) {
      if (below(6) == 0) continue;  // it takes no part
      const int share = 1 + static_cast<int>(below(3));
      meeting.expected += share;
      for (unsigned phase = 0; phase < phases; ++phase) {
        parts.push_back(part_of(share));
        meeting.phases[phase].arrivals += share;
        if (parts.back().drops) break;
      }
    }
    for (unsigned phase = 0; phase < phases; ++phase) bring_bytes(meeting, phase);
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  Part part_of(int share) {
    Part part;
    part.wait = static_cast<Part::Wait>(below(4));
    for (int left = share; left > 0; left -= part.arrivals.back())
      part.arrivals.push_back(1 + static_cast<int>(below(static_cast<unsigned>(left))));
    if (part.arrivals.back() != 1 && part.wait == Part::Wait::with_arrival) part.wait = Part::Wait::by_token;
    part.drops = share == 1 && below(12) == 0;
    return part;
  }
  /// One member expects bytes. Another member completes them, before or after its arrival.
  void bring_bytes(Meeting& meeting, unsigned phase) {
    std::vector<Part*> staying;
    for (auto& parts : meeting.members)
      if (phase < parts.size() && !parts[phase].drops && parts[phase].wait != Part::Wait::with_arrival)
        staying.push_back(&parts[phase]);
    if (staying.empty() || below(2) == 0) return;
    for (unsigned copies = 1 + below(3); copies > 0; --copies) {
      const unsigned bytes = 16 * (1 + below(64));
      const auto any = [&] { return staying[below(static_cast<unsigned>(staying.size()))]; };
      any()->expects += bytes;
      Part* const brings = any();
      (below(2) == 0 ? brings->completes_early : brings->completes_late) += bytes;
      meeting.phases[phase].bytes += bytes;
    }
  }

  std::mt19937 random_;
};

TEST(Mbarriers, EndTheirPhasesWhenAllArrivalsAndBytesHaveCome) {
  setenv("CUEMU_THREADS", "4", 1);
  unsigned phases = 0, with_bytes = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const unsigned blocks = seed % 3 == 0 ? 4 : 1,
                   threads = 1 + seed % 40;  // a barrier in global memory, for several blocks
    Meeting meeting;
    MbarrierAuthor(seed).write(meeting, blocks * threads);
    if (meeting.expected == 0) continue;
    while (!meeting.phases.empty() && meeting.phases.back().arrivals == 0)
      meeting.phases.pop_back();  // all have dropped out
    init(&meeting.barrier, meeting.expected, CountCompletion{&meeting});
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_EQ(launch(MbarrierKernel{&meeting}, blocks, threads, 1), 0);
    ASSERT_EQ(meeting.too_early.load(), 0u);
    ASSERT_EQ(meeting.completed.load(), meeting.phases.size());
    phases += meeting.completed.load();
    for (const Phase& phase : meeting.phases) with_bytes += phase.bytes != 0 ? 1 : 0;
  }
  EXPECT_GT(phases, 500u);
  EXPECT_GT(with_bytes, 200u);
}

}  // namespace
