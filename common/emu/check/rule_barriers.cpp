// Reports threads of a block that meet at different barriers, or wait for threads that never come.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "checker.hpp"
#include "naming.hpp"

namespace cuemu::check {

namespace {

/// Writes threads as ranges: "(0..15,0,0)" for adjacent threads in a row of the block, "(0..31,2..5,0)" for
/// whole rows. Scattered threads are written as up to three ranges and "…". `threads`: sorted linear indices.
std::string thread_ranges(const dim3& block, const std::vector<std::uint32_t>& threads) {
  constexpr int most = 3;
  const auto span = [](std::uint32_t first, std::uint32_t last) {
    return std::to_string(first) + (first != last ? ".." + std::to_string(last) : "");
  };
  std::string text;
  int count = 0;
  for (std::size_t i = 0; i < threads.size(); ++count) {
    const std::uint32_t first = threads[i];
    const std::uint32_t x = first % block.x, y = first / block.x % block.y;
    // Extends the range over consecutive threads: to the end of the row, or to whole rows of one plane.
    std::size_t run = 1;
    while (i + run < threads.size() && threads[i + run] == first + run) ++run;
    std::size_t taken = std::min<std::size_t>(run, block.x - x);
    if (x == 0 && run >= block.x) taken = std::min<std::size_t>(run / block.x, block.y - y) * block.x;
    if (count < most) {
      const auto width = static_cast<std::uint32_t>(std::min<std::size_t>(taken, block.x));
      const auto rows = static_cast<std::uint32_t>((taken + block.x - 1) / block.x);
      text += (text.empty() ? "(" : " (") + span(x, x + width - 1) + "," + span(y, y + rows - 1) + "," +
              std::to_string(first / (block.x * block.y)) + ")";
    }
    i += taken;
  }
  return count > most ? text + " …" : text;
}

struct Waiting {
  std::string what;
  Line line;
  std::vector<std::uint32_t> threads;
};

/// The operation that a thread waits for, in words.
std::string waits_for(const WaitingThread& one) {
  switch (one.what) {
    case WaitingThread::For::block:
      return "wait for the block";
    case WaitingThread::For::lanes: {
      char mask[16];
      std::snprintf(mask, sizeof mask, "0x%08x", one.mask);
      return std::string("wait for lanes ") + mask;
    }
    case WaitingThread::For::group:
      return "wait for a group";
    case WaitingThread::For::grid:
      return "wait for the grid";
    case WaitingThread::For::cluster:
      return "wait for the cluster";
  }
  return "wait";
}

/// Returns the groups of waiting threads, in the order of their first threads.
std::vector<Waiting> waiting_in(BlockView block) {
  std::vector<Waiting> groups;
  for (const WaitingThread& one : block.waiting()) {
    const std::string what = waits_for(one);
    const Line line = line_of(one.where);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Waiting& known) { return known.what == what && known.line == line; });
    if (group == groups.end()) group = groups.insert(groups.end(), {what, line, {}});
    group->threads.push_back(one.thread);
  }
  for (Waiting& group : groups) std::sort(group.threads.begin(), group.threads.end());
  std::sort(groups.begin(), groups.end(),
            [](const Waiting& a, const Waiting& b) { return a.threads.front() < b.threads.front(); });
  return groups;
}

Party party_of(BlockView block, const Waiting& group) {
  const bool is_one = group.threads.size() == 1;
  Party party{
      group.what + ": " + (is_one ? "thread " : "threads ") + thread_ranges(block.dim(), group.threads),
      group.line};
  if (is_one) party.thread = index_of(block.dim(), group.threads.front());
  party.block = index_of(block.index());
  return party;
}

/// Compares the names of the files as well, since the name of one header may have several addresses.
bool is_same_line(const SourceLine& a, const SourceLine& b) {
  return a.line == b.line && (a.file == b.file || line_of(a) == line_of(b));
}
/// The number by which a finding's key identifies a line.
std::uint64_t key_of(const Line& line) {
  return std::hash<std::string>()(line.file) * 31 + static_cast<std::uint64_t>(line.line);
}

/// The code around a barrier in its function.
struct Around {
  bool by_if = false;      ///< the barrier is in an if, inside the loop if there is one
  int loop = 0;            ///< the line of the innermost loop
  int returns = 0;         ///< the line of the last return before the barrier
  int head = 0;            ///< the function's line
  bool in_kernel = false;  ///< the function is a kernel
};

Around around(const Line& barrier) {
  Around place;
  const auto& lines = source_lines(barrier.file);
  if (!barrier.known() || static_cast<std::size_t>(barrier.line) > lines.size()) return place;
  const auto text = [&](int line) { return without_comment(lines[static_cast<std::size_t>(line) - 1]); };
  const std::vector<Loop> loops = loops_in(lines);
  if (const Loop* const loop = innermost(loops, barrier.line, barrier.line); loop != nullptr)
    place.loop = loop->line;
  const std::vector<Loop> branches = branches_in(lines);
  const Loop* const branch = innermost(branches, barrier.line, barrier.line);
  place.by_if = branch != nullptr && branch->line >= place.loop;
  for (int line = barrier.line; line > 0 && place.head == 0; --line) {
    if (place.returns == 0 && has_word(text(line), "return")) place.returns = line;
    place.in_kernel = text(line).find("__global__") != std::string::npos;
    if (place.in_kernel || text(line).find("__device__") != std::string::npos) place.head = line;
  }
  return place;
}

std::string hint_of_loop(int line) {
  return "do all threads run as many iterations of the loop at line " + std::to_string(line) +
         "? Let them, and guard only the work in it with an if";
}

/// How threads can reach the end of a kernel without passing a barrier, according to the source.
struct WayPast {
  bool returned = true;  ///< threads return before the barrier, or the way is unknown
  bool by_if = false;
  int loop = 0;  ///< the line of a loop around the barrier
};

WayPast way_past(const Line& barrier, int depth = 0);

/// Finds the way past a barrier in a function whose head is at line `head`, from the lines that call the
/// function. All calls must agree.
WayPast way_past_calls(const std::string& file, int head, int depth) {
  constexpr int deepest = 4;
  WayPast way;
  const auto& lines = source_lines(file);
  const std::string name = declared_name(lines[static_cast<std::size_t>(head) - 1]);
  bool any = false;
  for (int line = 1; !name.empty() && depth < deepest && line <= static_cast<int>(lines.size()); ++line) {
    const std::string& text = lines[static_cast<std::size_t>(line) - 1];
    const std::size_t at = text.find(name + "(");
    if (line == head || at == text.npos || !has_word(text, name) || text.find("__device__") < at) continue;
    const WayPast through = way_past({file, line}, depth + 1);
    if (through.returned) return {};
    way = through;
    any = true;
  }
  return any ? way : WayPast{};
}

WayPast way_past(const Line& barrier, int depth) {
  const Around place = around(barrier);
  WayPast way{true, place.by_if, place.loop};
  if (place.returns != 0 || place.head == 0) return way;
  if (place.in_kernel) {
    way.returned = false;
    return way;
  }
  return way_past_calls(barrier.file, place.head, depth);
}

/// The hint if threads of a block wait at several barriers at the same time.
std::string hint_apart(const std::vector<Line>& barriers) {
  const Around* loop = nullptr;
  const Around* left = nullptr;
  std::vector<Around> places;
  for (const Line& barrier : barriers) places.push_back(around(barrier));
  for (const Around& place : places) {
    if (place.by_if) {
      loop = left = nullptr;
      break;
    }
    if (place.loop != 0) loop = &place;
    if (place.returns != 0 && !place.in_kernel) left = &place;
  }
  if (left != nullptr)
    return "do some threads leave the function by the return at line " + std::to_string(left->returns) +
           "? Let all threads of the block reach the barrier after it, and guard only the work: if (i < n) "
           "{ … } instead of if (i >= n) return";
  if (loop != nullptr) return hint_of_loop(loop->loop);
  return "__syncthreads() in a branch is allowed only where all threads of the block take the same branch: "
         "move it out of the if";
}

class BarrierRule final : public RuleObserver {
 public:
  void grid_synchronised(const LaunchView& launch, std::uint64_t gone) override;
  void cluster_synchronised(const std::vector<BlockView>& blocks, unsigned gone, bool by_halves) override;
  void block_begins(BlockView block) override { blocks_.insert(block); }
  void block_ends(BlockView block) override { blocks_.erase(block); }
  void block_abandoned(BlockView block) override { blocks_.erase(block); }
  void block_synchronised(BlockView block) override;
  void warp_synchronised(BlockView block, unsigned warp, std::uint32_t lanes) override;
  void block_deadlocked(BlockView block) override;
  void lane_absent(BlockState& state, unsigned lane, std::uint32_t mask, const Line& where) override;

 private:
  void report_exited(BlockView block, const SourceLine& first, const char* barrier);
  /// Whether lanes at the two lines must not meet.
  bool are_out_of_step(const SourceLine& one, const SourceLine& other);

  using TwoLines = std::tuple<const char*, int, const char*, int>;
  std::map<TwoLines, bool> out_of_step_;  ///< results of are_out_of_step()
  std::set<BlockView> blocks_;            ///< running blocks
};

void BarrierRule::block_synchronised(BlockView block) {
  auto& state = *block.data<BlockState>(checker_slot);
  const SourceLine* const first = block.first_at_barrier();
  if (first != nullptr && block.returned() != 0) report_exited(block, *first, "this barrier");
  if (!block.is_apart_at_barrier()) return;
  const SourceLine* other = nullptr;
  block.each_at_barrier([&](std::uint32_t, const SourceLine& where) {
    if (other == nullptr && !is_same_line(where, *first)) other = &where;
  });
  if (other == nullptr) return;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::barrier), key_of(line_of(*first)), key_of(line_of(*other))},
      state.id(), [&] {
        Finding finding;
        finding.rule = Rule::barrier;
        finding.kernel = state.launch->kernel->info.name;
        finding.headline = "threads of block " + point(block.index()) + " meet at different barriers";
        for (const Waiting& group : waiting_in(block))
          if (finding.parties.size() < 4) finding.parties.push_back(party_of(block, group));
        finding.hint = hint_apart({line_of(*first), line_of(*other)});
        return finding;
      });
}

/// Whether lanes at the two lines must not meet. Calls of a warp function at two lines may belong together,
/// as in an `if` and its `else`. But lanes in a branch must not meet lanes that are past the branch: the
/// lanes in the branch have yet to make the call that the others have made.
bool BarrierRule::are_out_of_step(const SourceLine& one, const SourceLine& other) {
  const auto [known, is_new] = out_of_step_.try_emplace({one.file, one.line, other.file, other.line}, false);
  if (!is_new) return known->second;
  const Line a = line_of(one), b = line_of(other);
  if (a.known() && b.known() && a.file == b.file) {
    const auto [first, later] = std::minmax(a.line, b.line);
    known->second = is_on_the_way(source_lines(a.file), first, later);
  }
  return known->second;
}

void BarrierRule::warp_synchronised(BlockView block, unsigned warp, std::uint32_t lanes) {
  const auto where = [&](unsigned lane) -> const SourceLine& { return *block.at_warp_barrier(warp, lane); };
  const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
  unsigned other = first;
  for (std::uint32_t rest = lanes; rest != 0 && other == first; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (where(lane).line != where(first).line) other = lane;
  }
  if (other == first) return;
  const Busy busy;
  if (!are_out_of_step(where(first), where(other))) return;
  const Line one = line_of(where(first)), two = line_of(where(other));
  const auto& state = *block.data<BlockState>(checker_slot);
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::barrier), key_of(one), key_of(two), 1}, state.id(), [&] {
        Finding finding;
        finding.rule = Rule::barrier;
        finding.kernel = state.launch->kernel->info.name;
        finding.headline = "lanes of a warp of block " + point(block.index()) +
                           " meet at different calls: some in a branch or a loop, the others after it";
        for (const Line& line : {std::min(one, two), std::max(one, two)}) {
          Waiting group{"wait for their warp", line, {}};
          for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            if (where(lane).line == line.line) group.threads.push_back(warp * warp_width + lane);
          }
          finding.parties.push_back(party_of(block, group));
        }
        finding.hint = "the mask names lanes that do not come to line " +
                       std::to_string(std::min(one, two).line) +
                       ": move the call out of the branch, or let its mask name only those that go in, by "
                       "__ballot_sync() of the condition before it";
        return finding;
      });
}

/// Reports a barrier that is complete only because some threads have reached the kernel's end. GPUs since
/// Volta release a barrier when all threads that have not returned are there. For older GPUs CUDA requires
/// that all threads arrive, and programs usually intend this. A barrier in a branch or a loop that only some
/// threads take is wrong on all GPUs.
void BarrierRule::report_exited(BlockView block, const SourceLine& first, const char* barrier) {
  const auto& state = *block.data<BlockState>(checker_slot);
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::early_exit), key_of(line_of(first))}, state.id(), [&] {
        const std::vector<Waiting> groups = waiting_in(block);
        const WayPast way = way_past(groups.empty() ? Line{} : groups.front().line);
        Finding finding;
        finding.rule = way.returned ? Rule::early_exit : Rule::barrier;
        finding.kernel = state.launch->kernel->info.name;
        finding.headline = grouped(block.returned()) + " of " + grouped(block.threads()) +
                           " threads of block " + point(block.index()) +
                           (way.returned ? std::string(" never reach ") + barrier + ": they have returned"
                                         : std::string(" go past ") + barrier + " to the kernel's end");
        if (!groups.empty()) finding.parties = {party_of(block, groups.front())};
        if (way.returned)
          finding.hint =
              "let all threads of the block reach the barrier, and guard only the work: if (i < n) { … } "
              "instead of if (i >= n) return";
        else if (way.loop != 0 && !way.by_if)
          finding.hint = hint_of_loop(way.loop);
        else
          finding.hint =
              "a barrier in an if is allowed only where all threads of the block go in: end the if before "
              "it, and begin another one after it";
        return finding;
      });
}

void BarrierRule::lane_absent(BlockState& state, unsigned lane, std::uint32_t mask, const Line& where) {
  Findings::get().add({static_cast<std::uint64_t>(Rule::absent_lane), key_of(where)}, state.id(), [&] {
    const unsigned me = current_fiber->linear % warp_width;
    Finding finding;
    finding.rule = Rule::absent_lane;
    finding.kernel = state.launch->kernel->info.name;
    const bool named = (mask >> lane & 1u) != 0;
    char outside[48];
    std::snprintf(outside, sizeof outside, ", which its mask 0x%08x does not name", mask);
    finding.headline = "lane " + std::to_string(me) + " takes the value of lane " + std::to_string(lane) +
                       (named ? ", which the mask names, but which has returned or does not exist" : outside);
    finding.parties = {party_here("shuffle by ", where)};
    finding.hint =
        named
            ? "what comes from there is undefined, though GPUs happen to give 0: let all lanes of the warp "
              "reach the shuffle, those without work with a value that changes nothing (v = i < n ? in[i] : "
              "0)"
            : "what comes from there is undefined: take the value of a lane that the mask names (a sum of n "
              "lanes begins with a step of n / 2), or let that lane make the call too, and name it";
    return finding;
  });
}

void BarrierRule::grid_synchronised(const LaunchView& launch, std::uint64_t gone) {
  const BlockView* waiting = nullptr;  // the first block with a waiting thread
  for (const BlockView& block : blocks_) {
    const SourceLine* const where = block.first_at_grid_barrier();
    if (&block.launch() != &launch || where == nullptr) continue;
    if (block.returned() != 0) report_exited(block, *where, "the grid's barrier");
    if (waiting == nullptr || block.number() < waiting->number()) waiting = &block;
  }
  if (gone == 0 || waiting == nullptr) return;
  const std::vector<Waiting> groups = waiting_in(*waiting);
  if (groups.empty()) return;
  Finding finding;
  finding.rule = Rule::barrier;
  finding.kernel = launch.kernel->info.name;
  finding.headline = grouped(gone) + " of " + grouped(launch.block_count) +
                     " blocks have returned without reaching the grid's barrier";
  finding.parties = {party_of(*waiting, groups.front())};
  finding.hint =
      "on a GPU the others wait forever: every block has to reach each grid.sync(), even one without work";
  Findings::get().add(std::move(finding), waiting->data<BlockState>(checker_slot)->id());
}

/// A GPU's cluster barrier waits only for threads that have not exited, as a block barrier does. But
/// cooperative groups require all threads, and the shared memory of a block that has ended no longer exists.
void BarrierRule::cluster_synchronised(const std::vector<BlockView>& blocks, unsigned gone, bool) {
  const BlockView* waiting = nullptr;  // the first block with a waiting thread
  for (const BlockView& block : blocks) {
    const SourceLine* const where = block.first_at_cluster_barrier();
    if (where == nullptr) continue;
    if (block.returned() != 0) report_exited(block, *where, "the cluster's barrier");
    if (waiting == nullptr) waiting = &block;
  }
  if (gone == 0 || waiting == nullptr) return;
  const auto& state = *waiting->data<BlockState>(checker_slot);
  const Line where = line_of(*waiting->first_at_cluster_barrier());
  Findings::get().add({static_cast<std::uint64_t>(Rule::early_exit), key_of(where), 1}, state.id(), [&] {
    const std::vector<Waiting> groups = waiting_in(*waiting);
    const WayPast way = way_past(where);
    Finding finding;
    finding.rule = way.returned ? Rule::early_exit : Rule::barrier;
    finding.kernel = state.launch->kernel->info.name;
    finding.headline = grouped(gone) + " of " + grouped(gone + blocks.size()) + " blocks of a cluster " +
                       (way.returned ? "never reach the cluster's barrier: they have returned"
                                     : "go past the cluster's barrier to the kernel's end");
    if (!groups.empty()) {
      finding.parties = {party_of(*waiting, groups.front())};
      finding.parties.front().what += " of block " + point(waiting->index());
    }
    finding.hint =
        "let all blocks of the cluster reach each cluster.sync(), also one without work, and guard only the "
        "work by an if; the shared memory of a block that has ended is gone";
    return finding;
  });
}

void BarrierRule::block_deadlocked(BlockView block) {
  const auto& state = *block.data<BlockState>(checker_slot);
  std::vector<BlockView> members{block};
  if (block.cluster_barrier() != nullptr)
    for (const BlockView& other : blocks_)
      if (other.cluster_barrier() == block.cluster_barrier() && !(other == block)) members.push_back(other);
  std::sort(members.begin(), members.end(),
            [](const BlockView& a, const BlockView& b) { return a.number() < b.number(); });
  const bool several = block.cluster_barrier() != nullptr;
  Finding finding;
  finding.rule = Rule::barrier;
  finding.kernel = state.launch->kernel->info.name;
  finding.headline = "threads of " + (several ? "a cluster" : "block " + point(block.index())) +
                     " wait for others that never come";
  constexpr std::size_t most = 6;
  std::size_t groups = 0;
  std::uint64_t returned = 0;
  for (const BlockView& member : members) {
    returned += member.returned();
    for (const Waiting& group : waiting_in(member)) {
      if (++groups > most) continue;
      finding.parties.push_back(party_of(member, group));
      if (several) finding.parties.back().what += " of block " + point(member.index());
    }
  }
  if (groups > most) finding.notes.push_back("and " + grouped(groups - most) + " more such groups");
  if (returned != 0) finding.notes.push_back(grouped(returned) + " threads have returned");
  finding.hint =
      "a barrier needs every thread that it names: put it where all of them reach it, outside branches and "
      "loops that only some of them take";
  Findings::get().add(std::move(finding), state.id());
}

}  // namespace

RulePtr make_barrier_rule() {
  return std::make_unique<BarrierRule>();
}

}  // namespace cuemu::check
