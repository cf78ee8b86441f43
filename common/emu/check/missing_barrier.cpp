#include "missing_barrier.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "expression.hpp"

namespace cuemu::check {

namespace {

std::string line_text(int line) {
  return std::to_string(line);
}

/// Returns whether an `if` admits the threads of only one warp, as `if (t < 32)` and `if (warp == 0)` do. The
/// source decides, since the observed threads prove nothing. In a block of two warps, `if (t < stride)` also
/// admits only the first warp when stride is at most 32. That barrier belongs outside the `if`, where all
/// threads reach it.
bool lets_one_warp_in(const Line& keyword) {
  std::string text;  // in lower case without blanks
  for (const char c : raw_text(keyword))
    if (c != ' ') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::size_t bound = text.find("<32");
  if (bound != text.npos && std::isdigit(static_cast<unsigned char>(text[bound + 3])) == 0) return true;
  for (const char* const test : {"<=31)", "<warp", "warp==", "warpid==", "warp_id==", "/32==", "/32)==",
                                 "/warpsize==", "/warp_size==", ">>5==", ">>5)=="})
    if (text.find(test) != text.npos) return true;
  return false;
}

/// Returns the name of a loop's counter: "k" for `for (int k = 0; …`; empty if it is unknown.
std::string counted_by(const std::string& head) {
  const std::size_t open = head.find("for (");
  const std::size_t sign = head.find('=', open);
  if (open == head.npos || sign == head.npos) return "";
  const std::string declared = head.substr(0, head.find_last_not_of(' ', sign - 1) + 1);
  const auto begin = std::find_if_not(declared.rbegin(), declared.rend(), is_word).base();
  return {begin, declared.end()};
}

/// Returns whether each thread takes a share of a loop's iterations. In such a loop neither the first value
/// nor the step is a number: `for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)`.
bool takes_share(const std::string& head) {
  const std::size_t open = head.find("for (");
  const std::size_t step = head.rfind("+=");
  if (open == head.npos || step == head.npos) return false;
  const auto is_number = [&](std::size_t at) {
    at = head.find_first_not_of(' ', at);
    return at != head.npos && std::isdigit(static_cast<unsigned char>(head[at])) != 0;
  };
  const std::size_t sign = head.find('=', open);
  return !is_number(step + 2) && (sign > step || !is_number(sign + 1));
}

/// Returns the names of the grid's group: "all" for `auto all = cg::this_grid();`, "g" for `const
/// cg::grid_group& g`.
std::vector<std::string> names_of_grid(const std::vector<std::string>& lines) {
  std::vector<std::string> names = {"this_grid", "grid"};
  for (const std::string& line : lines) {
    const std::string text = without_comment(line);
    const std::size_t type = text.find("grid_group");
    const std::size_t made = text.find("this_grid");
    const std::size_t sign = made != text.npos ? text.rfind('=', made) : text.npos;
    std::size_t begin = text.npos;
    if (type != text.npos) {
      begin = text.find_first_not_of(" &*", type + std::string("grid_group").size());
    } else if (sign != text.npos) {
      begin = sign;
      while (begin > 0 && text[begin - 1] == ' ') --begin;
      while (begin > 0 && is_word(text[begin - 1])) --begin;
    }
    if (begin == text.npos) continue;
    const auto at = text.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::string name(at, std::find_if_not(at, text.end(), is_word));
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

}  // namespace

bool has_block_barrier(const Line& line) {
  const std::string text = without_comment(raw_text(line));
  std::string before;  // the previous word, which may name the group of this sync()
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == begin) continue;
    const std::string word = text.substr(begin, end - begin);
    const auto has = [&](const std::string& name, const char* part) { return name.find(part) != name.npos; };
    const bool of_warp = has(word, "warp") || has(before, "warp") || has(before, "tile");
    const bool shuffles =
        word.rfind("__", 0) == 0 && word.size() > 5 && word.compare(word.size() - 5, 5, "_sync") == 0;
    if (has(word, "sync") && !has(word, "async") && !of_warp && !shuffles) return true;
    before = word;
    begin = end;
  }
  return false;
}

MissingBarrier::MissingBarrier(const RaceFacts& facts, const Finding& finding)
    : facts_(facts), finding_(finding) {
  const Line& a = finding.parties[0].line;
  const Line& b = finding.parties[1].line;
  if (!a.known() || !b.known() || a.file != b.file) return;
  file_ = a.file;
  const auto& lines = source_lines(file_);
  std::tie(first_, last_) = std::minmax(a.line, b.line);
  if (first_ < 1 || static_cast<std::size_t>(last_) > lines.size() ||
      begins_function_in(lines, first_ + 1, last_)) {
    first_ = last_ = 0;
    return;
  }
  loops_ = loops_in(lines);
  branches_ = branches_in(lines);
  loop_ = innermost(loops_, first_, last_);
  if (facts_.in_cooperative()) {
    grids_ = names_of_grid(lines);
    find_turns();
  }
  head_ = head_of_device_function(lines, first_);
  in_function_ = head_ != 0;
  find_call();
  find_guarded();
}

Lack MissingBarrier::lack() const {
  if (facts_.in_cluster()) return Lack::cluster_barrier;
  if (facts_.in_cooperative()) return Lack::grid_barrier;
  if (facts_.meeting) return facts_.meeting->wait_is_missing ? Lack::mbarrier_wait : Lack::mbarrier;
  if (of_one_warp()) return Lack::warp_barrier;
  // The two observed threads are of one warp, but others may use the array, too. A block barrier always
  // suffices if all threads reach it. But the function may be written for whole warps.
  return facts_.spread == Spread::warp && in_function_ ? Lack::warp_or_block_barrier : Lack::block_barrier;
}

std::string MissingBarrier::text() const {
  if (const std::string moves = out_of_halves(); !moves.empty()) return moves;
  if (guarded_ != 0 && (may_be_block_barrier(lack()) || lack() == Lack::grid_barrier))
    return "the barrier at line " + line_text(guarded_) + " is in the if at line " + line_text(guard_) +
           ", so not every iteration of the loop at line " + line_text(loop_->line) +
           " comes to it: move it out of there";
  const std::string belongs = " belongs " + place().text + condition();
  switch (lack()) {
    case Lack::mbarrier:
    case Lack::mbarrier_wait:
      return meeting();
    case Lack::cluster_barrier:
      return "a cluster.sync()" + belongs +
             (in_function_ ? ", where all threads of the cluster reach it" : "");
    case Lack::grid_barrier:
      return "a grid.sync()" + belongs + (in_function_ ? ", where all threads of the grid reach it" : "");
    case Lack::warp_barrier:
      return "a __syncwarp()" + belongs;
    case Lack::warp_or_block_barrier:
      return "a __syncwarp()" + belongs +
             ", if whole warps come here (the two are of one); a __syncthreads() if the whole block does";
    default:
      return "a __syncthreads()" + belongs +
             (in_function_ ? ", where all threads of the block reach it" : "");
  }
}

std::vector<int> MissingBarrier::lines() const {
  const bool moves = !out_of_halves().empty() || guarded_ != 0;
  return moves || facts_.meeting ? std::vector<int>() : place().lines;
}

std::string MissingBarrier::call() const {
  switch (lack()) {
    case Lack::mbarrier:
    case Lack::mbarrier_wait:
      return "arrive and wait at " + barrier();
    case Lack::cluster_barrier:
      return "cluster.sync()";
    case Lack::grid_barrier:
      return "grid.sync()";
    case Lack::warp_barrier:
      return "__syncwarp()";
    case Lack::warp_or_block_barrier:
      return "__syncwarp() (if whole warps come here; __syncthreads() if the whole block does)";
    default:
      return "__syncthreads()";
  }
}

bool MissingBarrier::is_of_two_calls() const {
  return first_ != 0 && first_ == last_ && (calls_.size() > 1 || (call_ != 0 && loop_of_call() != nullptr));
}

std::string MissingBarrier::function() const {
  return declared_name(raw_text({file_, head_}));
}

bool MissingBarrier::comes_before_next_turn() const {
  return passed_between() && !is_guarded_between();
}

int MissingBarrier::turn_of_both() const {
  if (first_ == 0 || first_ != last_ || !may_be_block_barrier(lack())) return 0;
  const bool in_call = loop_ == nullptr && calls_.size() == 1;
  const Loop* const loop = in_call ? loop_of_call() : loop_;
  if (loop == nullptr) return 0;
  const int here = in_call ? call_ : first_;
  for (int line = loop->first; line <= loop->last; ++line)
    if (line != here && line != loop->line && has_barrier(line) && innermost(loops_, line, line) == loop &&
        branch_around(line, line, loop) == nullptr)
      return loop->line;
  return 0;
}

bool MissingBarrier::loop_is_without() const {
  const Loop* const loop = loop_ != nullptr ? loop_ : call_ != 0 ? loop_of_call() : nullptr;
  if (loop == nullptr) return false;
  for (int line = loop->first; line <= loop->last; ++line)
    if (has_barrier(line) && raw_text({file_, line}).find("if (") == std::string::npos) return false;
  return true;
}

int MissingBarrier::line_behind() const {
  if (first_ == last_) return 0;
  if (lack() == Lack::grid_barrier) return comes_before_next_turn() ? first_ : last_;
  const bool once = loop_ == nullptr && !facts_.meeting && !comes_before_next_turn();
  return once ? last_ : 0;
}

bool MissingBarrier::has_barrier(int line) const {
  if (!facts_.in_cooperative()) return has_block_barrier({file_, line});
  return calls_of_grid(line, "sync") || calls_of_grid(line, "barrier_wait");
}

bool MissingBarrier::calls_of_grid(int line, const char* function) const {
  const std::string text = without_comment(raw_text({file_, line}));
  return has_word(text, function) && std::any_of(grids_.begin(), grids_.end(), [&](const std::string& name) {
           return has_word(text, name);
         });
}

MissingBarrier::Halves MissingBarrier::halves_around(int line) const {
  const auto& lines = source_lines(file_);
  Halves found;
  for (int at = line - 1; at > 0 && found.arrive == 0; --at) {
    if (calls_of_grid(at, "barrier_wait") || begins_function_in(lines, at, at)) return {};
    if (calls_of_grid(at, "barrier_arrive")) found.arrive = at;
  }
  for (int at = line + 1; at <= static_cast<int>(lines.size()) && found.wait == 0; ++at) {
    if (begins_function_in(lines, at, at)) return {};
    if (calls_of_grid(at, "barrier_wait")) found.wait = at;
  }
  return found;
}

std::string MissingBarrier::out_of_halves() const {
  if (first_ == 0 || !facts_.in_cooperative()) return "";
  const Halves first = halves_around(first_);
  const Halves last = halves_around(last_);
  const std::string to_front =
      "line " + line_text(first_) + " belongs before the barrier_arrive() at line " + line_text(first.arrive);
  const std::string behind = " after the barrier_wait() at line " + line_text(last.wait);
  if (!last.known()) return first.known() ? to_front : "";
  if (first.known() && first_ != last_) return to_front + ", and line " + line_text(last_) + behind;
  const std::string moves = "line " + line_text(last_) + " belongs" + behind;
  if (loop_ == nullptr || first_ == last_) return moves;
  for (int line = first_; line <= loop_->last; ++line)
    if (calls_of_grid(line, "sync")) return moves;
  return moves + ", and a grid.sync() after it, before the next iteration of the loop at line " +
         line_text(loop_->line) + " comes to line " + line_text(first_);
}

void MissingBarrier::find_turns() {
  loop_ = nullptr;
  for (const Loop& loop : loops_) {
    if (!loop.holds(first_) || !loop.holds(last_)) continue;
    if (takes_share(raw_text({file_, loop.line})) && !holds_barrier(loop)) {
      share_ = &loop;
      return;
    }
    loop_ = &loop;
  }
}

std::string MissingBarrier::barrier() const {
  return facts_.meeting->name.empty() ? "an mbarrier" : "the barrier " + facts_.meeting->name;
}

std::string MissingBarrier::meeting() const {
  const auto at = [](const Party& party, const char* otherwise) {
    return party.line.known() ? "line " + line_text(party.line.line) : otherwise;
  };
  const Party& first = finding_.parties[facts_.of_nothing ? 1 : 0];
  const Party& second = finding_.parties[facts_.of_nothing ? 0 : 1];
  const std::string after = " after " + at(first, "the first");
  const std::string before =
      " before " + (first.line == second.line ? "the next turn" : at(second, "the second"));
  if (facts_.meeting->of_pipeline)
    return (facts_.of_nothing || !facts_.now_writes) ? "commit the stage (producer_commit())" + after +
                                                           ", and wait for it (consumer_wait())" + before
                                                     : "release the stage (consumer_release())" + after +
                                                           ", and acquire it (producer_acquire())" + before;
  if (facts_.meeting->wait_is_missing)
    return "wait at " + barrier() + before + " for the phase in which there is an arrival" + after;
  return "arrive at " + barrier() + after + ", and wait there for that" + before;
}

bool MissingBarrier::of_one_warp() const {
  if (facts_.spread > Spread::warp) return false;
  return facts_.block_is_a_warp || std::any_of(branches_.begin(), branches_.end(),
                                               [&](const Loop& branch) { return is_of_one_warp(branch); });
}

bool MissingBarrier::is_of_one_warp(const Loop& branch) const {
  return branch.first <= first_ && last_ <= branch.last && lets_one_warp_in({file_, branch.line});
}

bool MissingBarrier::passed_between() const {
  return first_ != last_ && facts_.barriers.passed_between(file_, first_, last_);
}

bool MissingBarrier::decides_for(int line, const Loop& branch) const {
  return branch.holds(line) && !(branch.holds(first_) && branch.holds(last_)) && !is_of_block(branch);
}

void MissingBarrier::find_guarded() {
  if (first_ == 0 || loop_ == nullptr) return;
  const std::string turn = counted_by(raw_text({file_, loop_->line}));
  if (turn.empty()) return;
  const auto guard_of = [&](int line) {
    return std::find_if(branches_.begin(), branches_.end(),
                        [&](const Loop& branch) { return decides_for(line, branch); });
  };
  const auto is_barrier = [&](int line) { return has_barrier(line); };
  bool open_between = first_ == last_;
  for (int line = first_ + 1; line < last_; ++line)
    open_between = open_between || (is_barrier(line) && guard_of(line) == branches_.end());
  for (int line = loop_->first; line <= loop_->last; ++line) {
    const bool is_between = first_ <= line && line <= last_;
    if (is_between == open_between || !is_barrier(line)) continue;
    const auto guard = guard_of(line);
    if (guard == branches_.end() || !has_word(raw_text({file_, guard->line}), turn)) continue;
    guarded_ = line;
    guard_ = guard->line;
  }
}

bool MissingBarrier::is_guarded_between() const {
  return first_ < guarded_ && guarded_ < last_;
}

int MissingBarrier::end_of_first() const {
  int end = first_;
  for (const Loop& loop : loops_)
    if (loop.holds(first_) && loop.last < last_) end = std::max(end, loop.last);
  return end;
}

int MissingBarrier::begin_of_last() const {
  int begin = last_;
  for (const Loop& loop : loops_)
    if (loop.holds(last_) && loop.line > first_) begin = std::min(begin, loop.line);
  return begin;
}

std::string MissingBarrier::behind_last() const {
  const Loop* around = share_;  // the outermost loop that contains only the last line
  for (const Loop& loop : loops_)
    if (around == nullptr && loop.holds(last_) && loop.line > first_) around = &loop;
  return around != nullptr ? "after the loop at line " + line_text(around->line)
                           : "after line " + line_text(last_);
}

bool MissingBarrier::holds_barrier(const Loop& loop) const {
  for (int line = loop.first; line <= loop.last; ++line)
    if (has_barrier(line)) return true;
  return false;
}

bool MissingBarrier::ends_in_condition() const {
  return loop_ != nullptr && last_ >= loop_->last && has_word(raw_text({file_, loop_->line}), "do") &&
         has_word(raw_text({file_, last_}), "while");
}

void MissingBarrier::find_call() {
  if (!in_function_ || loop_ != nullptr || passed_between()) return;
  const auto& lines = source_lines(file_);
  const std::string name = function();
  for (int line = 1; !name.empty() && line <= static_cast<int>(lines.size()); ++line) {
    const std::string text = without_comment(raw_text({file_, line}));
    if (line != head_ && text.find(name + "(") != text.npos && has_word(text, name)) calls_.push_back(line);
  }
  if (calls_.size() == 1) call_ = calls_.front();
  const auto returns = [&](int begin, int end) {
    for (int line = begin; line < end; ++line)
      if (has_word(without_comment(raw_text({file_, line})), "return")) return true;
    return false;
  };
  if (first_ == last_ || !returns(head_, last_)) return;
  // If threads return before both lines, the two accesses may belong to one call.
  around_call_ = returns(first_, last_) || (call_ != 0 && loop_of_call() != nullptr);
}

const Loop* MissingBarrier::loop_of_call() const {
  return innermost(loops_, call_, call_);
}

MissingBarrier::Where MissingBarrier::place_of_call() const {
  const std::string name = function();
  const Loop* const loop = call_ != 0 ? loop_of_call() : nullptr;
  if (loop != nullptr)
    return {"at the end of each iteration of the loop at line " + line_text(loop->line) + ", which calls " +
                name + "()",
            {loop->last}};
  return {"before the next call of " + (name.empty() ? "the function" : name + "()"), {}};
}

MissingBarrier::Where MissingBarrier::place() const {
  if (first_ == 0) return {"between the two", {}};
  if (around_call_) return place_of_call();
  if (is_of_two_calls())
    return calls_.size() == 2 ? Where{"between the calls of " + function() + "() at lines " +
                                          line_text(calls_.front()) + " and " + line_text(calls_.back()),
                                      calls_}
                              : place_of_call();
  if (first_ == last_ && loop_ != nullptr)
    return {"at the end of each iteration of the loop at line " + line_text(loop_->line), {loop_->last}};
  if (first_ == last_) return {"between the two", {}};
  const std::string next = (loop_ != nullptr ? ", before the next iteration of the loop at line " +
                                                   line_text(loop_->line) + " comes to line "
                                             : ", before the next call comes to line ") +
                           line_text(first_);
  if (passed_between() && ends_in_condition())
    return {"at the beginning of each iteration of the loop at line " + line_text(loop_->line),
            {loop_->first}};
  if (passed_between()) return {behind_last() + next, {last_, first_}};
  Where between{"between lines " + line_text(end_of_first()) + " and " + line_text(begin_of_last()),
                {end_of_first(), begin_of_last()}};
  if (loop_ != nullptr && !holds_barrier(*loop_)) {
    between.text += ", and another one " + behind_last() + next;
    between.lines.insert(between.lines.end(), {first_, last_});
  }
  return between;
}

bool MissingBarrier::is_of_block(const Loop& branch) const {
  const std::string& text = raw_text({file_, branch.line});
  return facts_.spread != Spread::grid && text.find("blockIdx") != text.npos &&
         text.find("threadIdx") == text.npos;
}

const Loop* MissingBarrier::branch_around(int first, int last, const Loop* loop) const {
  int within = loop != nullptr ? loop->line : 0;
  if (facts_.spread <= Spread::warp)
    for (const Loop& branch : branches_)
      if (is_of_one_warp(branch)) within = std::max(within, branch.line + 1);
  for (const Loop& branch : branches_) {
    if (within <= branch.line && branch.first <= first && last <= branch.last && !is_of_block(branch))
      return &branch;
  }
  return nullptr;
}

std::string MissingBarrier::condition() const {
  if (first_ == 0) return "";
  const auto outside = [](const Loop& branch) {
    return ", outside the if at line " + line_text(branch.line);
  };
  if (around_call_) {
    const Loop* const branch = call_ != 0 ? branch_around(call_, call_, loop_of_call()) : nullptr;
    return branch != nullptr ? outside(*branch) : "";
  }
  const std::string in_two =
      first_ != last_ ? " (end it before the barrier, and begin another one after it)" : "";
  const int first = share_ != nullptr ? share_->line : first_;
  const int last = share_ != nullptr ? share_->line : last_;
  if (const Loop* const both = branch_around(first, last, loop_); both != nullptr)
    return outside(*both) + in_two;
  // A barrier inside the loop can't be after an `if` around the whole loop.
  const Loop* const around = branch_around(first, last, nullptr);
  if (around != nullptr)
    return ", and all threads must take the loop: let the if at line " + line_text(around->line) +
           " guard only the work in it";
  if (share_ != nullptr)
    return first_ != last_ ? ", outside the loop at line " + line_text(share_->line) + in_two : "";
  const Loop* later = branch_around(last_, last_, loop_);
  if (later != nullptr && later->line == last_) later = nullptr;  // code before it is outside
  const Loop* const one = later != nullptr ? later : branch_around(first_, first_, loop_);
  return one != nullptr ? outside(*one) : "";
}

}  // namespace cuemu::check
