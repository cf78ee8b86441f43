#include "race_text.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace cuemu::check {

namespace {

/// Threads of one warp, in a block of one: with more warps a kernel mostly wants a barrier of the block.
bool within_lone_warp(const RaceFacts& facts) {
  return facts.spread <= Spread::warp && facts.block_is_a_warp;
}

std::string number(int line) {
  return std::to_string(line);
}

const std::string& raw_text(const Line& line) {
  static const std::string none;
  const auto& lines = source_lines(line.file);
  const auto number = static_cast<std::size_t>(line.line);
  return line.line >= 1 && number <= lines.size() ? lines[number - 1] : none;
}

/// Where a barrier is missing, as the source shows it.
class MissingBarrier {
 public:
  MissingBarrier(const RaceFacts& facts, const Finding& finding) : facts_(facts) {
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
    in_function_ = in_device_function(lines, first_);
  }

  /// "a __syncthreads() belongs between lines 4 and 7"
  std::string text() const {
    const std::string belongs = " belongs " + place() + condition();
    if (within_lone_warp(facts_)) return "a __syncwarp()" + belongs;
    // That two threads of one warp were seen does not say that no others use the array: a barrier of the block is
    // always enough, where all of its threads come by. A function may be for whole warps.
    if (facts_.spread == Spread::warp && in_function_)
      return "a __syncwarp()" + belongs +
             ", if whole warps come here (the two are of one, and its threads need not run in step); a "
             "__syncthreads() if the whole block does";
    return "a __syncthreads()" + belongs + (in_function_ ? ", where all threads of the block reach it" : "");
  }

  bool comes_before_next_turn() const { return passed_between(); }

 private:
  bool passed_between() const {
    return first_ != last_ && facts_.barriers.passed_between(file_, first_, last_);
  }

  /// Where the barrier stands: behind the loops and in front of those that hold only one of the lines.
  int end_of_first() const {
    int end = first_;
    for (const Loop& loop : loops_)
      if (loop.first <= first_ && first_ <= loop.last && loop.last < last_) end = std::max(end, loop.last);
    return end;
  }
  int begin_of_last() const {
    int begin = last_;
    for (const Loop& loop : loops_)
      if (loop.first <= last_ && last_ <= loop.last && loop.line > first_) begin = std::min(begin, loop.line);
    return begin;
  }
  std::string behind_last() const {
    const Loop* around = nullptr;  // the outermost one that holds the last line alone
    for (const Loop& loop : loops_)
      if (around == nullptr && loop.first <= last_ && last_ <= loop.last && loop.line > first_)
        around = &loop;
    return around != nullptr ? "after the loop at line " + number(around->line)
                             : "after line " + number(last_);
  }
  bool loop_has_barrier() const {
    for (int line = loop_->first; line <= loop_->last; ++line)
      if (raw_text({file_, line}).find("sync") != std::string::npos) return true;
    return false;
  }

  std::string place() const {
    if (first_ == 0) return "between the two";
    if (first_ == last_)
      return loop_ != nullptr ? "at the end of each iteration of the loop at line " + number(loop_->line)
                              : "between the two";
    const std::string next = (loop_ != nullptr ? ", before the next iteration of the loop at line " +
                                                     number(loop_->line) + " comes to line "
                                               : ", before the next call comes to line ") +
                             number(first_);
    if (passed_between()) return behind_last() + next;
    const std::string between = "between lines " + number(end_of_first()) + " and " + number(begin_of_last());
    return loop_ != nullptr && !loop_has_barrier() ? between + ", and another one " + behind_last() + next
                                                   : between;
  }

  /// What keeps some threads away from there.
  std::string condition() const {
    if (first_ == 0) return "";
    const Loop* const both = innermost(branches_, first_, last_);
    const Loop* const one = both != nullptr ? both : innermost(branches_, last_, last_);
    const Loop* const branch = one != nullptr ? one : innermost(branches_, first_, first_);
    if (branch == nullptr || (first_ == last_ && loop_ != nullptr && branch->line < loop_->line)) {
      // An `if` around the whole loop is not ended in it.
      return branch == nullptr ? ""
                               : ", and all threads must take the loop: let the if at line " +
                                     number(branch->line) + " guard only the work in it";
    }
    return ", outside the if at line " + number(branch->line) +
           (both != nullptr && first_ != last_
                ? " (end it before the barrier, and begin another one after it)"
                : "");
  }

  const RaceFacts& facts_;
  std::string file_;
  int first_ = 0, last_ = 0;  ///< the lines of both parties; 0: not known, or not of one function
  std::vector<Loop> loops_, branches_;
  const Loop* loop_ = nullptr;  ///< the innermost one around both
  bool in_function_ = false;
};

std::string barrier_at(const RaceFacts& facts, const Finding& finding) {
  return MissingBarrier(facts, finding).text();
}

/// The part of its line that a party is about,
/// without what only tells how it is used: `count` of `(*count)++`.
std::string variable(const Finding& finding, const Party& party) {
  const Span part = part_of(finding, party);
  if (!part.known()) return "";
  const std::string text =
      raw_text(party.line)
          .substr(static_cast<std::size_t>(part.begin) - 1, static_cast<std::size_t>(part.end - part.begin));
  const std::size_t begin = text.find_first_not_of("*&(+- ");
  const std::size_t end = text.find_last_not_of(")+- ");
  return begin != text.npos && end >= begin ? text.substr(begin, end + 1 - begin) : "";
}

/// What stands around a part of a line, up to signs that end statements.
Span statement_around(const std::string& text, const Span& part) {
  const std::size_t before = text.find_last_of(";{}", static_cast<std::size_t>(part.begin) - 1);
  const std::size_t behind = text.find_first_of(";{}", static_cast<std::size_t>(part.end) - 1);
  return {before != text.npos ? static_cast<int>(before) + 2 : 1,
          static_cast<int>(behind != text.npos ? behind : text.size()) + 1};
}

/// A read and a write of one line.
struct OneLine {
  const Party* read = nullptr;
  const Party* write = nullptr;
  bool known() const { return read != nullptr && write != nullptr; }
};

OneLine one_line(const Finding& finding) {
  OneLine both;
  if (!(finding.parties[0].line == finding.parties[1].line)) return both;
  for (const Party& party : finding.parties)
    (party.what.rfind("read", 0) == 0 ? both.read : both.write) = &party;
  return both;
}

bool is_one_statement(const std::string& text, const Span& a, const Span& b) {
  const Span whole = statement_around(text, a);
  return whole.begin <= b.begin && b.end <= whole.end;
}

/// "max" of `x = max(x, v)`, where that is what the line does; empty: it is something else.
std::string updating_function(const Finding& finding) {
  const OneLine both = one_line(finding);
  if (!both.known()) return {};
  const std::string written = variable(finding, *both.write);
  const std::string& text = raw_text(both.write->line);
  const Span write = part_of(finding, *both.write);
  if (written.empty() || !write.known()) return {};
  const std::string target = text.substr(static_cast<std::size_t>(write.begin) - 1,
                                         static_cast<std::size_t>(write.end - write.begin));
  const std::size_t sign = text.find_first_not_of(' ', static_cast<std::size_t>(write.end) - 1);
  if (sign == text.npos || text[sign] != '=' || text.compare(sign, 2, "==") == 0) return {};
  const std::size_t begin = text.find_first_not_of(' ', sign + 1);
  const std::size_t open = begin != text.npos ? text.find('(', begin) : text.npos;
  if (open == text.npos) return {};
  std::string function = text.substr(begin, open - begin);
  function.erase(0, function.find_last_of(':') + 1);
  std::string arguments = text.substr(open, statement_around(text, write).end - 1 - open);
  const std::size_t own = std::min(arguments.find(target + ","), arguments.find(target + ")"));
  if (own == arguments.npos) return {};
  // Of `x[i] = max(x[i], x[i + s])`, a level of a tree, it is the other element that is read too early.
  arguments.erase(own, target.size());
  const std::string array = target.substr(0, target.find('['));
  if (array.size() < target.size() && arguments.find(array + "[") != arguments.npos) return {};
  for (const char* name : {"max", "min", "fmaxf", "fminf", "fmax", "fmin"})
    if (function == name) return function;
  return {};
}

/// Said of such a statement.
std::string update_hint(const std::string& function) {
  const std::string lost = "two threads read the same old value, and one of their updates is lost: ";
  if (function.empty()) return lost + "use atomicAdd or its like (atomicMax …), or sum up in a reduction";
  const bool greatest = function.find("max") != function.npos;
  const std::string name = greatest ? "atomicMax" : "atomicMin";
  const std::string search =
      greatest ? "find the greatest one in a reduction" : "find the least one in a reduction";
  if (function[0] == 'f') return lost + search + " (" + name + " is for integers)";
  return lost + name + "() compares and writes in one step; or " + search +
         ", where the values are no integers";
}

/// One statement that reads a variable and writes it back: `x += y`, `if (y > x) x = y`.
bool is_update(const Finding& finding) {
  const OneLine both = one_line(finding);
  if (!both.known() || variable(finding, *both.read) != variable(finding, *both.write)) return false;
  const Span read = part_of(finding, *both.read);
  const Span write = part_of(finding, *both.write);
  if (!read.known() || !write.known()) return false;
  const std::string& text = raw_text(both.write->line);
  if (read.end > write.begin && write.end > read.begin) return true;  // `x += y`, `x++`
  return is_one_statement(text, read, write);
}

/// One statement that reads what other threads write by it: `x[i] += x[i + 1]`.
bool is_shift(const Finding& finding) {
  const OneLine both = one_line(finding);
  if (!both.known()) return false;
  const Span read = part_of(finding, *both.read);
  const Span write = part_of(finding, *both.write);
  return read.known() && write.known() && is_one_statement(raw_text(both.write->line), read, write);
}

/// Of such a statement in a loop without barriers: the two may be of the same turn, or of different ones.
bool in_loop_without_barrier(const Line& line) {
  const auto& lines = source_lines(line.file);
  const std::vector<Loop> loops = loops_in(lines);
  const Loop* const loop = innermost(loops, line.line, line.line);
  if (loop == nullptr) return false;
  for (int at = loop->first; at <= loop->last; ++at) {
    const std::string& text = raw_text({line.file, at});
    if (text.find("sync") != text.npos && text.find("if (") == text.npos) return false;
  }
  return true;
}

std::string shift_hint(const RaceFacts& facts, const Finding& finding) {
  const char* const sync = within_lone_warp(facts) ? "__syncwarp()" : "__syncthreads()";
  const std::string apart =
      std::string("let each read into a variable of its own, then ") + sync + ", and write only then";
  if (in_loop_without_barrier(finding.parties[0].line))
    return barrier_at(facts, finding) +
           ". Where a thread reads what another one writes in the same iteration: " + apart +
           ". All threads must reach each of these barriers";
  return "a thread reads what another one writes by the same statement: are some threads to be kept out of "
         "it by "
         "an if? Or " +
         apart;
}

/// `if (*most < x) atomicMax(most, x)`: the function that compares by itself; empty: it is something else.
std::string compares_by_itself(const Party& plain, const Party& atomic) {
  const bool near = plain.line.known() && plain.line.file == atomic.line.file &&
                    plain.line.line <= atomic.line.line && atomic.line.line <= plain.line.line + 2;
  if (!near || text_of(plain.line).find("if (") == std::string::npos) return {};
  const std::string update = text_of(atomic.line);
  for (const char* name : {"atomicMax", "atomicMin"})
    if (update.find(name) != std::string::npos) return name;
  return {};
}

/// One of the two by an atomic function, the other one plainly.
std::string mixed_hint(const RaceFacts& facts, const Finding& finding) {
  const Party& plain = finding.parties[facts.before_atomic ? 1 : 0];
  const bool plain_writes = facts.before_atomic ? facts.now_writes : facts.before_writes;
  const std::string line = plain.line.known() ? "line " + number(plain.line.line) : "one of the two";
  const std::string own = compares_by_itself(plain, finding.parties[facts.before_atomic ? 0 : 1]);
  if (!plain_writes && !own.empty())
    return own + "() compares by itself: leave out the comparison at " + line +
           ", which may read a value that is old";
  if (facts.spread != Spread::grid)
    return line + (plain_writes ? " writes" : " reads") +
           " without an atomic function what other threads change by one: " + barrier_at(facts, finding);
  return plain_writes
             ? line +
                   " writes without an atomic function what other blocks change by one: use atomicExch() "
                   "there, or set it before the kernel (cudaMemset)"
             : line +
                   " reads while other blocks still change it: read the result in the next kernel, or in the "
                   "last block to finish (__threadfence() and an atomic counter); where any value in between "
                   "will do, read it by an atomic function";
}

}  // namespace

std::string who_races(const RaceFacts& facts, const std::string& block) {
  if (facts.spread == Spread::grid) return "two blocks";
  return (facts.spread <= Spread::warp ? "two threads of a warp of block " : "two threads of block ") + block;
}

std::string missing_order(const RaceFacts& facts) {
  if (facts.spread == Spread::grid) return "with no order between them";
  // With more warps a barrier of the block is mostly wanted, though the two are of one.
  return within_lone_warp(facts) ? "with no __syncwarp() or barrier between them"
                                 : "with no barrier between them";
}

std::string first_turn(const RaceFacts& facts, const Finding& finding) {
  for (auto party = finding.parties.rbegin(); party != finding.parties.rend(); ++party) {
    const Line& line = party->line;
    const std::string turn = facts.barriers.turn_at(loops_in(source_lines(line.file)), line.file, line.line);
    if (!turn.empty()) return turn;
  }
  return "";
}

namespace {

/// A barrier orders the threads of one block: those of others are not to be forgotten in memory that all share.
std::string with_reach(const RaceFacts& facts, std::string hint) {
  if (!facts.in_shared && facts.spread != Spread::grid && hint.find("__syncthreads()") != hint.npos)
    hint +=
        ". It orders this block alone: where other blocks touch the array too, write to another one, or go "
        "on in "
        "another kernel";
  return hint;
}

std::string hint_of(const RaceFacts& facts, const Finding& finding) {
  const bool one_reads = facts.before_writes != facts.now_writes;
  if (facts.before_atomic && facts.now_atomic && facts.spread == Spread::grid)
    return "atomics that end in _block order the threads of one block only: use the plain form";
  if (facts.before_atomic != facts.now_atomic) return mixed_hint(facts, finding);
  const std::string function = one_reads ? updating_function(finding) : "";
  if (one_reads && (!function.empty() || is_update(finding))) return update_hint(function);
  if (one_reads && facts.spread != Spread::grid && is_shift(finding)) return shift_hint(facts, finding);
  if (facts.before_writes && facts.now_writes) {
    if (facts.spread == Spread::grid)
      return "blocks run in any order, so which value stays is a matter of chance: give each thread its own "
             "element, or use an atomic function";
    const std::string hint =
        "which value stays is a matter of chance: give each thread its own element, or use an atomic "
        "function";
    return finding.parties[0].line == finding.parties[1].line
               ? hint
               : hint + "; if the later one is to stay, " + barrier_at(facts, finding);
  }
  if (facts.spread == Spread::grid)
    return "blocks run in any order and __syncthreads() does not order them: write to another array than the "
           "one that is read, end the kernel here and go on in another one, or hand the data over with "
           "__threadfence() and an atomic flag";
  const MissingBarrier missing(facts, finding);
  const bool next_turn = missing.comes_before_next_turn();
  return (finding.array.empty() ? "the memory" : finding.array) +
         (facts.now_writes || next_turn ? " is overwritten while other threads may still read it: "
                                        : " is read while other threads may still be filling it: ") +
         missing.text();
}

}  // namespace

std::string race_hint(const RaceFacts& facts, const Finding& finding) {
  return with_reach(facts, hint_of(facts, finding));
}

}  // namespace cuemu::check
