#include "race_text.hpp"

#include <algorithm>
#include <vector>

#include "missing_barrier.hpp"

namespace cuemu::check {

namespace {

/// Returns whether the threads are in one warp, and the block has no other warp. With more warps a kernel
/// usually needs a block barrier.
bool within_lone_warp(const RaceFacts& facts) {
  return facts.spread <= Spread::warp && facts.block_is_a_warp;
}

/// Returns the part of its line that a party refers to, without the operators that only show how the part is
/// used: `count` for `(*count)++`.
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

/// Returns the statement around a part of a line. It extends to the nearest characters that end statements.
Span statement_around(const std::string& text, const Span& part) {
  const std::size_t before = text.find_last_of(";{}", static_cast<std::size_t>(part.begin) - 1);
  const std::size_t behind = text.find_first_of(";{}", static_cast<std::size_t>(part.end) - 1);
  return {before != text.npos ? static_cast<int>(before) + 2 : 1,
          static_cast<int>(behind != text.npos ? behind : text.size()) + 1};
}

/// A read and a write that are on one line.
struct OneLine {
  const Party* read = nullptr;
  const Party* write = nullptr;
  bool known() const { return read != nullptr && write != nullptr; }
};

OneLine one_line(const RaceFacts& facts, const Finding& finding) {
  if (facts.before_writes == facts.now_writes || !(finding.parties[0].line == finding.parties[1].line))
    return {};
  return {&finding.parties[facts.before_writes ? 1 : 0], &finding.parties[facts.before_writes ? 0 : 1]};
}

bool is_one_statement(const std::string& text, const Span& a, const Span& b) {
  const Span whole = statement_around(text, a);
  return whole.begin <= b.begin && b.end <= whole.end;
}

/// Returns the function in a statement such as `x = max(x, v)`, here "max". Empty if the line has no such
/// statement.
std::string updating_function(const RaceFacts& facts, const Finding& finding) {
  const OneLine both = one_line(facts, finding);
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
  // `x[i] = max(x[i], x[i + s])` is a level of a tree, not an update: the thread also reads the other element
  // too early.
  arguments.erase(own, target.size());
  const std::string array = target.substr(0, target.find('['));
  if (array.size() < target.size() && arguments.find(array + "[") != arguments.npos) return {};
  for (const char* name : {"max", "min", "fmaxf", "fminf", "fmax", "fmin"})
    if (function == name) return function;
  return {};
}

/// Returns whether a line is inside a lock: `while (atomicCAS(…) …)` acquires it before the line, and a
/// nearby later line releases it.
bool is_in_lock(const Line& line) {
  constexpr int near = 12;
  const auto& lines = source_lines(line.file);
  if (!line.known() || line.line < 1 || static_cast<std::size_t>(line.line) > lines.size()) return false;
  bool taken = false, released = false;
  for (int at = std::max(line.line - near, 1); at <= line.line && !taken; ++at) {
    const std::string text = without_comment(lines[static_cast<std::size_t>(at) - 1]);
    taken = has_word(text, "while") && (has_word(text, "atomicCAS") || has_word(text, "atomicExch")) &&
            !begins_function_in(lines, at + 1, line.line);
  }
  const int last = std::min(line.line + near, static_cast<int>(lines.size()));
  for (int at = line.line; at <= last && !released; ++at)
    released = has_word(without_comment(lines[static_cast<std::size_t>(at) - 1]), "atomicExch") &&
               !begins_function_in(lines, line.line + 1, at);
  return taken && released;
}

/// Whether fences are before and after a line in such a lock.
bool is_fenced(const Line& line) {
  const auto& lines = source_lines(line.file);
  const auto is_fenced_by = [&](int step) {
    for (int at = line.line + step; at > 0 && static_cast<std::size_t>(at) <= lines.size(); at += step) {
      const std::string text = without_comment(lines[static_cast<std::size_t>(at) - 1]);
      const bool fence = has_word(text, "__threadfence") || has_word(text, "__threadfence_system");
      if (fence && !has_word(text, "if")) return true;                         // an `if` may skip it
      if (has_word(text, "atomicCAS") || has_word(text, "atomicExch")) break;  // taken or released
    }
    return false;
  };
  return is_fenced_by(-1) && is_fenced_by(1);
}

/// The hint for a statement in such a lock.
std::string lock_hint(const Line& line) {
  if (is_fenced(line))
    return "the lock and its fences order only the threads that take the same lock: do all threads take "
           "the same lock?";
  return "a lock that atomic functions take and release orders nothing by itself: write __threadfence() "
         "after it is taken, and another one before it is released";
}

/// Returns the hint for such a statement.
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

/// Returns whether one statement reads a variable and writes it back: `x += y`, `if (y > x) x = y`.
bool is_update(const RaceFacts& facts, const Finding& finding) {
  const OneLine both = one_line(facts, finding);
  if (!both.known() || variable(finding, *both.read) != variable(finding, *both.write)) return false;
  const Span read = part_of(finding, *both.read);
  const Span write = part_of(finding, *both.write);
  if (!read.known() || !write.known()) return false;
  const std::string& text = raw_text(both.write->line);
  if (read.end > write.begin && write.end > read.begin) return true;  // `x += y`, `x++`
  return is_one_statement(text, read, write);
}

/// Returns whether a statement reads elements that other threads write by the same statement: `x[i] += x[i +
/// 1]`.
bool is_shift(const RaceFacts& facts, const Finding& finding) {
  const OneLine both = one_line(facts, finding);
  if (!both.known()) return false;
  const Span read = part_of(finding, *both.read);
  const Span write = part_of(finding, *both.write);
  return read.known() && write.known() && is_one_statement(raw_text(both.write->line), read, write);
}

/// Returns whether a statement reads and writes the same array. In `out[i] = in[i + 1]`, both names may refer
/// to the same array, if the program exchanges them after each iteration.
bool is_in_place(const RaceFacts& facts, const Finding& finding) {
  const OneLine both = one_line(facts, finding);
  const auto array = [&](const Party& party) {
    const std::string text = variable(finding, party);
    return text.substr(0, text.find('['));
  };
  return both.known() && array(*both.read) == array(*both.write);
}

/// Returns the atomic function in `if (*most < x) atomicMax(most, x)`, which makes the comparison itself.
/// Empty for other code.
std::string compares_by_itself(const Party& plain, const Party& atomic) {
  const bool near = plain.line.known() && plain.line.file == atomic.line.file &&
                    plain.line.line <= atomic.line.line && atomic.line.line <= plain.line.line + 2;
  if (!near || text_of(plain.line).find("if (") == std::string::npos) return {};
  const std::string update = text_of(atomic.line);
  for (const char* name : {"atomicMax", "atomicMin"})
    if (update.find(name) != std::string::npos) return name;
  return {};
}

/// Returns whether a plain read precedes an atomicCAS() in the same function, as in `if (*most >= x) return;`
/// in an atomic function that the user wrote. Only reads by threads that never reach the atomicCAS() count as
/// races.
bool looks_before_swap(const Party& plain, const Party& atomic) {
  if (!plain.line.known() || plain.line.file != atomic.line.file || plain.line.line > atomic.line.line)
    return false;
  const auto& lines = source_lines(plain.line.file);
  return text_of(atomic.line).find("atomicCAS") != std::string::npos &&
         head_of_device_function(lines, plain.line.line) ==
             head_of_device_function(lines, atomic.line.line) &&
         !begins_function_in(lines, plain.line.line + 1, atomic.line.line);
}

/// The pattern of the two accesses, according to the accesses and the source.
enum class Pattern {
  narrow_atomics,  ///< both accesses are by atomic functions, with block scope only
  compared_first,  ///< `if (*most < x) atomicMax(most, x)`
  looked_first,    ///< `if (*most >= x) return;` before the user's loop of atomicCAS()
  mixed,           ///< one access is atomic, the other plain
  update,          ///< `x += y`
  shift,           ///< `x[i] += x[i + 1]`
  two_writes,
  fill_and_read
};

/// Returns whether the plain access is a write, if the other access is atomic.
bool plain_writes(const RaceFacts& facts) {
  return facts.before_atomic ? facts.now_writes : facts.before_writes;
}

/// The parties of a race between a plain and an atomic access.
struct Mixed {
  const Party& plain;
  const Party& atomic;  ///< the atomic access, or the volatile one
};
Mixed mixed(const RaceFacts& facts, const Finding& finding) {
  return {finding.parties[facts.before_atomic ? 1 : 0], finding.parties[facts.before_atomic ? 0 : 1]};
}

/// Returns the atomic function that the party's line calls, such as "atomicAdd"; empty if it is unknown.
std::string atomic_function(const Party& party) {
  const std::string text = text_of(party.line);
  const std::size_t begin = text.find("atomic");
  if (begin == text.npos) return "";
  const std::string name = declared_name(text.substr(begin));
  return text.compare(begin, name.size() + 1, name + "(") == 0 ? name : "";
}

/// Describes the party's atomic or volatile operation: "change by atomicAdd()".
std::string how_changed(const Party& party) {
  const auto begins = [&](const char* words) { return party.what.rfind(words, 0) == 0; };
  if (begins("read (volatile)")) return "read through volatile";
  if (begins("write (volatile)")) return "write through volatile";
  const std::string name = atomic_function(party);
  if (name.empty())
    return begins("atomic read") ? "read by an atomic function" : "change by an atomic function";
  return "change by " + name + "()";  // the function's read is a part of the change
}

/// Returns whether `*lock = 0` follows `while (atomicCAS(lock, 0, 1) != 0);`. A write before the loop would
/// be an initialisation. If the code keeps the value that atomicCAS() returns, it is not a lock but the
/// user's own update.
bool releases_lock(const RaceFacts& facts, const Finding& finding) {
  const auto& [plain, atomic] = mixed(facts, finding);
  const std::string name = atomic_function(atomic);
  const std::string text = text_of(atomic.line);
  return plain_writes(facts) && (name == "atomicCAS" || name == "atomicExch") &&
         (has_word(text, "while") || has_word(text, "if")) && text.find("= " + name) == text.npos &&
         plain.line.file == atomic.line.file && atomic.line.line < plain.line.line;
}

Pattern pattern_of(const RaceFacts& facts, const Finding& finding) {
  const bool one_reads = facts.before_writes != facts.now_writes;
  const bool in_block = facts.spread != Spread::grid;
  if (facts.before_atomic && facts.now_atomic && !in_block) return Pattern::narrow_atomics;
  if (facts.before_atomic != facts.now_atomic) {
    const auto& [plain, atomic] = mixed(facts, finding);
    if (plain_writes(facts)) return Pattern::mixed;
    if (!compares_by_itself(plain, atomic).empty()) return Pattern::compared_first;
    return looks_before_swap(plain, atomic) ? Pattern::looked_first : Pattern::mixed;
  }
  // The line where other threads read is unknown, so it is unknown how they use the value.
  if (facts.others_read && in_block) return Pattern::fill_and_read;
  if (one_reads && (!updating_function(facts, finding).empty() || is_update(facts, finding)))
    return Pattern::update;
  const bool may_shift = in_block || (facts.in_cooperative() && is_in_place(facts, finding));
  if (one_reads && may_shift && is_shift(facts, finding)) return Pattern::shift;
  return one_reads ? Pattern::fill_and_read : Pattern::two_writes;
}

/// All facts that determine the race's hint.
struct Race {
  const RaceFacts& facts;
  const Finding& finding;
  const MissingBarrier& barrier;
  Pattern pattern;
};

Lack lack_of(const Race& race) {
  const auto& [facts, finding, barrier, pattern] = race;
  const bool is_one_line = finding.parties[0].line == finding.parties[1].line;
  switch (pattern) {
    case Pattern::narrow_atomics:
    case Pattern::compared_first:
    case Pattern::looked_first:
    case Pattern::update:
      return Lack::atomic;
    case Pattern::mixed:
      if (releases_lock(facts, finding)) return Lack::atomic;
      if (facts.may_meet() && !(facts.in_cooperative() && is_one_line)) return barrier.lack();
      return plain_writes(facts) ? Lack::atomic : Lack::grid_order;
    case Pattern::shift:
      return barrier.lack();
    case Pattern::two_writes:
      return facts.may_meet() && (barrier.is_of_two_calls() || !is_one_line) ? barrier.lack()
                                                                             : Lack::own_element;
    case Pattern::fill_and_read:
      if (facts.spread != Spread::grid && barrier.turn_of_both() != 0) return Lack::own_element;
      return facts.may_meet() ? barrier.lack() : Lack::grid_order;
  }
  return Lack::nothing;
}

std::string shift_hint(const Race& race) {
  const std::string apart =
      "let each read into a variable of its own, then " + race.barrier.call() + ", and write only then";
  if (race.barrier.loop_is_without())
    return race.barrier.text() +
           ". Where a thread reads what another one writes in the same iteration: " + apart +
           ". All threads must reach each of these barriers";
  return "a thread reads what another one writes by the same statement: are some threads to be kept out of "
         "it by "
         "an if? Or " +
         apart;
}

std::string compared_hint(const Race& race) {
  const auto& [plain, atomic] = mixed(race.facts, race.finding);
  return compares_by_itself(plain, atomic) + "() compares by itself: leave out the comparison at line " +
         std::to_string(plain.line.line) + ", which may read a value that is old";
}

std::string looked_hint(const Race& race) {
  const auto& [plain, atomic] = mixed(race.facts, race.finding);
  // In shared memory, volatile accesses order the lanes of one warp, but no other threads.
  return "line " + std::to_string(plain.line.line) +
         " reads plainly what others change by atomicCAS() at line " + std::to_string(atomic.line.line) +
         " at the same time: where a value that is no longer there does no harm, because it only saves the "
         "atomicCAS(), read it " +
         (race.facts.in_shared ? "by an atomic function (atomicAdd(p, 0))"
                               : "through a pointer to volatile, or by an atomic function (atomicAdd(p, 0))");
}

std::string others(const RaceFacts& facts) {
  return facts.spread == Spread::grid ? "other blocks" : "other threads";
}

/// Returns the hint for a race between a plain access and one that is atomic or `volatile`.
std::string mixed_hint(const Race& race, Lack lack) {
  const Mixed both = mixed(race.facts, race.finding);
  const std::string line =
      both.plain.line.known() ? "line " + std::to_string(both.plain.line.line) : "one of the two";
  if (releases_lock(race.facts, race.finding))
    return line + " gives back by a plain write what others take by " + atomic_function(both.atomic) +
           "(): release a lock by atomicExch(), after a __threadfence()";
  const std::string how = how_changed(both.atomic);
  if (lack == Lack::atomic)
    return line + " writes without an atomic function what other blocks " + how +
           ": use atomicExch() there, or set it before the kernel (cudaMemset)";
  if (lack == Lack::grid_order)
    return line +
           " reads while other blocks still change it: read the result in the next kernel, or in the "
           "last block to finish (__threadfence() and an atomic counter); where any value in between "
           "will do, read it by an atomic function";
  const bool may_be_old = lack == Lack::grid_barrier && !plain_writes(race.facts);
  return line + (plain_writes(race.facts) ? " writes" : " reads") + " without an atomic function what " +
         others(race.facts) + " " + how + ": " + race.barrier.text() +
         (may_be_old ? "; where any value in between will do, read it by an atomic function" : "");
}

std::string two_writes_hint(const Race& race, Lack lack) {
  if (race.facts.spread == Spread::grid && lack == Lack::own_element)
    return "blocks run in any order, so which value stays is a matter of chance: give each thread its own "
           "element, or use an atomic function";
  if (race.barrier.is_of_two_calls())
    return "if a later call of " + race.barrier.function() +
           "() is to write over what an earlier one wrote, " + race.barrier.text() +
           "; within one call, give each thread its own element, or use an atomic function";
  const std::string hint =
      "which value stays is a matter of chance: give each thread its own element, or use an atomic "
      "function";
  return lack == Lack::own_element ? hint : hint + "; if the later one is to stay, " + race.barrier.text();
}

/// Returns the line of a loop around this line whose step ignores other blocks, as in `for (i = threadIdx.x;
/// i < n; i += blockDim.x)`. Returns 0 if there is none.
int loop_of_one_block(const Line& line) {
  int found = 0;
  for (const Loop& loop : loops_in(source_lines(line.file))) {
    const std::string& head = raw_text({line.file, loop.line});
    if (loop.holds(line.line) && head.find("blockDim") != head.npos && head.find("gridDim") == head.npos)
      found = loop.line;
  }
  return found;
}

/// Returns the hint if only threads with the same threadIdx race, so that each block handles the same
/// elements. If the race has two lines, one of them may deliberately read an element that another block has
/// written.
std::string twins_hint(const Race& race) {
  const Line& line = race.finding.parties[0].line;
  const bool updates = race.pattern == Pattern::update;
  if (group_of(race.facts) != Group::grid || !line.known() || !(line == race.finding.parties[1].line) ||
      !(updates || race.pattern == Pattern::two_writes))
    return "";
  const std::string axis = std::string(".") + race.facts.axis;
  const std::string block = "blockIdx" + axis + " * blockDim" + axis;
  const int loop = loop_of_one_block(line);
  const std::string cause = loop != 0 ? "each block runs the loop at line " + std::to_string(loop) +
                                            " over the same elements: should it begin at " + block +
                                            " + threadIdx" + axis + " and step by gridDim" + axis +
                                            " * blockDim" + axis + "?"
                                      : "the index is the same in each block: does it lack " + block + "?";
  return cause + (updates
                      ? " If all blocks are to change the same elements, use atomicAdd or its like "
                        "(atomicMax …)"
                      : " If each block computes a part of the result, add the parts by an atomic function");
}

/// Returns the text after a question about the index at one line; empty if the report must not question the
/// index.
std::string apart_hint(const Race& race) {
  const Line& line = race.finding.parties[0].line;
  if (!line.known() || !(line == race.finding.parties[1].line) || is_in_lock(line)) return "";
  if (race.pattern == Pattern::update)
    return "If they are all to change it, use atomicAdd or its like (atomicMax …), or sum up in a reduction";
  if (race.pattern == Pattern::two_writes)
    return "If they are all to write it, which value stays is a matter of chance: let one of them write, or "
           "use "
           "an atomic function";
  return "";
}

std::string fill_and_read_hint(const Race& race, Lack lack) {
  if (lack == Lack::grid_order)
    return "blocks run in any order and __syncthreads() does not order them: write to another array than the "
           "one that is read, end the kernel here and go on in another one, or hand the data over with "
           "__threadfence() and an atomic flag";
  const std::string& array = race.finding.array;
  if (const int turn = race.barrier.turn_of_both(); lack == Lack::own_element && turn != 0)
    return "in one iteration of the loop at line " + std::to_string(turn) +
           " a thread writes what another one uses, after the barrier that is there already: let each "
           "element belong to "
           "one thread in an iteration (an if keeps out threads whose elements overlap with those of "
           "others), or let all "
           "threads read, then " +
           race.barrier.call() + ", and write only then";
  const int behind = race.barrier.line_behind();
  const bool is_overwritten =
      behind != 0
          ? race.finding.parties[race.facts.before_writes ? 0 : 1].line.line == behind
          : (race.facts.now_writes && !race.facts.of_nothing) || race.barrier.comes_before_next_turn();
  return (array.empty() ? "the memory" : array) +
         (is_overwritten ? " is overwritten while " + others(race.facts) + " may still read it: "
                         : " is read while " + others(race.facts) + " may still be filling it: ") +
         race.barrier.text() +
         (is_overwritten && lack == Lack::grid_barrier
              ? "; or write to another array than the one that is read"
              : "");
}

std::string hint_of(const Race& race, Lack lack) {
  switch (race.pattern) {
    case Pattern::narrow_atomics:
      return "atomics that end in _block order the threads of one block only: use the plain form";
    case Pattern::compared_first:
      return compared_hint(race);
    case Pattern::looked_first:
      return looked_hint(race);
    case Pattern::mixed:
      return mixed_hint(race, lack);
    case Pattern::update:
      return is_in_lock(race.finding.parties[0].line)
                 ? lock_hint(race.finding.parties[0].line)
                 : update_hint(updating_function(race.facts, race.finding));
    case Pattern::shift:
      return shift_hint(race);
    case Pattern::two_writes:
      return two_writes_hint(race, lack);
    case Pattern::fill_and_read:
      return fill_and_read_hint(race, lack);
  }
  return "";
}

/// Returns the addition to a hint for memory that all blocks share. A barrier orders only the threads of one
/// block, so the hint must mention the other blocks.
std::string reach_hint(const RaceFacts& facts, Lack lack) {
  if (facts.in_shared || !may_be_block_barrier(lack)) return "";
  return std::string(". It orders this block alone: where other blocks touch the array too, ") +
         (facts.cooperative ? "a grid.sync() belongs in its place"
                            : "write to another one, or go on in another kernel");
}

/// Returns the addition to a hint for a program that has no warp barrier because it relies on lanes that run
/// in step.
std::string reliance_hint(Lack lack) {
  if (!may_be_warp_barrier(lack)) return "";
  return ". Without that the code relies on the lanes of a warp running in step, which CUDA does not promise "
         "(emucc --lockstep runs it that way)";
}

/// Returns the smallest group that the missing operation must order.
Group within(const RaceFacts& facts, Lack lack) {
  if (facts.spread == Spread::grid) return group_of(facts);
  return may_be_warp_barrier(lack) ? Group::warp : Group::block;
}

}  // namespace

Group group_of(const RaceFacts& facts) {
  if (facts.in_cluster()) return Group::cluster;
  return facts.spread == Spread::grid    ? Group::grid
         : facts.spread == Spread::block ? Group::block
                                         : Group::warp;
}

std::string who_races(const RaceFacts& facts, const std::string& block) {
  if (facts.in_cluster()) return "two blocks of a cluster";
  if (facts.spread == Spread::grid) return "two blocks";
  return (facts.spread <= Spread::warp ? "two threads of a warp of block " : "two threads of block ") + block;
}

std::string missing_order(const RaceFacts& facts) {
  if (facts.spread == Spread::grid) return "with no order between them";
  // With more warps a kernel usually needs a block barrier, although both threads are in one warp.
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

void name_missing_order(const RaceFacts& facts, Finding& finding) {
  const MissingBarrier barrier(facts, finding);
  const Race race{facts, finding, barrier, pattern_of(facts, finding)};
  const Lack lack = lack_of(race);
  finding.missing = {lack, within(facts, lack), {}};
  const bool names_place = race.pattern != Pattern::shift || barrier.loop_is_without();
  if (names_place && is_barrier(lack)) finding.missing.lines = barrier.lines();
  finding.hint = hint_of(race, lack) + reach_hint(facts, lack) + reliance_hint(lack);
  finding.twins_hint = twins_hint(race);
  finding.apart_hint = apart_hint(race);
}

}  // namespace cuemu::check
